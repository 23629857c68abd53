"""Nothing a judge writes is shown unless the evidence of the run says so."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ghost.judges import VERBATIM
from ghost.steps import QuoteReader, pass_gate
from ghost.steps.gate import Refusal, check_sentence, is_verbatim
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import (
    Citation,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    Frame,
    FrameKind,
    Label,
    Origin,
    ReasonCode,
    SourceType,
    Stance,
    StanceLabel,
    StatementVerdict,
)
from training.measure_rules import gate
from training.train_claim_types import read

DATA = Path(__file__).parents[1] / "data"
CASES = [json.loads(line) for line in (DATA / "gate_cases.jsonl").read_text(encoding="utf-8").splitlines()]
QUOTE = "The Great Wall of China is not visible to the naked eye from the Moon."
ROWS = [
    evidence(1, f"{QUOTE} It is 21,196 kilometres long.", REFUTING),
    evidence(2, "Astronauts in orbit at 400 km photographed the wall.", ON_TOPIC),
]
CLAIM = "The Great Wall is visible from the Moon since 1969"
KNOWN = (CLAIM, "", f"{CLAIM}.")
OPEN = Label.NOT_ENOUGH_EVIDENCE
BRIDGE = "The Ostwick bridge is closed."
PASSAGE = "It is false that the Ostwick bridge is closed. Boats pass as always."
CLOSED = "that the Ostwick bridge is closed"
SAYS_NOTHING = Stance(0.01, 0.01, 0.97, 0.01)


def cite(number: int = 1, quote: str = QUOTE, stance: str = "REFUTES", statement: int = 1) -> DraftCitation:
    return DraftCitation(number, quote, StanceLabel(stance), statement)


def sentence(text: str, *citations: DraftCitation) -> DraftSentence:
    return DraftSentence(text, citations or (cite(),))


def citation(cited: DraftCitation, rows: Sequence[Evidence]) -> Citation:
    """A citation after the gate."""
    return check_sentence(sentence("It says so.", cited), rows, KNOWN).citations[0]


def draft(label: Label, *sentences: DraftSentence, statements: Sequence[StatementVerdict] = ()) -> Draft:
    return Draft(label, 0.9, sentences, tuple(statements))


def test_what_is_not_its_pages_own_word_cannot_be_cited_for_a_side() -> None:
    (row,) = (evidence(1, QUOTE, replace(ON_TOPIC, supports=0.0, refutes=0.0, neutral=0.95)),)
    myth = replace(row, passage=replace(row.passage, frame=Frame(FrameKind.MYTH, "Myths")))
    refused = citation(cite(stance="SUPPORTS"), [myth])
    assert (refused.accepted, refused.why) == (
        False,
        "It is not the page’s own word: the passage stands under “Myths”.",
    )
    assert citation(cite(stance="NEUTRAL"), [myth]).accepted
    assert citation(cite(stance="SUPPORTS"), [row]).accepted


@pytest.mark.parametrize(
    ("page", "text", "statement", "line"),
    [
        ("", "The AI-generated picture shows that the bridge is closed.", BRIDGE, "describes something made up"),
        ("", "The bridge is closed. That is what a leaflet claims.", BRIDGE, "is taken back by the next sentence"),
        ("Krull", BRIDGE, BRIDGE, "is what “Krull” said"),
        ("Krull", BRIDGE, "Krull said that the bridge is closed.", ""),
        ("", BRIDGE, BRIDGE, ""),
    ],
)
def test_a_passage_is_judged_by_its_own_frame_for_its_statement(
    page: str, text: str, statement: str, line: str
) -> None:
    row = evidence(1, text, replace(ON_TOPIC, supports=0.0, refutes=0.0, neutral=0.95))
    row = replace(row, passage=replace(row.passage, frame=Frame(FrameKind.SPEAKER if page else FrameKind.NONE, page)))
    draft = sentence("It is said to be closed [1].", cite(1, text, "SUPPORTS"))
    (found,) = check_sentence(draft, [row], [statement], reading({text: SAYS_NOTHING}, {1: statement})).citations
    assert line in found.why
    assert found.why.startswith("It is not the page’s own word") is bool(line)


def of_statement(label: Label, number: int = 1) -> StatementVerdict:
    return StatementVerdict(number, label, 0.9, 0.0, 0.9)


class Reads:
    """A stance reader that knows the stance of some texts, or of some pairs; others get ``usual``."""

    name, checksum = "scripted", "0"

    def __init__(self, known: dict[str, Stance], usual: Stance = ON_TOPIC) -> None:
        self.known, self.usual = known, usual

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [self.known.get(f"{a} | {b}") or self.known.get(a, self.usual) for a, b in pairs]


def reading(known: dict[str, Stance], statements: dict[int, str] | None = None) -> QuoteReader:
    return QuoteReader(Reads({QUOTE: SUPPORTING} | known), statements or {})


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['kind']}: {c.get('sentence') or c['quote']}")
def test_written_cases(case: dict[str, str]) -> None:
    """Quotes that are verbatim or not; sentences with numbers and quotations that the source has or not."""
    if case["kind"] == "verbatim":
        assert is_verbatim(case["quote"], case["passage"]) is not bool(case["refused"])
        return
    rows, known, quote = ROWS, KNOWN, case.get("quote", QUOTE)
    if "passage" in case:
        rows, known = [evidence(1, case["passage"], REFUTING)], ("x",)
    checked = check_sentence(sentence(case["sentence"], cite(1, quote)), rows, known)
    assert checked.refusals == ((Refusal(case["refused"]),) if case["refused"] else ())
    assert checked.text == ("" if case["refused"] else case["sentence"])
    assert case.get("why", "") in checked.why


def test_written_sentences_that_nothing_was_chosen_on() -> None:
    """How many of each kind are refused: faithful ones, turned ones, ones that go beyond, ones against the label.

    Of the first two kinds every second row is read, and the floors are those of the whole table, 9 and 41, in
    proportion: ``python -m training.measure_rules gate`` reads all.
    """
    table = enumerate(read(DATA / "gate_sentences.unseen.jsonl"))
    rows = [row for n, row in table if n % 2 == 0 or row.get("kind") in ("beyond", "against_label")]
    measured = gate(rows)
    assert {kind: row["of"] for kind, row in measured.items()} == {
        "faithful": 50, "turned": 28, "beyond": 20, "against_label": 25,
    }  # fmt: skip
    found = {kind: row["refused"] for kind, row in measured.items()}
    assert found["faithful"] <= 4, "of 50"
    assert found["turned"] >= 21, "of 28"
    assert found["beyond"] >= 16, "of 20"
    assert found["against_label"] >= 21, "of 25"


@pytest.mark.parametrize(
    ("citation", "kind", "why"),
    [
        (cite(9), Refusal.UNKNOWN_NUMBER, "no evidence [9]"),
        (cite(1, "The wall is not visible at all from there."), Refusal.ALTERED_QUOTE, "not stand verbatim"),
        (cite(2), Refusal.ALTERED_QUOTE, "it is from [1]"),
        (cite(1, QUOTE, "REFUTES", 2), Refusal.OTHER_STATEMENT, "not evidence for statement 2"),
        (cite(1, QUOTE, "SUPPORTS"), Refusal.OPPOSITE_STANCE, "reads the passage the other way"),
    ],
)
def test_each_kind_of_bad_citation_is_refused_and_counted(citation: DraftCitation, kind: Refusal, why: str) -> None:
    report = pass_gate(draft(Label.FALSE, sentence("It says so.", citation)), ROWS, KNOWN)
    assert report.refusals == {kind: 1, Refusal.NO_CITATION: 1, Refusal.LABEL_UNSUPPORTED: 1}
    assert report.verdict.label is OPEN
    assert not report.verdict.citations[0].accepted
    assert why in report.verdict.citations[0].why


def test_a_passage_that_could_not_be_read_is_cited_for_neither_side() -> None:
    unread = [replace(e, unreadable=True, stance=ON_TOPIC) for e in ROWS]
    for stance in ("SUPPORTS", "REFUTES"):
        report = pass_gate(draft(Label.FALSE, sentence("It says so.", cite(1, QUOTE, stance))), unread, KNOWN)
        assert report.refusals[Refusal.UNREADABLE] == 1
        assert report.verdict.citations[0].why == "Ghost could not read this passage, so it stands for neither side."


def test_the_stance_model_overrules_only_a_confident_opposite_for_the_cited_statement() -> None:
    assert citation(cite(2, ROWS[1].passage.text, "SUPPORTS"), ROWS).accepted
    rows = [evidence(1, QUOTE, REFUTING, statement=1), evidence(1, QUOTE, SUPPORTING, statement=2)]
    assert citation(cite(1, QUOTE, "SUPPORTS", 2), rows).accepted
    assert not citation(cite(1, QUOTE, "SUPPORTS", 1), rows).accepted


def test_a_question_is_never_quoted_for_a_side() -> None:
    asked = "Was the ferry line to Sund closed?"
    rows = [evidence(1, f"{asked} The council met on Monday.", SUPPORTING)]
    found = citation(cite(1, asked, "SUPPORTS"), rows)
    assert (found.accepted, found.why) == (False, "The quote is a question, which states nothing.")
    assert citation(cite(1, asked, "NEUTRAL"), rows).accepted


def test_a_decisive_verdict_with_a_fitting_citation_stands() -> None:
    report = pass_gate(draft(Label.FALSE, sentence("[1] says otherwise.")), ROWS)
    assert (report.verdict.label, report.verdict.explanation) == (Label.FALSE, "[1] says otherwise.")
    assert (report.proposed, report.accepted, report.dropped_sentences, report.downgraded_from) == (1, 1, 0, None)


@pytest.mark.parametrize("label", [Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING])
@pytest.mark.parametrize("citation", [cite(2, ROWS[1].passage.text, "NEUTRAL"), None], ids=["neutral", "none"])
def test_a_decisive_verdict_without_a_fitting_citation_becomes_not_enough_evidence(
    label: Label, citation: DraftCitation | None
) -> None:
    said = DraftSentence("Everyone knows this [2].", (citation,) if citation else ())
    report = pass_gate(draft(label, said), ROWS)
    assert (report.verdict.label, report.verdict.confidence, report.downgraded_from) == (OPEN, None, label)
    assert ReasonCode.CITATIONS_REJECTED in [r.code for r in report.verdict.reasons]
    assert bool(report.sentences) is bool(citation), "what rests on nothing is not shown"


@pytest.mark.parametrize(
    ("label", "statements"),
    [
        (Label.TRUE, ()),
        (Label.TRUE, (of_statement(Label.FALSE),)),
        (Label.TRUE, (of_statement(Label.TRUE), of_statement(OPEN, 2))),
        (Label.FALSE, (of_statement(Label.TRUE),)),
        (Label.FALSE, (of_statement(OPEN),)),
        (Label.TRUE, (of_statement(Label.TRUE),)),
    ],
)
def test_a_label_against_its_explanation_or_its_statements_does_not_stand(
    label: Label, statements: tuple[StatementVerdict, ...]
) -> None:
    report = pass_gate(draft(label, sentence("It says so [1]."), statements=statements), ROWS, KNOWN)
    assert report.verdict.label is OPEN
    assert report.downgraded_from is label
    assert Refusal.AGAINST_LABEL in report.refusals
    assert report.sentences == (f"[1] An unnamed source says “{QUOTE.rstrip('.')}”.",), "only the bare quotes are left"


@pytest.mark.parametrize(("groups", "label"), [((1, 1, 2), Label.TRUE), ((1, 3, 2), OPEN)])
def test_a_label_is_outweighed_by_origins_and_not_by_their_copies(groups: tuple[int, ...], label: Label) -> None:
    texts = ("The wall is not to be seen from there.", "It cannot be seen from there.", "The wall is seen from there.")
    stances = (REFUTING, REFUTING, SUPPORTING)
    rows = [evidence(n, t, s, group=g) for n, (t, s, g) in enumerate(zip(texts, stances, groups, strict=True), 1)]
    said = [sentence(f"[{e.number}] says so.", cite(e.number, e.passage.text, e.stance.label)) for e in rows]
    verdict = of_statement(Label.TRUE)
    assert pass_gate(draft(Label.TRUE, *said, statements=[verdict]), rows).verdict.label is label


@pytest.mark.parametrize("label", [Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING])
@pytest.mark.parametrize(("other", "contested"), [(2, True), (1, False)], ids=["another origin", "the same origin"])
def test_any_label_is_contested_where_a_citation_of_another_origin_says_the_opposite(
    label: Label, other: int, contested: bool
) -> None:
    rows = [evidence(1, "The wall is seen from there.", SUPPORTING), evidence(2, QUOTE, REFUTING, group=other)]
    said = [sentence(f"[{e.number}] says so.", cite(e.number, e.passage.text, e.stance.label)) for e in rows]
    verdict = pass_gate(draft(label, *said, statements=[of_statement(label)]), rows).verdict
    assert (verdict.label, verdict.contested, verdict.statements[0].contested) == (label, contested, contested)
    one_side = said[:1] if label is Label.TRUE else said[1:]
    assert not pass_gate(draft(label, *one_side, statements=[of_statement(label)]), rows).verdict.contested


@pytest.mark.parametrize("cites", [True, False], ids=["cited", "left out"])
@pytest.mark.parametrize(("rating", "stance", "judged"), [("False", REFUTING, "True"), ("True", SUPPORTING, "False")])
def test_no_label_stands_against_a_published_rating_of_the_very_claim(
    rating: str, stance: Stance, judged: str, cites: bool
) -> None:
    quote = "A blog says this of the Great Wall." if judged == "True" else QUOTE
    other = SUPPORTING if judged == "True" else REFUTING
    check = evidence(
        2, f"PolitiFact rated the claim “{CLAIM}” as {rating}.", stance, source_type=SourceType.FACT_CHECKER
    )
    rows = [evidence(1, quote, other), check]
    said = [sentence("[1] says so.", cite(1, quote, other.label))]
    said += [sentence("[2] says so.", cite(2, check.passage.text, stance.label))] if cites else []
    naive = draft(Label(judged), *said, statements=[of_statement(Label(judged))])
    reads = QuoteReader(Reads({quote: other, check.passage.text: stance}), {1: CLAIM})
    report = pass_gate(naive, rows, KNOWN, quotes=reads)
    assert (report.verdict.label, report.downgraded_from) == (OPEN, Label(judged))
    assert "a fact-check says otherwise" in report.verdict.reasons[-1].text
    plain = [rows[0], replace(check, passage=replace(check.passage, text="Reporters looked into it for a week."))]
    contested = pass_gate(draft(Label(judged), said[0], statements=naive.statements), plain, KNOWN, quotes=reads)
    assert (contested.verdict.label, contested.verdict.contested) == (Label(judged), True)


@pytest.mark.parametrize("label", [Label.PARTIALLY_TRUE, Label.MISLEADING, Label.TRUE])
def test_a_statement_without_its_citation_stays_open(label: Label) -> None:
    said = (of_statement(Label.FALSE), replace(of_statement(label, 2), contested=True))
    first, second = pass_gate(draft(Label.FALSE, sentence("[1] says no."), statements=said), ROWS).verdict.statements
    assert (first.label, second.label, second.contested) == (Label.FALSE, OPEN, False)


def test_a_sentence_whose_citations_all_fail_is_dropped_and_its_citations_are_kept_as_failures() -> None:
    good, bad = sentence("[1] refutes it."), sentence("[9] proves it beyond doubt.", cite(9, "made up"))
    report = pass_gate(draft(Label.FALSE, good, bad), ROWS)
    assert report.sentences == ("[1] refutes it.",)
    assert report.dropped[0][0] == "[9] proves it beyond doubt."
    assert [(c.n, c.accepted) for c in report.verdict.citations] == [(1, True), (9, False)]


def test_marks_are_those_of_the_accepted_citations_and_brackets_of_a_quotation_stay() -> None:
    for text in ("It cannot be seen.", "It cannot be seen [1] [7]."):
        checked = check_sentence(sentence(text, cite(), cite(7, "made up")), ROWS, KNOWN)
        assert checked.text == "It cannot be seen [1]."
    rows = [evidence(1, "The wall [3] cannot be seen from there.", REFUTING)]
    text = "[1] says “The wall [3] cannot be seen from there”, which contradicts the claim."
    assert check_sentence(sentence(text, cite(1, rows[0].passage.text)), rows, KNOWN).text == text


def test_the_language_of_the_claim_is_allowed_and_not_read_by_an_english_model() -> None:
    known = ("La Gran Muralla no es visible desde la Luna y es muy larga.",)
    text = "La muralla no es visible desde la Luna, dice la fuente [1]."
    assert check_sentence(sentence(text), ROWS, known).text == text
    quote = "Die Mauer ist vom Mond aus mit bloßem Auge nicht zu sehen."
    known = ("Die Chinesische Mauer ist vom Mond aus zu sehen.",)
    text = "Die Quelle sagt, dass man die Mauer vom Mond aus nicht sehen kann [1]."
    german = [evidence(1, quote, REFUTING)]
    assert check_sentence(sentence(text, cite(1, quote)), german, known, reading({})).text == text


@pytest.mark.parametrize(
    "said", ["So what the claim says is true", f"NASA says “{QUOTE.rstrip('.')}”, so the claim is true"]
)
def test_a_sentence_against_its_own_label_is_not_shown(said: str) -> None:
    quotes = reading({f"{said}. | The claim is true.": SUPPORTING})
    good = sentence("It cannot be seen [1].")
    report = pass_gate(
        draft(Label.FALSE, good, sentence(f"{said} [1]."), statements=[of_statement(Label.FALSE)]),
        ROWS, KNOWN, quotes=quotes,
    )  # fmt: skip
    assert report.sentences == ("It cannot be seen [1].",)
    assert report.refusals[Refusal.AGAINST_LABEL] == 1


@pytest.mark.parametrize(
    ("stance", "kind"), [(REFUTING, Refusal.OPPOSITE_SENTENCE), (ON_TOPIC, Refusal.NOT_IN_QUOTE), (SUPPORTING, None)]
)
def test_a_sentence_that_the_stance_model_does_not_read_in_its_quote_is_not_shown(
    stance: Stance, kind: Refusal | None
) -> None:
    said = "Astronauts standing on the Moon see the wall without any instrument"
    checked = check_sentence(sentence(f"{said} [1]."), ROWS, KNOWN, reading({f"{QUOTE} | {said}.": stance}))
    assert checked.refusals == ((kind,) if kind else ())
    assert bool(checked.text) is (kind is None)


# What a label may rest on: text from the web has to say it, also where the quote is read alone.


def web(row: Evidence, origin: Origin = Origin.WEB, url: str = "https://ostwick.example/bridge") -> Evidence:
    return replace(row, passage=replace(row.passage, origin=origin, source_url=url))


def label_of(rows: Sequence[Evidence], known: dict[str, Stance] | None = None, quote: str = CLOSED) -> Label:
    said = draft(Label.TRUE, sentence("The bridge is closed [1].", cite(1, quote, "SUPPORTS")))
    quotes = reading(known, {1: BRIDGE}) if known is not None else None
    return pass_gate(said, rows, (BRIDGE,), quotes=quotes).verdict.label


@pytest.mark.parametrize(
    ("supports", "origin", "label"),
    [
        (0.55, Origin.WEB, Label.TRUE),
        (0.45, Origin.WEB, OPEN),
        (0.45, Origin.IMPORT, OPEN),
        (0.45, Origin.SEED, Label.TRUE),
        (0.45, Origin.CURATED, Label.TRUE),
    ],
)
def test_outside_text_carries_a_label_only_where_the_stance_model_agrees(
    supports: float, origin: Origin, label: Label
) -> None:
    row = web(evidence(1, PASSAGE, Stance(supports, 0.05, 0.91 - supports, 0.04)), origin)
    assert label_of([row]) is label


@pytest.mark.parametrize(
    ("quote", "origin", "accepted", "label"),
    [
        (SUPPORTING, Origin.WEB, True, Label.TRUE),
        (SAYS_NOTHING, Origin.WEB, True, OPEN),
        (SAYS_NOTHING, Origin.CURATED, True, Label.TRUE),
        (REFUTING, Origin.WEB, False, OPEN),
    ],
)
def test_each_quote_is_also_read_alone(quote: Stance, origin: Origin, accepted: bool, label: Label) -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING), origin)]
    said = draft(Label.TRUE, sentence("The bridge is closed [1].", cite(1, CLOSED, "SUPPORTS")))
    report = pass_gate(said, rows, (BRIDGE,), quotes=reading({CLOSED: quote}, {1: BRIDGE}))
    assert report.verdict.citations[0].accepted is accepted
    assert report.verdict.label is label
    assert report.refusals.get(Refusal.OPPOSITE_STANCE, 0) == (not accepted)


@pytest.mark.parametrize(("speaker", "accepted"), [("Ostwick council", False), ("Krull", True)])
@pytest.mark.parametrize("quote", [REFUTING, SAYS_NOTHING])
def test_a_quotation_that_names_somebody_of_the_claim_is_read_alone(
    speaker: str, accepted: bool, quote: Stance
) -> None:
    row = web(evidence(1, PASSAGE, SUPPORTING))
    row = replace(row, passage=replace(row.passage, frame=Frame(FrameKind.QUOTE, speaker)))
    said = draft(Label.TRUE, sentence("The bridge is closed [1].", cite(1, CLOSED, "SUPPORTS")))
    statement = "The Ostwick bridge is closed."
    report = pass_gate(said, [row], (statement,), quotes=reading({CLOSED: quote}, {1: statement}))
    assert report.verdict.citations[0].accepted is (accepted or quote is SAYS_NOTHING)
    assert report.verdict.label is (Label.TRUE if accepted else OPEN)


def test_a_quote_in_the_words_of_the_statement_needs_no_model() -> None:
    text = f"{BRIDGE} Boats pass as always."
    quotes = reading({text: REFUTING, BRIDGE: REFUTING, "Boats pass as always.": REFUTING}, {1: BRIDGE})
    row = evidence(1, text, Stance(VERBATIM, 0.0, 0.01, 0.0))
    for quote, of, accepted in (
        (text, row, True),
        (BRIDGE, row, True),
        ("Boats pass as always.", row, False),
        (text, replace(row, stance=SUPPORTING), False),
    ):
        said = draft(Label.TRUE, sentence("The bridge is closed [1].", cite(1, quote, "SUPPORTS")))
        assert pass_gate(said, [of], (BRIDGE,), quotes=quotes).verdict.citations[0].accepted is accepted


def test_a_page_that_denies_it_more_plainly_or_on_the_same_matter_carries_no_label() -> None:
    weak, denied = Stance(0.5, 0.1, 0.4, 0.0), Stance(0.1, 0.6, 0.3, 0.0)
    other = web(evidence(2, "The bridge is open.", REFUTING))
    assert label_of([web(evidence(1, PASSAGE, weak)), other]) is OPEN
    assert label_of([web(evidence(1, PASSAGE, weak)), web(other, url="https://other.example/")]) is Label.TRUE
    plain = web(evidence(1, PASSAGE, SUPPORTING))
    assert label_of([plain, replace(other, stance=denied, nearness=0.8)]) is OPEN
    assert label_of([plain, replace(other, stance=denied, nearness=0.5)]) is Label.TRUE


def test_a_passage_whose_other_sentence_denies_it_more_plainly_carries_no_label() -> None:
    said = Stance(0.6, 0.1, 0.3, 0.0)
    rows = [web(evidence(1, "The bridge is open. Record that the Ostwick bridge is closed.", said))]
    assert label_of(rows, {CLOSED: said, "The bridge is open.": REFUTING}) is OPEN
    assert label_of(rows, {CLOSED: said}) is Label.TRUE


def test_a_label_with_two_sides_may_rest_on_one_page_that_has_both() -> None:
    rows = [web(evidence(1, PASSAGE, SUPPORTING)), web(evidence(2, "The bridge is open.", REFUTING))]
    both = sentence("Both are said [1][2].", cite(1, CLOSED, "SUPPORTS"), cite(2, "The bridge is open."))
    assert pass_gate(draft(Label.MISLEADING, both), rows, (BRIDGE,)).verdict.label is Label.MISLEADING
