"""Moving all records from one kind of database to the other and back, and backups; every row stays what it is."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from ghost.cli.main import main
from ghost.errors import ClaimError, StoreError
from ghost.knowledge import id_of_database
from ghost.records import Database, back_up, digest_of, meta, move, passages, restore, word_index
from ghost.testing import PostgresServer
from tests import forks
from tests.records.hostile import ROWS, fill

Place = Path | str
KILLED = """
import os
from pathlib import *
from ghost.records import Database, move, restore
rows = 0
def told(what, done, total):
    if done >= {at}:
        os.kill(os.getpid(), 9)
{then}
"""


@pytest.fixture
def new_server_place(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a database without a table."""
    name = postgres_server.create()
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture(params=["to a server", "to a file"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Place, Place]:
    """Where the records are, and where they are to be: a place without any."""
    file, names = tmp_path / "new" / "data" / "ghost.db", request.getfixturevalue
    if request.param == "to a file":
        return names("postgres_url"), file
    return names("sqlite_path"), names("new_server_place")


@pytest.fixture
def source(request: pytest.FixtureRequest, way: tuple[Place, Place]) -> Iterator[Database]:
    """The records that are to be moved."""
    with closing(Database.open(way[0])) as database:
        fill(database, huge=getattr(request, "param", 20_000))
        yield database


def killed(script: str) -> None:
    """Run a script that kills itself."""
    assert forks.exit_code(script) == -9


@pytest.mark.parametrize("source", [500_000], indirect=True)
def test_every_row_arrives_as_it_was_and_goes_back_the_same(
    way: tuple[Place, Place], source: Database, tmp_path: Path
) -> None:
    before = digest_of(source)
    moved = move(source, way[1])
    assert (moved.rows, moved.digest, moved.changed) == (before.rows, before.digest, before.rows)
    assert digest_of(source) == before
    with closing(Database.open(way[1])) as other:
        assert digest_of(other) == before
        again = move(other, tmp_path / "back" / "ghost.db")
        assert again.digest == before.digest
        with other.write() as connection:
            there = connection.execute(select(passages).order_by(passages.c.seq)).first()
            assert there is not None
            row = {**there._mapping, "id": "p_new", "merge_key": "new", "text": "Octopuses have three hearts"}
            del row["seq"]
            connection.execute(insert(passages), [row])
            found = word_index(connection, passages).best(connection, ["heart"], [], 5)
            assert [i for i, _ in found] == ["p_new"]
            assert connection.execute(text("SELECT max(seq) FROM passages")).scalar() == ROWS + 1


@pytest.mark.parametrize("at", [1, 40, 75])
def test_a_move_that_was_killed_goes_on_where_it_was(way: tuple[Place, Place], source: Database, at: int) -> None:
    before = digest_of(source)
    killed(KILLED.format(at=at, then=f"move(Database.open({way[0]!r}), {way[1]!r}, told)"))
    with pytest.raises(StoreError, match="the beginning of a copy"):
        Database.open(way[1])
    moved = move(source, way[1])
    assert (moved.rows, moved.digest) == (before.rows, before.digest)
    assert 0 < moved.changed < before.rows if at > 1 else moved.changed
    with closing(Database.open(way[1])) as other:
        assert digest_of(other) == before


def test_what_others_write_meanwhile_comes_along(way: tuple[Place, Place], source: Database) -> None:
    written: list[int] = []

    def told(what: str, done: int, total: int) -> None:
        if len(written) < 2 and done > 30 * (len(written) + 1):
            written.append(done)
            with source.write() as connection:
                connection.execute(insert(meta).values(key=f"late {done}", value="x"))

    moved = move(source, way[1], told)
    assert moved.digest == digest_of(source).digest
    assert len(written) == 2


def test_a_copy_has_an_id_of_its_own(kept: Database, tmp_path: Path) -> None:
    """Vectors are known by it: with one id, both databases would write into one index."""
    ids = [id_of_database(kept)]
    move(kept, tmp_path / "moved" / "ghost.db")
    back_up(kept, tmp_path / "backup.db")
    restore(tmp_path / "backup.db", tmp_path / "restored" / "ghost.db")
    for name in ("moved", "restored"):
        with closing(Database.open(tmp_path / name / "ghost.db")) as copy:
            assert digest_of(copy) == digest_of(kept)
            ids.append(id_of_database(copy))
    assert len(set(ids)) == 3
    assert id_of_database(kept) == ids[0]


def test_a_place_with_records_is_left_as_it_is(way: tuple[Place, Place], source: Database) -> None:
    with closing(Database.open(way[1])) as other:
        with other.write() as connection:
            connection.execute(insert(meta).values(key="mine", value="x"))
        with pytest.raises(StoreError, match="has records already"):
            move(source, way[1])
        assert digest_of(other).rows == 1
    with pytest.raises((ClaimError, StoreError), match=r"there already|has records already"):
        move(source, way[0])
    assert digest_of(source).rows


@pytest.fixture
def kept(database: Database) -> Database:
    """Records of either kind."""
    fill(database, huge=10_000)
    return database


def test_a_backup_is_one_moment_while_others_write(kept: Database, tmp_path: Path) -> None:
    before, file = digest_of(kept), tmp_path / "a" / "backup.db"
    file.parent.mkdir()
    found = back_up(kept, file)
    assert (found.rows, found.digest) == (before.rows, before.digest)
    with kept.write() as connection:
        connection.execute(insert(meta).values(key="after", value="x"))
    assert sorted(path.name for path in file.parent.iterdir()) == ["backup.db"]
    with pytest.raises(ClaimError, match="there already"):
        back_up(kept, file)


@pytest.mark.parametrize("at", [1, 50])
def test_a_restore_changes_all_or_nothing(kept: Database, place: Place, tmp_path: Path, at: int) -> None:
    file = tmp_path / "backup.db"
    whole = back_up(kept, file).digest
    saved = file.read_bytes()
    with kept.write() as connection:
        connection.execute(insert(meta).values(key="after", value="x"))
    now = digest_of(kept)
    kept.close()
    with pytest.raises(ClaimError, match="--replace"):
        restore(file, place)
    killed(KILLED.format(at=at, then=f"restore({file!r}, {place!r}, True, told)"))
    if isinstance(place, str):  # when all was replaced, and is not yet kept
        last = "lambda what, *_: what == 'Comparing' and os.kill(os.getpid(), 9)"
        killed(KILLED.format(at=at, then=f"restore({file!r}, {place!r}, True, {last})"))
    with closing(Database.open(place)) as still:
        assert digest_of(still) == now
    restored = restore(file, place, replace=True)
    assert restored.rows == now.rows - 1
    with closing(Database.open(place)) as back:
        assert digest_of(back).digest == whole
    assert file.read_bytes() == saved
    assert restored.kept
    with closing(Database.open(restored.kept)) as old:
        assert digest_of(old) == now


def test_a_damaged_backup_is_not_restored(kept: Database, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    back_up(kept, file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    now = digest_of(kept)
    kept.close()
    with pytest.raises(StoreError):
        restore(file, place, replace=True)
    with pytest.raises(ClaimError, match="no file"):
        restore(tmp_path / "none.db", place, replace=True)
    with closing(Database.open(place)) as still:
        assert digest_of(still) == now


def spoil_version(file: Path, version: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        connection.commit()


def of_another_program(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (a)")


def test_the_next_backup_removes_what_killed_ones_have_left_and_nothing_else(sqlite_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("one.db", "two.db"):
        killed(
            KILLED.format(
                at=1,
                then=f"""
from ghost.records import back_up
back_up(Database.open(Path({str(sqlite_path)!r})), Path({str(folder / name)!r}), told)
""",
            )
        )
    assert [file.name[:3] for file in folder.glob("*.part")] == ["two"]
    (folder / "three.db.999999999.part").touch()  # of an earlier version
    for name in ("video.999999999.part", "notes.part"):
        (folder / name).touch()
    with closing(Database.open(sqlite_path)) as kept:

        def another(what: str, done: int, total: int) -> None:
            if not (folder / "four.db").exists():
                back_up(kept, folder / "four.db")

        back_up(kept, folder / "three.db", another)  # sweeps nothing of one that is running, in this process or others
    assert sorted(file.name for file in folder.iterdir()) == [
        "four.db", "notes.part", "three.db", "video.999999999.part",
    ]  # fmt: skip


NO_BACKUPS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda file: file.write_bytes(b""), "no backup"),
    "another program's": (of_another_program, "no backup"),
    "begun": (lambda file: spoil_version(file, "unfinished"), "beginning of a copy"),
    "newer": (lambda file: spoil_version(file, "9999"), "newer Ghost"),
    "text": (lambda file: file.write_bytes(b"Not a database." * 99), "is damaged"),
    "spoilt": (lambda file: file.write_bytes(file.read_bytes()[:200] + b"\xff" * 200_000), "is damaged"),
}


@pytest.mark.parametrize("kind", NO_BACKUPS)
def test_a_file_that_is_no_backup_is_named_and_changes_nothing(
    kept: Database, place: Place, tmp_path: Path, kind: str
) -> None:
    file, now = tmp_path / "backup.db", digest_of(kept)
    back_up(kept, file)
    kept.close()
    spoil, said = NO_BACKUPS[kind]
    spoil(file)
    with pytest.raises(StoreError, match=said) as raised:
        restore(file, place, replace=True)
    assert str(file) in str(raised.value)
    assert ".part" not in str(raised.value)
    with closing(Database.open(place)) as still:
        assert digest_of(still) == now


def test_a_file_that_others_use_is_not_replaced(sqlite_path: Path, tmp_path: Path) -> None:
    """A writer would go on writing into a file that nobody finds any more."""
    with closing(Database.open(sqlite_path)) as used:
        fill(used, huge=10)
        back_up(used, tmp_path / "b.db")
        with used.write() as connection:
            connection.execute(insert(meta).values(key="after", value="x"))
        now = digest_of(used)
        with pytest.raises(StoreError, match="in use by another program"):
            restore(tmp_path / "b.db", sqlite_path, replace=True)
        assert digest_of(used) == now
    with closing(Database.open(sqlite_path)) as still:
        assert digest_of(still) == now


def test_records_go_from_one_schema_of_a_server_to_another(postgres_server: PostgresServer, postgres_url: str) -> None:
    """Both have one name."""
    postgres_server.execute("CREATE SCHEMA other", postgres_url.rpartition("/")[2])
    with closing(Database.open(postgres_url)) as source:
        fill(source, huge=10)
        other = f"{postgres_url}?options=-csearch_path%3Dother"
        assert move(source, other) == replace(digest_of(source), changed=digest_of(source).rows)
        with pytest.raises((ClaimError, StoreError)):
            move(source, postgres_url)


def test_what_cannot_be_moved_or_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    for said, words, code in (
        ("nothing to move", ["move", "--to", str(tmp_path / "b")], 1),
        ("neither a folder nor an address", ["move", "--to", "postgresql:me@host/records"], 2),
        ("neither a folder nor an address", ["move", "--to", ""], 2),
        ("Nothing has been checked yet", ["backup", str(tmp_path / "b.db")], 1),
        ("no file", ["restore", "n" * 300], 2),
    ):
        assert main(words) == code
        assert said in capsys.readouterr().err
    Database.open(tmp_path / "data" / "ghost.db").close()
    assert main(["backup", str(tmp_path / ("n" * 300))]) == 2
    assert main(["move", "--to", "mysql://me:secret@host/records"]) == 1
    said = capsys.readouterr().err
    assert "address of a PostgreSQL database" in said
    assert "secret" not in said


def test_from_the_command_line(
    new_server_place: str, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:  # fmt: skip
    with closing(Database.open(sqlite_path)) as database:
        rows = fill(database, huge=10)
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    assert main(["move", "--to", new_server_place]) == 0
    said = capsys.readouterr().out
    assert f"Moved {rows} rows" in said
    assert "only-for-tests" not in said
    monkeypatch.setenv("GHOST_DATABASE_URL", new_server_place)
    assert main(["backup", str(tmp_path / "b.db")]) == 0
    assert main(["restore", str(tmp_path / "b.db")]) == 2
    assert main(["restore", str(tmp_path / "b.db"), "--replace", "--json"]) == 0
    assert main(["move", "--to", str(tmp_path / "home")]) == 0
    with (
        closing(Database.open(tmp_path / "home" / "data" / "ghost.db")) as there,
        closing(Database.open(sqlite_path)) as first,
    ):
        assert digest_of(there) == digest_of(first)


def test_a_backup_has_one_moment_while_others_go_on_writing(kept: Database, tmp_path: Path) -> None:
    before, written = digest_of(kept), list[str]()

    def write(*_: object) -> None:
        written.append(f"during {len(written)}")
        with kept.write() as connection:
            connection.execute(insert(meta).values(key=written[-1], value="x"))

    found = back_up(kept, tmp_path / "backup.db", write)
    assert written
    assert (found.rows, found.digest) == (before.rows, before.digest)
