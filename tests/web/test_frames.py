"""What a page says around a sentence, on pages that differ in headings, markup and language: ``data/frames.jsonl``."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ghost.types import Frame, FrameKind
from ghost.web import PagePassage, ReadPage, concerns, frame_of, read

SAID = "The Ostwick bridge was sold to a foreign company."
BEFORE = (
    "<p>The harbour council of Ostwick met on Tuesday to decide on repairs before winter, and many residents came to "
    "hear the debate in the town hall.</p>"
)
AFTER = (
    "<p>The council set aside money for the work in its spring budget, and the next meeting is planned for the second "
    "week of April.</p>"
)
ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "frames.jsonl").read_text().splitlines()]


def page(body: str, title: str = "News from the council", head: str = "") -> ReadPage:
    html = f"<html lang=en><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>{body}</article>"
    found = read(html.encode(), "text/html", "https://news.test/a", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    return found


def filled(text: str) -> str:
    for name, words in (("{a}", BEFORE), ("{z}", AFTER), ("{s}", SAID), ("{s_}", SAID[:-1])):
        text = text.replace(name, words)
    return text


def saying(found: ReadPage, text: str) -> list[PagePassage]:
    return [p for p in found.passages if text.rstrip(".").casefold() in p.text.casefold()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['frame'] or 'plain'}: {row['body'][:60]}")
def test_a_sentence_has_the_frame_that_its_page_gives_it(row: dict[str, Any]) -> None:
    found = page(filled(row["body"]), row.get("title", "News from the council"), filled(row.get("head", "")))
    said = saying(found, filled(row.get("text", "{s}")))
    assert said
    assert {p.frame.kind for p in said} == {FrameKind(row["frame"])}
    assert all(found.text[p.start : p.end] == p.text for p in found.passages), "a passage is verbatim in the text"


def test_every_kind_has_a_case_and_words_of_its_own() -> None:
    assert {row["frame"] for row in ROWS} == set(FrameKind)
    assert len({Frame(kind).why for kind in FrameKind}) == len(FrameKind)
    assert Frame(FrameKind.MYTH, "Myths").line == "stands under “Myths”"


def test_a_passage_knows_the_headings_above_it() -> None:
    found = page(f"{BEFORE}<h2>Myths</h2><h3>Bridges</h3><ul><li>{SAID}</li></ul><h2>Money</h2>{AFTER}")
    (said,) = saying(found, SAID)
    assert said.frame == Frame(FrameKind.MYTH, "Myths", ("News from the council", "Myths", "Bridges"))
    assert saying(found, "spring budget")[0].frame == Frame(headings=("News from the council", "Money"))


def test_the_line_above_a_title_names_a_section_where_it_is_no_menu() -> None:
    whole = "<html lang=en><head><title>Ferries</title></head><body>{}<article>{}<h1>Ferries</h1>" + BEFORE
    for menu, line, frame in (("", "<p>Letters</p>", FrameKind.LETTER), ("<ul><li>Letters</ul>", "", FrameKind.NONE)):
        found = read(f"{whole.format(menu, line)}<p>{SAID}</p>{AFTER}".encode(), "text/html", "https://news.test/a")
        assert isinstance(found, ReadPage)
        assert {p.frame.kind for p in saying(found, SAID)} == {frame}


def test_a_mark_is_no_part_of_the_text_and_concerns_its_sentence_only() -> None:
    found = page(f"{BEFORE}<p>{SAID}<sup>[<i>citation needed</i>]</sup> It has two towers.</p>{AFTER}")
    assert f"{SAID} It has two towers." in found.text
    assert saying(found, SAID)[0].frame.line == "is marked “citation needed” by the page"
    assert not saying(found, "two towers")[0].frame.kind


def test_a_pictured_rating_belongs_to_its_claim_and_neither_label_is_a_passage() -> None:
    rated = "<p>CLAIM:</p><p>{}</p><p>RATING:</p><p><img src=a.png {}></p>"
    false = page(BEFORE + rated.format(SAID, "alt='Pants on Fire'") + AFTER)
    assert saying(false, SAID)[0].frame.words == "Pants on Fire"
    assert "Pants on Fire" in false.text
    for nothing in ("alt=''", "alt='A bridge'", "style='display:none' alt='False'"):
        unrated = page(BEFORE + rated.format(SAID, nothing) + AFTER)
        assert saying(unrated, SAID)[0].frame.line == "is a claim that the page checks"
        assert not any("RATING" in p.text for p in unrated.passages)


@pytest.mark.parametrize("rating", ["<p>Rating: ★★☆</p>", "<p>Rating:</p><p>★★☆</p>", "<p>It is shared a lot.</p>"])
@pytest.mark.parametrize("claim", ["<p>Claim: {}</p>", "<p>Claim:</p><p>{}</p>", "<div class=claim><p>{}</p></div>"])
def test_a_rating_is_of_the_last_claim_only(claim: str, rating: str) -> None:
    parts = (claim.format(SAID), rating, claim.format("The pier is made of glass."), "<p>Rating: False</p>")
    found = page(BEFORE + "".join(parts) + AFTER)
    assert saying(found, "made of glass")[0].frame.words == "False"
    assert saying(found, SAID)[0].frame.line == "is a claim that the page checks"


CLAIM, CARD = f"<p>Claim: {SAID}</p>", "<div class=card><a href=/b>Is the pier made of glass?</a>{}</div>"
NO_LABEL = "<div class=rating>False</div>"
LABELLED = "<div class=rating><h4 class=rating-title>Rating</h4><div class=rating-value>False</div></div>"
OTHER = f"<article><h3>The pier</h3>{NO_LABEL}</article>"


@pytest.mark.parametrize(
    ("body", "rating"),
    [
        (CLAIM + NO_LABEL, "False"),
        (NO_LABEL + CLAIM, "False"),
        (f"<div class=claim>{SAID}</div><p id=final-verdict>Mostly true</p>", "Mostly true"),
        (f"<blockquote>{SAID}</blockquote><div class=fact_rating><b>Pants on Fire!</b></div>", "Pants on Fire!"),
        (CLAIM + "<div class=box><span itemprop='reviewRating'>Falsch</span></div>", "Falsch"),
        (CLAIM + "<div class='verdict-box'><div class=verdict>Faux</div></div>", "Faux"),
        (f"<div class=entry>{CLAIM}{NO_LABEL}<p>See the <a href=/c>council</a>.</p>{BEFORE}{AFTER}</div>", "False"),
        (CLAIM + LABELLED, "False"),
        (CLAIM + LABELLED.replace("><", ">\n<"), "False"),
        (CLAIM + "<div class=rating><div>Not</div><div class=rating-value>true</div></div>", ""),
        (CLAIM + NO_LABEL + NO_LABEL, "False"),
        (CLAIM + NO_LABEL + "<div class=rating>True</div>", ""),
        (CLAIM + "<div class=rating>★★☆☆☆</div>", ""),
        (CLAIM + "<div class=rating>4.5 of 5</div>", ""),
        (CLAIM + "<div class=rating>Rated PG</div>", ""),
        (CLAIM + "<div class=rating>False friends</div>", ""),
        (CLAIM + "<div class=rating>True or false?</div>", ""),
        (CLAIM + "<div class=rating style='display:none'>False</div>", ""),
        (CLAIM + "<div class=author-badge>Verified</div>", ""),
        (CLAIM + "<p>Readers gave it a <b class=rating>False</b> on the radio.</p>", ""),
        (CLAIM + f"<ul><li>{NO_LABEL}</li></ul>", ""),
        (CLAIM + f"<aside>{NO_LABEL}</aside>", ""),
        (CLAIM + OTHER, ""),
        (12 * OTHER + CLAIM + "<div class=rating>True</div>", "True"),
        (CLAIM + f"<div class=related-checks><h3>The pier</h3>{NO_LABEL}</div>", ""),
        (CLAIM + CARD.format(NO_LABEL), ""),
        (CLAIM + "<div class=rating>True</div>" + 12 * CARD.format(NO_LABEL), "True"),
    ],
)
def test_a_rating_without_a_label_counts_where_an_element_of_the_article_is_named_so(body: str, rating: str) -> None:
    found = page(BEFORE + body + AFTER)
    assert saying(found, SAID)[0].frame.words == rating
    assert all(found.text[p.start : p.end] == p.text for p in found.passages)


@pytest.mark.parametrize("title", ["<h1 class=verdict>False</h1>", "<div class=verdict><h1>False</h1></div>"])
def test_a_title_is_no_rating(title: str) -> None:
    body = f"<html lang=en><body><article>{title}{BEFORE}{CLAIM}{AFTER}</article>"
    found = read(body.encode(), "text/html", "https://news.test/a")
    assert isinstance(found, ReadPage)
    assert (found.title, saying(found, SAID)[0].frame.words) == ("False", "")


RATED = "<p>Rating: {}</p>"
A, B = f"<p>{SAID}</p>", "<p>The pier is made of glass.</p>"
A_CLAIM, B_CLAIM = f"<div class=claim>{A}</div>", f"<div class=claim>{B}</div>"
TRUE, FALSE = RATED.format("True"), RATED.format("False")


@pytest.mark.parametrize(
    ("body", "first", "second"),
    [
        (A_CLAIM + B_CLAIM + FALSE, "", "False"),
        (A_CLAIM + TRUE + B_CLAIM + FALSE, "True", "False"),
        (A_CLAIM + FALSE + B_CLAIM, "False", ""),
        (TRUE + A_CLAIM + FALSE + B_CLAIM, "True", "False"),
        (f"<div class=claimReviewed>{A}</div><div class=claimReviewed>{B}{FALSE}</div>", "", "False"),
        (f"<div class=claimReviewed>{A}{TRUE}</div><div class=claimReviewed>{B}{FALSE}</div>", "True", "False"),
        (f"<div class=claimReviewed>{TRUE}{A}</div><div class=claimReviewed>{FALSE}{B}</div>", "True", "False"),
        (f"<div class=claimReviewed>{A_CLAIM}{B_CLAIM}{FALSE}</div>", "", "False"),
        (f"<div class=claim>{A}{B}</div>{FALSE}", "False", "False"),
    ],
)
def test_claims_side_by_side_share_no_rating(body: str, first: str, second: str) -> None:
    found = page(BEFORE + body + AFTER)
    frames = [saying(found, text)[0].frame for text in (SAID, "made of glass")]
    assert [(f.kind, f.words) for f in frames] == [(FrameKind.CLAIM, first), (FrameKind.CLAIM, second)]


@pytest.mark.parametrize(("rows", "columns", "cut"), [(1_999, 1, 0), (2_100, 1, 1), (3, 48, 0), (3, 60, 1)])
def test_a_table_that_loses_its_end_says_so(rows: int, columns: int, cut: int) -> None:
    head = "<tr><th>Name" + "".join(f"<th>Year {n}" for n in range(columns)) + "</tr>"
    cells = "".join(f"<tr><td>Town {n}" + f"<td>{n}" * columns + "</tr>" for n in range(rows))
    found = page(f"{BEFORE}<table><caption>Towns</caption>{head}{cells}</table>{AFTER}")
    last = next((line for line in found.text.splitlines() if line.startswith(f"Name: Town {rows - 1};")), "")
    assert (f"Year {columns - 1}: {rows - 1}" in last) == (not cut)
    assert len([note for note in found.notes if "table" in note]) == cut


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The AI-generated picture shows the pier on fire.", FrameKind.PICTURE),
        ("Irrtum 3: Die Brücke wurde verkauft.", FrameKind.MYTH),
        ("Krull, A. (1998). The bridge was sold. Herald.", FrameKind.REFERENCE),
        ("The bridge was sold. That is what a leaflet claims.", FrameKind.TAKEN_BACK),
        ("The bridge is on fire (computer simulation).", FrameKind.PICTURE),
        ("The photo shows the bridge after its sale.", FrameKind.NONE),
        ("The animation shows that the bridge was sold.", FrameKind.NONE),
        ("Mite – a small arachnid.", FrameKind.NONE),
        ("The bridge was sold. That is why the town is rich.", FrameKind.NONE),
    ],
)
def test_a_passage_without_a_page_has_the_frame_of_its_own_words(text: str, kind: FrameKind) -> None:
    assert frame_of(text).kind is kind


@pytest.mark.parametrize(
    ("frame", "statement"),
    [
        (Frame(FrameKind.MYTH, "Myths"), "It is a myth that the bridge was sold."),
        (Frame(FrameKind.FICTION, "Plot"), "In the film, the bridge is sold."),
        (Frame(FrameKind.SPEAKER, "KRULL"), "Senator Krull said that the bridge was sold."),
        (Frame(FrameKind.PICTURE, "The drawing shows"), "A drawing shows the bridge."),
    ],
)
def test_a_statement_about_the_frame_itself_is_recognised(frame: Frame, statement: str) -> None:
    assert concerns(frame, statement)
    assert not concerns(frame, SAID)


@pytest.mark.parametrize(
    ("frame", "statement"),
    [
        (Frame(FrameKind.SPEAKER, "THE PRESIDENT"), SAID),
        (Frame(FrameKind.QUOTE, "The Onion"), SAID),
        (Frame(FrameKind.SPEAKER, "Ann"), "The sale was planned."),
        (Frame(FrameKind.LETTER, "Dear Editor, Bridges"), "Bridges are sold."),
    ],
)
def test_a_common_word_or_a_part_of_one_names_nobody(frame: Frame, statement: str) -> None:
    assert not concerns(frame, statement)


@pytest.mark.parametrize("written", ["{", "[1]", '{"kind": "spell"}', '{"headings": 3}', "[" * 5_000])
def test_what_is_no_frame_is_refused(written: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the reasons are those of several libraries
        Frame.load(written)


def test_a_frame_comes_back_as_it_was_written() -> None:
    for frame in (Frame(), Frame(FrameKind.QUOTE, "“Krull”", ("News", "Votes")), Frame(headings=("News",))):
        assert Frame.load(str(frame)) == frame
