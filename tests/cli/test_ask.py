"""``ghost ask`` from the question to the exit code."""

import io
import json
import os
import re
import signal
import sys
from typing import Any

import pytest

from ghost.cli.main import main
from ghost.testing import ScriptedReader
from tests.cli.conftest import WALL, Bytes, Captured, Run

CLAIM = "The Great Wall of China is visible from space"
OTHER = "Bananas grow on the shores of Lake Baikal"


def words(capsys: Captured) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_a_new_claim_is_checked_and_then_answered_from_its_card(run: Run, capsys: Captured) -> None:
    first = run("ask", f"{CLAIM}?")
    assert (first["mode"], first["response"], first["cards"]) == ("novel_claim", "", [])
    assert first["run"]["verdict"]["label"] == "False"
    assert first["run"]["run_id"] == first["decision"]["run_id"]
    again = run("ask", f"{CLAIM}?")
    (card,) = again["cards"]
    assert (again["mode"], again["run"], card["label"]) == ("exact_match", None, "False")
    assert (again["response"], card["run_id"]) == (card["answer"], first["run"]["run_id"])
    assert again["decision"]["candidates"][0]["match"]["relation"] == "same"
    assert set(again) == {"mode", "response", "reasoning", "cards", "decision", "run"}
    assert main(["ask", f"{CLAIM}?"]) == 0
    out = words(capsys)
    assert out.startswith(
        "Answered before. A card answers exactly this question. Nobody has reviewed its answer. False "
    )
    assert re.search(rf" Claim: {CLAIM}[.?]?: False\. Checked", out)
    assert "[1] Claim:" not in out, "[1] is a source of the card"
    assert f"[1] “{WALL}” A passage entered by hand from nasa.gov https://www.nasa.gov/wall" in out
    assert run("ask", f"{CLAIM}?", "--anew")["mode"] == "novel_claim"


def test_a_conversation_goes_on(run: Run, capsys: Captured) -> None:
    run("verify", CLAIM)
    assert main(["ask", CLAIM]) == 0
    told = capsys.readouterr().err
    assert told.startswith("ghost: go on with --conversation ")
    talk = told.split()[-1]
    assert main(["ask", "What are your sources?", "--conversation", talk]) == 0
    out = words(capsys)
    assert out.startswith("From earlier answers, not audited as a whole. The question asks more")
    assert "The answer rests on: A passage entered by hand from nasa.gov. [1] [1] Claim: " in out
    assert run("ask", "What are your sources?")["mode"] == "novel_claim", "in a conversation of its own"
    assert run("ask", CLAIM, "--conversation", "\x1b[2J\udcff")["mode"] == "exact_match"


def test_a_question_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(f"\ufeff{OTHER}\r\n".encode()))
    found = run("ask", "-", "--no-web")
    assert found["decision"]["question"] == OTHER
    assert found["run"]["verdict"]["label"] == "Not Enough Evidence"


def test_what_cannot_be_asked_is_refused_before_anything_is_opened(
    run: Run, capsys: Captured, built: list[dict[str, Any]]
) -> None:
    assert "There is no question" in run("ask", " \x00 ", code=2)["error"]
    assert "longer than 2,000 characters" in run("ask", "x" * 2_001, code=2)["error"]
    assert main(["ask"]) == 2
    assert main(["ask", CLAIM, "--judge", "nobody"]) == 2
    assert "ask" in capsys.readouterr().err
    assert built == []


def test_an_interrupt_ends_the_check_and_leaves_no_answer(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def interrupted(*_: object) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return real(*_)

    real = ScriptedReader.read
    monkeypatch.setattr(ScriptedReader, "read", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert main(["ask", CLAIM, "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["run"]["status"] == "cancelled"
    assert "cancelled" in err
    assert signal.getsignal(signal.SIGINT) is before


def test_hostile_text_reaches_no_terminal(run: Run, capsys: Captured) -> None:
    run("verify", CLAIM)
    card = run("cards", "list")["cards"][0]["id"]
    run("cards", "edit", card, "--answer", "False.\x1b[2J\u202eit is.", "--limitations", "\x1b[31m")
    assert main(["ask", CLAIM]) == 0
    assert main(["ask", f"{OTHER} \x1b[2J", "--no-web"]) == 0
    out = capsys.readouterr().out
    assert "\x1b[2J" not in out
    assert "\u202e" not in out


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["ask", CLAIM, "--json"]) == 0
    shown = screen.getvalue()
    assert "  Searching existing claims…\n  Verifying a new claim…\n  1 classify " in shown
