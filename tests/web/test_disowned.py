"""Pages that take back what they say, doubt it, or mean it as a joke; and pages that only speak of such things."""

import time
from datetime import date

import pytest

from ghost.web import DISOWNING, Notice, NoticeKind, ReadPage, of_title, read
from ghost.web.lines import Block, BlockKind
from ghost.web.notices import notices_of

RETRACTION, CONCERN, SATIRE = NoticeKind.RETRACTION, NoticeKind.CONCERN, NoticeKind.SATIRE
OPENED = Block("The bridge was opened on Monday.")
SITES = ("The Daily Heron", "www.dailyheron.example")


def kinds(text: str, before: int = 1, checks: bool = False) -> list[NoticeKind]:
    found = notices_of([OPENED] * before + [Block(text)], sites=SITES, checks=checks)
    return [notice.kind for notice in found if notice.kind in DISOWNING]


@pytest.mark.parametrize(
    "text",
    [
        "This story has been taken down.",
        "This report has been deleted from our website after a review.",
        "We are retracting this story.",
        "We have removed this article because it was plagiarised.",
        "The Courier no longer stands by this report.",
        "This paper was withdrawn by its authors.",
        "Following an internal review, this column has been unpublished.",
        "At the request of the editors, this article is being retracted.",
        "An article previously published here has been removed.",
        "The article that appeared here has been withdrawn.",
        "The report above was fabricated.",
        "Publisher's note: this chapter has been retracted.",
        "RETRACTED",
        "This article has since been retracted.",
        "This article should not be relied upon.",
        "Retraction notice: the figures were invented by the author.",
        "We cannot stand by this story.",
        "This story was pulled because the author made up its sources.",
        "Parts of this article were plagiarised.",
        "Unser Beitrag wurde wegen Fehlern entfernt.",
        "Dieser Artikel ist nach einer Prüfung von der Redaktion zurückgezogen worden.",
        "Cet article a été retiré par la rédaction.",
        "Este artículo ha sido retirado por la redacción.",
        "Esta noticia fue eliminada.",
        "Questo articolo è stato ritirato.",
        "Esta matéria foi removida.",
        "Dit artikel is na onderzoek ingetrokken.",
        "Ten artykuł został wycofany.",
        "Эта статья была отозвана.",
        "本文已被撤稿。",
        "Our article was rescinded on 4 May.",
        "We retract this article in full.",
        "This preprint has been withdrawn from the server.",
        "The publisher has withdrawn this study.",
        "This news story has been retracted.",
        "This article does not meet our editorial standards.",
        "The above article has been retracted by agreement between the authors and the journal.",
        "This post has been retracted.",
        "Editor’s note: we have pulled this piece.",
        "It has come to our attention that this story was fabricated in part.",
        "This article has been removed by the publisher.",
        "We have deleted this story; its central claim turned out to be false.",
        "The Gazette has deleted this article.",
        "This is a retraction of our report of 4 May.",
        "This story is no longer available because it was found to be untrue.",
        "The information in this article was false.",
        "We got this story wrong and have withdrawn it.",
    ],
)
def test_a_retraction_is_recognised_in_many_words(text: str) -> None:
    assert kinds(text) == [RETRACTION]


@pytest.mark.parametrize(
    "text",
    [
        "Expression of Concern: the data of this study are being examined.",
        "The editors are issuing an expression of concern about this paper.",
    ],
)
def test_a_publisher_may_doubt_its_text(text: str) -> None:
    assert kinds(text) == [CONCERN]


@pytest.mark.parametrize(
    "text",
    [
        "This article is satire.",
        "This is a satirical article.",
        "This website is a satire site; all stories are invented.",
        "All articles on this site are fictional.",
        "The Daily Heron is a satirical news website.",
        "Our content is satire and not real.",
        "This story is a work of fiction.",
        "Dieser Artikel ist Satire.",
        "Cet article est satirique.",
        "Esta noticia es satírica.",
        "Questo articolo è satira.",
        "Dit bericht is satire.",
        "Satire",
        "This post is a parody.",
        "The stories here are fake: none of them are true.",
        "Disclaimer: this is a parody.",
        "Please note that this is satire.",
        "This content is intended as satire.",
        "Humour: this column is not meant to be taken seriously.",
        "The Daily Heron is a humor publication.",
    ],
)
def test_a_page_may_call_itself_satire(text: str) -> None:
    assert kinds(text) == [SATIRE]


@pytest.mark.parametrize(
    "text",
    [
        "The journal retracted the study in 2010.",
        "In this article we explain why the study was retracted.",
        "This article explains how 500 papers were withdrawn.",
        "This story was removed from the print edition.",
        "This article is about statues that were removed.",
        "The editor said this article has been retracted.",
        "“This article has been retracted,” the journal wrote.",
        "If this article has been removed, write to us.",
        "This article has not been retracted.",
        "This report was pulled together by five reporters.",
        "The statue was removed because it did not meet safety standards.",
        "This post was removed by Facebook.",
        "The mayor withdrew her remark about this report.",
        "The minister has withdrawn the bill.",
        "The army has withdrawn from this valley.",
        "Retractions have become more common, a review of 2,000 papers found.",
        "The claim below is false.",
        "This story is false, the police said.",
        "She has deleted the post.",
        "The agency withdrew its report on the bridge.",
        "The troops were withdrawn.",
        "He withdrew 500 dollars.",
        "Readers asked why this article was removed.",
        "This study removed outliers.",
        "This paper withdraws nothing.",
        "This study was withdrawn from by 12 participants.",
        "All of the stories in the book are fictional.",
        "The Onion is an American satirical newspaper.",
        "This novel is a satire of the press.",
        "The film is satire at its best.",
        "This piece is satire at its sharpest.",
        "Satire: a short history of laughing at kings",
        "The article came from a satirical website.",
        "The story was satire, and many believed it.",
        "Comments on this article were removed for breaking the rules.",
        "The names in this story are real.",
        "The editors wish to thank the reviewers of this paper.",
        "None of this is true of the north.",
        "This is satire of the finest kind.",
        "He published a parody of this article.",
        "The content is fake, experts said of the video.",
        "All the news is made up, he said.",
        "The image on this page was removed.",
        "Parts of this article were published before.",
        "We cannot verify this video.",
        "This report cannot be reproduced.",
        "This week a report was withdrawn by the council.",
        "In this valley the article was removed from the treaty.",
    ],
)
def test_what_is_said_of_other_texts_is_no_notice(text: str) -> None:
    assert kinds(text, before=9) == []


def test_a_page_that_checks_others_means_their_text() -> None:
    for text in ("The story below is false.", "This story is satire.", "The text above was fabricated."):
        assert kinds(text)
        assert kinds(text, checks=True) == []
    assert kinds("This article has been retracted.", checks=True) == [RETRACTION]


def test_a_paper_that_is_cited_is_no_notice() -> None:
    cited = "RETRACTED: Coffee makes frogs sing. Journal of Pond Science 4, 2018."
    assert notices_of([OPENED, Block(cited, BlockKind.ITEM)]) == ()
    assert notices_of([OPENED, Block(cited)])[0].kind is RETRACTION
    assert notices_of([OPENED, Block("Retracted", BlockKind.ITEM)]) == ()
    assert notices_of([OPENED] * 20 + [Block("Satire")]) == ()


@pytest.mark.parametrize(
    "title",
    [
        "Retraction: Bridge sold",
        "Retraction Note: Bridge sold",
        "Retraction note to: Bridge sold",
        "RETRACTED ARTICLE: Bridge sold",
        "WITHDRAWN: Bridge sold",
        "Withdrawn article: Bridge sold",
        "Bridge sold [retracted]",
        "Bridge sold (Retracted)",
        "Bridge sold - Retracted",
        "Bridge sold [Withdrawn] | Journal of Y",
        "REMOVED: Bridge sold",
        "Removed: Bridge sold",
        "[Removed] Bridge sold",
        "Notice of retraction: Bridge sold",
        "Statement of Retraction: Bridge sold",
        "RETRACTED Sold bridge",
        "Zurückgezogen: Bridge sold",
        "Rétractation : Bridge sold",
        "Retractado: Bridge sold",
        "[RETRACTED ARTICLE] Bridge sold",
        "Article retracted: Bridge sold",
        "TEMPORARY REMOVAL: Bridge sold",
        "Retracted: Bridge sold",
        "Bridge sold (withdrawn by the authors)",
        "Retraction to: Bridge sold",
        "Removal notice to Bridge sold",
        "Retraction for Smith et al., Bridge sold",
        "Retraction of “Bridge sold”",
        "RETRACTED – Bridge sold",
    ],
)
def test_a_title_may_say_that_its_page_was_withdrawn(title: str) -> None:
    assert of_title(title) is RETRACTION


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Expression of Concern: Bridge sold", CONCERN),
        ("Editorial Expression of Concern: Bridge sold", CONCERN),
        ("Bridge sold – Expression of Concern", CONCERN),
        ("(Satire) Bridge sold", SATIRE),
        ("Bridge sold [Satire]", SATIRE),
        ("Bridge sold | Satire", SATIRE),
    ],
)
def test_a_title_may_say_other_things_of_its_page(title: str, kind: NoticeKind) -> None:
    assert of_title(title) is kind


@pytest.mark.parametrize(
    "title",
    [
        "Retracted study on frogs is still cited",
        "Journal retracts study on frogs",
        "Why papers are retracted",
        "Withdrawal: how the army left",
        "Withdrawn from the valley: an army's story",
        "Satire: a short history",
        "Is it satire?",
        "Removed statues return",
        "The retraction: a novel",
        "Retraction Watch: what we learned",
        "Bridge removed, council says",
        "Expression of concern over bridge",
        "A study was retracted. What now?",
        "Troops withdrawn – BBC News",
        "Statue removed | The Herald",
    ],
)
def test_a_title_about_such_things_says_nothing_of_its_page(title: str) -> None:
    assert of_title(title) is None


BODY = (
    "<p>The Ostwick council sold the old bridge on Tuesday for three million crowns, and many residents came to see "
    "the papers signed in the town hall.</p><p>The buyer will take it down in the spring and build it up elsewhere.</p>"
)


def page(head: str = "<title>Bridge sold</title>", h1: str = "Bridge sold", more: str = "") -> tuple[NoticeKind, ...]:
    body = f"<article><h1>{h1}</h1>{BODY}</article>{more}"
    html = f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>"
    found = read(html.encode(), "text/html", "https://gazette.example/bridge", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    return tuple(dict.fromkeys(notice.kind for notice in found.notices))


def ld(item: str) -> str:
    return f"<title>Bridge sold</title><script type='application/ld+json'>{item}</script>"


@pytest.mark.parametrize(
    ("head", "h1"),
    [
        ("<title>RETRACTED: Bridge sold | Gazette</title>", "Bridge sold"),
        ("<title>Bridge sold</title>", "Bridge sold [retracted]"),
        ("<title>Bridge sold</title><meta property='og:title' content='Retracted: Bridge sold'>", "Bridge sold"),
        ("<title>Bridge sold</title><meta name=citation_title content='WITHDRAWN: Bridge sold'>", "Bridge sold"),
        (ld('{"@type": "NewsArticle", "headline": "Bridge sold", "creativeWorkStatus": "Retracted"}'), "Bridge sold"),
        (ld('{"@type": "NewsArticle", "headline": "Retraction: Bridge sold"}'), "Bridge sold"),
    ],
)
def test_any_title_and_the_data_of_a_page_may_say_it(head: str, h1: str) -> None:
    assert page(head, h1) == (RETRACTION,)


@pytest.mark.parametrize(
    ("head", "more"),
    [
        (ld('{"@type": "SatiricalArticle", "headline": "Bridge sold"}'), ""),
        (
            ld('{"@type": ["Article", "http://schema.org/SatiricalArticle"], "url": "https://gazette.example/bridge"}'),
            "",
        ),
        (ld('{"@type": "SatiricalArticle"}'), ""),
        (ld('{"@graph": [{"@type": "WebSite"}, {"@type": "SatiricalArticle", "headline": "Bridge sold"}]}'), ""),
        (ld('{"@type": "NewsArticle", "headline": "Bridge sold", "genre": ["News", "Satire"]}'), ""),
        (ld('{"@type": "NewsArticle", "headline": "Bridge sold", "articleSection": "Satire"}'), ""),
        ("<title>Bridge sold</title><meta property='article:section' content='Satire'>", ""),
        ("<title>Bridge sold</title>", "<div itemscope itemtype='https://schema.org/SatiricalArticle'>Bridge</div>"),
        ("<title>Bridge sold</title>", "<footer><p>This website is a satirical newspaper.</p></footer>"),
        (
            "<title>Bridge sold</title><meta property='og:site_name' content='The Wet Heron'>",
            "<footer><p>About us: The Wet Heron is a weekly satirical magazine.</p></footer>",
        ),
    ],
)
def test_a_page_is_satire_by_its_data_or_by_what_its_site_says_of_itself(head: str, more: str) -> None:
    assert page(head, more=more) == (SATIRE,)


@pytest.mark.parametrize(
    ("head", "more"),
    [
        (ld('{"@type": "NewsArticle", "headline": "Bridge sold", "creativeWorkStatus": "Published"}'), ""),
        (
            ld(
                '[{"@type": "NewsArticle", "headline": "Bridge sold"}, {"@type": "ItemList", "itemListElement": '
                '[{"@type": "SatiricalArticle", "headline": "Pier marries barge"}]}]'
            ),
            "",
        ),
        (ld('{"@type": "Review", "itemReviewed": {"@type": "Book", "genre": "Satire"}}'), ""),
        ("<title>Bridge sold</title>", "<p>The Onion is an American satirical newspaper, and it laughed.</p>"),
        ("<title>Bridge sold</title>", "<ul><li><a href=/x>RETRACTED: Another story about the pier</a></li></ul>"),
    ],
)
def test_what_a_page_lists_or_reviews_is_not_the_page(head: str, more: str) -> None:
    assert page(head, more=more) == ()


def test_an_article_that_goes_on_to_itself_is_read_in_time() -> None:
    texts = ("this article ", "this article has been been ", "wurde ist ", "is satirical ", "a b ", "no longer stands ")
    for text in texts:
        blocks = [Block((text * 2_000)[:5_000])] * 10
        started = time.process_time()
        notices_of(blocks, [text * 100] * 5, [Notice(RETRACTION, "x")], SITES)
        assert time.process_time() - started < 3
