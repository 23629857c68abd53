"""Lists whose folder or file cannot be used: each named with what to do, and nothing is done twice afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest

from ghost.bulk import BulkFolder, BulkList, BulkOptions, ClaimFile
from ghost.errors import GhostError, StoreFullError
from ghost.workbench import Workbench
from tests.bulk.bench import claims
from tests.bulk.lists import rows
from tests.bulk.test_lists import check, here
from tests.small_disk import SmallDisk


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    file = tmp_path / "list.jsonl"
    file.write_text("".join(json.dumps({"claim": text}) + "\n" for text in claims(40)), encoding="utf-8")
    return file


def test_a_list_that_changes_while_it_is_read_is_named(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    def told(what: str, *_: int) -> None:
        if what.startswith("Reading"):
            with listed.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"claim": "The museum closed near the river in 1999."}) + "\n")

    with pytest.raises(GhostError, match=r"has changed while it was read\. Start the same command again"):
        BulkList(ClaimFile(listed), BulkFolder(tmp_path / "out"), BulkOptions()).run(here(bench), told)
    report = check(bench, listed, tmp_path / "out")
    assert report.lines == len(listed.read_text(encoding="utf-8").splitlines())


def test_a_folder_on_a_full_disk_goes_on_when_there_is_room(
    bench: Workbench, listed: Path, tmp_path: Path, disk: SmallDisk
) -> None:
    out, refused = disk.path / "out", []
    for room in (4, 40, 80, 120, 200, 280, 360, 440, 4_000):
        disk.leave(room)
        try:
            report = check(bench, listed, out)
        except StoreFullError as error:
            refused.append(str(error))
        else:
            break
    assert len(refused) > 3
    assert all("free some space" in message for message in refused)
    assert report.checked == 40
    check(bench, listed, tmp_path / "whole")
    assert rows(out) == rows(tmp_path / "whole")


def test_a_folder_that_cannot_be_written_is_named(
    bench: Workbench, listed: Path, tmp_path: Path, disk: SmallDisk
) -> None:
    def refused(out: Path) -> Any:
        return pytest.raises(GhostError, match=f"{out}.* cannot be used .*name another folder")

    with refused(listed):
        check(bench, listed, listed / "out")
    disk.leave(4_000)
    check(bench, listed, disk.path / "out", settings={})
    (disk.path / "out" / "results").rename(disk.path / "gone")
    disk.lock()
    with refused(disk.path / "out"):
        check(bench, listed, disk.path / "out", settings={})


def test_a_plan_that_is_damaged_is_named(bench: Workbench, listed: Path, tmp_path: Path) -> None:
    check(bench, listed, tmp_path / "out")
    (tmp_path / "out" / "plan.sqlite").write_bytes(b"no database " * 1_000)
    with pytest.raises(GhostError, match=r"plan\.sqlite cannot be used .*name another folder"):
        check(bench, listed, tmp_path / "out")
