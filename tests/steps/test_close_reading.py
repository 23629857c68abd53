"""Evidence is read sentence by sentence, and with care where it has the words of the statement."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from config import PROJECT
from ghost.inference import load_stance_reader
from ghost.judges import VERBATIM, RatingReader, Rule, decide_statement, shipped
from ghost.steps.rerank import read_by_sentence
from ghost.testing import ScriptedReader, evidence
from ghost.types import Evidence, Label, Origin, Stance, StanceLabel, Statement
from ghost.web import worded

CLOSED = "The bridge was closed."
LIKELY = Stance(0.7, 0.2, 0.05, 0.05)
AGAINST = Stance(0.02, 0.9, 0.06, 0.02)
VAGUE = Stance(0.2, 0.2, 0.5, 0.1)
SURE = Stance(0.95, 0.02, 0.02, 0.01)
REPEATED = 0.35
BOAT = "“Night Boat” was painted in Oslo."
REPORT = "Some people believe that the bridge was closed."
RULE = Rule(shipped().odds.bound)
TABLE = PROJECT / "tests" / "data" / "verbatim_passages.jsonl"


def passage(text: str, stance: Stance, origin: Origin = Origin.WEB, number: int = 1) -> Evidence:
    row = evidence(number, text, stance)
    return replace(row, passage=replace(row.passage, origin=origin))


def said(
    text: str, whole: Stance, statement: str = CLOSED, claim: str = "", origin: Origin = Origin.WEB, **parts: Stance
) -> Evidence:
    """A passage after the close reading; its sentences are read as it is read whole, but for those that have a word."""

    def read(sentence: str, _: str) -> Stance:
        return next((stance for word, stance in parts.items() if word in sentence), whole)

    (found,) = read_by_sentence([passage(text, whole, origin)], [Statement(1, statement)], ScriptedReader(read), claim)
    return found


def total(stance: Stance) -> float:
    return sum((stance.supports, stance.refutes, stance.neutral, stance.off_topic))


def test_a_plain_sentence_between_others_is_heard_and_named() -> None:
    found = said("It rained. The bridge is shut.", VAGUE, shut=SURE)
    assert (found.focus, found.stance.label) == ("The bridge is shut.", StanceLabel.SUPPORTS)
    assert found.stance.supports == pytest.approx(0.75 * 0.2 + 0.25 * 0.95)
    assert total(found.stance) == pytest.approx(1.0)
    both = said("The bridge is shut. The bridge is open.", SURE, open=AGAINST).stance
    assert min(both.supports, both.refutes) > 0.2
    assert total(both) == pytest.approx(1.0)


def test_one_sentence_is_not_read_again_and_each_is_read_against_its_own_statement() -> None:
    asked: list[tuple[str, str]] = []
    reader = ScriptedReader(lambda text, statement: asked.append((text, statement)) or VAGUE)
    whole = evidence(1, "The bridge is shut.", SURE)
    assert read_by_sentence([whole], [Statement(1, CLOSED)], reader) == [whole]
    assert asked == []
    rows = [evidence(1, "It rained. The bridge is shut.", VAGUE, statement=n) for n in (1, 2)]
    read_by_sentence(rows, [Statement(1, CLOSED), Statement(2, "It was dry.")], reader)
    assert {statement for _, statement in asked} == {CLOSED, "It was dry."}


@pytest.mark.parametrize(
    ("text", "whole", "statement", "origin", "supports"),
    [
        (CLOSED, AGAINST, CLOSED, Origin.WEB, VERBATIM),
        ("the bridge was closed!", AGAINST, CLOSED, Origin.WEB, VERBATIM),
        ("  The bridge  was closed", AGAINST, CLOSED, Origin.WEB, VERBATIM),
        ("The ﬁrst pier opened in 1932.", VAGUE, "The first pier opened in １９３２.", Origin.WEB, VERBATIM),
        ("The bridge was closed?", AGAINST, CLOSED, Origin.WEB, 0.02),
        ("“The bridge was closed.”", AGAINST, CLOSED, Origin.WEB, 0.02),
        ("Was the bridge closed?", AGAINST, CLOSED, Origin.WEB, 0.02),
        (f"{CLOSED} It rained.", LIKELY, CLOSED, Origin.WEB, VERBATIM),
        (f"{CLOSED} It rained.", AGAINST, CLOSED, Origin.WEB, 0.02),
        (f"{CLOSED} The tunnel is not.", AGAINST, CLOSED, Origin.SEED, VERBATIM),
        (f"{BOAT} It rained.", LIKELY, BOAT, Origin.WEB, VERBATIM),
        # Words that may only be repeated decide nothing.
        (f"{CLOSED} None of that happened.", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"A rumour went round in May. {CLOSED}", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"{CLOSED} So the novel begins.", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"“{CLOSED}” The mayor smiled.", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"{CLOSED} Is that so?", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"{CLOSED} This misconception has been discredited.", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"{CLOSED} Das ist falsch.", SURE, CLOSED, Origin.WEB, REPEATED),
        (f"“It rained. {CLOSED} We left,” the leaflet goes on.", SURE, CLOSED, Origin.WEB, REPEATED),
    ],
)  # fmt: skip
def test_the_words_of_the_statement(text: str, whole: Stance, statement: str, origin: Origin, supports: float) -> None:
    found = said(text, whole, statement, origin=origin)
    assert found.stance.supports == pytest.approx(supports)
    assert total(found.stance) == pytest.approx(1.0)
    assert (found.nearness == 1.0) is (supports == VERBATIM)


CLAIM = "The tunnel was sold. The bridge was closed, and the ferry was painted."


@pytest.mark.parametrize(
    ("text", "whole", "statement", "claim", "supports"),
    [
        (f"{CLAIM} It rained.", LIKELY, CLOSED, CLAIM, VERBATIM),
        (CLAIM, LIKELY, CLOSED, "", 0.7),
        (CLAIM, LIKELY, "The tunnel was closed.", CLAIM, 0.7),
        (CLAIM, LIKELY, "The bridge was not closed.", CLAIM, 0.7),
        (CLAIM, VAGUE, CLOSED, CLAIM, 0.2),
        (REPORT, SURE, CLOSED, REPORT, REPEATED),
        (f"{CLOSED} It was not sold.", LIKELY, CLOSED, f"{CLOSED} It was not sold.", VERBATIM),
        (f"{CLOSED} It was not sold.", AGAINST, CLOSED, f"{CLOSED} It was not sold.", 0.0),
    ],
    ids=["cut out of it", "not of this claim", "other words", "negated", "the model doubts it", "a report",
         "the rest of the claim raises no doubt", "but the model has to agree"],
)  # fmt: skip
def test_the_sentence_of_the_claim_that_a_statement_was_cut_out_of(
    text: str, whole: Stance, statement: str, claim: str, supports: float
) -> None:
    assert said(text, whole, statement, claim).stance.supports == pytest.approx(supports)


def test_it_is_the_whole_passage_with_which_the_model_has_to_agree() -> None:
    reader = RatingReader(ScriptedReader(lambda passage, statement: AGAINST))
    (found,) = read_by_sentence([passage(f"{CLOSED} It rained.", AGAINST)], [Statement(1, CLOSED)], reader)
    assert found.stance.supports < VERBATIM


def test_pages_that_repeat_a_claim_only_to_doubt_it_leave_it_open() -> None:
    row = said(f"{CLOSED} None of that happened.", SURE)
    rows = [replace(row, number=n, group=n, nearness=0.8, credibility=0.95) for n in (1, 2, 3)]
    assert decide_statement(Statement(1, CLOSED), rows, rule=RULE).label is Label.NOT_ENOUGH_EVIDENCE


def test_a_rating_of_the_statement_s_words_is_as_sure_as_a_quotation() -> None:
    for rating, side in (("False", "refutes"), ("True", "supports")):
        assert getattr(said(worded("ClaimLens", "The bridge was closed", rating), VAGUE).stance, side) == VERBATIM
    other = worded("ClaimLens", "The bridge was sold", "False")
    assert said(other, VAGUE).stance == VAGUE


def test_passages_that_repeat_a_claim_to_deny_or_report_it_do_not_make_it_true() -> None:
    """Of the rows that nobody looked at while the words were chosen: how many of each kind come out as True."""
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()[1::4]]
    statements = [Statement(n, row["claim"]) for n, row in enumerate(rows)]
    reader = RatingReader(load_stance_reader(PROJECT / "ghost" / "models"))
    stances = reader.read([(row["evidence"], row["claim"]) for row in rows])
    read = [
        replace(passage(row["evidence"], stance), statement=n, nearness=0.8)
        for n, (row, stance) in enumerate(zip(rows, stances, strict=True))
    ]
    true, kinds = Counter[str](), Counter(row["kind"] for row in rows)
    for row, statement, e in zip(rows, statements, read_by_sentence(read, statements, reader), strict=True):
        true[row["kind"]] += decide_statement(statement, [e], rule=RULE).label is Label.TRUE
    assert true["asserted"] >= 6, f"of {kinds['asserted']}"
    assert sum(n for kind, n in true.items() if not kind.startswith("asserted")) <= 2, true


NOT = "The bridge was not closed."


@pytest.mark.parametrize(
    ("text", "whole", "statement"),
    [
        ("Indeed, the bridge was closed.", AGAINST, CLOSED),
        ("A bridge, actually, was closed!", AGAINST, CLOSED),
        ("The repair cost 1,200 euros.", AGAINST, "Repair cost 1200 euros."),
        ("Vaccines don’t cause autism.", SURE, "Vaccines cause autism."),
        ("Vaccines do not cause autism.", SURE, "Vaccines cause autism."),
        ("Vaccines cause autism.", SURE, "Vaccines do not cause autism."),
        ("It is not true that the bridge was closed.", SURE, CLOSED),
        ("No mill ever closed.", SURE, "Mill ever closed."),
        (f"In fact it rained. {NOT}", SURE, CLOSED),
        ("Indeed, the bridge was closed. In fact it rained.", Stance(0.05, 0.6, 0.3, 0.05), CLOSED),
    ],
)
def test_a_sentence_read_against_its_own_words_is_unreadable_and_settles_nothing(
    text: str, whole: Stance, statement: str
) -> None:
    read = {"rained": VAGUE}
    found = said(text, whole, statement, **read)
    assert found.unreadable
    assert (found.stance.supports, found.stance.refutes, found.stance.label) == (0.0, 0.0, StanceLabel.NEUTRAL)
    assert total(found.stance) == pytest.approx(1.0)
    rows = [replace(found, number=n, group=n, nearness=0.9, credibility=0.95) for n in (1, 2, 3)]
    assert decide_statement(Statement(1, statement), rows, rule=RULE).label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize(
    ("text", "whole", "statement"),
    [
        (NOT, AGAINST, CLOSED),
        ("Indeed, the bridge was closed.", SURE, CLOSED),
        ("The bridge is closed.", AGAINST, CLOSED),
        ("The old bridge was closed.", AGAINST, CLOSED),
        ("The dog bit the mayor.", AGAINST, "The mayor bit the dog."),
        ("The repair cost 1,200 euros.", AGAINST, "The repair cost 1,300 euros."),
        ("It was never not closed.", SURE, "It was closed."),
        ("“Indeed, the bridge was closed.”", AGAINST, CLOSED),
        ("Was the bridge not closed?", SURE, CLOSED),
        ("Indeed, the bridge was closed. That is a myth.", AGAINST, CLOSED),
        ("Indeed, the bridge was closed. It is open.", AGAINST, CLOSED),
    ],
    ids=["so it is", "so it says", "tense", "another word", "another order", "another number", "denied twice",
         "quoted", "asked", "denied beside it", "another sentence takes the side"],
)  # fmt: skip
def test_other_words_and_what_stands_beside_them_may_be_read_as_the_model_does(
    text: str, whole: Stance, statement: str
) -> None:
    found = said(text, whole, statement)
    assert not found.unreadable
    assert max(found.stance.supports, found.stance.refutes) >= REPEATED


def test_of_several_sentences_the_one_that_was_misread_is_not_named_for_a_side() -> None:
    found = said("Indeed, the bridge was closed. It has been open to all.", AGAINST, Indeed=Stance(0, 1, 0, 0))
    assert (found.focus, found.unreadable) == ("It has been open to all.", False)
