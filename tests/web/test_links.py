"""The box into which an analyst puts pages while a run goes on."""

import threading

import pytest

from ghost.errors import ClaimError
from ghost.web import MAX_LINKS, Links, usable


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://Example.org/a#b", "https://example.org/a"),
        ("  example.org/a ", "https://example.org/a"),
        ("http://example.org", "http://example.org"),
    ],
)
def test_an_address_is_taken_as_analysts_type_it(typed: str, url: str) -> None:
    assert usable(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "  ", "honey", "javascript:alert(1)", "file:///etc/passwd", "https://", "ftp://a.example/",
              "a b.example",
              "x" * 3000 + ".example", "https://localhost/a"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_is_refused_with_words(typed: str) -> None:
    with pytest.raises(ClaimError, match=r"address"):
        Links([typed])


def test_what_is_put_in_is_taken_once_and_in_order() -> None:
    box = Links(["a.example/1"])
    assert box.add("a.example/2")
    assert box.add("https://www.a.example/1/"), "the same page is no second one"
    assert box.take() == ("https://a.example/1", "https://a.example/2")
    assert box.take() == ()
    assert box.named == ("https://a.example/1", "https://a.example/2")


def test_an_archived_copy_may_be_named_beside_a_page_that_may_be_gone() -> None:
    box = Links(["a.example/1", "web.archive.org/web/2024/https://a.example/1", "archive.ph/2024/https://a.example/1"])
    assert box.take() == ("https://a.example/1", "https://web.archive.org/web/2024/https://a.example/1")


def test_the_last_look_closes_the_box_only_when_nothing_is_left() -> None:
    box = Links()
    box.add("a.example/1")
    assert box.take(last=True) == ("https://a.example/1",)
    assert box.add("a.example/2")
    assert box.take(last=True) == ("https://a.example/2",)
    assert box.take(last=True) == ()
    assert not box.add("a.example/3")
    assert box.close() == ()


def test_a_run_that_ends_early_knows_what_it_never_took() -> None:
    box = Links(["a.example/1"])
    assert box.close() == ("https://a.example/1",)
    assert not box.add("a.example/2")


def test_there_is_a_limit_also_among_threads() -> None:
    box, refused = Links(), []

    def put(n: int) -> None:
        try:
            box.add(f"a.example/{n}")
        except ClaimError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=put, args=(n,)) for n in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(box.named) == MAX_LINKS
    assert len(refused) == 20 - MAX_LINKS
