"""Addresses: one canonical form, and which addresses lead to the same page."""

import csv
import json
from pathlib import Path

import pytest

from ghost.types import Url, UrlError, canonical, host_of, original, page_key, registrable, same_page

DATA = Path(__file__).parent / "data"
FORMS = [json.loads(line) for line in (DATA / "addresses.jsonl").read_text(encoding="utf-8").splitlines()]
COPIES = list(csv.reader((DATA / "copies.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))
"""Pairs of addresses, and whether they lead to one page."""


def test_usable_addresses_get_one_form_and_others_none() -> None:
    assert len(FORMS) >= 40
    assert not [(row, canonical(row["written"])) for row in FORMS if canonical(row["written"]) != row["form"]]
    assert all(canonical(row["form"]) == row["form"] for row in FORMS)
    assert canonical("https://bbc.com/" + "a" * 2000) == ""
    for row in FORMS:
        if not row["form"]:
            with pytest.raises(UrlError, match="not the address of a web page"):
                Url.parse(row["written"])


def test_a_refused_address_keeps_its_password_to_itself() -> None:
    with pytest.raises(UrlError) as caught:
        Url.parse("https://me:s3cret@example.org/a?api_key=s3cret")
    assert "s3cret" not in str(caught.value)


def test_an_address_knows_its_parts() -> None:
    url = Url.parse("https://www.news.bbc.co.uk:8443/a?b=c#d")
    assert (url.scheme, url.host, url.port, url.target) == ("https", "www.news.bbc.co.uk", 8443, "/a?b=c")
    assert (url.origin, registrable(url.host)) == ("https://www.news.bbc.co.uk:8443", "bbc.co.uk")
    assert Url.parse("http://[2606:2800:220:1::1]/").origin == "http://[2606:2800:220:1::1]"
    assert registrable("1.2.3.4") == "1.2.3.4"
    assert (host_of("http://[::1"), host_of("javascript:x")) == ("", "")


def test_copies_count_as_the_page_itself() -> None:
    assert len(COPIES) > 40
    assert not [(one, other) for one, other, same in COPIES if same_page(one, other) is not (same == "same")]
    assert all(same_page(one, other) is same_page(other, one) for one, other, _ in COPIES)


def test_the_key_of_a_page_that_has_no_address_is_its_text() -> None:
    assert page_key("report.pdf of the office") == "report.pdf of the office"
    assert page_key("https://www.x.org/a/") == page_key("http://x.org/a#b") == Url.parse("http://x.org/a").page
    assert original("https://archive.ph/2024/https://x.org/a") == "https://x.org/a"
    assert original("https://x.org/a?utm_source=b") == "https://x.org/a?utm_source=b"
