"""What an analyst may hand in."""

import pytest

from ghost.errors import ClaimError
from ghost.types import Claim, lone_address, site_list, tidy_claim, tidy_text


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x01", "\u200b\u200b", "\ufeff"])
def test_a_claim_without_text_is_refused(text: str) -> None:
    with pytest.raises(ClaimError, match="no claim"):
        tidy_claim(Claim(text), 5000)


def test_a_huge_claim_is_refused_with_both_numbers() -> None:
    with pytest.raises(ClaimError, match="100,000 characters; at most 5,000"):
        tidy_claim(Claim("a" * 100_000), 5000)
    with pytest.raises(ClaimError, match="context"):
        tidy_claim(Claim("fine", context="a" * 5001), 5000)


def test_control_and_invisible_characters_go_and_the_rest_stays() -> None:
    assert tidy_text("The\x00 Moon\u200b  is\n\tround\ud800.") == "The Moon is round."
    assert tidy_text("<b>Bold</b> *claim* & more 🧪") == "<b>Bold</b> *claim* & more 🧪"
    assert tidy_text("Die Erde ist größer als der Mond") == "Die Erde ist größer als der Mond"
    assert tidy_text("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "ftp://a.org", "example.org", "http://", "https://[", "http://" + "a" * 3000]
)
def test_found_at_must_be_a_web_address(url: str) -> None:
    with pytest.raises(ClaimError, match="http"):
        tidy_claim(Claim("fine", found_at=url), 5000)


def test_found_at_may_be_left_out() -> None:
    assert tidy_claim(Claim("fine", found_at="  "), 5000).found_at is None
    assert tidy_claim(Claim("fine", found_at=" https://a.org/x "), 5000).found_at == "https://a.org/x"


def test_statements_are_tidied_and_each_is_kept_once() -> None:
    claim = tidy_claim(Claim("fine", statements=(" The  Moon\x00 is round. ", "", "The Moon is round.", "B")), 5000)
    assert claim.statements == ("The Moon is round.", "B")


@pytest.mark.parametrize(
    ("statements", "words"),
    [(tuple(map(str, range(9))), "9 statements; at most 8"), (("a", "b" * 601), "Statement 2 has 601 characters")],
)
def test_too_many_or_too_long_statements_are_refused(statements: tuple[str, ...], words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        tidy_claim(Claim("fine", statements=statements), 5000)


@pytest.mark.parametrize(
    ("typed", "sites"),
    [
        ("", ()),
        (" , ;\n", ()),
        ("nasa.gov", ("nasa.gov",)),
        ("NASA.gov, bbc.com/news;example.org\nnasa.gov", ("nasa.gov", "bbc.com/news", "example.org")),
        ("https://www.bbc.com/news/?x=1#top", ("bbc.com/news",)),
        ("gov", ("gov",)),
        ("münchen.de", ("xn--mnchen-3ya.de",)),
        ("straße.de", ("xn--strae-oqa.de",)),
    ],
)
def test_sites_are_read_as_people_type_them(typed: str, sites: tuple[str, ...]) -> None:
    assert site_list(typed) == sites


@pytest.mark.parametrize("typed", ["javascript:alert(1)", "a..b", "<b>", "user@example.org", "nasa.gov:80", "a" * 300])
def test_what_is_no_site_is_named(typed: str) -> None:
    with pytest.raises(ClaimError, match="is not a site"):
        site_list(f"example.org {typed}")


def test_there_is_an_end_to_sites() -> None:
    with pytest.raises(ClaimError, match="101 sites"):
        site_list(" ".join(f"s{n}.example" for n in range(101)))


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://news.example/story?id=7", "https://news.example/story?id=7"),
        ("  <http://news.example/a>. ", "http://news.example/a"),
        ("www.news.example", "https://www.news.example"),
        ("news.example/2026/11/bridge", "https://news.example/2026/11/bridge"),
        ("news.example:8080/a", "https://news.example:8080/a"),
        ("https://me:pass@news.example/a?access_token=1", "https://news.example/a"),
        ("HTTPS://NEWS.example/A", "HTTPS://NEWS.example/A"),
    ],
)
def test_an_address_alone_is_no_claim(text: str, url: str) -> None:
    assert lone_address(text) == url
    with pytest.raises(ClaimError, match="not a claim"):
        tidy_claim(Claim(text), 5000)


@pytest.mark.parametrize(
    "text",
    [
        "Bats are mammals https://news.example/a",
        "https://a.example https://b.example",
        "24/7",
        "1.5/2.5",
        "and/or",
        "news.example",
        "km/h",
        "U.S.",
        "https://",
        "ftp://news.example/a",
        "",
    ],
)
def test_other_texts_are_no_address(text: str) -> None:
    assert lone_address(text) == ""
