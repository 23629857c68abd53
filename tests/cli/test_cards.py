"""``ghost cards …``."""

from ghost.cli.main import main
from ghost.types import Category
from tests.cli.conftest import WALL, Captured, Run

CLAIM = "The Great Wall of China is visible from space"


def test_a_check_becomes_a_card_that_can_be_found_shown_changed_and_changed_back(run: Run, capsys: Captured) -> None:
    checked = run("verify", CLAIM)
    assert checked["verdict"]["label"] == "False"
    listed = run("cards", "list")
    (card,) = listed["cards"]
    assert (listed["total"], listed["states"]["active"]) == (1, 1)
    assert (card["claim"], card["label"], card["state"], card["run_id"]) == (
        CLAIM,
        "False",
        "active",
        checked["run_id"],
    )
    assert [c["quote"] for c in card["citations"]] == [WALL]
    assert run("cards", "search", f"Is it true that {CLAIM}?")["results"][0]["id"] == card["id"]
    assert main(["cards", "show", card["id"]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{CLAIM}\nFalse, ")
    assert WALL in " ".join(out.split())

    edited = run("cards", "edit", card["id"], "--limitations", "Only seen by\x1b[2J astronauts.", "--note", "said so")
    assert edited["limitations"] == "Only seen by[2J astronauts."
    assert edited["approved_at"]
    change, made = run("cards", "history", card["id"])["changes"]
    assert (change["action"], change["note"], made["action"]) == ("edited", "said so", "made")
    assert run("cards", "undo", change["id"])["limitations"] == card["limitations"]
    assert run("cards", "expire", card["id"])["state"] == "expired"
    assert run("cards", "approve", card["id"])["state"] == "active"
    assert run("cards", "expire", card["id"], "--on", "2020-02-29")["expires_at"] == "2020-03-01T00:00:00+00:00"
    assert main(["cards", "retire", card["id"]]) == 0
    assert capsys.readouterr().out == f"{card['id']}  False           {CLAIM} (retired)\n"
    assert run("cards", "search", CLAIM)["results"] == []
    assert run("cards", "list", "--state", "retired", "--label", "false", "--origin", "run")["total"] == 1
    assert run("cards", "restore", card["id"])["state"] == "expired"
    assert main(["cards", "history", card["id"]]) == 0
    assert "  edited limitations" in capsys.readouterr().out


def test_a_run_is_approved_in_words_that_stand_alone(run: Run) -> None:
    narrowed = run("verify", CLAIM, "--context", "A tourist asked.")
    assert run("cards", "list")["total"] == 0
    card = run("cards", "approve", narrowed["run_id"], "--claim", "The Great Wall can be seen from orbit")
    assert (card["claim"], card["run_id"]) == ("The Great Wall can be seen from orbit", narrowed["run_id"])


def test_what_cannot_be_done_says_so(run: Run, capsys: Captured) -> None:
    assert "no card c_x" in run("cards", "show", "c_x", code=1)["error"]
    assert "no such check" in run("cards", "approve", "c_x", code=1)["error"]
    assert "no such change" in run("cards", "undo", "c_x", code=1)["error"]
    run("verify", CLAIM)
    card = run("cards", "list")["cards"][0]["id"]
    assert "Say what to change" in run("cards", "edit", card, code=2)["error"]
    assert "needs claim" in run("cards", "edit", card, "--claim", " ", code=2)["error"]
    assert "is not a number" in run("cards", "list", "--offset", "-1", code=2)["error"]
    assert main(["cards", "search", "  "]) == 0
    assert capsys.readouterr().out == "No card was found.\n"


def test_the_categories_that_can_be_typed_are_those_there_are(run: Run) -> None:
    error = run("cards", "list", "--category", "x", code=2)["error"]
    assert all(f"'{category.value}'" in error for category in Category)
    assert error.count("'") == 2 * len(Category) + 2
