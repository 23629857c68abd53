"""The gate reads each quote by itself, and holds a quote against the page that it was taken from."""

from collections.abc import Sequence
from dataclasses import replace

from ghost.judges import VERBATIM
from ghost.steps import QuoteReader, pass_gate
from ghost.steps.gate import Refusal
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import Draft, DraftCitation, DraftSentence, Evidence, Label, Origin, Stance, StanceLabel

CLAIM = "The Ostwick bridge is closed."
PASSAGE = "It is false that the Ostwick bridge is closed. Boats pass as always."
QUOTE = "that the Ostwick bridge is closed"


class Reads:
    """A stance reader that knows what each text says; others are on the topic."""

    name, checksum = "scripted", "0"

    def __init__(self, known: dict[str, Stance]) -> None:
        self.known = known

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [self.known.get(text, ON_TOPIC) for text, _ in pairs]


def quotes(quote: Stance) -> QuoteReader:
    return QuoteReader(Reads({QUOTE: quote}), {1: CLAIM})


def web(row: Evidence, url: str = "https://ostwick.example/bridge") -> Evidence:
    return replace(row, passage=replace(row.passage, origin=Origin.WEB, source_url=url))


def true(quote: str = QUOTE, number: int = 1) -> Draft:
    cited = DraftCitation(number, quote, StanceLabel.SUPPORTS, 1)
    return Draft(Label.TRUE, 0.9, (DraftSentence(f"The bridge is closed [{number}].", (cited,)),))


def test_a_quote_that_says_the_opposite_by_itself_is_refused_whatever_its_passage_says() -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING))]
    report = pass_gate(true(), rows, (CLAIM,), quotes=quotes(quote=REFUTING))
    assert [c.accepted for c in report.verdict.citations] == [False]
    assert "the quote itself the other way" in report.verdict.citations[0].why
    assert report.refusals[Refusal.OPPOSITE_STANCE] == 1
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_a_quote_with_the_very_words_needs_no_model_to_say_so() -> None:
    sure = Stance(VERBATIM, 0.0, 0.01, 0.0)
    text = f"{CLAIM} Boats pass as always."
    reader = QuoteReader(Reads({text: REFUTING, CLAIM: REFUTING, "Boats pass as always.": REFUTING}), {1: CLAIM})
    row = evidence(1, text, sure)
    for quote, accepted in ((text, True), (CLAIM, True), ("Boats pass as always.", False)):
        assert pass_gate(true(quote), [row], (CLAIM,), quotes=reader).verdict.citations[0].accepted is accepted
    assert (
        not pass_gate(true(text), [replace(row, stance=SUPPORTING)], (CLAIM,), quotes=reader)
        .verdict.citations[0]
        .accepted
    )


def test_a_quote_that_says_nothing_by_itself_carries_no_label() -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING))]
    report = pass_gate(true(), rows, (CLAIM,), quotes=quotes(quote=Stance(0.01, 0.01, 0.97, 0.01)))
    assert report.verdict.citations[0].accepted
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert report.downgraded_from is Label.TRUE


def test_a_quote_that_says_it_carries_the_label() -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING))]
    report = pass_gate(true(), rows, (CLAIM,), quotes=quotes(quote=SUPPORTING))
    assert report.verdict.label is Label.TRUE


def test_a_page_that_says_the_opposite_more_plainly_carries_no_label() -> None:
    weak = Stance(0.5, 0.1, 0.4, 0.0)
    rows = [web(evidence(1, PASSAGE, weak)), web(evidence(2, "The bridge is open.", REFUTING))]
    assert pass_gate(true(), rows, (CLAIM,)).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    elsewhere = [rows[0], web(rows[1], "https://other.example/")]
    assert pass_gate(true(), elsewhere, (CLAIM,)).verdict.label is Label.TRUE


def test_a_page_that_denies_it_on_the_same_matter_carries_no_label_however_plain_the_quote() -> None:
    denied = Stance(0.1, 0.6, 0.3, 0.0)
    rows = [
        web(evidence(1, PASSAGE, SUPPORTING)),
        replace(web(evidence(2, "The bridge is open.", denied)), nearness=0.8),
    ]
    assert pass_gate(true(), rows, (CLAIM,)).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    beside = [rows[0], replace(rows[1], nearness=0.5)]
    assert pass_gate(true(), beside, (CLAIM,)).verdict.label is Label.TRUE


def test_a_passage_whose_other_sentence_denies_it_more_plainly_carries_no_label() -> None:
    said = Stance(0.6, 0.1, 0.3, 0.0)
    rows = [web(evidence(1, "The bridge is open. Record that the Ostwick bridge is closed.", said))]
    reader = QuoteReader(Reads({QUOTE: said, "The bridge is open.": REFUTING}), {1: CLAIM})
    assert pass_gate(true(), rows, (CLAIM,), quotes=reader).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    reader = QuoteReader(Reads({QUOTE: said}), {1: CLAIM})
    assert pass_gate(true(), rows, (CLAIM,), quotes=reader).verdict.label is Label.TRUE


def test_a_label_that_names_both_sides_may_rest_on_one_page_that_has_both() -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING)), web(evidence(2, "The bridge is open.", REFUTING))]
    cited = (
        DraftCitation(1, QUOTE, StanceLabel.SUPPORTS, 1),
        DraftCitation(2, "The bridge is open.", StanceLabel.REFUTES, 1),
    )
    both = Draft(Label.MISLEADING, 0.9, (DraftSentence("Both are said [1][2].", cited),))
    assert pass_gate(both, rows, (CLAIM,)).verdict.label is Label.MISLEADING


def test_text_from_outside_that_the_stance_model_doubts_carries_no_label() -> None:
    doubtful = Stance(0.4, 0.1, 0.5, 0.0)
    assert pass_gate(true(), [web(evidence(1, PASSAGE, doubtful))], (CLAIM,)).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert pass_gate(true(), [evidence(1, PASSAGE, doubtful)], (CLAIM,)).verdict.label is Label.TRUE


def test_what_the_analyst_entered_is_taken_at_its_word() -> None:
    rows = [evidence(1, PASSAGE, SUPPORTING)]
    report = pass_gate(true(), rows, (CLAIM,), quotes=quotes(quote=Stance(0.01, 0.01, 0.97, 0.01)))
    assert report.verdict.label is Label.TRUE
