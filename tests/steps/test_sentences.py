"""A sentence may say nothing that its quotes and the claim do not say."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ghost.steps import QuoteReader, pass_gate
from ghost.steps.gate import check_sentence
from ghost.steps.gate.citations import Refusal
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import Draft, DraftCitation, DraftSentence, Label, Stance, StanceLabel, StatementVerdict
from training.measure_rules import gate
from training.train_claim_types import read

WALL = "The Great Wall of China is not visible to the naked eye from the Moon. It is 21,196 kilometres long."
OTHER = "Astronauts in orbit at 400 km photographed the wall."
ROWS = [evidence(1, WALL, REFUTING), evidence(2, OTHER, SUPPORTING)]
KNOWN = (
    "The Great Wall is visible from the Moon since 1969",
    "",
    "The Great Wall is visible from the Moon since 1969.",
)
QUOTE = "The Great Wall of China is not visible to the naked eye from the Moon."


def sentence(text: str, quote: str = QUOTE, n: int = 1, stance: StanceLabel = StanceLabel.REFUTES) -> DraftSentence:
    return DraftSentence(text, (DraftCitation(n, quote, stance, 1),))


@pytest.mark.parametrize(
    "text",
    [
        "The wall cannot be seen from the Moon [1].",
        "One source denies it, also for 1969 [1].",
        "[1] says “is not visible to the naked eye from the Moon”, which contradicts the claim.",
        'It is "visible" only in legends [1].',
        "NASA's text says 'not visible to the naked eye' [1].",
        "The text says „not visible to the naked eye“ [1].",
        "Two sources say that the wall is not visible [1].",
        "One of the two sources denies it [1].",
        "The claim that the Great Wall of China is visible to the naked eye from the Moon is false [1].",
    ],
)
def test_what_the_quote_bears_out_is_shown(text: str) -> None:
    checked = check_sentence(sentence(text), ROWS, KNOWN)
    assert checked.text == text
    assert not checked.refusals


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("87% of astronauts deny it [1].", Refusal.STRAY_NUMBER),
        ("It is 21,196 kilometres long [1].", Refusal.STRAY_NUMBER),  # in the passage, but not in what it quotes
        ("A million people know that [1].", Refusal.STRAY_NUMBER),
        ("Nine astronauts deny it [1].", Refusal.STRAY_NUMBER),
        ("Half of all astronauts deny it [1].", Refusal.STRAY_NUMBER),
        ("⅔ of all astronauts deny it [1].", Refusal.STRAY_NUMBER),
        ("NASA says “the wall was never seen by anyone” [1].", Refusal.STRAY_QUOTE),
        ("NASA says 'the wall was never seen by anyone' [1].", Refusal.STRAY_QUOTE),
        ("NASA says „the wall was never seen by anyone“ [1].", Refusal.STRAY_QUOTE),
        ("NASA says 「the wall was never seen」 [1].", Refusal.STRAY_QUOTE),
        ("NASA says “the wall was never seen by anyone [1].", Refusal.STRAY_QUOTE),
        ("NASA says “able to see 21,196 kilometres” [1].", Refusal.STRAY_QUOTE),
        ("NASA says “sible to the naked eye” [1].", Refusal.STRAY_QUOTE),  # cut inside a word
        ("La muralla no es visible desde la Luna y eso es lo que dice la fuente [1].", Refusal.OTHER_LANGUAGE),
        ("长城从月球上看不见 [1]。", Refusal.OTHER_LANGUAGE),
    ],
)
def test_what_it_does_not_bear_out_is_refused_and_counted(text: str, kind: Refusal) -> None:
    report = pass_gate(Draft(Label.FALSE, 0.9, (sentence(text),)), ROWS, KNOWN)
    assert report.sentences == ()
    assert report.refusals[kind] == 1
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert report.dropped[0][0] == text


@pytest.mark.parametrize(
    ("number", "quoted"),
    [
        ("21196", "21,196"),
        ("21 196", "21,196"),
        ("8.5", "8,50"),
        ("1989", "9 November 1989"),
        ("3,5", "3.5"),
        ("007", "7"),
    ],
)
def test_a_number_may_be_written_in_another_way(number: str, quoted: str) -> None:
    rows = [evidence(1, f"There are {quoted} of them in the world.", REFUTING)]
    text = f"There are {number} of them [1]."
    assert check_sentence(sentence(text, rows[0].passage.text), rows, ("x",)).text == text


def test_a_language_of_the_claim_is_welcome() -> None:
    known = ("La Gran Muralla no es visible desde la Luna y es muy larga.",)
    text = "La muralla no es visible desde la Luna, dice la fuente [1]."
    assert check_sentence(sentence(text), ROWS, known).text == text


@pytest.mark.parametrize(
    ("citation", "kind"),
    [
        (DraftCitation(9, QUOTE, StanceLabel.REFUTES), Refusal.UNKNOWN_NUMBER),
        (DraftCitation(1, "The wall is not visible at all from there.", StanceLabel.REFUTES), Refusal.ALTERED_QUOTE),
        (DraftCitation(2, QUOTE, StanceLabel.REFUTES), Refusal.OTHER_PASSAGE),
        (DraftCitation(1, QUOTE, StanceLabel.REFUTES, 2), Refusal.OTHER_STATEMENT),
        (DraftCitation(1, QUOTE, StanceLabel.SUPPORTS), Refusal.OPPOSITE_STANCE),
    ],
)
def test_each_kind_of_bad_citation_is_counted(citation: DraftCitation, kind: Refusal) -> None:
    report = pass_gate(Draft(Label.FALSE, 0.9, (DraftSentence("It says so.", (citation,)),)), ROWS, KNOWN)
    assert report.refusals == {kind: 1, Refusal.NO_CITATION: 1, Refusal.LABEL_UNSUPPORTED: 1}
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert not report.verdict.citations[0].accepted


def test_marks_are_those_of_the_accepted_citations() -> None:
    assert check_sentence(sentence("It cannot be seen."), ROWS, KNOWN).text == "It cannot be seen [1]."
    assert check_sentence(sentence("It cannot be seen [1] [7]."), ROWS, KNOWN).text == "It cannot be seen [1]."


def test_brackets_inside_a_quotation_stay() -> None:
    rows = [evidence(1, "The wall [3] cannot be seen from there.", REFUTING)]
    text = "[1] says “The wall [3] cannot be seen from there”, which contradicts the claim."
    assert check_sentence(sentence(text, rows[0].passage.text), rows, KNOWN).text == text


def statement(label: Label, number: int = 1) -> StatementVerdict:
    return StatementVerdict(number, label, 0.9, 0.0, 0.9)


class Reads:
    """A stance reader that knows some texts and reads everything else as saying it."""

    name, checksum = "scripted", "0"

    def __init__(self, known: dict[tuple[str, str], Stance]) -> None:
        self.known = known

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [self.known.get(pair, SUPPORTING if pair[0] == QUOTE else ON_TOPIC) for pair in pairs]


def reading(known: dict[tuple[str, str], Stance]) -> QuoteReader:
    return QuoteReader(Reads(known), {})


def test_a_sentence_against_its_own_label_is_not_shown() -> None:
    said = "So what the claim says is true"
    draft = Draft(
        Label.FALSE, 0.9, (sentence("It cannot be seen [1]."), sentence(f"{said} [1].")), (statement(Label.FALSE),)
    )
    report = pass_gate(draft, ROWS, KNOWN, quotes=reading({(f"{said}.", "The claim is true."): SUPPORTING}))
    assert report.sentences == ("It cannot be seen [1].",)
    assert report.refusals[Refusal.AGAINST_LABEL] == 1


def test_a_verdict_behind_a_quote_is_read_all_the_same() -> None:
    said = f"NASA says “{QUOTE.rstrip('.')}”, so the claim is true"
    draft = Draft(Label.FALSE, 0.9, (sentence(f"{said} [1]."),), (statement(Label.FALSE),))
    report = pass_gate(draft, ROWS, KNOWN, quotes=reading({(f"{said}.", "The claim is true."): SUPPORTING}))
    assert report.refusals[Refusal.AGAINST_LABEL] == 1


def test_a_quote_cut_to_its_opposite_is_read() -> None:
    passage = "Nobody has ever shown that vaccines cause autism in children."
    said = "vaccines cause autism in children"
    checked = check_sentence(
        sentence(f"{said} [1].", passage),
        [evidence(1, passage, REFUTING)],
        KNOWN,
        reading({(passage, f"{said}."): REFUTING}),
    )
    assert checked.refusals == (Refusal.OPPOSITE_SENTENCE,)


@pytest.mark.parametrize(
    ("read", "kind"),
    [(REFUTING, Refusal.OPPOSITE_SENTENCE), (ON_TOPIC, Refusal.NOT_IN_QUOTE), (SUPPORTING, None)],
)
def test_what_the_stance_model_does_not_read_in_the_quote_is_not_shown(read: Stance, kind: Refusal | None) -> None:
    said = "Astronauts standing on the Moon see the wall without any instrument"
    checked = check_sentence(sentence(f"{said} [1]."), ROWS, KNOWN, reading({(QUOTE, f"{said}."): read}))
    assert checked.refusals == ((kind,) if kind else ())
    assert bool(checked.text) is (kind is None)


def test_a_quote_with_a_frame_around_it_is_not_read_again() -> None:
    text = f"[1] An unnamed source says “{QUOTE.rstrip('.')}”, which contradicts the claim."
    assert check_sentence(sentence(text), ROWS, KNOWN, reading({(QUOTE, text): REFUTING})).text == text


def test_another_language_is_not_read_by_an_english_model() -> None:
    quote = "Die Mauer ist vom Mond aus mit bloßem Auge nicht zu sehen."
    rows = [evidence(1, quote, REFUTING)]
    known = ("Die Chinesische Mauer ist vom Mond aus zu sehen.", "", "")
    text = "Die Quelle sagt, dass man die Mauer vom Mond aus nicht sehen kann [1]."
    assert check_sentence(sentence(text, quote), rows, known, reading({})).text == text


def test_written_sentences_that_nothing_was_chosen_on() -> None:
    """How many of each kind are refused: faithful ones, turned ones, ones that go beyond, ones against the label."""
    file = Path(__file__).parents[1] / "data" / "gate_sentences.unseen.jsonl"
    found = {kind: row["refused"] for kind, row in gate(read(file)).items()}
    assert found["faithful"] <= 9, "of 100"
    assert found["turned"] >= 41, "of 55"
    assert found["beyond"] >= 16, "of 20"
    assert found["against_label"] >= 21, "of 25"


@pytest.mark.parametrize(
    ("label", "statements"),
    [
        (Label.TRUE, (statement(Label.FALSE),)),
        (Label.TRUE, (statement(Label.TRUE), statement(Label.NOT_ENOUGH_EVIDENCE, 2))),
        (Label.FALSE, (statement(Label.TRUE),)),
        (Label.FALSE, (statement(Label.NOT_ENOUGH_EVIDENCE),)),
        (Label.TRUE, (statement(Label.TRUE),)),
    ],
)
def test_a_label_against_its_explanation_or_its_statements_does_not_stand(
    label: Label, statements: tuple[StatementVerdict, ...]
) -> None:
    stance = StanceLabel.REFUTES
    report = pass_gate(Draft(label, 0.9, (sentence("It says so [1].", stance=stance),), statements), ROWS, KNOWN)
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert report.downgraded_from is label
    assert Refusal.AGAINST_LABEL in report.refusals


def test_what_argued_for_a_refused_label_gives_way_to_the_bare_quotes() -> None:
    report = pass_gate(Draft(Label.TRUE, 0.9, (sentence("It shows that it is so [1]."),)), ROWS, KNOWN)
    assert report.sentences == (f"[1] An unnamed source says “{QUOTE.rstrip('.')}”.",)
    assert report.verdict.explanation == report.sentences[0]


def test_a_statement_without_its_citation_stays_open() -> None:
    draft = Draft(Label.FALSE, 0.9, (sentence("It says so [1]."),), (statement(Label.FALSE), statement(Label.TRUE, 2)))
    found = pass_gate(draft, ROWS, KNOWN).verdict
    assert found.label is Label.FALSE
    assert [s.label for s in found.statements] == [Label.FALSE, Label.NOT_ENOUGH_EVIDENCE]


def test_the_name_of_a_source_is_nothing_that_it_is_said_to_say() -> None:
    text = "Tom Arden is no longer mayor of Orlen; he left the office on 1 June 2024."
    row = evidence(1, text, REFUTING)
    named = replace(row, passage=replace(row.passage, publisher="Orlen Mayor Tom Herald"))
    draft = sentence(f"Orlen Mayor Tom Herald says “{text[:-1]}”, which contradicts the claim [1].", text)
    assert not check_sentence(draft, [named], ("Tom Arden is the mayor of Orlen.",)).refusals
