"""``ghost kb import``, ``export``, ``rate`` and ``ratings``."""

import json
from pathlib import Path
from typing import Any

import pytest

from ghost.cli.main import main

Captured = pytest.CaptureFixture[str]
OTTERS = "Otters hold hands while they sleep so that they do not drift apart."


def run(capsys: Captured, *words: str, code: int = 0) -> dict[str, Any]:
    assert main([*words, "--json"]) == code
    out: dict[str, Any] = json.loads(capsys.readouterr().out)
    return out


@pytest.fixture
def pack(tmp_path: Path) -> str:
    file = tmp_path / "pack.csv"
    file.write_text(f"text,url,date\n{OTTERS},https://www.nasa.gov/o,yesterday\nShort,,\n", encoding="utf-8")
    return str(file)


def test_import_undo_and_restore(capsys: Captured, pack: str) -> None:
    dry = run(capsys, "kb", "import", pack, "--dry-run")
    assert (dry["import_id"], dry["added"], dry["refused"], dry["rows"]) == (None, 1, 1, 2)
    assert [(p["row"], p["field"], p["left_out"]) for p in dry["problems"]] == [
        (2, "published_at", False),
        (3, "text", True),
    ]
    assert run(capsys, "kb", "stats")["total"] == 1
    done = run(capsys, "kb", "import", pack)
    assert (done["added"], done["domains"]) == (1, {"nasa.gov": 1})
    assert run(capsys, "kb", "search", "otters")["results"][0]["origin"] == "import"
    assert run(capsys, "kb", "import", "--undo", done["import_id"]) == {"action": "undo", "changed": 1}
    assert run(capsys, "kb", "stats")["by_status"] == {"active": 1, "retired": 1}
    assert run(capsys, "kb", "import", "--restore", done["import_id"])["changed"] == 1
    assert "no import" in run(capsys, "kb", "import", "--undo", "nonesuch", code=1)["error"]


def test_the_encoding_of_an_import_can_be_named(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "koi.csv"
    file.write_bytes("text\nМост через реку был открыт в 1932 году и до сих пор открыт.\n".encode("koi8-r"))
    assert "encoding cannot be detected" in run(capsys, "kb", "import", str(file), code=2)["error"]
    assert run(capsys, "kb", "import", str(file), "--encoding", "koi8-r", "--dry-run")["added"] == 1


def test_an_import_is_undone_like_any_change(capsys: Captured, pack: str) -> None:
    done = run(capsys, "kb", "import", pack)
    undone = run(capsys, "kb", "undo")
    assert undone == {"action": "undone", "undone": done["import_id"], "changed": 1, "change": "", "left": []}
    assert run(capsys, "kb", "search", "otters")["results"][0]["origin"] != "import"
    assert main(["kb", "undo"]) == 0  # the last deed is the undoing
    assert "The import of pack.csv was brought back: 1 passage restored." in capsys.readouterr().out
    otters = run(capsys, "kb", "search", "otters")["results"][0]["passage_id"]
    change = run(capsys, "kb", "retire", otters)["change"]
    assert run(capsys, "kb", "undo")["undone"] == change
    assert main(["kb", "undo", done["import_id"]]) == 0
    assert "The import of pack.csv was undone: 1 passage retired." in capsys.readouterr().out
    assert "is undone" in run(capsys, "kb", "undo", done["import_id"], code=1)["error"]


def test_what_was_done_last_is_what_is_undone(capsys: Captured, pack: str) -> None:
    done = run(capsys, "kb", "import", pack)
    otters = run(capsys, "kb", "search", "otters")["results"][0]["passage_id"]
    change = run(capsys, "kb", "retire", otters)["change"]
    run(capsys, "kb", "undo", done["import_id"])
    back = run(capsys, "kb", "undo")
    assert (back["action"], back["undone"]) == ("restored", done["import_id"])
    assert change not in (back["undone"], back["change"])


def test_what_is_told_of_an_import(capsys: Captured, pack: str) -> None:
    assert main(["kb", "import", pack]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 rows, 0 of them unusable; passages: 1 new, 0 there already, 0 in quarantine, 1 refused\n")
    assert "To undo this: python -m ghost kb import --undo" in out
    assert "row 2, published_at is not a day" in err
    assert main(["kb", "import", pack, "--dry-run"]) == 0
    assert "Nothing was changed." in capsys.readouterr().out


def test_files_and_columns_that_cannot_be_used(capsys: Captured, tmp_path: Path, built: list[Any]) -> None:
    file = tmp_path / "a.csv"
    file.write_text(f"Aussage\n{OTTERS}\n", encoding="utf-8")
    assert "columns are Aussage" in run(capsys, "kb", "import", str(file), code=2)["error"]
    assert "no field body" in run(capsys, "kb", "import", str(file), "--column", "body=x", code=2)["error"]
    wrong = ("--column", "text=Aussage", "--column", "title=Nonesuch")
    assert "no column Nonesuch" in run(capsys, "kb", "import", str(file), *wrong, code=2)["error"]
    assert "cannot be read" in run(capsys, "kb", "import", str(tmp_path / "none.csv"), code=2)["error"]
    file.write_bytes(b"PK\x03\x04zip")
    assert "ZIP archive" in run(capsys, "kb", "import", str(file), code=2)["error"]
    assert not built, "nothing was opened"
    file.write_text(f"Aussage\n{OTTERS}\n", encoding="utf-8")
    assert run(capsys, "kb", "import", str(file), "--column", "text=Aussage")["added"] == 1


def test_a_file_of_which_all_is_refused_is_a_failure(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("text\nShort\n", encoding="utf-8")
    assert run(capsys, "kb", "import", str(file), code=1)["refused"] == 1


def test_export(capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    assert main(["kb", "export"]) == 0
    rows = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert [row["domain"] for row in rows] == ["nasa.gov"]
    out = tmp_path / "out.csv"
    assert main(["kb", "export", "--format", "csv", "--out", str(out), "--status", "active", "--json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["passages"] == 1
    assert out.read_bytes().startswith(b'\xef\xbb\xbf"id","text",')
    assert [path.name for path in tmp_path.glob("out*")] == ["out.csv"]
    assert main(["kb", "export", "--domain", "nowhere.example"]) == 0
    assert capsysbinary.readouterr().out == b""


def test_an_export_that_cannot_be(capsys: Captured, tmp_path: Path) -> None:
    assert "none of active" in run(capsys, "kb", "export", "--status", "x", code=2)["error"]
    nowhere = str(tmp_path / "no" / "x.csv")
    assert "cannot be written" in run(capsys, "kb", "export", "--out", nowhere, code=2)["error"]
    assert "cannot be written: Is a directory" in run(capsys, "kb", "export", "--out", ".", code=2)["error"]
    assert "needs --out" in run(capsys, "kb", "export", code=2)["error"]


def test_rating_a_domain(capsys: Captured) -> None:
    dry = run(capsys, "kb", "rate", "nasa.gov", "0.2", "--dry-run")
    assert (dry["change_id"], dry["passages"], dry["runs"]) == (None, 1, 0)
    done = run(capsys, "kb", "rate", "https://www.nasa.gov/", "0.2", "--reason", "a test")
    assert done["ratings"] == {"nasa.gov": 0.2}
    assert run(capsys, "kb", "search", "Great Wall")["results"][0]["credibility"] == 0.2
    assert run(capsys, "kb", "ratings")["ratings"] == [
        {"domain": "nasa.gov", "score": 0.2, "type": None, "note": "a test"}
    ]
    assert run(capsys, "kb", "rate", "--undo", done["change_id"])["stayed"] == []
    assert run(capsys, "kb", "ratings")["ratings"] == []
    run(capsys, "kb", "rate", "nasa.gov", "0.3")
    assert main(["kb", "rate", "nasa.gov", "none"]) == 0
    assert capsys.readouterr().out.startswith("1 domain, passages that get another rating: 1\nVerdicts")
    assert run(capsys, "kb", "search", "Great Wall")["results"][0]["credibility"] == 0.95


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["nasa.gov"], "Type a domain and a score"),
        (["nasa.gov", "x"], "is not a number"),
        (["nasa.gov", "7"], "from 0 to 1"),
        (["not a domain", "0.5"], "is no domain"),
        (["--file", "nonesuch.csv"], "cannot be read"),
    ],
)
def test_ratings_that_cannot_be(capsys: Captured, words: list[str], what: str) -> None:
    assert what in run(capsys, "kb", "rate", *words, code=2)["error"]


def test_a_list_of_ratings_in_and_out(capsys: Captured, tmp_path: Path) -> None:
    file, out = tmp_path / "list.csv", tmp_path / "out.csv"
    file.write_text("domain,score\nnasa.gov,0.4\nx.org,9\n", encoding="utf-8")
    done = run(capsys, "kb", "rate", "--file", str(file))
    assert (done["ratings"], done["passages"]) == ({"nasa.gov": 0.4}, 1)
    assert [(p["row"], p["field"]) for p in done["problems"]] == [(3, "score")]
    assert main(["kb", "ratings", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8-sig").splitlines() == [
        '"domain","score","type","note"',
        '"nasa.gov","0.4","",""',
    ]
    capsys.readouterr()
    assert run(capsys, "kb", "rate", "--file", str(out), "--dry-run")["passages"] == 0
