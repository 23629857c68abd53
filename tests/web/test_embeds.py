"""Posts that a page embeds are not what the page says; quotations are."""

from datetime import date

import pytest

from ghost.web import ReadPage, read

ARTICLE = (
    "<h1>No ferry sank</h1><p>A rumour about the old ferry of Brackwater was shared thousands of times on Sunday, and "
    "the harbour board received hundreds of calls from worried relatives.</p>"
)
AFTER = "<p>The ferry lies in its dock, as anybody can see from the promenade, and it will be sold in the autumn.</p>"
LIE = "The old ferry sank with all hands"


def page(embed: str) -> ReadPage:
    html = (
        "<!doctype html><html lang=en><head><title>No ferry sank</title></head><body><article>"
        f"{ARTICLE}{embed}{AFTER}</article></body></html>"
    )
    found = read(html.encode(), "text/html", "https://gazette.example/ferry", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    assert "lies in its dock" in found.text
    return found


@pytest.mark.parametrize(
    "embed",
    [
        f"<blockquote class='twitter-tweet' data-lang=en><p>{LIE}</p>&mdash; Kalle (@kalle)</blockquote>",
        f"<figure class='wp-block-embed is-provider-twitter wp-block-embed-twitter'><p>{LIE}</p></figure>",
        f"<div class=twitter-embed><p>{LIE}</p></div>",
        f"<blockquote class=instagram-media><p>{LIE}</p></blockquote>",
        f"<blockquote class=tiktok-embed cite='https://www.tiktok.com/@k/video/1'><section>{LIE}</section></blockquote>",
        f"<blockquote class=mastodon-embed><p>{LIE}</p></blockquote>",
        f"<blockquote class=bluesky-embed><p>{LIE}</p></blockquote>",
        f"<blockquote class=reddit-embed-bq><a href=x>{LIE}</a></blockquote>",
        f"<blockquote class=text-post-media><p>{LIE}</p></blockquote>",
        f"<div class=fb-post><blockquote><p>{LIE}</p></blockquote></div>",
        f"<div class='embedded-tweet'><p>{LIE}</p></div>",
        f"<blockquote><p>{LIE}</p><a href='https://x.com/kalle/status/123456'>4 March</a></blockquote>",
        f"<blockquote><p>{LIE}</p><a href='https://sea.example/@kalle/109384756'>4 March</a></blockquote>",
        f"<blockquote cite='https://www.facebook.com/kalle/posts/123'><p>{LIE}</p></blockquote>",
        f"<blockquote><p>{LIE}</p><p>— Kalle Berg (@kalle77) March 4, 2024</p></blockquote>",
        f"<iframe srcdoc='<p>{LIE}</p>'>{LIE}</iframe>",
        f"<social-embed><p>{LIE}</p></social-embed>",
    ],
)
def test_an_embedded_post_goes(embed: str) -> None:
    assert "all hands" not in page(embed).text


@pytest.mark.parametrize(
    "quoted",
    [
        f"<blockquote><p>{LIE}, the captain wrote in 1912.</p></blockquote>",
        f"<blockquote class=pullquote><p>{LIE}, the captain wrote in 1912.</p><cite>Logbook</cite></blockquote>",
        f"<blockquote><p>{LIE}, the captain wrote.</p><a href='https://museum.example/log'>Museum</a></blockquote>",
        f"<p>In a tweet he wrote: “{LIE}”.</p>",
        f"<div class=text><p>{LIE}, says a plaque on <a href='https://x.com/k/status/1'>a photo</a>.</p></div>",
    ],
)
def test_quotations_of_the_page_stay(quoted: str) -> None:
    found = page(quoted)
    assert "all hands" in found.text
    assert "embedded post" not in found.hidden
