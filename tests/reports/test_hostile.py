"""Text from outside in every field of a run, in every format: only ever text, a cell or a plain name."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ghost.records import BatchItem, ItemState
from ghost.reports import CaseExport, Format, batch_csv, batch_jsonl, case_file_name, export, terminal
from ghost.text import one_line
from ghost.types import Claim, Label
from tests.reports.hostile import HOSTILE, poisoned
from tests.reports.runs import PUBLISHER, Page, case, check_manifest, finished, html, markdown, unpack
from tests.reports.test_batch import BATCH, ITEM, OUTCOME

PLAIN_NAME = re.compile(r"([a-z0-9][a-z0-9.-]*/)?[a-z0-9][a-z0-9.-]*")
FORMULA = ("=", "+", "-", "@")


def tokens(text: str) -> list[Token]:
    parser = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])
    return [t for token in parser.parse(text) for t in (token, *(token.children or ()))]


def cells(body: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")) for cell in row]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_markup_from_outside_gets_into_a_page(hostile: str) -> None:
    page, twin = Page(html(poisoned(hostile))), Page(html(poisoned("harmless words")))

    def shape(of: Page) -> list[str]:
        return [tag for tag in of.tags if tag not in ("a", "mark", "span")]

    assert shape(page) == shape(twin)
    assert not {"script", "img", "iframe", "object", "embed", "form", "base", "link"} & set(page.tags)
    known = {"class", "id", "href", "rel", "charset", "name", "content", "http-equiv", "lang", "scope", "style"}
    attributes = [(name, value or "") for _, of in page.found for name, value in of.items()]
    assert {name for name, _ in attributes} <= known | {"aria-hidden"}
    assert all(re.fullmatch(r"flex-grow:\d+", value) for name, value in attributes if name == "style")
    assert all(link.startswith(("http://", "https://", "#evidence-")) for link in page.links)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_markup_from_outside_gets_into_a_markdown_report(hostile: str) -> None:
    def shape(text: str) -> list[str]:
        return [t.type for t in tokens(markdown(poisoned(text))) if t.type not in ("text", "text_special")]

    assert shape(hostile) == shape("harmless words")


@pytest.mark.parametrize("text", [*HOSTILE, "Plain, 5 % of 3.2 (rounded); it's fine.", "C# costs $5 | a*b_c \\ 1:2"])
def test_a_claim_reads_in_markdown_as_it_was_written(text: str) -> None:
    heading = tokens(markdown(finished(claim=Claim(text))))[2:]
    shown = "".join(t.content for t in heading[: [t.type for t in heading].index("heading_close")] if t.type == "text")
    assert shown.strip() == one_line(text).encode("utf-8", "replace").decode().strip()


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://a.example/x y", "file:///x", "data:text/html,x"])
def test_only_plain_web_addresses_become_links(url: str) -> None:
    run = finished(claim=Claim("A claim.", found_at=url), evidence=(), verdict=None)
    assert "link_open" not in {t.type for t in tokens(markdown(run))}
    assert not list(Page(html(run)).links)
    disguised = finished(claim=Claim("A claim.", found_at="https://nasa.gov@evil.example/"), evidence=(), verdict=None)
    assert not list(Page(html(disguised)).links)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_outside_text_cannot_steer_a_terminal(hostile: str) -> None:
    shown = terminal(poisoned(f"\x1b]0;title\x07 \x1b[2J \x9b31m \u202edesrever \r\n {hostile}"))
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r", "\ud800"} & set(shown)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_claim_review_can_stand_inside_a_script_element(hostile: str) -> None:
    text = export(poisoned(hostile), Format.CLAIMREVIEW, PUBLISHER).decode()
    assert not set("<>&\u2028\u2029") & set(text)
    assert all(work["url"].startswith("http") for work in json.loads(text).get("citation", ()))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_archives_have_plain_names_and_tables_no_formula(hostile: str) -> None:
    which = case(hostile, hostile)
    made = CaseExport(which, PUBLISHER)
    made.add(poisoned(hostile))
    files = unpack(made.finish())
    packed = unpack(files["checks/001-r1.zip"])
    assert json.loads(packed["result.json"])["run_id"] == "r1"
    for each in (files, packed):
        check_manifest(each)
        assert all(PLAIN_NAME.fullmatch(name) for name in each), list(each)
    assert re.fullmatch(r"ghost-case-[a-z0-9.-]+\.zip", case_file_name(which))
    assert not any(cell.lstrip().startswith(FORMULA) for cell in cells(files["checks.csv"]))


@pytest.mark.parametrize("hostile", [*HOSTILE, "@x", "+x", "-x", "\tx", "=1+1"])
def test_no_cell_of_a_batch_is_a_formula_and_each_line_is_one(hostile: str) -> None:
    item = BatchItem("b", 1, 2, hostile, hostile, hostile, 1, ItemState.DONE, "r1", Label.FALSE, 0.9, 1.0, hostile,
                     (hostile,))  # fmt: skip
    batch, judge = replace(BATCH, columns=(hostile,)), replace(OUTCOME.judge, name=hostile)
    rows = [(item, replace(OUTCOME, judge=judge)), (ITEM, None)]
    assert not any(cell.lstrip().startswith(FORMULA) for cell in cells(batch_csv(batch, rows)))
    assert len(batch_jsonl(batch, rows).decode().splitlines()) == 2
