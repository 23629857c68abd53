"""What earlier versions stored gets its kind, after a copy was made, and is shown as that."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, select, text

from config import PROJECT
from ghost.errors import StoreFullError
from ghost.records import CardStore, Database, RunStore, history, passages, restore, utc_now
from ghost.testing import SUPPORTING, evidence
from ghost.types import (
    CardOrigin,
    Citation,
    Intake,
    Kind,
    Label,
    Origin,
    StanceLabel,
    Verdict,
    as_cited_today,
    reworded,
)

FOLDER = PROJECT / "tests" / "data" / "old_folders"
DUMPS = sorted(FOLDER.glob("*.sql"))
URL = "https://a.example/x"
EARLIER = {
    "library": ("seed", URL, ("note", "entered")),
    "typed with a page": ("curated", URL, ("excerpt", "entered")),
    "typed without": ("curated", "", ("note", "entered")),
    "imported with a page": ("import", URL, ("excerpt", "entered")),
    "imported without": ("import", "", ("note", "entered")),
    "fetched": ("web", URL, ("excerpt", "read_earlier")),
    "fact-check": ("fact_check", URL, ("excerpt", "read_earlier")),
    "fetched and then edited": ("web", URL, ("excerpt", "entered")),
    "fetched and then moved": ("web", URL, ("excerpt", "entered")),
}
"""By text: origin and address of a passage of an earlier version, and what it becomes."""


def test_the_migration_says_what_each_passage_is(place: Path | str) -> None:
    database = Database.open(place)
    row = dict.fromkeys(("title", "domain", "publisher", "topic", "source_type", "embedding_model"), "")
    row |= {"status": "active", "language": "en", "embedding": b"", "changed": 1, "indexed_at": utc_now()}
    with database.write() as connection:
        for i, (words, (origin, url, _)) in enumerate(EARLIER.items()):
            own = {"id": f"p_{i}", "merge_key": f"k{i}", "text": words, "origin": origin, "source_url": url}
            connection.execute(insert(passages).values(row | own | {"text_length": len(words)}))
        last, moved = len(EARLIER) - 1, json.dumps({"source_url": "https://b.example"})
        for n, old_text, before in ((last - 1, "before", ""), (last, "", moved), (last - 3, "", '{"title": ""}')):
            line = {"passage_id": f"p_{n}", "at": utc_now(), "action": "edited", "note": ""}
            connection.execute(insert(history).values(**line, old_text=old_text, before=before))
        connection.execute(text("UPDATE alembic_version SET version_num = '0020'"))
    database.close()
    database = Database.open(place)
    with database.read() as connection:
        rows = connection.execute(select(passages.c.text, passages.c.kind, passages.c.intake)).all()
    database.close()
    assert {row.text: (row.kind, row.intake) for row in rows} == {k: v[2] for k, v in EARLIER.items()}


def test_before_the_upgrade_a_sound_copy_is_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "ghost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMPS[-1].read_text(encoding="utf-8"))
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        before = list(connection.iterdump())
    old = tmp_path / "backup.db"
    shutil.copyfile(path, old)
    Database.open(path).close()
    copy = tmp_path / f"ghost.schema-{version}.db"
    assert str(copy) in caplog.text
    with closing(sqlite3.connect(copy)) as connection:
        assert list(connection.iterdump()) == before
    copy.unlink()
    Database.open(path).close()
    restore(old, tmp_path / "new" / "ghost.db")
    assert list(tmp_path.rglob("*.schema-*")) == []  # only an upgrade is worth a copy, and a copy is worth none


def test_where_there_is_no_room_for_an_upgrade_nothing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ghost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMPS[-1].read_text(encoding="utf-8"))
    before, free = path.read_bytes(), int(path.stat().st_size * 1.9)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free + 1_000_000))
    with pytest.raises(StoreFullError, match="There is no room for the upgrade"):
        Database.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.stem)
def test_quotes_of_the_library_are_shown_as_notes(dump: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ghost.db")) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    database = Database.open(tmp_path / "ghost.db")
    store = RunStore(database)
    for listed in store.list():
        run = store.get(listed.id)
        assert run is not None
        library = {e.passage.id: e.passage for e in run.evidence if e.passage.origin is Origin.SEED}
        assert all(p.kind is Kind.NOTE and p.intake is Intake.ENTERED for p in library.values())
        explanation = run.verdict.explanation if run.verdict else ""
        for c in run.verdict.citations if run.verdict else ():
            if c.passage_id in library:
                assert c.kind is Kind.NOTE
                assert f"{library[c.passage_id].source_name} says" not in explanation
    for card in CardStore(database).browse(limit=100):
        if card.origin is CardOrigin.LIBRARY:
            assert "A note in the library" in card.answer
            assert "says “" not in card.answer
    database.close()


def test_a_snippet_of_an_old_run_is_not_in_the_mouth_of_its_page() -> None:
    e = evidence(1, "The ferry sinks.", SUPPORTING, domain="reuters.com", publisher="Reuters")
    e = replace(e, passage=replace(e.passage, snippet=True, intake=Intake.READ_EARLIER, origin=Origin.WEB))
    cited = Citation(1, e.passage.id, e.passage.text, StanceLabel.SUPPORTS, True, "verbatim", domain="reuters.com")
    said = "[1] Reuters says “The ferry sinks”, which supports the claim."
    shown = as_cited_today(Verdict(Label.TRUE, 0.9, said, (cited,)), [e])
    what = "A search engine's snippet of reuters.com reads “The ferry sinks”"
    assert shown.explanation == f"[1] {what}, which supports the claim."
    assert shown.citations[0].snippet


FACT = "Canberra is the capital of Australia."


@pytest.mark.parametrize(
    "said",
    [
        "According to the Encyclopaedia Britannica, Canberra is the capital [1].",
        f'Britannica writes "{FACT}" [1].',
        f"“{FACT}” (Britannica) [1].",
        "Canberra is the capital (Encyclopaedia Britannica) [1].",
        "The encyclopaedia says so [1].",
    ],
)
def test_what_a_model_wrote_of_a_note_is_reworded(said: str) -> None:
    page = {"domain": "britannica.com", "title": "Canberra", "publisher": "Encyclopaedia Britannica"}
    note = Citation(1, "p", FACT, StanceLabel.SUPPORTS, True, "", kind=Kind.NOTE, intake=Intake.ENTERED, **page)
    today = f"[1] A note in the library (check it at Encyclopaedia Britannica: Canberra) says: {FACT}"
    assert reworded(f"{said} It is no port [2].", note) == f"{today} It is no port [2]."
    assert reworded(today, note) == today
    assert reworded("Canberra is the capital [1].", note) == "Canberra is the capital [1]."
