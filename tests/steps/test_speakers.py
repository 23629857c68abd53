"""Whose words a sentence says it cites: nobody says what was not read at their address."""

from dataclasses import replace
from typing import Any

import pytest

from ghost.budget import Budget, Limits
from ghost.judges import EmbeddedJudge, decide_statement
from ghost.steps import check_sentence, only_quotes, pass_gate
from ghost.testing import SUPPORTING, evidence
from ghost.types import (
    Claim,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    Intake,
    Kind,
    Label,
    Origin,
    ReasonCode,
    StanceLabel,
    Statement,
    StatementVerdict,
)

WORDS = "Canberra is the capital of Australia; Sydney is its largest city."
CLAIM = "The capital of Australia is Canberra."
STATEMENT = Statement(1, CLAIM)


def row(number: int = 1, **differing: Any) -> Evidence:
    """Evidence that was read at Britannica, unless something differs."""
    made = evidence(number, WORDS, SUPPORTING, domain="britannica.com", publisher="Encyclopaedia Britannica")
    url = "https://www.britannica.com/place/Canberra"
    found = {"title": "Canberra", "source_url": url, "intake": Intake.READ} | differing
    return replace(made, passage=replace(made.passage, **found))


def having(e: Evidence, **differing: Any) -> Evidence:
    return replace(e, passage=replace(e.passage, **differing))


NOTE = row(kind=Kind.NOTE, intake=Intake.ENTERED, origin=Origin.SEED)
ENTERED = row(intake=Intake.ENTERED)
SNIPPET = row(snippet=True, intake=Intake.READ_EARLIER, origin=Origin.WEB)
READ = row()
CITED = [
    ("[1] Encyclopaedia Britannica says “{}”.", READ),
    ("[1] A note in the library (check it at Encyclopaedia Britannica: Canberra) says: {}.", NOTE),
    ("[1] A note in the library says: {}.", row(kind=Kind.NOTE, intake=Intake.ENTERED, domain="", publisher="")),
    ("[1] A passage entered by hand from britannica.com reads “{}”.", ENTERED),
    ("[1] A search engine's snippet of britannica.com reads “{}”.", SNIPPET),
]


def cited(text: str, *numbers: int) -> DraftSentence:
    rows = numbers or (1,)
    return DraftSentence(text, tuple(DraftCitation(n, WORDS, StanceLabel.SUPPORTS, 1) for n in rows))


@pytest.mark.parametrize(("form", "e"), CITED)
def test_each_kind_is_cited_as_what_it_is(form: str, e: Evidence) -> None:
    words = form.format(WORDS.rstrip("."))
    accepted = check_sentence(cited("It is [1]."), [e], [CLAIM]).citations
    assert only_quotes(accepted, [e]) == (words,)
    assert check_sentence(cited(words), [e], [CLAIM]).text == words, "what the gate writes passes the gate"
    (c,) = accepted
    assert (c.kind, c.intake, c.snippet) == (e.passage.kind, e.passage.intake, e.passage.snippet)


WRONG = """
Britannica says that Canberra is the capital of Australia [1].
According to the Encyclopaedia Britannica, Canberra is the capital [1].
As britannica.com puts it, Canberra is the capital [1].
The Britannica entry confirms that Canberra is the capital [1].
Encyclopaedia Britannica: “Canberra is the capital of Australia” [1].
It is stated by the editors of Britannica that Canberra is the capital [1].
Britannica's article on the city calls Canberra the capital [1].
A note in the library, written by Britannica, says that Canberra is the capital [1].
The page Canberra says that it is the capital [1].
According to the encyclopaedia, Canberra is the capital [1].
The website states that Canberra is the capital [1].
The article calls Canberra the capital [1].
The entry is clear, and Britannica is never wrong: Canberra is the capital [1].
Encyclopedia Brittanica says that Canberra is the capital [1].
According to Britanica, Canberra is the capital [1].
As brittanica puts it, Canberra is the capital [1].
In the Encylopedia Britanica, Canberra is the capital [1].
The source says that Canberra is the capital [1].
The site reports that Canberra is the capital [1].
As the article states, Canberra is the capital [1].
Both sources confirm that Canberra is the capital [1].
It is stated in the source that Canberra is the capital [1].
""".strip().splitlines()


@pytest.mark.parametrize("text", WRONG)
@pytest.mark.parametrize("e", [NOTE, ENTERED, SNIPPET], ids=["note", "entered", "snippet"])
def test_a_publisher_never_says_what_was_not_read_there(text: str, e: Evidence) -> None:
    found = check_sentence(cited(text), [e], [CLAIM])
    assert (found.text, found.refusals[-1:]) == ("", ("wrong_speaker",))
    assert check_sentence(cited(text), [READ], [CLAIM]).text == text


RIGHT = """
A note in the library says that Canberra is the capital of Australia [1].
Canberra is the capital of Australia, and not Sydney [1].
A note that can be checked at Encyclopaedia Britannica says that Canberra is the capital [1].
According to the note, Canberra is the capital of Australia [1].
Canberra, the note says, is the capital of Australia [1].
Two sources agree: Canberra is the capital of Australia [1].
Canberra was confirmed as the capital of Australia, the note says [1].
Canberra gives Australia its capital [1].
Canberra was chosen as the site for the capital, the note says [1].
Canberra is the site described in the note [1].
According to the note, the source of the river gives Canberra its water [1].
The British chose Canberra, the note says [1].
""".strip().splitlines()


@pytest.mark.parametrize("text", RIGHT)
def test_a_note_may_be_cited_as_one(text: str) -> None:
    assert check_sentence(cited(text), [NOTE], [CLAIM]).text == text


@pytest.mark.parametrize(
    "text", ["Entered by hand from the website: Canberra is it [1].", "A snippet of the page says it [1]."]
)
def test_what_was_not_read_may_point_at_its_page(text: str) -> None:
    assert check_sentence(cited(text), [ENTERED], [CLAIM]).text == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A note in the library says that The Guardian was first published in 1821 [1].", True),
        ("The Guardian was first published in 1821, according to a note [1].", True),
        ("The Guardian says that it was first published in 1821 [1].", False),
        ("As The Guardian has confirmed, it was first published in 1821 [1].", False),
        ("The Guardain says that it was first published in 1821 [1].", False),
    ],
)
def test_a_publisher_may_be_what_its_note_is_about(text: str, shown: bool) -> None:
    words = "The Guardian was first published in 1821."
    guardian = having(NOTE, text=words, title="About us", publisher="The Guardian", domain="theguardian.com")
    draft = DraftSentence(text, (DraftCitation(1, words, StanceLabel.SUPPORTS, 1),))
    assert bool(check_sentence(draft, [guardian], [words]).text) is shown


@pytest.mark.parametrize(
    "words",
    ["The site reports its rainfall to Sydney.", "Britannia Street is in Canberra.", "Both sources say it."],
)
def test_a_note_may_speak_of_sources_and_of_what_is_named_much_like_its_publisher(words: str) -> None:
    draft = DraftSentence(f"{words} [1]", (DraftCitation(1, words, StanceLabel.SUPPORTS, 1),))
    assert check_sentence(draft, [having(NOTE, text=words)], [CLAIM]).text
    said = replace(draft, text=f"In short: {words[:-4].lower()} [1].")
    assert check_sentence(said, [having(NOTE, text=words)], [CLAIM]).text


def test_the_words_of_a_note_lose_their_quotation_marks() -> None:
    own = "A note says: “Canberra is the capital of Australia”, so “The capital of Australia is Canberra” holds [1]."
    shown = check_sentence(cited(own), [NOTE], [CLAIM]).text
    assert shown == own.replace("“Canberra is the capital of Australia”", "Canberra is the capital of Australia")
    assert check_sentence(cited(own), [READ], [CLAIM]).text == own


def test_who_was_read_may_speak_beside_a_note() -> None:
    text = "As Britannica says, and a note in the library with it, Canberra is the capital [1] [2]."
    assert check_sentence(cited(text, 1, 2), [NOTE, row(2)], [CLAIM]).text == text


@pytest.mark.parametrize(
    ("e", "label"),
    [
        (having(ENTERED, rated=False), Label.NOT_ENOUGH_EVIDENCE),
        (having(ENTERED, rated=False, kind=Kind.NOTE), Label.NOT_ENOUGH_EVIDENCE),
        (having(ENTERED, rated=False, trusted=True), Label.TRUE),
        (ENTERED, Label.TRUE),
        (having(NOTE, rated=False), Label.TRUE),
        (having(READ, rated=False), Label.TRUE),
        (having(READ, rated=False, snippet=True), Label.NOT_ENOUGH_EVIDENCE),
        (having(READ, snippet=True), Label.TRUE),
    ],
)
def test_what_ghost_has_not_read_settles_nothing_alone_without_a_rating(e: Evidence, label: Label) -> None:
    found = decide_statement(STATEMENT, [e])
    assert found.label is label
    if label is Label.NOT_ENOUGH_EVIDENCE:
        assert found.reasons[0].code is ReasonCode.WEAK_ORIGIN
        assert ("search engine" if e.passage.snippet else "entered by hand") in found.reasons[0].text
    of_one = (StatementVerdict(1, Label.TRUE, 0.9, 0.9, 0.0),)
    alone = Draft(Label.TRUE, 0.9, (cited("Canberra is the capital [1]."),), of_one)
    assert pass_gate(alone, [e], (CLAIM,)).verdict.label is label
    beside = Draft(Label.TRUE, 0.9, (cited("Canberra is the capital [1] [2].", 1, 2),), of_one)
    assert pass_gate(beside, [e, row(2)], (CLAIM,)).verdict.label is Label.TRUE


def test_the_embedded_judge_cites_a_note_as_one() -> None:
    judge = EmbeddedJudge("scripted")
    (sentence,) = judge.decide(Claim(CLAIM), [STATEMENT], [NOTE], Budget(Limits()))
    assert sentence.text == (
        "[1] A note in the library (check it at Encyclopaedia Britannica: Canberra) says: "
        f"{WORDS.rstrip('.')}, which supports the claim."
    )
