"""The bundle and the case export: complete, checkable, the same every time, safe to unpack."""

import csv
import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace

import pytest

from ghost.records import Case
from ghost.reports import KINDS, CaseExport, Format, Publisher, case_file_name, export, name_of
from ghost.reports.bundle import MANIFEST, bundle, file_name
from ghost.reports.case import COLUMNS
from ghost.types import Label, Override, Review
from tests.reports.hostile import HOSTILE, poisoned
from tests.reports.runs import NOON, TEXT, cancelled, failed_at_once, finished

PUBLISHER = Publisher("Example Checks")
PLAIN_NAME = re.compile(r"([a-z0-9][a-z0-9.-]*/)?[a-z0-9][a-z0-9.-]*")


def unpack(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        assert len(names) == len(set(names))
        return {name: packed.read(name) for name in names}


def check_manifest(files: dict[str, bytes]) -> dict[str, object]:
    manifest = json.loads(files[MANIFEST])
    assert manifest["files"].keys() == files.keys() - {MANIFEST}
    for name, entry in manifest["files"].items():
        assert entry == {"sha256": hashlib.sha256(files[name]).hexdigest(), "bytes": len(files[name])}
    return dict(manifest)


def test_a_bundle_has_all_that_the_verdict_rests_on() -> None:
    files = unpack(bundle(finished(), PUBLISHER))
    assert set(files) == {
        MANIFEST, "result.json", "trace.json", "report.md", "report.html", "claimreview.json",
        "evidence/001-nasa.gov.txt",
    }  # fmt: skip
    manifest = check_manifest(files)
    assert (manifest["run_id"], manifest["label"]) == ("r1", "False")
    assert json.loads(files["result.json"])["run_id"] == "r1"
    assert TEXT in files["evidence/001-nasa.gov.txt"].decode()
    assert [step["name"] for step in json.loads(files["trace.json"])["steps"]] == ["classify", "verdict"]


def test_the_same_run_gives_the_same_bytes_and_an_override_other_ones() -> None:
    assert bundle(finished(), PUBLISHER) == bundle(finished(), PUBLISHER)
    other = finished(review=Review(Override(1, Label.TRUE, "x", NOON)))
    assert bundle(other, PUBLISHER) != bundle(finished(), PUBLISHER)
    assert check_manifest(unpack(bundle(other, PUBLISHER)))["label"] == "True"


def test_what_cannot_be_published_is_left_out_and_the_manifest_says_why() -> None:
    for run in (cancelled(), failed_at_once()):
        files = unpack(bundle(run, PUBLISHER))
        assert "claimreview.json" not in files
        assert "no verdict" in str(check_manifest(files)["notes"])


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_names_no_file_and_breaks_none(hostile: str) -> None:
    files = unpack(bundle(poisoned(hostile), PUBLISHER))
    check_manifest(files)
    assert all(PLAIN_NAME.fullmatch(name) for name in files), list(files)
    assert json.loads(files["result.json"])["run_id"] == "r1"


@pytest.mark.parametrize(
    ("text", "name"),
    [("nasa.gov", "nasa.gov"), ("../../etc/passwd", "etc-passwd"), ("CON", "con"), ("..", "source"), ("日本", "source"),
     ("a" * 300, "a" * 60), ("C:\\x\x00.txt", "c-x-.txt")],
)  # fmt: skip
def test_a_file_name_is_never_a_path(text: str, name: str) -> None:
    assert file_name(text, "source") == name


@pytest.mark.parametrize("form", Format)
def test_each_form_is_made_of_each_run_that_allows_it(form: Format) -> None:
    assert export(finished(), form, PUBLISHER)
    assert name_of(finished(), form) == f"ghost-r1.{KINDS[form].ending}"


def case(name: str = "Election 2026", notes: str = "Ask the ministry.\n\n# Not a heading") -> Case:
    return Case("c1", name, notes, NOON, NOON, 2)


def exported(which: Case, *runs: object) -> dict[str, bytes]:
    export = CaseExport(which, PUBLISHER)
    for run in runs:
        export.add(run)  # type: ignore[arg-type]
    return unpack(export.finish())


def test_a_case_is_a_summary_a_table_and_a_bundle_for_each_run() -> None:
    overridden = replace(finished(), id="r2", review=Review(Override(1, Label.MISLEADING, "It deceives.", NOON)))
    files = exported(case(), finished(), overridden, cancelled())
    check_manifest(files)
    assert {"summary.md", "checks.csv", "checks/001-r1.zip", "checks/002-r2.zip", "checks/003-r1.zip"} < set(files)
    summary = files["summary.md"].decode()
    assert summary.startswith("# Election 2026\n")
    assert "\\# Not a heading" in summary
    assert "**Misleading** (the analyst's verdict, 2026-03-01: It deceives.)" in summary
    assert "Ghost's own verdict: **False** · High confidence (91%)" in summary
    assert "**No verdict**: the run is cancelled." in summary
    rows = list(csv.DictReader(io.StringIO(files["checks.csv"].decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    assert [(r["final verdict"], r["ghost's verdict"]) for r in rows] == [
        ("False", "False"), ("Misleading", "False"), ("", ""),
    ]  # fmt: skip
    check_manifest(unpack(files["checks/002-r2.zip"]))


def test_an_empty_case_can_be_exported_too() -> None:
    files = exported(case())
    assert "0 checks" in files["summary.md"].decode()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_case_carries_no_formula_and_no_path(hostile: str) -> None:
    which = case(hostile, hostile)
    files = exported(which, poisoned(hostile))
    assert all(PLAIN_NAME.fullmatch(name) for name in files), list(files)
    assert re.fullmatch(r"ghost-case-[a-z0-9.-]+\.zip", case_file_name(which))
    for row in csv.reader(io.StringIO(files["checks.csv"].decode("utf-8-sig"))):
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)
