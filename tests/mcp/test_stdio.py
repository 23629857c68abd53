"""``python -m ghost mcp`` as an assistant starts it: a process of its own, with the models that come with Ghost."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from config import PROJECT
from tests.seeded import PACKS_OFF, Seeded

TRUE = "Water boils at a lower temperature at high altitude."


@pytest.mark.anyio
async def test_an_assistant_checks_a_claim_over_standard_input_and_output(tmp_path: Path, seeded: Seeded) -> None:
    seeded.copy(tmp_path / "data")
    environment = {
        "GHOST_DATA_DIR": str(tmp_path / "data"), "GHOST_WEB": "false", "GHOST_JUDGE": "embedded",
        "GHOST_PACKS_OFF": PACKS_OFF,
    }  # fmt: skip
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "ghost", "mcp"], env=environment, cwd=str(PROJECT)
    )
    told: list[str] = []

    async def progress(_count: float, _total: float | None, message: str | None) -> None:
        told.append(message or "")

    with (tmp_path / "log").open("w+", encoding="utf-8") as log, anyio.fail_after(120):
        async with Client(stdio_client(server, errlog=log)) as client:
            assert len((await client.list_tools()).tools) == 4
            answer = await client.call_tool("verify_claim", {"claim": TRUE}, progress_callback=progress)
            assert not answer.is_error, answer.content
            found = answer.structured_content
            assert found
            assert (found["label"], found["judge"]) == ("True", "embedded")
            assert found["citations"]
            missing = await client.call_tool("get_run", {"run_id": "nothing"})
            assert missing.is_error
        log.seek(0)
        assert log.read() == ""
    assert told[0] == "Opening the knowledge base"
    assert told[-1] == "Verdict: True"


def test_standard_output_has_nothing_but_the_protocol_and_the_end_of_input_is_the_end() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ghost", "mcp"], input=b"no json\n", capture_output=True, timeout=60, cwd=PROJECT,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")
