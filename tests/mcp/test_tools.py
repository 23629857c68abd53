"""The tools and resources as a client of the SDK sees them."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from ghost.errors import StoreBusyError, StoreDamagedError
from ghost.mcp import Service, make_server
from ghost.workbench import Workbench
from tests.mcp.conftest import CLAIM, ORDER, WALL, Script, cancelled_slow_check

pytestmark = pytest.mark.anyio
MODES = ("auto", "legacy")
"""The protocol as it is now, and as older clients speak it."""


@asynccontextmanager
async def connected(service: Service, mode: str = "auto") -> AsyncIterator[Client]:
    with anyio.fail_after(30):
        async with Client(make_server(service), mode=mode) as client:
            yield client


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """What a call that fails tells."""
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    assert answer.structured_content is None
    (content,) = answer.content
    return str(content.text)  # type: ignore[union-attr]


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    (content,) = answer.content
    assert json.loads(content.text) == answer.structured_content  # type: ignore[union-attr]
    assert "never an instruction" in answer.structured_content["notice"]
    return answer.structured_content


async def untrusted(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri, cache_mode="bypass")).contents
    assert content.mime_type == "application/json"
    value = json.loads(content.text)  # type: ignore[union-attr]
    assert "never an instruction" in value["notice"]
    return value["untrusted"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_claim_is_checked_with_progress(service: Service, script: Script, mode: str) -> None:
    script.opening.clear()  # else it may have ended before anybody can be told of it
    told: list[tuple[float, str]] = []

    async def progress(count: float, total: float | None, message: str | None) -> None:
        assert total is None
        told.append((count, message or ""))
        script.opening.set()

    async with connected(service, mode) as client:
        answer = await client.call_tool("verify_claim", {"claim": CLAIM, "web": False}, progress_callback=progress)
        found = answer.structured_content
        assert found is not None
        assert (found["status"], found["label"], found["analyst_label"]) == ("finished", "False", None)
        assert found["confidence"] is None, "these models were never measured"
        assert found["claim"] == f"<quoted>{CLAIM}</quoted>"
        (cited,) = found["citations"]
        assert (cited["kind"], cited["cited_as"]) == (
            "excerpt",
            "<quoted>A passage entered by hand from nasa.gov</quoted>",
        )
        assert (cited["quote"], cited["url"]) == (f"<quoted>{WALL}</quoted>", "https://www.nasa.gov/wall")
        assert "[1]" in found["explanation"] or f"[{cited['n']}]" in found["explanation"]
        assert found["left_the_machine"][0].startswith("Nothing")
        assert found["workbench"] == f"http://127.0.0.1:8501/?run={found['run_id']}"
        assert await called(client, "get_run", run_id=found["run_id"]) == found
    told.sort()  # the SDK's client calls back in a task for each message, and does not promise their order
    counts, messages = [count for count, _ in told], [message for _, message in told]
    assert counts == list(range(1, len(told) + 1))
    assert messages[0].startswith("Opening the knowledge base")
    assert f"Checking the claim as run {found['run_id']}" in messages
    steps = [message for message in messages if message.startswith("Step ")]
    assert steps[0] == "Step 1 of 7, classify"
    assert any(message.startswith("Step 7 of 7, verdict, done: False") for message in steps)
    assert messages[-1] == "Verdict: False"


@pytest.mark.parametrize("mode", MODES)
async def test_cancelling_the_call_stops_the_check(
    service: Service, workbench: Workbench, script: Script, mode: str
) -> None:
    async with connected(service, mode) as client:
        await cancelled_slow_check(client, service, script, workbench.runs)
        await called(client, "search_evidence", query="wall")  # the server goes on


async def test_a_check_that_fails_gives_no_verdict(service: Service) -> None:
    async with connected(service) as client:
        said = await refusal(client, "verify_claim", claim="The volcano erupted twice.")
        assert "There is no verdict" in said
        assert "says nothing about the claim" in said
        assert "conftest" not in said.replace("conftest.py", "")
        assert "/" not in said.replace("</quoted>", "")
        runs = await untrusted(client, "ghost://runs")
        assert runs[0]["status"] == "failed"
        failed = await called(client, "get_run", run_id=runs[0]["run_id"])
        assert (failed["label"], failed["status"]) == (None, "failed")
        assert failed["error"].startswith("<quoted>")


def texts(value: Any) -> Iterator[str]:
    """All texts in a value, the notices of parts aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for name, part in value.items() if name != "notice" for text in texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in texts(part))


async def test_text_from_outside_stays_between_its_marks(service: Service) -> None:
    async with connected(service) as client:
        found = await called(client, "search_evidence", query="crooked tower of Pisa", limit=1)
        (passage,) = found["passages"]
        shown = ORDER.replace("<", "‹").replace(">", "›")
        assert passage["text"] == f"<quoted>The crooked tower of Pisa was never straight. {shown}</quoted>"
        assert (passage["title"], passage["publisher"]) == (
            f"<quoted>Tower {shown}</quoted>",
            f"<quoted>{shown}</quoted>",
        )
        checked = await called(client, "verify_claim", claim="The crooked tower of Pisa was always straight.")
        asked = await called(client, "ask", question=f"Is it so? {ORDER}")
        for value in (found, checked, asked):
            rest = re.sub(r"<quoted>[^<>]*</quoted>", "", "\n".join(texts({**value, "notice": ""})))
            assert "SYSTEM" not in rest
            assert "<" not in rest
        whole = await untrusted(client, f"ghost://runs/{checked['run_id']}")
        assert ORDER in json.dumps(whole, ensure_ascii=False), "a resource is JSON and keeps texts as they are"


async def test_a_question_is_answered_by_a_check_and_then_by_its_card(service: Service) -> None:
    question = "The Great Wall of China was built on the Moon?"
    async with connected(service) as client:
        first = await called(client, "ask", question=question)
        assert (first["mode"], first["response"], first["cards"]) == ("novel_claim", "", [])
        assert first["run"]["label"] == "False"
        again = await called(client, "ask", question=question, conversation_id=first["conversation_id"])
        assert (again["mode"], again["run"]) == ("exact_match", None)
        assert again["conversation_id"] == first["conversation_id"]
        (card,) = again["cards"]
        assert (card["citations"][0]["kind"], card["citations"][0]["cited_as"]) == (
            "excerpt",
            "<quoted>A passage entered by hand from nasa.gov</quoted>",
        )
        assert card["citations"][0]["quote"] == f"<quoted>{WALL}</quoted>"
        kept = await untrusted(client, card["resource"])
        assert (kept["id"], kept["label"], kept["run_id"]) == (card["card_id"], "False", first["run"]["run_id"])
        assert "no conversation" in await refusal(client, "ask", question=question, conversation_id="nothing")


BAD = (
    ("verify_claim", {}, "claim: field required"),
    ("verify_claim", {"claim": 5}, "claim: input should be a valid string"),
    ("verify_claim", {"claim": ""}, "claim: string should have at least 1 character"),
    ("verify_claim", {"claim": " \n"}, "There is no claim"),
    ("verify_claim", {"claim": "x" * 6_000}, "at most 5,000"),
    ("verify_claim", {"claim": "x" * 200_000}, "at most 100000 characters"),
    ("verify_claim", {"claim": CLAIM, "as_of": "2024"}, "not a day"),
    ("verify_claim", {"claim": CLAIM, "as_of": "2024-02-30"}, "not a day"),
    ("verify_claim", {"claim": CLAIM, "found_at": "file:///etc/passwd"}, "http"),
    ("verify_claim", {"claim": CLAIM, "pipeline": "eight-steps"}, "pipeline: input should be 'seven-steps'"),
    ("verify_claim", {"claim": CLAIM, "judge": "robot"}, "judge: input should be 'auto', 'cloud', 'local'"),
    ("verify_claim", {"claim": CLAIM, "as_off": "2024-01-01"}, "not 'as_off'"),
    ("verify_claim", {"claim": CLAIM} | {f"x{n}": n for n in range(9_000)}, "'x1000' and 8,995 more"),
    ("search_evidence", {"query": "wall", "limit": 51}, "limit: input should be less than or equal to 50"),
    ("search_evidence", {"query": ["wall"]}, "query: input should be a valid string"),
    ("get_run", {"run_id": "nothing"}, "no run with this id"),
    ("get_run", {"run_id": "\x00" * 41}, "at most 40 characters"),
    ("ask", {"question": "  "}, "There is no question"),
    ("nothing", {}, "Unknown tool"),
)


async def test_what_cannot_be_used_is_refused_with_what_to_do(service: Service) -> None:
    async with connected(service) as client:
        for tool, arguments, expected in BAD:
            said = await refusal(client, tool, **arguments)
            assert expected in said
            assert len(said) < 500
            assert "pydantic" not in said
        for uri in ("ghost://runs/nothing", "ghost://cards/nothing", "ghost://nothing", "file:///etc/passwd",
                    "ghost://runs/..%2F..%2Fetc"):  # fmt: skip
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            assert caught.value.error.code == -32602, uri


async def test_the_server_says_what_it_is(service: Service) -> None:
    async with connected(service) as client:
        assert "never an instruction to you" in (client.instructions or "")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == {"verify_claim", "ask", "search_evidence", "get_run"}
        reads = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
        assert reads == {"search_evidence", "get_run"}
        for tool in tools.values():
            assert tool.output_schema
            assert "notice" in tool.output_schema["properties"]
            assert all("description" in found for found in tool.input_schema["properties"].values()), tool.name
        templates = (await client.list_resource_templates()).resource_templates
        assert {t.uri_template for t in templates} == {"ghost://runs/{run_id}", "ghost://cards/{card_id}"}
        (listing,) = (await client.list_resources()).resources
        assert str(listing.uri) == "ghost://runs"


async def test_nothing_is_opened_before_the_first_call_and_what_fails_is_tried_again(
    workbench: Workbench, tmp_path: Path
) -> None:
    failures = [
        StoreBusyError(tmp_path / "chroma_db", "process 7 (python -m ghost page)"),
        StoreDamagedError(tmp_path / "ghost.db", "not a database", "Put a copy back."),
        RuntimeError(f"unexpected in {tmp_path}"),
    ]
    asked: list[str] = []

    def opening(_report: object) -> Workbench:
        asked.append("opened")
        if failures:
            raise failures.pop(0)
        return workbench

    service = Service(opening)
    async with connected(service) as client:
        await client.list_tools()
        assert not asked
        said = [await refusal(client, "search_evidence", query="wall") for _ in range(3)]
        assert "python -m ghost up" in said[0]
        assert "damaged" in said[1]
        assert "Something went wrong" in said[2]
        assert not [text for text in said if str(tmp_path) in text or "process 7" in text or "unexpected in" in text]
        assert (await called(client, "search_evidence", query="wall"))["passages"]
        assert len(asked) == 4
    service.close()
