"""Whether everything works: the stores, a language model over a real socket, and a search provider."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from config import Settings
from ghost.diagnostics import (
    MODEL_QUESTION,
    SEARCH_QUESTION,
    ask_model,
    ask_provider,
    check_stores,
    free_bytes,
    places,
    rebuild_index,
    size_of,
    size_words,
    stage_words,
    unused_providers,
)
from ghost.errors import Cancelled, JudgeError, ProviderError, ProviderTimeoutError
from ghost.jobs import Task
from ghost.judges import Endpoint
from ghost.knowledge import Health, KnowledgeBase
from ghost.testing import Scripted, ScriptedLLM, ScriptedSearch
from ghost.types import NewPassage
from ghost.web import Hit, Stage
from tests.pages.benches import real_bench

KEY = "sk-very-secret"
READY = {"answer": "I am ready."}


def quiet(what: str, done: int, total: int) -> None:
    """Reports to no one and is never stopped."""


def endpoint(server: ScriptedLLM, **changes: object) -> Endpoint:
    return replace(Endpoint("cloud", server.url, "gpt-x", KEY, timeout=5.0), **changes)  # type: ignore[arg-type]


def test_a_model_that_answers_is_named_with_its_time() -> None:
    with ScriptedLLM.serving(lambda _: READY) as server:
        said = ask_model(endpoint(server), quiet)
        assert said.startswith(f"gpt-x at {endpoint(server).host} answered in ")
        assert said.endswith(" s.")
        (asked,) = server.asked
    assert MODEL_QUESTION in asked.words
    assert len(asked.words) < 80
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_a_local_server_is_asked_for_its_first_model_and_may_ignore_the_form() -> None:
    with ScriptedLLM.serving(lambda _: "I am ready!", ["tiny"]) as server:
        said = ask_model(endpoint(server, judge="local", model="", key=""), quiet)
        assert said.startswith("tiny at ")
        assert "ignored the requested JSON form" in said
    with ScriptedLLM.serving(lambda _: READY, []) as server, pytest.raises(JudgeError, match="lists no model"):
        ask_model(endpoint(server, judge="local", model="", key=""), quiet)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Scripted(status=401, error={"message": f"Wrong key {KEY}"}), "refused the key"),
        (Scripted(status=404), "does not know “gpt-x”"),
        (Scripted(status=500, error={"message": KEY}), r"failed \(500\)"),
        (Scripted(""), "sent an empty answer"),
        (None, "broke off the connection"),
    ],
)
def test_trouble_is_explained_without_the_key(answer: Scripted | None, words: str) -> None:
    with ScriptedLLM.serving(lambda _: answer) as server:
        with pytest.raises(JudgeError, match=words) as caught:
            ask_model(endpoint(server), quiet)
        assert len(server.asked) == 1
    assert KEY not in str(caught.value)


def test_the_question_to_a_model_can_be_stopped() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise Cancelled("Stopped.")

    with ScriptedLLM.serving(lambda _: Scripted("x", before=2.0)) as server, pytest.raises(Cancelled):
        ask_model(endpoint(server), stop)


def test_a_provider_gets_one_word_that_says_nothing_about_anyones_work() -> None:
    provider = ScriptedSearch([Hit(f"https://{n}.test/", "t", "s", "x") for n in range(3)])
    assert ask_provider(provider, 5.0) == "It answered with 3 results."
    assert provider.asked == [(SEARCH_QUESTION, ())]
    assert ask_provider(ScriptedSearch(), 5.0) == "It answered, but found nothing for “Moon”."


def test_failures_of_a_provider_are_explained_without_secrets() -> None:
    with pytest.raises(ProviderTimeoutError, match="no answer"):
        ask_provider(ScriptedSearch(ProviderTimeoutError("There was no answer.")), 5.0)
    with pytest.raises(ProviderError, match="Scripted Search could not be asked: KeyError"):
        ask_provider(ScriptedSearch(KeyError("https://key=secret")), 5.0)


def test_stages_and_missing_settings() -> None:
    assert stage_words(ScriptedSearch()) == "in every stage"
    assert stage_words(ScriptedSearch(stages=frozenset({Stage.FACT_CHECK}))) == "for fact-checkers"
    found = unused_providers({"ddgs"}, Settings(google_pse_id="x"))
    assert (found["google_pse"], found["wikipedia"]) == (("google_pse_key",), ())
    assert "ddgs" not in found


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    bench = real_bench(tmp_path)
    yield bench.knowledge
    bench.close()


def test_sizes_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"12345")
    (tmp_path / "y").write_bytes(b"123")
    assert size_of(tmp_path) == 8
    assert size_of(tmp_path / "y") == 3
    assert size_of(tmp_path / "nothing") is None
    assert free_bytes(tmp_path / "not" / "there" / "yet")


@pytest.mark.parametrize(
    ("size", "words"),
    [(None, "–"), (0, "0 bytes"), (999, "999 bytes"), (1500, "2 KB"), (2_340_000, "2.3 MB"), (7e12, "7,000.0 GB")],
)
def test_size_words(size: int | None, words: str) -> None:
    assert size_words(size) == words


def test_the_index_on_a_server_has_no_place_here(tmp_path: Path) -> None:
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "")) == 3
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "http://127.0.0.1:8000")) == 2


def test_a_rebuild_that_is_stopped_leaves_the_index_as_it_was(kb: KnowledgeBase) -> None:
    kb.add([NewPassage("Bees dance to tell where the flowers are.", "https://a.example/")])

    def work(task: Task[str]) -> str:
        def stopping(what: str, done: int, total: int) -> None:
            task.cancel()
            task.report(what, done, total)

        return rebuild_index(kb, stopping)

    task = Task(work)
    assert task.wait(30)
    assert isinstance(task.error, Cancelled)
    assert [c.passage.text for c in kb.search("bees dance", 1)] == ["Bees dance to tell where the flowers are."]
    said = check_stores(kb, quiet)
    assert said.startswith("All is well. The database has 1 active passages, the index 1 vectors")
    assert rebuild_index(kb, quiet) == "The index was rebuilt with 1 vectors."


def test_a_problem_is_reported_with_what_to_do() -> None:
    class Broken:
        def check(self) -> Health:
            return Health(5, 3, False, "", ("Row 7 is missing from an index.",), "m")

    said = check_stores(Broken(), quiet)  # type: ignore[arg-type]
    assert "Row 7 is missing from an index." in said
    assert "they differ" in said
    assert "Rebuild the index" in said
