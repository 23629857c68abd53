import pytest

from ghost.web.lines import Block
from ghost.web.syndication import syndication_of

STORY = [Block("The Vale signed a treaty with its neighbours on Thursday."), Block("It comes into force in June.")]


@pytest.mark.parametrize(
    ("line", "source", "how"),
    [
        ("OSTWICK (Reuters) - The Vale signed a treaty.", "Reuters", "dateline"),
        ("OSTWICK, May 4 (AP) — The Vale signed a treaty.", "Associated Press", "dateline"),
        ("Ostwick (dpa) - Das Tal hat einen Vertrag unterzeichnet.", "dpa", "dateline"),
        ("Ostwick (dpa/lsw) - Das Tal hat einen Vertrag unterzeichnet.", "dpa", "dateline"),
        ("Source: Reuters", "Reuters", "credit"),
        ("By The Associated Press", "Associated Press", "credit"),
        ("Quelle: dpa", "dpa", "credit"),
        ("The treaty comes into force in June. (AFP)", "Agence France-Presse", "credit"),
        ("This article was first published by The Vale Naturalist.", "The Vale Naturalist", "stated"),
        (
            "This story was originally published on Ostwick Courier and is shown here with thanks.",
            "Ostwick Courier",
            "stated",
        ),
        (
            "This article is republished from The Conversation under a Creative Commons license.",
            "The Conversation",
            "stated",
        ),
        ("Republished with permission from Harbour News.", "Harbour News", "stated"),
        ("Dieser Artikel erschien zuerst bei Talheimer Bote.", "Talheimer Bote", "stated"),
        ("Cet article a été initialement publié par Le Phare.", "Le Phare", "stated"),
        ("Este artículo fue publicado originalmente en El Faro.", "El Faro", "stated"),
    ],
)
def test_a_page_says_where_its_text_was_first(line: str, source: str, how: str) -> None:
    found = syndication_of([Block(line), *STORY], "", "news.example", "")
    assert found
    assert (found.source, found.how) == (source, how)


@pytest.mark.parametrize(
    "line",
    [
        "The minister told Reuters that the treaty was good.",
        "The report was published by the ministry (see below) on Monday.",
        "By Ani Lind",
        "The album was first published in 1971 by a small label.",
        "OSTWICK (population 40,000) - The Vale signed a treaty.",
    ],
)
def test_other_words_of_agencies_are_none(line: str) -> None:
    assert syndication_of([Block(line), *STORY], "Ani", "news.example", "") is None


def test_an_agency_is_not_its_own_source() -> None:
    line = Block("OSTWICK, May 4 (Reuters) - The Vale signed a treaty.")
    assert syndication_of([line, *STORY], "Reuters", "www.reuters.com", "") is None


def test_the_author_may_be_an_agency() -> None:
    found = syndication_of(STORY, "AFP", "news.example", "")
    assert found
    assert found.source == "Agence France-Presse"
