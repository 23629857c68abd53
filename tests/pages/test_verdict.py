"""The verdict in a report: sure in words, open with a reason, and a leaning that is never more than small grey text."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.reports import NOT_USED
from ghost.types import Label, Override, Review
from ghost.ui.verify import track_record
from tests.pages.test_verify import open_page, shown, use
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, false_run, leaning_run, open_run
from tests.ui.test_track_record import measured

__all__ = ["use"]
Use = Callable[[ScriptedBench], AppTest]
LEANS = "leans towards false"
GREY = f":gray[:small[{LEANS}]]"


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    return ScriptedBench(Settings(data_dir=tmp_path))


def test_a_leaning_is_small_grey_text_and_nothing_else(use: Use, bench: ScriptedBench) -> None:
    run = leaning_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    words = shown(at)
    assert "Not Enough Evidence" in at.info[0].value
    assert not at.error
    assert not at.success
    assert GREY in words
    for line in words.splitlines():
        if LEANS in line:
            assert re.fullmatch(rf":gray\[:small\[{LEANS}\]\]|.*:gray\[:small\[{LEANS} · supporting .*\]\]", line), line
    assert "False" not in "\n".join(h.value for h in (*at.title, *at.header, *at.subheader))
    assert "The evidence is not clear enough for a verdict." in words
    assert "55%" not in words
    assert "confidence (" not in words


def test_an_open_verdict_has_a_reason_and_no_per_cent(use: Use, bench: ScriptedBench) -> None:
    run = open_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    assert "Why there is no verdict" in [h.value for h in at.header]
    assert "leans" not in shown(at)
    assert "confidence" not in at.info[0].value
    assert "%" not in at.info[0].value


def test_ghosts_own_verdict_stands_beside_the_analysts_without_its_leaning_being_one(
    use: Use, bench: ScriptedBench
) -> None:
    run = replace(leaning_run(), review=Review(Override(1, Label.TRUE, "I read the register.", AT)))
    bench.runs.kept[run.id] = run
    bench.reviews.of = lambda _: run.review  # type: ignore[method-assign]
    words = shown(open_page(use(bench), run.id))
    assert "Ghost's own verdict, kept as it was: :gray[:material/help: **Not Enough Evidence**]\n" in words + "\n"


def test_what_was_not_used_is_folded_away_with_source_and_reason(use: Use, bench: ScriptedBench) -> None:
    run = leaning_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    [fold] = [e for e in at.expander if e.label.startswith(NOT_USED)]
    assert fold.label == f"{NOT_USED} · 2 passages"
    assert not fold.proto.expanded
    inside = "\n".join(m.value for m in fold.markdown)
    for title, why in (
        (r"**fish\.example** Goldfish", "It is about something else"),
        (r"**walls\.example** Walls of Europe", "It is too far from the claim"),
    ):
        assert f"{title}  \n:gray[:small[{why}]]" in inside
    assert [h.anchor for h in at.subheader if str(h.anchor).startswith("evidence-")] == ["evidence-2", "evidence-3"]
    assert "2 links, 2 independent origins" in shown(at)
    assert "#evidence-4" not in shown(at), "what is not drawn cannot be led to"


def test_how_often_verdicts_like_it_were_right_is_one_plain_line(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, judge, settings = measured()
    on_the_library = result.model_copy(update={"benchmark": "everyday"})  # as all that this run cites
    monkeypatch.setattr(track_record, "_measured", lambda: (on_the_library,))
    run = replace(false_run(), judge=judge, settings=settings)
    bench.runs.kept[run.id] = run
    assert "Of 100 verdicts like this one, 95 were right." in [m.value for m in open_page(use(bench), run.id).markdown]
