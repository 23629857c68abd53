"""What is done stays done, and answers to something else are never taken for these."""

import json
import threading
from pathlib import Path

import pytest

from bench.results import code
from bench.resume import Answer, Partial, answers, key_of
from bench.rows import ClaimRow

ROWS = [ClaimRow(id=str(number), claim=f"Claim {number}.") for number in range(6)]
KEY, OTHER = key_of(claims="a"), key_of(claims="b")


class Work:
    """Answers a claim with its text; breaks at the claim with id ``at``."""

    def __init__(self, at: str = "") -> None:
        self.at = at
        self.asked: list[str] = []

    def __call__(self, row: ClaimRow) -> Answer:
        self.asked.append(row.id)
        if row.id == self.at:
            raise RuntimeError("the disk is full")
        return {"text": row.claim}


def _run(folder: Path | None, work: Work, key: str = KEY, workers: int = 1) -> dict[str, Answer]:
    return answers(ROWS, work, lambda _: True, Partial(folder, "test", key), workers, lambda *_: None)


def test_a_second_attempt_asks_only_what_is_open(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="the disk is full"):
        _run(tmp_path, Work(at="4"))
    again = Work()
    found = _run(tmp_path, again)
    assert again.asked in (["4"], ["4", "5"])  # the last one may have been done beside the one that broke
    assert found == {row.id: {"text": row.claim} for row in ROWS}


def test_the_file_goes_when_the_result_is_whole(tmp_path: Path) -> None:
    _run(tmp_path, Work())
    assert len(list(tmp_path.iterdir())) == 1
    Partial(tmp_path, "test", KEY).finish({}, None)
    assert not list(tmp_path.iterdir())


def test_answers_under_another_key_are_not_taken(tmp_path: Path) -> None:
    _run(tmp_path, Work())
    work = Work()
    _run(tmp_path, work, OTHER)
    assert len(work.asked) == 6
    file = next(file for file in tmp_path.iterdir() if KEY[:16] in file.name)
    file.write_text(file.read_text().replace(KEY, KEY[:16] + OTHER[16:]))  # the name alone is not believed
    assert Partial(tmp_path, "test", KEY).read() == {}


def test_a_line_that_a_sudden_end_cut_off_is_asked_again(tmp_path: Path) -> None:
    _run(tmp_path, Work())
    (file,) = tmp_path.iterdir()
    last = json.loads(file.read_text().splitlines()[-1])["id"]
    file.write_text(file.read_text()[:-9])
    work = Work()
    assert _run(tmp_path, work) == {row.id: {"text": row.claim} for row in ROWS}
    assert work.asked == [last]
    assert sorted(json.loads(line)["id"] for line in file.read_text().splitlines()[1:]) == list("012345")


def test_what_is_not_worth_keeping_is_asked_again(tmp_path: Path) -> None:
    def keepable(answer: Answer) -> bool:
        return answer["text"] != "Claim 3."

    answers(ROWS, Work(), keepable, Partial(tmp_path, "test", KEY), 1, lambda *_: None)
    work = Work()
    answers(ROWS, work, keepable, Partial(tmp_path, "test", KEY), 1, lambda *_: None)
    assert work.asked == ["3"]


def test_without_a_folder_nothing_is_kept() -> None:
    work = Work()
    assert len(_run(None, work)) == 6
    assert len(_run(None, work)) == 6
    assert len(work.asked) == 12


def test_claims_run_side_by_side_and_each_is_reported() -> None:
    together = threading.Barrier(2, timeout=30)
    told: list[tuple[int, int]] = []

    def work(row: ClaimRow) -> Answer:
        together.wait()
        return {"text": row.claim}

    found = answers(
        ROWS, work, lambda _: True, Partial(None, "", KEY), 2, lambda _, done, total: told.append((done, total))
    )
    assert found == {row.id: {"text": row.claim} for row in ROWS}
    assert told == [(done, 6) for done in range(1, 7)]


def test_the_key_depends_on_every_part_and_the_code_has_one() -> None:
    assert key_of(a=1, b=2) == key_of(b=2, a=1)
    assert len({key_of(a=1), key_of(a=2), key_of(b=1)}) == 3
    assert len(code()) == 64
    assert code() == code()
