"""What posts and rumours say is no evidence, and a verdict on the sentence before decides what that one counts for."""

from collections.abc import Sequence

import pytest

from config import PROJECT
from ghost.inference.load import load_stance_reader
from ghost.judges.calibration import shipped
from ghost.judges.decision import Rule, decide_statement
from ghost.judges.hearsay_reader import HearsayReader, judged
from ghost.judges.polarity import PolarityGuard
from ghost.steps.gate import CONFIDENT_OPPOSITE
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, evidence
from ghost.types import Label, Stance, StanceLabel, Statement

SOLD = "The Orlen Bridge has been sold."
POSTS = "Posts on social media say that the Orlen Bridge has been sold."
CITY = "The city still owns the bridge."


@pytest.fixture(scope="module")
def bundled() -> HearsayReader:
    return HearsayReader(PolarityGuard(load_stance_reader(PROJECT / "ghost" / "models")))


def reading(told: dict[str, Stance]) -> HearsayReader:
    """A reader that knows these texts, and takes all others to be off the topic."""
    return HearsayReader(ScriptedReader(lambda passage, statement: told.get(passage, OFF_TOPIC)))


def test_a_denied_report_refutes_what_is_reported() -> None:
    reader = reading({POSTS: SUPPORTING})
    (stance,) = reader.read([(f"{POSTS} This is false.", SOLD)])
    assert (stance.supports, stance.refutes) == (0.0, SUPPORTING.supports)
    assert judged(f"{POSTS} This is false.")


def test_of_two_forms_of_a_report_the_one_in_which_the_statement_is_seen_counts() -> None:
    reader = reading({POSTS: ON_TOPIC, "the Orlen Bridge has been sold.": SUPPORTING})
    (stance,) = reader.read([(f"{POSTS} That is not true.", SOLD)])
    assert stance.label is StanceLabel.REFUTES


def test_the_opposite_of_a_denied_report_may_be_false_as_well() -> None:
    reader = reading({POSTS: REFUTING})
    (stance,) = reader.read([(f"{POSTS} This is false.", "The Orlen Bridge was never sold.")])
    assert stance.label is StanceLabel.NEUTRAL


def test_a_confirmed_report_and_what_is_said_after_a_verdict_count() -> None:
    reader = reading({POSTS: SUPPORTING, CITY: SUPPORTING})
    confirmed, after = reader.read(
        [
            (f"{POSTS} This is correct.", SOLD),
            (f"Some say it is free. That is wrong. {CITY}", "The city owns the bridge."),
        ]
    )
    assert confirmed.label is StanceLabel.SUPPORTS
    assert after.label is StanceLabel.SUPPORTS


def test_what_is_wrong_about_a_deed_leaves_the_deed_as_it_is() -> None:
    deed = "The police kept the files for ten years."
    passage = f"{deed} This was wrong."
    assert not judged(passage)
    assert reading({passage: SUPPORTING}).read([(passage, deed)]) == [SUPPORTING]


def test_a_verdict_on_what_stands_elsewhere_decides_nothing() -> None:
    reader = reading({"This is false.": REFUTING, CITY: SUPPORTING})
    alone, before = reader.read([("This is false.", SOLD), (f"This is false. {CITY}", "The city owns the bridge.")])
    assert alone.label is StanceLabel.NEUTRAL
    assert before == SUPPORTING


def test_behind_a_verdict_on_what_stands_elsewhere_reports_are_known_too() -> None:
    reader = reading({POSTS: SUPPORTING})
    assert reader.read([(f"This is false. {POSTS} That is wrong.", SOLD)])[0].label is StanceLabel.REFUTES
    assert reader.read([(f"This is false. {POSTS}", SOLD)])[0].label is StanceLabel.NEUTRAL


def test_no_text_is_read_twice_for_one_statement() -> None:
    asked: list[tuple[str, str]] = []

    class Recording:
        name = checksum = "recording"

        def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
            asked.extend(pairs)
            return [SUPPORTING for _ in pairs]

    HearsayReader(Recording()).read([(POSTS, SOLD), (f"{POSTS} {CITY}", SOLD), (f"{POSTS} This is false.", SOLD)])
    assert asked[0] == (POSTS, SOLD)
    assert asked[1:4] == [(f"{POSTS} {CITY}", SOLD), (POSTS, SOLD), (CITY, SOLD)]
    assert asked[4:] == [(POSTS, SOLD), ("the Orlen Bridge has been sold.", SOLD)]


def test_hearsay_neither_supports_nor_refutes_but_its_denial_does() -> None:
    denied = f"{POSTS} No buyer was ever found."
    reader = reading({POSTS: SUPPORTING, f"{POSTS} {CITY}": SUPPORTING, CITY: ON_TOPIC, denied: REFUTING})
    alone, beside, refuted = reader.read([(POSTS, SOLD), (f"{POSTS} {CITY}", SOLD), (denied, SOLD)])
    assert alone.label is StanceLabel.NEUTRAL
    assert beside.label is StanceLabel.NEUTRAL
    assert (refuted.label, refuted.refutes) == (StanceLabel.REFUTES, REFUTING.refutes)
    against = reading({POSTS: REFUTING, f"{POSTS} {CITY}": REFUTING, CITY: ON_TOPIC})
    assert against.read([(f"{POSTS} {CITY}", "Nobody sold the bridge.")])[0].label is StanceLabel.NEUTRAL


def test_a_statement_about_what_is_said_and_all_other_texts_are_read_as_they_are_and_in_order() -> None:
    asked: list[Sequence[tuple[str, str]]] = []

    class Recording:
        name = checksum = "recording"

        def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
            asked.append(list(pairs))
            return [SUPPORTING if passage == POSTS else REFUTING for passage, _ in pairs]

    pairs = [(POSTS, "Posts say that the bridge was sold."), (CITY, SOLD)]
    assert HearsayReader(Recording()).read(pairs) == [SUPPORTING, REFUTING]
    assert asked == [pairs]


CLOSED = "The ferry line to Sund has closed."


@pytest.mark.parametrize("label", ["FALSE:", "Hoax alert –", "[Fake]", "Faux :", "Falsch:", "Fact check: FALSE –"])
def test_a_label_before_the_claim_decides_how_it_counts(label: str) -> None:
    reader = reading({CLOSED: SUPPORTING})
    assert reader.read([(f"{label} {CLOSED}", CLOSED)])[0].label is StanceLabel.REFUTES
    assert judged(f"{label} {CLOSED}")


@pytest.mark.parametrize("label", ["Satire:", "Misleading:", "Half true:", "Fact check:", "Fact check: No,"])
def test_other_labels_take_no_side(label: str) -> None:
    assert reading({CLOSED: SUPPORTING}).read([(f"{label} {CLOSED}", CLOSED)])[0].label is StanceLabel.NEUTRAL


def test_a_label_before_a_denial_may_mean_either() -> None:
    denied = "The ferry line has not closed."
    reader = reading({denied: REFUTING, f"FALSE: {denied}": REFUTING})
    assert reader.read([(f"FALSE: {denied}", CLOSED)])[0].label is StanceLabel.NEUTRAL
    assert reader.read([(f"Fact check: No, {denied}", CLOSED)])[0].label is StanceLabel.REFUTES


@pytest.mark.parametrize("text", [f"The harbour: {CLOSED}", f"False friends: {CLOSED}", f"No: {CLOSED}"])
def test_what_is_no_label_is_read_as_it_stands(text: str) -> None:
    assert reading({text: SUPPORTING}).read([(text, CLOSED)]) == [SUPPORTING]


QUESTION = "Has the ferry line to Sund closed?"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (QUESTION, StanceLabel.NEUTRAL),
        (f"{QUESTION} The council met.", StanceLabel.NEUTRAL),
        (f"{QUESTION} No.", StanceLabel.REFUTES),
        (f"{QUESTION} No, it runs daily.", StanceLabel.REFUTES),
        (f"{QUESTION} Yes.", StanceLabel.SUPPORTS),
        (f"{QUESTION} No evidence of that.", StanceLabel.NEUTRAL),
        ("Has it not closed? No.", StanceLabel.NEUTRAL),
    ],
)
def test_a_question_states_nothing_and_its_answer_decides(text: str, label: StanceLabel) -> None:
    reader = HearsayReader(ScriptedReader(lambda passage, statement: SUPPORTING if "?" in passage else ON_TOPIC))
    assert reader.read([(text, CLOSED)])[0].label is label


SAID = "The senator said that crime had doubled."


def test_that_somebody_said_it_stays_true_where_what_was_said_is_false() -> None:
    claimed = "The senator claimed that crime had doubled."
    reader = reading({SAID: SUPPORTING, claimed: SUPPORTING})
    denied, doubted = reader.read([(f"{SAID} That is incorrect.", SAID), (claimed, "The senator told a lie.")])
    assert denied == SUPPORTING
    assert doubted == SUPPORTING


def test_a_denied_report_of_somebody_else_s_words_is_about_these_words() -> None:
    passage = "Posts say that the WHO said that masks cause cancer."
    nested = reading({passage: SUPPORTING})
    assert nested.read([(f"{passage} This is false.", "The WHO said it.")])[0].label is StanceLabel.REFUTES
    unknown = reading({SAID: SUPPORTING})
    assert unknown.read([(f"{SAID} That is incorrect.", "Mr Trent told voters so.")])[0].label is StanceLabel.NEUTRAL


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("The senator said that crime had doubled since 2019. That is incorrect: police figures show a fall.",
         "The senator said that crime had doubled since 2019."),
        ("The newspaper wrote that the mayor had resigned. It was wrong.",
         "The newspaper reported that the mayor had resigned."),
        ("The president claimed that he had won. This is false.", "The president claimed victory."),
    ],
)  # fmt: skip
def test_the_bundled_model_does_not_call_it_unsaid(bundled: HearsayReader, passage: str, statement: str) -> None:
    assert bundled.read([(passage, statement)])[0].label is StanceLabel.SUPPORTS


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("Posts on social media claim that the Eiffel Tower has been sold. This is false.",
         "The Eiffel Tower has been sold."),
        ("The senator said that crime had doubled since 2019. That is incorrect: police figures show a fall.",
         "Crime has doubled since 2019."),
    ],
)  # fmt: skip
def test_the_bundled_model_takes_a_denied_report_for_denied(
    bundled: HearsayReader, passage: str, statement: str
) -> None:
    assert bundled.read([(passage, statement)])[0].label is StanceLabel.REFUTES


@pytest.mark.parametrize(
    ("passage", "statement", "side"),
    [
        ("The minister told parliament the bridge was safe. He was wrong.",
         "The minister told parliament that the bridge was safe.", "supports"),
        ("The mayor accused the council of waste. This is false.",
         "The mayor accused the council of waste.", "supports"),
        ("According to a viral video, drinking hot water kills the coronavirus. That is not true, doctors say.",
         "Hot water kills the coronavirus.", "refutes"),
        ("It has been claimed that the minister owns three villas in Spain. The claim is baseless.",
         "The minister owns three villas in Spain.", "refutes"),
        ("Claim: 5G towers spread the virus. Verdict: False.", "5G towers spread the virus.", "refutes"),
    ],
)  # fmt: skip
def test_what_the_bundled_model_cannot_tell_is_never_enough_for_the_wrong_side(
    bundled: HearsayReader, passage: str, statement: str, side: str
) -> None:
    """It reads these as settling little; what it may not do is take the other side surely enough for a verdict."""
    stance = bundled.read([(passage, statement)])[0]
    against = stance.refutes if side == "supports" else stance.supports
    found = decide_statement(Statement(1, statement), [evidence(1, passage, stance)], rule=Rule(shipped().odds.bound))
    wrong = Label.FALSE if side == "supports" else Label.TRUE
    assert against < CONFIDENT_OPPOSITE
    assert found.label is not wrong
