"""``ghost research`` from the topic to the exit code."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ghost.cli.main import main
from tests.cli.conftest import WALL, Bytes, Captured, Run

TOPIC = "The Great Wall of China"
VISIBLE = "Is the Great Wall of China visible to the naked eye from low Earth orbit?"


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.txt"
    path.write_text(f"\ufeff{VISIBLE}\n\nHow much is a banana at a lake in China?\n", encoding="utf-8")
    return str(path)


def words(capsys: Captured) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_a_plan_is_shown_with_what_it_will_spend(run: Run, capsys: Captured, questions: str) -> None:
    plan = run("research", TOPIC, "--plan")
    assert plan["topic"] == TOPIC
    assert len(plan["questions"]) == len(plan["decisions"]) == 5
    assert all(TOPIC.replace("The ", "the ") in q["text"] for q in plan["questions"])
    assert main(["research", TOPIC, "--plan", "--questions", questions, "--skill", "science"]) == 0
    out = words(capsys)
    assert out.startswith(f"Plan for “{TOPIC}” Skill: Science and technology (science); your questions.")
    assert f"1. {VISIBLE} [knowledge base] Memory has no matching question." in out
    assert "At most: 0 searches, 0 pages, 10 seconds." in out
    assert main(["research", "--list"]) == 0
    assert "No research yet." in words(capsys)


def test_a_research_is_printed_with_sources_gaps_and_cost(run: Run, capsys: Captured, questions: str) -> None:
    assert main(["research", TOPIC, "--questions", questions]) == 0
    out = words(capsys)
    assert f"A passage entered by hand from nasa.gov reads “{WALL.rstrip('.')}” [1]" in out
    assert "Gap: The knowledge base does not answer it." in out
    assert (
        "Sources [1] China's Wall, A passage entered by hand from nasa.gov (date unknown) https://www.nasa.gov/wall"
        in out
    )
    assert "Spent: 0 searches, 0 pages," in out
    listed = run("research", "--list")
    (row,) = listed["researches"]
    assert (listed["count"], row["status"], row["topic"]) == (1, "finished", TOPIC)
    assert [s["name"] for s in listed["skills"]][:2] == ["general", "health"]
    assert main(["research", "--list"]) == 0
    assert f"finished 1 of 2 {TOPIC}" in words(capsys)
    assert main(["research", "--resume", row["research_id"]]) == 2
    assert "finished, so it cannot be resumed" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["md", "html", "json"])
def test_the_report_is_written_too(run: Run, tmp_path: Path, questions: str, ending: str) -> None:
    out = tmp_path / f"report.{ending}"
    found = run("research", TOPIC, "--questions", questions, "--out", str(out))
    assert set(found) == {
        "research_id", "topic", "status", "error", "started_at", "finished_at", "web", "judge", "plan", "answers",
        "sources", "gaps", "saved", "usage", "steps",
    }  # fmt: skip
    (source,) = found["sources"]
    assert (source["n"], source["quotes"], source["domain"]) == (1, [WALL], "nasa.gov")
    assert found["gaps"][0]["question"] == 2
    text = out.read_text(encoding="utf-8")
    assert WALL.split("Great")[0] in text
    if ending == "json":
        assert json.loads(text)["research_id"] == found["research_id"]


def test_what_cannot_be_used_is_said_before_anything_is_opened(
    capsys: Captured, built: list[dict[str, Any]], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n", encoding="utf-8")
    for words_ in (
        ["research"],
        ["research", "  "],
        ["research", "x" * 301],
        ["research", TOPIC, "--out", "report.pdf"],
        ["research", TOPIC, "--resume", "x"],
        ["research", TOPIC, "--list"],
        ["research", "--plan", "--list"],
        ["research", TOPIC, "--questions", str(empty)],
        ["research", TOPIC, "--questions", str(tmp_path / "missing")],
    ):
        assert main(words_) == 2, words_
        assert capsys.readouterr().err
    assert not built


def test_unknown_skills_and_researches_are_said(capsys: Captured) -> None:
    assert main(["research", TOPIC, "--skill", "cooking"]) == 2
    assert "There are general, health" in capsys.readouterr().err
    assert main(["research", "--resume", "nothing"]) == 2
    assert "no such research" in capsys.readouterr().err


def test_a_broken_file_of_skills_is_named(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "skills.yaml").write_text("skills:\n  - name: 7\n", encoding="utf-8")
    assert main(["research", TOPIC, "--plan"]) == 0
    assert "skills.yaml, line 2, skills[1].name: " in capsys.readouterr().err


def test_topic_and_questions_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(TOPIC.encode()))
    assert run("research", "-", "--plan")["topic"] == TOPIC
    monkeypatch.setattr(sys, "stdin", Bytes(VISIBLE.encode()))
    (question,) = run("research", TOPIC, "--plan", "--questions", "-")["questions"]
    assert question["text"] == VISIBLE
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def test_a_file_that_cannot_be_written_is_said(capsys: Captured, tmp_path: Path, questions: str) -> None:
    assert main(["research", TOPIC, "--questions", questions, "--out", str(tmp_path / "none" / "r.md")]) == 1
    assert "cannot be written" in capsys.readouterr().err
