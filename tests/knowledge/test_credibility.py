import pytest

from ghost.knowledge import CredibilityBook, HostRules
from ghost.types import SourceType

RULES = HostRules(
    {
        "gov": 1,
        "afp.com": 2,
        "factcheck.afp.com": 3,
        "reuters.com": 4,
        "reuters.com/fact-check": 5,
        "bbc.co.uk": 6,
        "münchen.de": 7,
    }
)


@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("https://nasa.gov", 1),
        ("https://science.nasa.gov/moon?x=1#y", 1),
        ("https://gov", 1),
        ("https://gov.example", None),
        ("https://nasagov", None),
        ("https://www.afp.com/en", 2),
        ("https://factcheck.afp.com/doc", 3),
        ("https://www.reuters.com/world/", 4),
        ("https://www.reuters.com/fact-check", 5),
        ("https://www.reuters.com/fact-check/a-b-c", 5),
        ("https://www.reuters.com/Fact-Check/A", 5),
        ("https://www.reuters.com/fact-checkers", 4),
        ("https://notreuters.com/fact-check", None),
        ("https://reuters.com.evil.example/", None),
        ("https://evil.example/reuters.com/fact-check", None),
        ("https://reuters.com@evil.example/", None),
        ("https://user:pw@www.reuters.com:8443/x", 4),
        ("WWW.Reuters.COM.", 4),
        ("//reuters.com/fact-check/", 5),
        ("https://www.münchen.de/a", 7),
        ("https://www.xn--mnchen-3ya.de/a", 7),
        ("co.uk", None),
        ("", None),
    ],
)
def test_the_longest_entry_wins(url: str, value: int | None) -> None:
    assert RULES.find(url) == value
    assert RULES.matches(url) is (value is not None)


@pytest.mark.parametrize(
    ("url", "credibility", "kind", "domain"),
    [
        ("https://science.nasa.gov/moon", 0.95, SourceType.GOVERNMENT, "nasa.gov"),
        ("https://www.gov.uk/guidance", 0.95, SourceType.GOVERNMENT, "gov.uk"),
        ("https://www.bom.gov.au/a", 0.95, SourceType.GOVERNMENT, "bom.gov.au"),
        ("https://www.mext.go.jp/", 0.5, SourceType.GOVERNMENT, "mext.go.jp"),
        ("https://www.who.int/news", 0.95, SourceType.GOVERNMENT, "who.int"),
        ("https://www.nhs.uk/conditions/", 0.95, SourceType.GOVERNMENT, "nhs.uk"),
        ("https://www.snopes.com/fact-check/x", 0.95, SourceType.FACT_CHECKER, "snopes.com"),
        ("https://www.reuters.com/fact-check/x", 0.95, SourceType.FACT_CHECKER, "reuters.com"),
        ("https://www.reuters.com/world/x", 0.90, SourceType.NEWS, "reuters.com"),
        ("https://news.bbc.co.uk/1/hi", 0.80, SourceType.NEWS, "bbc.co.uk"),
        ("https://en.wikipedia.org/wiki/Moon", 0.80, SourceType.ACADEMIC, "wikipedia.org"),
        ("https://math.mit.edu/", 0.85, SourceType.ACADEMIC, "mit.edu"),
        ("https://www.ox.ac.uk/", 0.85, SourceType.ACADEMIC, "ox.ac.uk"),
        ("https://www.u-tokyo.ac.jp/", 0.5, SourceType.ACADEMIC, "u-tokyo.ac.jp"),
        ("https://myblog.example.com/", 0.5, SourceType.UNKNOWN, "example.com"),
        ("http://192.168.0.1:8080/x", 0.5, SourceType.UNKNOWN, "192.168.0.1"),
        ("http://[::1]/x", 0.5, SourceType.UNKNOWN, "::1"),
        ("https://localhost/x", 0.5, SourceType.UNKNOWN, "localhost"),
        ("https://bücher.example.de/", 0.5, SourceType.UNKNOWN, "example.de"),
        ("", 0.5, SourceType.UNKNOWN, ""),
    ],
)
def test_what_is_known_about_a_source(
    book: CredibilityBook, url: str, credibility: float, kind: SourceType, domain: str
) -> None:
    assert (book.credibility(url), book.source_type(url), book.domain(url)) == (credibility, kind, domain)


@pytest.mark.parametrize(
    "url",
    [
        "not a url at all",
        "http://",
        "http://[::1",
        "http://[not-an-ip]/",
        "http://a..b...c/",
        "http://" + "a." * 500 + "com",
        "http://" + "ä" * 300 + ".de",
        "http://exa mple.com",
        "http://\x00\x01",
        "javascript:alert(1)",
        "data:text/html,<b>x</b>",
        "mailto:a@b.c",
        "http://host:notaport/",
        "http://host:99999999/",
        "file:///etc/passwd",
        "http://\ud800.com/",
        "http://xn--/",
        "http://xn--a-ecp.ru",
        "///",
        "://",
        "?" * 5000,
        "http://☃.net/",
    ],
)
def test_no_address_is_too_odd(book: CredibilityBook, url: str) -> None:
    assert 0 <= book.credibility(url) <= 1
    assert book.source_type(url) in SourceType
    assert len(book.domain(url)) <= 255


def test_an_unrated_source_has_the_value_for_unknown_ones() -> None:
    book = CredibilityBook({"a.org": 0.0}, ["b.org"], unknown=0.3)
    assert book.credibility("https://c.org") == 0.3
    assert book.credibility("https://x.a.org") == 0.0  # rated at nothing, which is not unknown
    assert book.source_type("https://b.org/x") is SourceType.FACT_CHECKER
