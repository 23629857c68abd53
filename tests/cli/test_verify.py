"""``ghost verify`` from the claim to the exit code, and ``ghost export`` of its run in every form."""

import io
import json
import os
import signal
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from config import load_settings
from ghost.cli.main import main
from ghost.records import Database, ReviewStore
from ghost.types import Label
from tests.cli.conftest import WALL, Bytes, Captured, Run

CLAIM = "The Great Wall of China is visible from space."


def test_the_verdict_and_the_canonical_result_are_printed(
    capsys: Captured, run: Run, tmp_path: Path, built: list[dict[str, Any]]
) -> None:
    assert main(["verify", CLAIM]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("False · Confidence not measured for this model\n"), "these models were never measured"
    assert WALL in " ".join(out.split())
    assert "https://www.nasa.gov/wall" in out
    assert "Left the machine: Nothing" in out
    assert err == ""
    result = run("verify", CLAIM, "--as-of", "2026-01-01", "--found-at", "https://a.example/q", "--judge", "embedded",
                 "--no-web")  # fmt: skip
    assert built == [{"judge": None, "web": True}, {"judge": "embedded", "web": False}]
    assert result["status"] == "finished"
    assert result["verdict"]["label"] == "False"
    assert result["claim"]["as_of"] == "2026-01-01"
    assert result["claim"]["found_at"] == "https://a.example/q"
    assert [c["quote"] for c in result["citations"] if c["accepted"]] == [WALL]
    assert result["steps"][0]["name"] == "classify"
    assert (tmp_path / "data" / "ghost.db").exists()
    open_one = run("verify", "Bananas grow on the shores of Lake Baikal.")
    assert open_one["verdict"]["label"] == "Not Enough Evidence"


def test_statements_and_sites_can_be_named(capsys: Captured, run: Run) -> None:
    named = ["--statement", "The Great Wall of China is visible from orbit.", "--statement", "It is a wall."]
    claim = run("verify", CLAIM, *named)["claim"]
    assert [s["text"] for s in claim["statements"]] == [named[1], named[3]]
    assert claim["corrected"] is True
    assert claim["extracted"] in ([CLAIM.rstrip(".")], [CLAIM])
    assert main(["verify", CLAIM, *named]) == 0
    assert "The analyst corrected the statements" in capsys.readouterr().out
    assert "Statement 1 has 601 characters" in run("verify", CLAIM, "--statement", "x" * 601, code=2)["error"]
    result = run("verify", CLAIM, "--deny-site", "nasa.gov")
    assert result["verdict"]["label"] == "Not Enough Evidence"
    assert result["settings"]["denied_here"] == ["nasa.gov"]
    assert main(["verify", CLAIM, "--deny-site", "nasa.gov"]) == 0
    assert "Sites left out: nasa.gov" in capsys.readouterr().out


def test_a_conversation_without_a_language_model_says_what_is_missing(capsys: Captured, run: Run) -> None:
    assert main(["verify", CLAIM, "--pipeline", "single-conversation"]) == 2
    assert "It needs a language model" in capsys.readouterr().err
    assert main(["verify", CLAIM, "--pipeline", "seven-steps", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pipeline"] == "seven-steps"


def test_the_claim_is_read_from_standard_input_whatever_its_bytes(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"\xef\xbb\xbf" + CLAIM.encode() + b"\r\n"))
    assert run("verify", "-")["claim"]["text"] == CLAIM
    monkeypatch.setattr(sys, "stdin", Bytes(b"The Great Wall \xff\xfe of China is visible from space."))
    assert "\ufffd" in run("verify", "-")["claim"]["text"]
    assert main(["verify", "The Great Wall \udcff is visible from space."]) == 0


@pytest.mark.parametrize("stdin", [None, b""])
def test_no_standard_input_is_bad_usage(
    stdin: bytes | None, monkeypatch: pytest.MonkeyPatch, capsys: Captured, built: list[dict[str, Any]]
) -> None:
    monkeypatch.setattr(sys, "stdin", None if stdin is None else Bytes(stdin))
    assert main(["verify", "-"]) == 2
    assert capsys.readouterr().err.startswith("ghost: There is no ")
    assert built == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["verify", ""], "There is no claim to check"),
        (["verify", " \t\n"], "There is no claim to check"),
        (["verify", "x" * 6000], "at most 5,000"),
        (["verify", CLAIM, "--found-at", "a page"], "must be a web address"),
        (["verify", CLAIM, "--as-of", "soon"], "'soon' is not a day"),
        (["verify", CLAIM, "--judge", "robot"], "invalid choice: 'robot'"),
    ],
)
def test_bad_usage_is_refused_before_anything_is_opened(
    words: list[str], message: str, capsys: Captured, built: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert main([*words, "--json"]) == 2
    out, err = capsys.readouterr()
    assert message in json.loads(out)["error"]
    assert message in err
    assert built == []
    assert not (tmp_path / "data").exists()


def test_a_wrong_setting_is_bad_usage(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("GHOST_TOP_K_RERANK", "many")
    assert main(["verify", CLAIM]) == 2
    assert "GHOST_TOP_K_RERANK" in capsys.readouterr().err


def test_a_knowledge_base_that_cannot_be_opened_is_one_clear_message(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where a folder should be", encoding="utf-8")
    assert main(["verify", CLAIM, "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]
    assert "Traceback" not in err
    assert err.count("\n") == 1


def test_an_unexpected_error_is_traced_only_when_asked(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("ghost.workbench.build", broken)
    assert main(["verify", CLAIM]) == 1
    assert capsys.readouterr().err == "ghost: Unexpected RuntimeError: boom. Add --debug to see where it comes from.\n"
    assert main(["verify", CLAIM, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_ends_the_run_and_prints_what_there_is(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    from ghost.steps import retrieve

    def interrupted(*args: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return real(*args)  # type: ignore[arg-type]

    real = retrieve
    monkeypatch.setattr("ghost.pipelines.seven_steps.retrieve", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert main(["verify", CLAIM, "--json"]) == 1
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["status"], result["verdict"]) == ("cancelled", None)
    assert [s["name"] for s in result["steps"]][:2] == ["classify", "retrieve"]
    assert "cancelled" in err
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_before_the_run_stops_at_once(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def interrupted(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ghost.workbench.build", interrupted)
    assert main(["verify", CLAIM]) == 130
    assert capsys.readouterr().err == "ghost: Stopped.\n"


def test_steps_are_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["verify", CLAIM, "--json"]) == 0
    assert "  1 classify " in screen.getvalue()
    assert "  7 verdict " in screen.getvalue()
    json.loads(capsys.readouterr().out)


def test_a_reader_that_goes_away_is_no_error_and_a_terminal_may_know_ascii_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    ascii_only = io.TextIOWrapper(raw, encoding="ascii")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", ascii_only)
        assert main(["verify", "The “Great Wall” of China – 万里长城 – is visible from space."]) == 0
    assert b"\\u201cGreat Wall\\u201d" in raw.getvalue()
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["verify", CLAIM, "--json"]) == 1
        gone.write("goes nowhere")


def test_a_run_is_exported_in_every_form(
    run: Run, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside an open knowledge base, as that of the tests is."""
    assert main(["export", "r1"]) == 1
    assert "Nothing has been checked yet" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
    run_id = run("verify", CLAIM)["run_id"]
    for words, begins in (
        (["markdown"], "# The Great Wall"),
        (["html"], "<!doctype html>"),
        (["json"], "{"),
        ([], "# "),
    ):
        assert main(["export", run_id, *(f"--format={form}" for form in words)]) == 0
        assert capsys.readouterr().out.startswith(begins)
    with closing(Database.open(load_settings().database_path)) as database:
        ReviewStore(database).override(run_id, Label.FALSE, "Confirmed.")  # now it can be published
    published = ["export", run_id, "--format", "claimreview"]
    assert main(published) == 1
    assert "GHOST_PUBLISHER_NAME" in capsys.readouterr().err
    assert main([*published, "--author-name", "Me", "--page", "https://me.example"]) == 0
    review = json.loads(capsys.readouterr().out)
    assert (review["author"]["name"], review["url"]) == ("Me", "https://me.example")
    monkeypatch.setenv("GHOST_PUBLISHER_NAME", "Example Checks")
    assert main(published) == 0
    assert json.loads(capsys.readouterr().out)["author"]["name"] == "Example Checks"
    out = tmp_path / "run.zip"
    assert main(["export", run_id, "--format", "bundle", "--out", str(out)]) == 0
    assert "bytes written to" in capsys.readouterr().err
    with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as packed:
        assert "claimreview.json" in packed.namelist()
    assert not list(tmp_path.glob("*.part"))
    for words, code, said in (
        (["nobody"], 2, "There is no run 'nobody'"),
        ([run_id, "--out", str(tmp_path / "none" / "x.md")], 1, "cannot be written"),
        ([run_id, "--out", "."], 1, ". cannot be written (Is a directory)"),
        ([run_id, "--format", "docx"], 2, "invalid choice"),
    ):
        assert main(["export", *words]) == code
        assert said in capsys.readouterr().err
