"""``ghost kb import``, ``export``, ``rate`` and ``ratings``."""

import json
from pathlib import Path
from typing import Any

import pytest

from ghost.cli.main import main
from tests.cli.conftest import Captured, Run

OTTERS = "Otters hold hands while they sleep so that they do not drift apart."


@pytest.fixture
def pack(tmp_path: Path) -> str:
    file = tmp_path / "pack.csv"
    file.write_text(f"text,url,date\n{OTTERS},https://www.nasa.gov/o,yesterday\nShort,,\n", encoding="utf-8")
    return str(file)


def test_import_undo_and_restore(run: Run, pack: str, capsys: Captured) -> None:
    dry = run("kb", "import", pack, "--dry-run")
    assert (dry["import_id"], dry["added"], dry["refused"], dry["rows"]) == (None, 1, 1, 2)
    assert [(p["row"], p["field"], p["left_out"]) for p in dry["problems"]] == [
        (2, "published_at", False), (3, "text", True),
    ]  # fmt: skip
    assert main(["kb", "import", pack, "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 rows, 0 of them unusable; passages: 1 new, 0 there already, 0 in quarantine, 1 refused\n")
    assert out.endswith("Nothing was changed.\n")
    assert "row 2, published_at is not a day" in err
    assert run("kb", "stats")["total"] == 1
    done = run("kb", "import", pack)
    assert (done["added"], done["domains"]) == (1, {"nasa.gov": 1})
    assert run("kb", "search", "otters")["results"][0]["origin"] == "import"
    assert run("kb", "import", "--undo", done["import_id"]) == {"action": "undo", "changed": 1}
    assert run("kb", "stats")["by_status"] == {"active": 1, "retired": 1}
    assert run("kb", "import", "--restore", done["import_id"])["changed"] == 1
    assert "no import" in run("kb", "import", "--undo", "nonesuch", code=1)["error"]


def test_rows_without_a_kind_are_what_is_typed_and_all_notes_have_one_rating(run: Run, tmp_path: Path) -> None:
    rows = [
        {"text": OTTERS, "source_url": "https://www.nasa.gov/o"},
        {"text": "Whales sing.", "source_url": "https://www.nasa.gov/w", "kind": "excerpt", "intake": "read"},
        {"text": "Bees dance in the dark hive.", "kind": "excerpt"},
    ]
    file = tmp_path / "pack.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("kb", "import", str(file), "--kind", "note")["added"] == 3
    found = {r["text"]: (r["kind"], r["intake"]) for r in run("kb", "search", "animals")["results"]}
    assert [found[row["text"]] for row in rows] == [("note", "entered"), ("excerpt", "entered"), ("note", "entered")]
    assert run("kb", "rate", "starter-library", "0.6", "--dry-run")["passages"] == 2


def test_what_was_done_last_is_what_kb_undo_undoes(run: Run, pack: str, capsys: Captured) -> None:
    done = run("kb", "import", pack)
    undone = run("kb", "undo")
    assert undone == {"action": "undone", "undone": done["import_id"], "changed": 1, "change": "", "left": []}
    assert main(["kb", "undo"]) == 0  # the last deed is the undoing
    assert "The import of pack.csv was brought back: 1 passage restored." in capsys.readouterr().out
    otters = run("kb", "search", "otters")["results"][0]["passage_id"]
    change = run("kb", "retire", otters)["change"]
    assert run("kb", "undo")["undone"] == change
    run("kb", "retire", otters)
    assert main(["kb", "undo", done["import_id"]]) == 0
    assert "The import of pack.csv was undone:" in capsys.readouterr().out
    assert "is undone" in run("kb", "undo", done["import_id"], code=1)["error"]
    back = run("kb", "undo")
    assert (back["action"], back["undone"]) == ("restored", done["import_id"])


def test_files_and_columns_that_cannot_be_used(run: Run, tmp_path: Path, built: list[Any]) -> None:
    file, koi = tmp_path / "a.csv", tmp_path / "koi.csv"
    file.write_text(f"Aussage\n{OTTERS}\n", encoding="utf-8")
    koi.write_bytes("text\nМост через реку был открыт в 1932 году и до сих пор открыт.\n".encode("koi8-r"))
    assert "columns are Aussage" in run("kb", "import", str(file), code=2)["error"]
    assert "no field body" in run("kb", "import", str(file), "--column", "body=x", code=2)["error"]
    wrong = ("--column", "text=Aussage", "--column", "title=Nonesuch")
    assert "no column Nonesuch" in run("kb", "import", str(file), *wrong, code=2)["error"]
    assert "cannot be read" in run("kb", "import", str(tmp_path / "none.csv"), code=2)["error"]
    assert "encoding cannot be detected" in run("kb", "import", str(koi), code=2)["error"]
    (tmp_path / "zip.csv").write_bytes(b"PK\x03\x04zip")
    assert "ZIP archive" in run("kb", "import", str(tmp_path / "zip.csv"), code=2)["error"]
    assert not built, "nothing was opened"
    assert run("kb", "import", str(file), "--column", "text=Aussage")["added"] == 1
    assert run("kb", "import", str(koi), "--encoding", "koi8-r", "--dry-run")["added"] == 1
    file.write_text("text\nShort\n", encoding="utf-8")
    assert run("kb", "import", str(file), code=1)["refused"] == 1  # all of it is refused


def test_export(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    assert main(["kb", "export"]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [row["domain"] for row in rows] == ["nasa.gov"]
    out = tmp_path / "out.csv"
    assert main(["kb", "export", "--format", "csv", "--out", str(out), "--status", "active", "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["passages"] == 1
    assert out.read_bytes().startswith(b'\xef\xbb\xbf"id","text",')
    assert [path.name for path in tmp_path.glob("out*")] == ["out.csv"]
    assert main(["kb", "export", "--domain", "nowhere.example"]) == 0
    assert capfdbinary.readouterr().out == b""


def test_an_export_that_cannot_be(run: Run, tmp_path: Path) -> None:
    assert "none of active" in run("kb", "export", "--status", "x", code=2)["error"]
    nowhere = str(tmp_path / "no" / "x.csv")
    assert "cannot be written" in run("kb", "export", "--out", nowhere, code=2)["error"]
    assert "cannot be written: Is a directory" in run("kb", "export", "--out", ".", code=2)["error"]
    assert "needs --out" in run("kb", "export", code=2)["error"]


def test_rating_a_domain(run: Run, capsys: Captured) -> None:
    dry = run("kb", "rate", "nasa.gov", "0.2", "--dry-run")
    assert (dry["change_id"], dry["passages"], dry["runs"]) == (None, 1, 0)
    done = run("kb", "rate", "https://www.nasa.gov/", "0.2", "--reason", "a test")
    assert done["ratings"] == {"nasa.gov": 0.2}
    assert run("kb", "search", "Great Wall")["results"][0]["credibility"] == 0.2
    assert run("kb", "ratings")["ratings"] == [{"domain": "nasa.gov", "score": 0.2, "type": None, "note": "a test"}]
    assert run("kb", "rate", "--undo", done["change_id"])["stayed"] == []
    assert run("kb", "ratings")["ratings"] == []
    run("kb", "rate", "nasa.gov", "0.3")
    assert main(["kb", "rate", "nasa.gov", "none"]) == 0
    assert capsys.readouterr().out.startswith("1 domain, passages that get another rating: 1\nVerdicts")
    assert run("kb", "search", "Great Wall")["results"][0]["credibility"] == 0.95


@pytest.mark.parametrize(("words", "what"), [
    (["nasa.gov"], "Type a domain and a score"),
    (["nasa.gov", "x"], "is not a number"),
    (["nasa.gov", "7"], "from 0 to 1"),
    (["not a domain", "0.5"], "is no domain"),
    (["--file", "nonesuch.csv"], "cannot be read"),
])  # fmt: skip
def test_ratings_that_cannot_be(run: Run, words: list[str], what: str, built: list[Any]) -> None:
    assert what in run("kb", "rate", *words, code=2)["error"]
    assert not built


def test_a_list_of_ratings_in_and_out(run: Run, tmp_path: Path, capsys: Captured) -> None:
    file, out = tmp_path / "list.csv", tmp_path / "out.csv"
    file.write_text("domain,score\nnasa.gov,0.4\nx.org,9\n", encoding="utf-8")
    assert main(["kb", "ratings"]) == 0
    assert capsys.readouterr().out == "You have rated no domain; the table of the settings counts.\n"
    done = run("kb", "rate", "--file", str(file))
    assert (done["ratings"], done["passages"]) == ({"nasa.gov": 0.4}, 1)
    assert [(p["row"], p["field"]) for p in done["problems"]] == [(3, "score")]
    assert main(["kb", "ratings", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 rating written to {out}\n"
    assert main(["kb", "ratings"]) == 0
    assert capsys.readouterr().out == "0.40  nasa.gov\n"
    assert out.read_text(encoding="utf-8-sig").splitlines() == [
        '"domain","score","type","note"',
        '"nasa.gov","0.4","",""',
    ]
    assert run("kb", "rate", "--file", str(out), "--dry-run")["passages"] == 0
