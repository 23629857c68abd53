"""Lists on a real Ray: what several processes find, and what is left when they are killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bench.batch import bare_result
from config import PROJECT, Settings
from ghost.bulk import collect, workers
from ghost.errors import GhostError
from ghost.types import Claim
from ghost.workbench import Workbench, build
from tests.bulk.bench import POISON, claims
from tests.bulk.lists import SECONDS, rows, wait, written
from tests.seeded import PACKS_OFF

pytestmark = pytest.mark.cluster
ENDING = 30.0
"""Seconds that a command may take to end; it takes three where nothing else runs."""


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred claims, two of which are said again."""
    lines = claims(100)
    lines[30], lines[71] = lines[4].lower(), " ".join(lines[8].strip(".").split()[::-1]) + "."
    return written(tmp_path_factory.mktemp("lists") / "list.csv", lines)


def driven(filled: Path, listed: Path, out: Path, *more: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.bulk.drive", str(filled), str(listed), str(out), *more]
    return subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def ended(process: "subprocess.Popen[str]") -> str:
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    return said


def killed(process: "subprocess.Popen[str]", reached: Callable[[], bool]) -> None:
    """Kill it and all that it has started in its group once it has got so far, unless it has ended."""
    wait(lambda: reached() or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def rays() -> set[str]:
    """Processes of Ray that run here."""
    found = set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if b"raylet/raylet" in words or b"gcs_server" in words:
            found.add(place.name)
    return found


def folders() -> set[Path]:
    """Where a Ray that is started here writes."""
    return set(Path("/tmp").glob("ghost-ray-*"))


@pytest.fixture(scope="module")
def whole(filled: Path, listed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a command that nobody killed."""
    out = tmp_path_factory.mktemp("whole") / "out"
    said = ended(driven(filled, listed, out))
    assert "lines=100, checked=98, repeated=2, failed=0" in said
    return out


def test_the_verdicts_are_those_of_single_runs(
    whole: Path, listed: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.knowledge.base.record_use", lambda *_: None)
    found = {row["id"]: row for row in rows(whole)}
    assert len(found) == 100
    for n, text in enumerate(claims(25)):
        single = json.loads(bare_result(collect(bench.verify(Claim(text), web=False))))
        assert found[f"c{n}"]["verdict"] == single["verdict"]["label"]
        assert found[f"c{n}"]["confidence"] == single["verdict"]["confidence"]
        assert [c["quote"] for c in found[f"c{n}"]["citations"]] == [
            c["quote"] for c in single["citations"] if c["accepted"]
        ]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_command_that_is_killed_goes_on(whole: Path, filled: Path, listed: Path, tmp_path: Path) -> None:
    before, out, done = (rays(), folders()), tmp_path / "out", {}
    points: list[Callable[[], bool]] = [
        lambda: (out / "plan.sqlite").exists(),
        lambda: (out / "manifest.json").exists(),
        lambda: any((out / "results").glob("part-*")),
        lambda: len(list((out / "results").glob("part-*"))) >= 5,
    ]
    for reached in points:
        killed(driven(filled, listed, out), reached)
        kept = {file: file.stat().st_mtime_ns for file in (out / "results").glob("part-*")}
        assert {file: kept[file] for file in done} == done  # nothing was done twice
        done = kept
    wait(lambda: not rays() - before[0])
    left = folders() - before[1]
    assert left
    assert not any(folder.stat().st_mode & 0o077 for folder in left), "others of this machine may look in"
    ended(driven(filled, listed, out))
    assert rows(out) == rows(whole)
    assert {file: file.stat().st_mtime_ns for file in done} == done
    assert not rays() - before[0]
    assert not folders() - before[1]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_ctrl_c_ends_all_that_the_command_has_started(filled: Path, listed: Path, tmp_path: Path) -> None:
    before, out = (rays(), folders()), tmp_path / "out"
    process = driven(filled, listed, out)
    wait(lambda: any((out / "results").glob("part-*")) or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, and the second time while it cleans up
    wait(lambda: process.poll() is not None or len(rays() - before[0]) < 2)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=ENDING)
    assert (process.returncode, said) == (130, "")
    assert not rays() - before[0]
    assert not folders() - before[1]


def test_a_claim_that_ends_processes_is_a_named_failure(filled: Path, tmp_path: Path) -> None:
    lines = claims(30)
    lines[12] = f"The {POISON} river bridge opened near the harbour in 1962."
    listed = written(tmp_path / "list.csv", lines)
    said = ended(driven(filled, listed, tmp_path / "out", "--killing"))
    assert "lines=30, checked=29, repeated=0, failed=1" in said
    failure = json.loads((tmp_path / "out" / "failures.jsonl").read_text())
    assert (failure["id"], failure["reason"]) == ("c12", "The process that checked it ended 3 times.")


def test_an_address_where_nobody_answers() -> None:
    with (
        pytest.raises(GhostError, match=r"No Ray answers at 127.0.0.1:9: .*`ray start --head`"),
        workers(_never, "127.0.0.1:9"),
    ):
        pass


def _never() -> Workbench:
    raise AssertionError("nothing is opened without Ray")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    with build(settings, judge="embedded", web=False):
        pass
    asked = ["The capital of Australia is Sydney.", "Bats are blind.", "Bats are mammals.", "I like bats most."]
    listed = written(tmp_path / "list.csv", asked)
    command = [sys.executable, "-m", "ghost", "batch", str(listed), "--engine", "ray", "--out", str(tmp_path / "out")]
    environment = os.environ | {"GHOST_DATA_DIR": str(tmp_path / "data"), "GHOST_PACKS_OFF": PACKS_OFF}
    command += ["--workers", "1"]
    begun = subprocess.Popen(command, cwd=PROJECT, env=environment | {"GHOST_WEB": "true"}, stderr=subprocess.PIPE)
    wait(lambda: (tmp_path / "out" / "manifest.json").exists() or begun.poll() is not None)
    begun.terminate()
    _, said = begun.communicate(timeout=ENDING)
    assert begun.returncode == 130
    assert b"the web is not searched" in said
    assert b"What was checked is kept in" in said
    done = subprocess.run(
        [*command, "--json"], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[0] == "Claims: column 'claim'"
    assert len(done.stderr.splitlines()) <= 3, done.stderr  # nothing of Ray's own
    assert json.loads(done.stdout)["checked"] == 4
    monkeypatch.setattr("ghost.knowledge.base.record_use", lambda *_: None)
    with build(settings, judge="embedded", web=False) as workbench:
        for row, text in zip(rows(tmp_path / "out"), asked, strict=True):
            verdict = collect(workbench.verify(Claim(text), web=False)).verdict
            assert verdict is not None
            assert (row["verdict"], row["confidence"]) == (verdict.label, verdict.confidence)
