"""Settings as a person may see them."""

import pytest

from config import SECRETS, Settings
from ghost.inspection import Variable, variables
from ghost.inspection.variables import NOT_SET, OTHERS, SET
from ghost.text import server_of


def by_name(settings: Settings) -> dict[str, Variable]:
    return {v.name: v for v in variables(settings)}


def test_every_setting_has_a_place_and_none_is_left_over() -> None:
    found = variables(Settings())
    assert len(found) == len(Settings.model_fields)
    assert not [v.name for v in found if v.group == OTHERS]
    groups = [v.group for v in found]
    assert [g for n, g in enumerate(groups) if n == 0 or g != groups[n - 1]] == list(dict.fromkeys(groups))


def test_defaults_and_what_was_set_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_TOP_K_RERANK", "7")
    monkeypatch.setenv("GHOST_MAX_SECONDS", "180")
    found = by_name(Settings())
    changed = found["GHOST_TOP_K_RERANK"]
    assert (changed.value, changed.default, changed.changed) == ("7", "5", True)
    assert found["GHOST_MAX_SECONDS"].changed
    assert not found["GHOST_MAX_TOKENS"].changed
    assert found["GHOST_TRUSTED_DOMAINS"].value.endswith(" entries")
    assert found["GHOST_LLM_PRICE_IN"].value == "none"
    assert found["GHOST_ALLOW_CLOUD_FALLBACK"].value == "false"


def test_of_secrets_only_whether_they_are_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("GHOST_BRAVE_KEY", " ")
    found = by_name(Settings())
    assert (found["OPENAI_API_KEY"].value, found["OPENAI_API_KEY"].changed) == (SET, True)
    assert (found["GHOST_BRAVE_KEY"].value, found["GHOST_BRAVE_KEY"].changed) == (NOT_SET, False)
    assert sum(v.secret for v in found.values()) == len(SECRETS)
    assert "sk-secret" not in repr(found)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("", ""),
        ("http://127.0.0.1:8888", "http://127.0.0.1:8888"),
        ("https://me:pw@a.example:8443/tok/v1?key=k", "https://a.example:8443/…"),
        ("https://a.example/", "https://a.example"),
        ("https://a.example?key=k", "https://a.example/…"),
    ],
)
def test_addresses_are_shown_without_what_may_be_a_password(url: str, shown: str) -> None:
    assert server_of(url) == shown
