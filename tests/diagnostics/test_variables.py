"""Settings as they are shown, and what the lists of sites say about one site."""

import pytest

from config import SECRETS, Settings
from ghost.diagnostics import Variable, site_report, variables
from ghost.knowledge import CredibilityBook
from ghost.text import server_of
from ghost.types import SourceType

BOOK = CredibilityBook({"bbc.com": 0.8, "gov": 0.95}, ("snopes.com",))
LISTS = {
    "trusted_domains": ("bbc.com",), "fact_check_domains": ("snopes.com", "bbc.com/news/reality_check"),
    "denied_domains": ("x.com",),
}  # fmt: skip
ONLY_GOV = {"trusted_domains": (), "fact_check_domains": (), "denied_domains": (), "allowed_domains": ("gov",)}


def by_name(settings: Settings) -> dict[str, Variable]:
    return {v.name: v for v in variables(settings)}


def test_every_setting_is_in_a_group() -> None:
    found = variables(Settings())
    assert len(found) == len(Settings.model_fields)
    assert not [v.name for v in found if v.group == "More"]
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


def test_of_secrets_only_whether_they_are_set_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("GHOST_BRAVE_KEY", " ")
    found = by_name(Settings())
    assert (found["OPENAI_API_KEY"].value, found["OPENAI_API_KEY"].changed) == ("set", True)
    assert (found["GHOST_BRAVE_KEY"].value, found["GHOST_BRAVE_KEY"].changed) == ("not set", False)
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


@pytest.mark.parametrize(
    ("url", "lists", "expected"),
    [
        ("https://www.bbc.com/news/reality_check/1", LISTS,
         ("www.bbc.com", 0.8, "bbc.com", "bbc.com/news/reality_check", "", True)),
        ("blog.example.org", LISTS, ("blog.example.org", 0.5, "", "", "", True)),
        ("mobile.x.com/a", LISTS, ("mobile.x.com", 0.5, "", "", "x.com", False)),
        ("nasa.gov", ONLY_GOV, ("nasa.gov", 0.95, "", "", "", True)),
        ("bbc.com", ONLY_GOV, ("bbc.com", 0.8, "", "", "", False)),
    ],
)  # fmt: skip
def test_a_site_is_looked_up_in_all_lists(
    url: str, lists: dict[str, tuple[str, ...]], expected: tuple[object, ...]
) -> None:
    found = site_report(url, Settings(**lists), BOOK)
    assert found
    assert (found.host, found.credibility, found.trusted, found.fact_check, found.denied, found.kept) == expected
    assert found.source_type in SourceType


@pytest.mark.parametrize("text", ["", "no site", "https://", "x", "https://[bad", "<script>"])
def test_other_text_is_no_site(text: str) -> None:
    assert site_report(text, Settings(), BOOK) is None
