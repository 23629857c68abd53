"""One harmless question to a provider, and what it needs."""

import pytest

from config import SEARCH_PROVIDERS, Settings
from ghost.errors import ProviderError, ProviderTimeoutError
from ghost.inspection.providers import LIMIT, QUESTION, ask, not_asked, stages_of
from ghost.testing import ScriptedSearch
from ghost.web import Hit, Stage


def test_the_question_says_nothing_of_anybodys_work() -> None:
    provider = ScriptedSearch([Hit(f"https://{n}.test/", "t", "s", "x") for n in range(LIMIT)])
    assert ask(provider, 5.0) == "It answered with 3 results."
    assert provider.asked == [(QUESTION, ())]
    assert ask(ScriptedSearch(), 5.0) == "It answered, and had nothing for “Moon”."


def test_failures_are_told_in_words_and_nothing_else_gets_through() -> None:
    with pytest.raises(ProviderTimeoutError, match="no answer"):
        ask(ScriptedSearch(ProviderTimeoutError("There was no answer.")), 5.0)
    with pytest.raises(ProviderError, match="Scripted Search could not be asked: KeyError"):
        ask(ScriptedSearch(KeyError("https://key=secret")), 5.0)


def test_stages_in_words() -> None:
    assert stages_of(ScriptedSearch()) == "in every stage"
    assert stages_of(ScriptedSearch(stages=frozenset({Stage.FACT_CHECK}))) == "for fact-checkers"


def test_what_is_not_asked_says_what_it_needs() -> None:
    settings = Settings(google_pse_id="x")
    found = {n.name: n.lacks for n in not_asked(SEARCH_PROVIDERS, {"ddgs"}, settings)}
    assert found["google_pse"] == ("google_pse_key",)
    assert found["wikipedia"] == ()
    assert "ddgs" not in found
