"""One harmless question to a language model, over a real socket, and to a search provider."""

from dataclasses import replace

import pytest

from config import SEARCH_PROVIDERS, Settings
from ghost.diagnostics import MODEL_QUESTION, SEARCH_QUESTION, ask_model, ask_provider, stage_words, unused_providers
from ghost.errors import Cancelled, JudgeError, ProviderError, ProviderTimeoutError
from ghost.judges import Endpoint
from ghost.testing import Scripted, ScriptedLLM, ScriptedSearch
from ghost.web import Hit, Stage

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


def test_a_local_server_is_asked_for_its_first_model() -> None:
    with ScriptedLLM.serving(lambda _: READY, ["tiny"]) as server:
        assert ask_model(endpoint(server, judge="local", model="", key=""), quiet).startswith("tiny at ")
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


def test_an_answer_in_another_form_is_reported() -> None:
    with ScriptedLLM.serving(lambda _: "I am ready!") as server:
        assert "ignored the requested JSON form" in ask_model(endpoint(server), quiet)


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
    found = {u.name: u.missing for u in unused_providers(SEARCH_PROVIDERS, {"ddgs"}, Settings(google_pse_id="x"))}
    assert (found["google_pse"], found["wikipedia"]) == (("google_pse_key",), ())
    assert "ddgs" not in found
