"""``ghost verify`` from the claim to the exit code."""

import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from ghost.cli.main import main
from tests.cli.conftest import WALL

CLAIM = "The Great Wall of China is visible from space."
Captured = pytest.CaptureFixture[str]


def test_the_verdict_is_printed(capsys: Captured) -> None:
    assert main(["verify", CLAIM]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("False · High confidence (")
    assert WALL in " ".join(out.split())
    assert "https://www.nasa.gov/wall" in out
    assert "Left the machine: Nothing" in out
    assert err == ""


def test_the_canonical_result_is_printed(capsys: Captured, tmp_path: Path) -> None:
    assert main(["verify", CLAIM, "--json", "--as-of", "2026-01-01", "--found-at", "https://a.example/q"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["status"] == "finished"
    assert result["verdict"]["label"] == "False"
    assert result["claim"]["as_of"] == "2026-01-01"
    assert result["claim"]["found_at"] == "https://a.example/q"
    assert [c["quote"] for c in result["citations"] if c["accepted"]] == [WALL]
    assert result["steps"][0]["name"] == "classify"
    assert (tmp_path / "data" / "ghost.db").exists()


def test_a_claim_that_nothing_speaks_about_is_a_verdict_too(capsys: Captured) -> None:
    assert main(["verify", "Bananas grow on the shores of Lake Baikal.", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["label"] == "Not Enough Evidence"


def test_statements_can_be_named_in_place_of_those_extracted(capsys: Captured) -> None:
    named = ["--statement", "The Great Wall of China is visible from orbit.", "--statement", "It is a wall."]
    assert main(["verify", CLAIM, "--json", *named]) == 0
    claim = json.loads(capsys.readouterr().out)["claim"]
    assert [s["text"] for s in claim["statements"]] == [named[1], named[3]]
    assert claim["corrected"] is True
    assert claim["extracted"] == [CLAIM.rstrip(".")] or claim["extracted"] == [CLAIM]
    assert main(["verify", CLAIM, *named]) == 0
    assert "The analyst corrected the statements" in capsys.readouterr().out
    assert main(["verify", CLAIM, "--statement", "x" * 601]) == 2
    assert "Statement 1 has 601 characters" in capsys.readouterr().err


def test_a_site_that_is_left_out_is_left_out_of_the_knowledge_base_too(capsys: Captured) -> None:
    assert main(["verify", CLAIM, "--json", "--deny-site", "nasa.gov"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"]["label"] == "Not Enough Evidence"
    assert result["settings"]["denied_here"] == ["nasa.gov"]
    assert main(["verify", CLAIM, "--deny-site", "nasa.gov"]) == 0
    assert "Sites left out: nasa.gov" in capsys.readouterr().out


def test_judge_and_web_are_handed_on(built: list[dict[str, Any]], capsys: Captured) -> None:
    main(["verify", CLAIM, "--judge", "embedded", "--no-web"])
    main(["verify", CLAIM])
    assert built == [{"judge": "embedded", "web": False}, {"judge": None, "web": True}]


class Bytes(io.TextIOWrapper):
    """Standard input of these bytes."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


def test_the_claim_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"\xef\xbb\xbf" + CLAIM.encode() + b"\r\n"))
    assert main(["verify", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claim"]["text"] == CLAIM


def test_bytes_that_are_no_text_are_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"The Great Wall \xff\xfe of China is visible from space."))
    assert main(["verify", "-", "--json"]) == 0
    assert "\ufffd" in json.loads(capsys.readouterr().out)["claim"]["text"]
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


def test_a_reader_that_goes_away_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["verify", CLAIM, "--json"]) == 1
        gone.write("goes nowhere")


def test_a_terminal_that_knows_ascii_only(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["verify", "The “Great Wall” of China – 万里长城 – is visible from space."]) == 0
    assert b"\\u201cGreat Wall\\u201d" in raw.getvalue()
