"""Lists of any length: what is read, what is checked once, what is left when a list is cut off anywhere."""

import csv
import errno
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest

from ghost.bulk import BulkFolder, BulkList, BulkOptions, BulkReport, ClaimFile, Pace, Worker, workers
from ghost.cli.main import main
from ghost.errors import ClaimError, GhostError
from ghost.knowledge import OwnerLock
from ghost.reports import counted
from ghost.workbench import Workbench
from tests.bulk.bench import claims
from tests.bulk.lists import rows

SETTINGS = {"top_k": 20}


class NothingDied:
    """A tally of processes that never die."""

    def begin(self, key: str) -> int:
        return 0

    def end(self, key: str) -> None:
        """Forget it."""


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """Sixty lines: repeats word for word and in another order, and lines that cannot be checked."""
    lines = claims(60)
    lines[7], lines[20] = lines[2].upper(), ""
    lines[41] = " ".join(lines[3].strip(".").split()[::-1]) + "."
    lines[55] = lines[41]
    file = tmp_path / "list.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "claim"), *((f"c{n}", line) for n, line in enumerate(lines))])
    return file


class Stopped(Exception):
    """The process was killed."""


def here(bench: Workbench, after: int = 1_000) -> Any:
    """A worker in this process, killed ``after`` so many answers."""

    @contextmanager
    def working() -> Iterator[Any]:
        worker, done = Worker(lambda: bench, NothingDied()), 0

        def run(tasks: Sequence[dict[str, Any]], read: Callable[[int], bytes]) -> Iterator[dict[str, Any]]:
            nonlocal done
            for task in tasks:
                if done == after:
                    raise Stopped
                done += 1
                yield worker(task | {"claims": read(task["part"])})

        yield run

    return working()


def check(bench: Workbench, file: Path, out: Path, after: int = 1_000, **options: Any) -> BulkReport:
    of = BulkOptions(settings=options.pop("settings", SETTINGS), **options)
    return BulkList(ClaimFile(file), BulkFolder(out), of).run(here(bench, after), lambda *_: None)


def test_every_line_has_one_result_and_repeats_share_it(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    report = check(bench, listed, tmp_path / "out")
    assert (report.lines, report.checked, report.repeated, report.failed) == (60, 56, 3, 1)
    found = {row["id"]: row for row in rows(tmp_path / "out")}
    assert sorted(found) == sorted(f"c{n}" for n in range(60) if n != 20)
    assert {id: row["same_as"] for id, row in found.items() if row["same_as"]} == {"c7": 4, "c41": 5, "c55": 5}
    for repeat, of in (("c7", "c2"), ("c41", "c3"), ("c55", "c3")):
        assert [found[repeat][k] for k in ("verdict", "confidence", "citations")] == [
            found[of][k] for k in ("verdict", "confidence", "citations")
        ]
    (failure,) = map(json.loads, (tmp_path / "out" / "failures.jsonl").read_text().splitlines())
    assert (failure["id"], failure["reason"]) == ("c20", "The cell of the claim is empty.")


def test_a_row_is_the_single_run(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    check(bench, listed, tmp_path / "out")
    row = parquet.read_table(tmp_path / "out" / "results" / "part-000000.parquet").to_pylist()[0]
    whole = json.loads(row["result"])
    assert (row["verdict"], row["confidence"]) == (whole["verdict"]["label"], whole["verdict"]["confidence"])
    assert row["run_id"] == whole["run_id"]
    assert [c["quote"] for c in row["citations"]] == [c["quote"] for c in whole["citations"] if c["accepted"]]
    assert [c["cited_as"] for c in row["citations"]] == [c["cited_as"] for c in whole["citations"] if c["accepted"]]
    texts = {e["passage_id"]: e["text"] for e in whole["evidence"]}
    assert all(c["quote"] in texts[c["passage_id"]] for c in row["citations"])


@pytest.mark.parametrize("after", [0, 1, 2, 4, 6])
def test_a_list_that_was_cut_off_goes_on(bench: Workbench, listed: Path, tmp_path: Path, after: int) -> None:
    check(bench, listed, tmp_path / "whole")
    with pytest.raises(Stopped):
        check(bench, listed, tmp_path / "cut", after=after)
    done = {file: file.stat().st_mtime_ns for file in (tmp_path / "cut" / "results").glob("*")}
    assert len(done) == max(0, after - 1)  # one of the tasks looks for repeats
    check(bench, listed, tmp_path / "cut")
    assert all(file.stat().st_mtime_ns == at for file, at in done.items())
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


def test_a_plan_that_was_cut_off_is_made_anew(
    bench: Workbench, listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(BulkFolder, "write_manifest", _stop)
        with pytest.raises(Stopped):
            check(bench, listed, tmp_path / "out")
    assert check(bench, listed, tmp_path / "out").checked == 56


def _stop(*_: object) -> None:
    raise Stopped


def test_a_finished_list_is_only_reported_again(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    first = check(bench, listed, tmp_path / "out")
    assert check(bench, listed, tmp_path / "out", after=0) == first


def test_a_folder_belongs_to_one_list(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    check(bench, listed, tmp_path / "out")
    other = tmp_path / "other.csv"
    other.write_text("claim\nThe river opened.\n")
    with pytest.raises(GhostError, match=r"results of another list, list\.csv"):
        check(bench, other, tmp_path / "out")
    with pytest.raises(GhostError, match="begun with other settings: as_of, top_k"):
        check(bench, listed, tmp_path / "out", as_of="2020-01-01", settings={"top_k": 5})
    with pytest.raises(GhostError, match="begun with other settings: encoding"):
        BulkList(
            ClaimFile(listed, encoding="cp1250"), BulkFolder(tmp_path / "out"), BulkOptions(settings=SETTINGS)
        ).run(here(bench), lambda *_: None)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine")
    with pytest.raises(GhostError, match="holds other files"):
        check(bench, listed, tmp_path / "mine")


def test_a_full_disk_is_named(bench: Workbench, listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ghost.bulk.folder.write_whole", full)
        with pytest.raises(GhostError, match=r"disk with .* is full. What was checked"):
            check(bench, listed, tmp_path / "out")
    assert check(bench, listed, tmp_path / "out").checked == 56


def test_a_store_that_is_gone_stops_the_list(
    bench: Workbench, listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("ghost.knowledge.search.Searcher.search_many", _gone)
        with pytest.raises(GhostError, match=r"9 claims in a row .* gone.* start the same"):
            check(bench, listed, tmp_path / "out")
    assert not list((tmp_path / "out" / "results").glob("*"))
    assert check(bench, listed, tmp_path / "out").failed == 1


def _gone(*_: object) -> None:
    raise GhostError("The server is gone.")


def test_a_claim_that_ends_processes_is_given_up(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    class Died(NothingDied):
        def begin(self, key: str) -> int:
            return 2 if key in ("part 0", "line 5") else 0

    worker = Worker(lambda: bench, Died())

    @contextmanager
    def working() -> Iterator[Any]:
        yield lambda tasks, read: (worker(task | {"claims": read(task["part"])}) for task in tasks)

    file = ClaimFile(listed)
    report = BulkList(file, BulkFolder(tmp_path / "out"), BulkOptions()).run(working(), lambda *_: None)
    assert (report.lines, report.checked, report.repeated, report.failed) == (60, 55, 1, 4)  # two lines repeat that one
    failures = (tmp_path / "out" / "failures.jsonl").read_text()
    assert "The process that checked it ended 3 times." in failures


def test_forms_of_a_list(tmp_path: Path) -> None:
    texts = ["The river opened, and “closed”.", "Two\nlines.", "Čapek wrote it."]
    records = [{"id": n, "claim": text, "n": n} for n, text in enumerate(texts)]
    files = [tmp_path / name for name in ("a.csv", "a.jsonl", "a.parquet", "b.tsv", "c.csv")]
    with files[0].open("w", newline="", encoding="utf-8-sig") as out:
        csv.writer(out).writerows([("id", "claim"), *((r["id"], r["claim"]) for r in records)])
    files[1].write_text("".join(json.dumps(r) + "\n\n" for r in records), encoding="utf-8")
    parquet.write_table(pyarrow.Table.from_pylist(records), files[2])
    with files[3].open("w", newline="", encoding="utf-16") as out:
        csv.writer(out, delimiter="\t").writerows([("id", "claim"), *((r["id"], r["claim"]) for r in records)])
    with files[4].open("w", newline="", encoding="cp1250") as out:
        csv.writer(out, delimiter=";").writerows(
            [("id", "claim"), (0, texts[0]), (1, texts[1]), (2, "Čapek wrote it.")]
        )
    for file in files:
        read = list(ClaimFile(file, encoding="cp1250" if file.name == "c.csv" else "").rows())
        assert [row.text for row in read] == texts, file.name
        assert [row.id for row in read] == ["0", "1", "2"], file.name
    plain = tmp_path / "d.txt"
    plain.write_text("One claim, with a comma.\n\nAnother claim.\n", encoding="utf-8")
    assert [(row.line, row.text) for row in ClaimFile(plain).rows()] == [
        (1, "One claim, with a comma."), (3, "Another claim."),
    ]  # fmt: skip


def test_lists_that_cannot_be_read(tmp_path: Path) -> None:
    def refused(name: str, body: bytes, column: str = "") -> str:
        (tmp_path / name).write_bytes(body)
        with pytest.raises(ClaimError) as error:
            list(ClaimFile(tmp_path / name, column).rows())
        return str(error.value)

    with pytest.raises(ClaimError, match="cannot be read: No such file"):
        ClaimFile(tmp_path / "none.csv")
    assert "is empty" in refused("a.csv", b"\n")
    assert "There is no column 'text'. There are: id, claim" in refused("b.csv", b"id,claim\n1,It is so.\n", "text")
    assert "not a Parquet file" in refused("c.parquet", b"PAR0")
    assert "Name the column" in refused("d.jsonl", b'{"one": "It is so.", "two": "Is it?"}\n')
    good, bad = b'{"claim": "It is so."}\n', b"[1, 2]\n"
    (tmp_path / "e.jsonl").write_bytes(good + bad + b'{"claim": 5}\n')
    assert [bool(row.problem) for row in ClaimFile(tmp_path / "e.jsonl").rows()] == [False, True, True]


def test_a_sample_that_ends_within_a_cell(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "claim"), *((n, f"It is\n{'so ' * 40}{n}.") for n in range(2_000))])
    assert sum(1 for _ in ClaimFile(file).rows()) == 2_000


def test_without_ray_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(GhostError, match=r"pip install \"ghost-workbench\[cluster\]\""), workers(_never):
        pass


def _never() -> Workbench:
    raise AssertionError("nothing is opened without Ray")


def test_pace() -> None:
    times = iter([0.0, 30.0, 40.0, 50.0])
    pace = Pace(lambda: next(times))
    assert [pace.describe(done, 7_220) for done in (0, 20, 20, 40)] == ["", "", "", "1.0 a second, 1 h 59 min left"]
    assert counted(1, "line", "lines") == "1 line"


def test_a_line_of_nothing_but_brackets_is_a_row_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"claim": "Bees fly."}\n' + "[" * 100_000 + "\n", encoding="utf-8")
    assert [(row.text, bool(row.problem)) for row in ClaimFile(file).rows()] == [("Bees fly.", False), ("", True)]


def test_a_cell_that_is_too_long_refuses_its_line_only(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    long = ["x" * 140_000 + '\nand ""more""', "y" * 1_000_000]
    file.write_text(f'id,claim\na,Bees fly.\nb,"{long[0]}"\nc,Bats do.\nd,{long[1]}\ne,Owls too.\n', encoding="utf-8")
    found = [(row.line, row.text, row.problem) for row in ClaimFile(file).rows()]
    too_long = "The line has a cell of more than 131,072 characters."
    assert found == [
        (2, "Bees fly.", ""), (3, "", too_long), (5, "Bats do.", ""), (6, "", too_long), (7, "Owls too.", ""),
    ]  # fmt: skip
    for never_closed in ('b,"Bats do.\n' + "c,Owls too.\n" * 20_000, "b,Bats do.\n" * 20_000 + 'c,"Owls too.\nd,So.\n'):
        file.write_text(f"id,claim\na,Bees fly.\n{never_closed}", encoding="utf-8")
        with pytest.raises(ClaimError, match=r"Line [\d,]+ .*never closed|Is there a quotation mark too many"):
            list(ClaimFile(file).rows())


def test_no_line_is_lost_behind_a_cell_that_is_too_long_or_a_quotation_mark_too_many(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    inch = ["id,claim,note", 'a,A 5" pipe is wide.,' + "x" * 140_000, "b,Bats do.,", 'c,A 6" pipe is wider.,', "d,So.,"]
    file.write_text("\n".join(inch) + "\n", encoding="utf-8")
    assert [(row.line, row.id) for row in ClaimFile(file, "claim").rows()] == [(2, "2"), (3, "b"), (4, "c"), (5, "d")]
    file.write_text('id,claim\na,Bees fly.\nb,"Bats do.\nc,Owls too.\nd,"Ants, too, walk."\n', encoding="utf-8")
    with pytest.raises(ClaimError, match=r"Line 3 cannot be read: .* Is there a quotation mark too many\?"):
        list(ClaimFile(file, "claim").rows())
    file.write_text('id,claim\na,"x"y' + "z" * 140_000 + "\n" + "b,So.\n" * 500_000, encoding="utf-8")
    with pytest.raises(ClaimError, match="Line 2 cannot be read"):
        list(ClaimFile(file, "claim").rows())


def test_the_encoding_is_told_where_the_first_letter_needs_one(tmp_path: Path) -> None:
    ascii_, last = "".join(f"The bee number {n} flies.\n" for n in range(3_000)), "Příliš žluťoučký kůň."
    for codec, named in (("utf-8", ""), ("utf-8-sig", ""), ("utf-16", ""), ("cp1250", ""), ("cp1250", "cp1250")):
        (tmp_path / "list.txt").write_text(f"{ascii_}{last}\n", encoding=codec)
        found = list(ClaimFile(tmp_path / "list.txt", encoding=named).rows())
        assert (len(found), found[0].text, found[-1].text) == (3_001, "The bee number 0 flies.", last), codec
        (tmp_path / "list.jsonl").write_text(json.dumps({"text": last}, ensure_ascii=False), encoding=codec)
        assert [row.text for row in ClaimFile(tmp_path / "list.jsonl", "text", named).rows()] == [last], codec
    with pytest.raises(ClaimError, match="no text encoding 'nonsense'"):
        ClaimFile(tmp_path / "list.jsonl", encoding="nonsense")


def test_lines_that_nobody_would_write_are_named_one_by_one(bench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "list.jsonl"
    lines: list[Any] = [
        "\n", {"claim": "The river \ud800 opened."}, {"claim": "The mu\0seum closed."}, {"claim": "x" * 1_000_000},
        {"id": "\udfff", "claim": "The harbour moved."}, {"id": "\udfff", "claim": "The HARBOUR moved."},
        {"claim": "The tower fell.", **{f"column {n}": n for n in range(10_000)}}, {"claim": ["The", "school"]},
    ]  # fmt: skip
    file.write_text("".join(line if line == "\n" else json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    report = check(bench, file, tmp_path / "out")
    assert (report.lines, report.checked, report.repeated, report.failed) == (7, 4, 1, 2)
    assert [row["id"] for row in rows(tmp_path / "out")] == ["2", "3", "?", "?", "7"]
    failures = map(json.loads, (tmp_path / "out" / "failures.jsonl").read_text(encoding="utf-8").splitlines())
    assert [(failure["line"], failure["reason"][:18]) for failure in failures] == [
        (4, "The claim has 1,00"), (8, "The claim is not a"),
    ]  # fmt: skip


def test_parquet_columns_that_are_no_text(tmp_path: Path) -> None:
    no_text = pyarrow.array([b"The river \xff opened.", b"Bats fly."])
    for name, cells in {
        "nested": pyarrow.array([{"a": "x"}, {"a": "y"}]), "bytes": no_text, "broken": no_text.view(pyarrow.string())
    }.items():  # fmt: skip
        parquet.write_table(pyarrow.table({"claim": cells}), tmp_path / f"{name}.parquet")
        found = [row.problem for row in ClaimFile(tmp_path / f"{name}.parquet").rows()]
        assert found == ["The claim is not a text.", "" if name == "broken" else "The claim is not a text."], name


def test_a_list_without_a_line_that_can_be_checked_says_why(bench: Workbench, tmp_path: Path) -> None:
    for name, body, why in (
        ("a.jsonl", '{"claim": ""}\n{"claim": 5}\n', "; the first one is refused: The cell of the claim is empty."),
        ("b.csv", "claim,note\n", "."),
    ):
        (tmp_path / name).write_text(body, encoding="utf-8")
        with pytest.raises(GhostError, match=rf"no line that can be checked{re.escape(why)}"):
            BulkList(ClaimFile(tmp_path / name, "claim"), BulkFolder(tmp_path / "out"), BulkOptions()).run(
                here(bench), lambda *_: None
            )


def test_a_list_of_very_many_columns_is_refused_as_that(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text(
        "\n".join([",".join(["claim", *(f"column {n}" for n in range(10_000))]), ",".join(["Bees fly."] * 10_001)])
    )
    with pytest.raises(ClaimError, match="10,001 columns; at most 200"):
        ClaimFile(tmp_path / "wide.csv")


def test_a_cluster_needs_stores_that_all_machines_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    words = ["batch", "list.csv", "--engine", "ray", "--out", str(tmp_path / "out"), "--address", "127.0.0.1:9"]
    assert main(words) == 2
    assert "set GHOST_DATABASE_URL to a PostgreSQL database and GHOST_CHROMA_URL" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_belongs_to_one_command_at_a_time(
    listed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path / "data"))
    with OwnerLock(tmp_path / "out"):
        assert main(["batch", str(listed), "--engine", "ray", "--out", str(tmp_path / "out")]) == 1
    assert re.search(r"out is in use by this process .* or name another folder\.", capsys.readouterr().err)
    assert not (tmp_path / "data").exists()
