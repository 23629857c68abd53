"""One tiny question to a language model, over a real socket."""

from dataclasses import replace

import pytest

from ghost.errors import Cancelled, JudgeError
from ghost.inspection.language_models import WORDS, ask
from ghost.judges import Endpoint
from ghost.testing import Scripted, ScriptedLLM

KEY = "sk-very-secret"
READY = {"answer": "I am ready."}


def quiet(what: str, done: int, total: int) -> None:
    """Nobody watches, and nobody stops it."""


def endpoint(server: ScriptedLLM, **changes: object) -> Endpoint:
    return replace(Endpoint("cloud", server.url, "gpt-x", KEY, timeout=5.0), **changes)  # type: ignore[arg-type]


def test_a_model_that_answers_is_named_with_its_time() -> None:
    with ScriptedLLM.serving(lambda _: READY) as server:
        said = ask(endpoint(server), quiet)
        assert said.startswith(f"gpt-x at {endpoint(server).host} answered in ")
        assert said.endswith(" s.")
        (asked,) = server.asked
    assert WORDS in asked.words
    assert len(asked.words) < 80
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_a_local_server_is_asked_for_its_first_model() -> None:
    with ScriptedLLM.serving(lambda _: READY, ["tiny"]) as server:
        assert ask(endpoint(server, judge="local", model="", key=""), quiet).startswith("tiny at ")
    with ScriptedLLM.serving(lambda _: READY, []) as server, pytest.raises(JudgeError, match="lists no model"):
        ask(endpoint(server, judge="local", model="", key=""), quiet)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Scripted(status=401, error={"message": f"Wrong key {KEY}"}), "refused the key"),
        (Scripted(status=404), "does not know “gpt-x”"),
        (Scripted(status=500, error={"message": KEY}), r"failed \(500\)"),
        (Scripted(""), "with no word"),
        (None, "broke off the connection"),
    ],
)
def test_trouble_is_told_in_words_without_the_key(answer: Scripted | None, words: str) -> None:
    with ScriptedLLM.serving(lambda _: answer) as server:
        with pytest.raises(JudgeError, match=words) as caught:
            ask(endpoint(server), quiet)
        assert len(server.asked) == 1
    assert KEY not in str(caught.value)


def test_an_answer_in_another_form_is_said_to_be_one() -> None:
    with ScriptedLLM.serving(lambda _: "I am ready!") as server:
        assert "did not keep to the form" in ask(endpoint(server), quiet)


def test_it_can_be_stopped() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise Cancelled("Stopped.")

    with ScriptedLLM.serving(lambda _: Scripted("x", before=2.0)) as server, pytest.raises(Cancelled):
        ask(endpoint(server), stop)
