"""The bundle and the case export: complete, checkable, the same every time."""

import csv
import io
import json
from dataclasses import replace

import pytest

from ghost.reports import FILE_TYPES, CaseExport, Format, export, report_name
from ghost.types import Label, Override, Review, Run
from tests.reports.runs import (
    NOON,
    PUBLISHER,
    TEXT,
    cancelled,
    case,
    check_manifest,
    evidence,
    failed_at_once,
    finished,
    passage,
    unpack,
)


def bundle(run: Run) -> bytes:
    return export(run, Format.BUNDLE, PUBLISHER)


def test_a_bundle_has_all_that_the_verdict_rests_on() -> None:
    files = unpack(bundle(finished()))
    assert set(files) == {
        "manifest.json", "result.json", "trace.json", "report.md", "report.html", "claimreview.json",
        "evidence/001-nasa.gov.txt",
    }  # fmt: skip
    manifest = check_manifest(files)
    assert (manifest["run_id"], manifest["label"]) == ("r1", "False")
    assert json.loads(files["result.json"])["run_id"] == "r1"
    assert TEXT in files["evidence/001-nasa.gov.txt"].decode()
    assert [step["name"] for step in json.loads(files["trace.json"])["steps"]] == ["classify", "verdict"]


def test_the_same_run_gives_the_same_bytes_and_an_override_other_ones() -> None:
    assert bundle(finished()) == bundle(finished())
    other = finished(review=Review(Override(1, Label.TRUE, "x", NOON)))
    assert bundle(other) != bundle(finished())
    assert check_manifest(unpack(bundle(other)))["label"] == "True"


def test_what_cannot_be_published_is_left_out_and_the_manifest_says_why() -> None:
    for run in (cancelled(), failed_at_once()):
        files = unpack(bundle(run))
        assert "claimreview.json" not in files
        assert "no verdict" in str(check_manifest(files)["notes"])


@pytest.mark.parametrize(
    ("text", "name"),
    [("nasa.gov", "nasa.gov"), ("../../etc/passwd", "etc-passwd"), ("CON", "con"), ("..", "source"), ("日本", "source"),
     ("a" * 300, "a" * 60), ("C:\\x\x00.txt", "c-x-.txt")],
)  # fmt: skip
def test_a_file_name_is_never_a_path(text: str, name: str) -> None:
    files = unpack(bundle(finished(evidence=(evidence(passage=passage(domain=text)),))))
    assert f"evidence/001-{name}.txt" in files


@pytest.mark.parametrize("form", Format)
def test_each_form_is_made_of_each_run_that_allows_it(form: Format) -> None:
    assert export(finished(), form, PUBLISHER)
    assert report_name(finished(), form) == f"ghost-r1.{FILE_TYPES[form].ending}"


def exported(*runs: Run) -> dict[str, bytes]:
    made = CaseExport(case(), PUBLISHER)
    for run in runs:
        made.add(run)
    return unpack(made.finish())


def test_a_case_is_a_summary_a_table_and_a_bundle_for_each_run() -> None:
    overridden = replace(finished(), id="r2", review=Review(Override(1, Label.MISLEADING, "It deceives.", NOON)))
    files = exported(finished(), overridden, cancelled())
    check_manifest(files)
    assert {"summary.md", "checks.csv", "checks/001-r1.zip", "checks/002-r2.zip", "checks/003-r1.zip"} < set(files)
    summary = files["summary.md"].decode()
    assert summary.startswith("# Election 2026\n")
    assert "\\# Not a heading" in summary
    assert "**Misleading** · the analyst's verdict, 2026-03-01: It deceives." in summary
    assert "**False** · High confidence (91%) · Ghost's own verdict" in summary
    assert "**No verdict**: the run is cancelled." in summary
    rows = list(csv.DictReader(io.StringIO(files["checks.csv"].decode("utf-8-sig"))))
    assert len(rows[0]) == 14
    assert [(r["final verdict"], r["ghost's verdict"]) for r in rows] == [
        ("False", "False"), ("Misleading", "False"), ("", ""),
    ]  # fmt: skip
    check_manifest(unpack(files["checks/002-r2.zip"]))
