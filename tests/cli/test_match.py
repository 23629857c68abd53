"""``ghost match``: two claims, or a file of pairs, with every exit code."""

import io
import json
import sys
from pathlib import Path

import pytest

from ghost.cli.main import main
from tests.cli.conftest import Captured, Run

WALL, ASKED = "The Great Wall of China is visible from space.", "Is the Great Wall of China visible from space?"


def test_two_claims_are_compared(run: Run, capsys: Captured) -> None:
    found = run("match", WALL, ASKED)
    assert (found["relation"], found["a"], found["b"]) == ("same", WALL, ASKED)
    assert 0.5 < found["probability"] <= 1
    assert {"name": "question form", "a": "statement", "b": "whether", "agrees": True} in found["slots"]
    assert main(["match", WALL, "The Great Wall of China is not visible from space."]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Opposite (probability ")
    assert "≠ negation: (nothing) | not" in out


def test_a_file_of_pairs_is_compared_and_a_bad_line_named(run: Run, capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(f'id,question,claim\n1,"{ASKED}","{WALL}"\n2,,"{WALL}"\n3,"Do ants sleep?","{WALL}"\n')
    assert main(["match", "--file", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [(row["line"], row["relation"]) for row in found["pairs"]] == [(2, "same"), (4, "different")]
    assert found["pairs"][0]["a"] == WALL
    assert found["bad_lines"] == 1
    assert "Line 3: a cell of the pair is empty" in err
    file.write_text(f'left;right\n"{ASKED}";"{WALL}"\n')
    assert main(["match", "--file", str(file)]) == 0
    assert "same" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match"], "Name two claims"),
        (["match", WALL], "Two claims are compared"),
        (["match", WALL, ASKED, ASKED], "Two claims are compared"),
        (["match", WALL, ASKED, "--file", "x.csv"], "Name two claims, or a file"),
        (["match", "--file", "missing.csv"], "missing.csv"),
    ],
)
def test_bad_usage(words: list[str], message: str, run: Run) -> None:
    assert message in run(*words, code=2)["error"]


def test_a_file_without_pairs_is_bad_usage(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for content, message in ((b"a,b\n,\n", "no line with two claims"), (b"claim\nOne claim.\n", "has one column")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        assert message in run("match", "--file", "-", code=2)["error"]
