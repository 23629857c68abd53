"""A page that the analyst names, on the Verify page: in the middle of a run, too late, and after it."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.types import Citation, Origin, TraceStep
from ghost.web import MAX_LINKS
from tests.pages.test_verify import HOSTILE, LIVE, bench, finish, open_page, shown, use
from tests.ui.bench import ScriptedBench
from tests.ui.samples import false_run

__all__ = ["bench", "use"]
Use = Callable[[ScriptedBench], AppTest]


def step(*rows: dict[str, object]) -> TraceStep:
    return TraceStep(
        "investigate", datetime(2026, 1, 1, tzinfo=UTC), 0.1, "named", "named",
        {"stage": "link", "links": [row["url"] for row in rows]}, {"searches": [], "sources": list(rows)},
    )  # fmt: skip


def test_a_link_is_added_in_the_middle_of_a_run(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.button(key="verify_check").click().run()
    at.text_input(key="verify_link").input("nasa.gov/wall")
    at.button(key="verify_link_add").click().run()
    assert "will be read between two steps" in shown(at)
    assert at.text_input(key="verify_link").value == ""
    at.text_input(key="verify_link").input("javascript:alert(1)")
    at.button(key="verify_link_add").click().run()
    assert "is no address of a web page" in shown(at)
    assert at.text_input(key="verify_link").value == "javascript:alert(1)", "what was refused can be corrected"
    assert bench.boxes[0].named == ("https://nasa.gov/wall",)
    bench.boxes[0].close()
    at.text_input(key="verify_link").input("nasa.gov/moon")
    at.button(key="verify_link_add").click().run()
    assert "Too late for this check" in shown(at)
    bench.gate.set()
    finish(at)


def test_after_a_run_the_claim_is_checked_again_with_the_page_read_first(use: Use, bench: ScriptedBench) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    assert at.button(key="verify_link_add").label == "Read this page and decide again"
    at.text_input(key="verify_link").input("https://nasa.gov/wall")
    at.button(key="verify_link_add").click().run()
    finish(at)
    assert not at.exception
    assert at.query_params["run"] != run.id
    assert bench.options[-1]["follows"] == run.id
    assert bench.options[-1]["links"] == ("https://nasa.gov/wall",)
    assert bench.runs.kept[run.id] == run, "the first check stays as it is"


def test_pages_that_were_named_before_are_read_again_also_where_the_run_never_came_to_them(
    use: Use, bench: ScriptedBench
) -> None:
    run = false_run()
    run = replace(
        run, settings=run.settings | {"links": ["https://a.example/1", "https://a.example/2"]},
        steps=(*run.steps, step({"url": "https://a.example/2"}, {"url": "https://a.example/3"})),
    )  # fmt: skip
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    at.text_input(key="verify_link").input("https://nasa.gov/wall")
    at.button(key="verify_link_add").click().run()
    finish(at)
    assert bench.options[-1]["links"] == (
        "https://nasa.gov/wall", "https://a.example/1", "https://a.example/2", "https://a.example/3",
    )  # fmt: skip


def test_a_page_too_many_is_refused_and_drops_no_other(use: Use, bench: ScriptedBench) -> None:
    run = false_run()
    run = replace(run, settings=run.settings | {"links": [f"https://a.example/{n}" for n in range(MAX_LINKS)]})
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    at.text_input(key="verify_link").input("https://nasa.gov/wall")
    at.button(key="verify_link_add").click().run()
    assert f"at most {MAX_LINKS} pages that you name" in shown(at)
    assert bench.options == []


def test_an_address_that_cannot_be_used_starts_nothing(use: Use, bench: ScriptedBench) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    for typed in ("", "honey"):
        at.text_input(key="verify_link").input(typed)
        at.button(key="verify_link_add").click().run()
        assert "Enter one such as https://example.org/page" in shown(at)
    assert bench.options == []


@pytest.mark.parametrize("text", ["plain words", HOSTILE], ids=["plain", "hostile"])
def test_what_became_of_named_pages_notices_and_copies_is_told_as_text(
    use: Use, bench: ScriptedBench, text: str
) -> None:
    run = false_run()
    assert run.verdict
    web = replace(run.evidence[0].passage, origin=Origin.WEB)
    url = web.source_url
    rows = (
        {"url": "https://gone.example/a", "state": "refused", "why": f"The server has no such page. {text}"},
        {"url": url, "final_url": url, "state": "read", "verdict": "refutes", "title": text,
         "notices": [{"kind": "retraction", "text": f"This article was retracted. {text}"}]},
    )  # fmt: skip
    cited = (Citation(1, web.id, web.text, run.verdict.citations[0].stance, True, "", url=url,
                      archived_url="https://web.archive.org/web/2024/https://a.example/",
                      archived_at=datetime(2024, 5, 3, tzinfo=UTC)),)  # fmt: skip
    run = replace(
        run,
        evidence=(replace(run.evidence[0], passage=web), *run.evidence[1:]),
        verdict=replace(run.verdict, citations=cited),
        steps=(*run.steps, step(*rows)),
    )
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    words = shown(at)
    assert "Not read. The server has no such page." in words
    assert "Read, and weighed with the rest: it contradicts the claim." in words
    assert "Retraction" in words
    assert "This article was retracted." in words
    assert "Archived copy of 3 May 2024" in words
    if text == HOSTILE:
        for element in (*at.markdown, *at.caption):
            assert not LIVE.search(re.sub(r"\]\(<https://[\w./%-]+>\)", "", element.value)), element.value
