"""Reader comments are left out under whatever name, and articles that speak of comments stay."""

import time
from datetime import date

import pytest

from ghost.web import ReadPage, read
from ghost.web.comments import leave_out_comments
from ghost.web.tree import parse

ARTICLE = (
    "<h1>New ferry for Brackwater</h1><p>The harbour board of Brackwater bought a ferry on Monday, and it will sail to "
    "the island three times a day from the first week of June.</p><p>It carries 200 people and 30 cars, and a crossing "
    "takes twenty minutes in calm weather, the board said.</p>"
)
LIE = "The old ferry sank with all hands, believe me, my neighbour saw it from his garden with his own eyes."
POST = f"<div><b>kalle77</b><p>{LIE}</p></div>"


def page(body: str) -> ReadPage:
    html = (
        f"<!doctype html><html lang=en><head><title>New ferry for Brackwater</title></head><body>{body}</body></html>"
    )
    found = read(html.encode(), "text/html", "https://gazette.example/ferry", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    return found


@pytest.mark.parametrize(
    "below",
    [
        f"<section id=comments><h2>3 comments</h2><ol class=commentlist><li>{POST}</li></ol></section>",
        f"<div class='post-comments'>{POST}{POST}</div>",
        f"<div class=CommentThread><div class=post-body>{POST}</div></div>",
        f"<div class='reader-comments__list'>{POST}</div>",
        f"<div id=disqus_thread>{POST}</div>",
        f"<div class='wpd-thread-list'>{POST}</div>",
        f"<div class='UserComment entry'>{POST}</div>",
        f"<article itemscope itemtype='https://schema.org/Comment'>{POST}</article>",
        f"<div itemprop=comment>{POST}</div>",
        f"<div role=comment>{POST}</div>",
        f"<fb-comments>{POST}</fb-comments>",
        f"<div id=kommentare>{POST}</div>",
        f"<section class=commentaires>{POST}</section>",
        f"<div class='discussion'><div class=post>{POST}</div></div>",
        f"<div id=replies class='entry-content'>{POST}</div>",
        f"<div class='reader-reactions'>{POST}</div>",
        f"<div class=x9><h3>12 Comments</h3>{POST}</div>",
        f"<div class=x9><h4>Comments (12)</h4>{POST}</div>",
        f"<div class=x9><h3>Leave a reply</h3>{POST}</div>",
        f"<div class=x9><h3>Join the discussion</h3>{POST}</div>",
        f"<div class=x9><h3>Leserkommentare (4)</h3>{POST}</div>",
    ],
)
def test_comments_below_an_article_go(below: str) -> None:
    found = page(f"<article>{ARTICLE}</article>{below}")
    assert "believe me" not in found.text
    assert "bought a ferry on Monday" in found.text
    assert "twenty minutes" in found.text
    assert found.hidden["reader comments"] == 1


def test_comments_within_an_article_and_more_of_them_than_of_it_go() -> None:
    found = page(f"<article>{ARTICLE}<div class=comments>{POST * 20}</div></article>")
    assert "believe me" not in found.text
    assert "twenty minutes" in found.text


def test_what_comments_say_is_no_notice_of_the_page() -> None:
    said = "<p>This article has been retracted, as everybody knows.</p>"
    assert page(f"<article>{ARTICLE}</article><div class=comments>{said}</div>").notices == ()


@pytest.mark.parametrize(
    "body",
    [
        f"<article class='post comments-open'>{ARTICLE}</article>",
        f"<div class='has-comments'>{ARTICLE}</div>",
        f"<main class=comment>{ARTICLE}</main>",
        f"<div class='content comment-piece'>{ARTICLE}</div>",
        f"<article>{ARTICLE}<section id=discussion><h2>Discussion</h2><p>The ferry is faster.</p></section></article>",
        f"<article>{ARTICLE}<p class=comment>The ferry is faster.</p></article>",
        f"<article>{ARTICLE}<h2>Comments by the minister</h2><p>The ferry is faster.</p></article>",
        f"<article>{ARTICLE}<div class=commentary><p>The ferry is faster.</p></div></article>",
        f"<article>{ARTICLE}<p>In its comments on the plan the board wrote that the ferry is faster.</p></article>",
        f"<article>{ARTICLE}</article><div class='recent-posts'><p>The ferry is faster, the board found.</p></div>",
    ],
)
def test_articles_that_only_sound_like_comments_stay(body: str) -> None:
    found = page(body)
    assert "twenty minutes" in found.text
    assert "reader comments" not in found.hidden
    assert "is faster" in found.text or "is faster" not in body or "recent-posts" in body


def test_a_page_of_nothing_but_comments_is_read() -> None:
    assert "believe me" in page(f"<h1>Ferry</h1><div class=comments>{POST}{POST}</div>").text


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comment>" * 230 + "x",
        "<article><h1>x</h1></article>" + "<div class=comment><p>x</p></div>" * 5_000,
        "<div>" * 200 + "<h1>x</h1>" * 5_000,
        f"<div class='{'aB-' * 100_000}'>x</div>",
        f"<h2>{'1' * 1_000_000}</h2>",
    ],
)
def test_time_grows_with_the_page(html: str) -> None:
    tree = parse(html)
    started = time.process_time()
    leave_out_comments(tree)
    assert time.process_time() - started < 3
