"""Articles that are read in the background, in this process."""

from pathlib import Path

import pytest

from config import Settings
from ghost.errors import ClaimError, StoreError
from ghost.jobs import ArticleReader
from tests.jobs.conftest import wait_for
from tests.jobs.shared_pages import ended
from tests.ui.bench import ScriptedBench

TEXT = "The bridge was closed on Monday. It was built in 1931."


def test_an_article_is_read_and_kept_under_its_id(tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    reader = ArticleReader(bench)
    for text, url, web, words in (
        ("", "", True, "no article"),
        (TEXT, "x", True, "address"),
        ("", "https://a.org", False, "GHOST_WEB"),
    ):
        with pytest.raises(ClaimError, match=words):
            reader.start(text, url, web)
    article_id = reader.start(TEXT, "https://gazette.example/bridge")
    view = wait_for(reader, article_id, ended)
    assert (view.read, view.text, view.progress.done, reader.active()) == (True, "", 2, [])
    article = bench.articles.get(article_id)
    assert article
    assert [s.text for s in article.sentences] == TEXT.replace(". ", ".\n").split("\n")
    unusable = wait_for(reader, reader.start("\0", ""), ended)
    assert (unusable.read, unusable.unusable, unusable.text) == (False, True, "\0")
    bench.close()


def test_one_that_is_stopped_or_fails_keeps_its_text_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    reader = ArticleReader(bench)

    def endless(text: str, url: str, told, article_id: str, web: bool) -> None:  # type: ignore[no-untyped-def]
        while not bench.gate.wait(0.01):
            told("Reading", 0, 0)
        raise StoreError("The disk is full.")

    monkeypatch.setattr(bench, "list_article", endless)
    first, second, waiting = (reader.start(TEXT, "") for _ in range(3))
    assert wait_for(reader, waiting, lambda v: v.progress.what).progress.what == "Waiting for other articles"
    for article_id in (waiting, first):
        reader.cancel(article_id)
        view = wait_for(reader, article_id, ended)
        assert (view.cancelled, view.read, view.error, view.text) == (True, False, "", TEXT)
    bench.gate.set()
    view = wait_for(reader, second, ended)
    assert (view.error, view.unusable, view.text) == ("The disk is full.", False, TEXT)
    assert bench.articles.count() == 0
    bench.close()
