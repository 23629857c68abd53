"""What posts and rumours say is no evidence, and a verdict on the sentence before decides what that one counts for."""

from collections.abc import Sequence

import pytest

from config import PROJECT
from ghost.inference.load import load_stance_reader
from ghost.judges.hearsay import HearsayReader, hearsay, judged, verdict
from ghost.judges.polarity import PolarityGuard
from ghost.judges.ratings import Meaning
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader
from ghost.types import Stance, StanceLabel

SOLD = "The Orlen Bridge has been sold."
POSTS = "Posts on social media say that the Orlen Bridge has been sold."
CITY = "The city still owns the bridge."


@pytest.fixture(scope="module")
def bundled() -> HearsayReader:
    return HearsayReader(PolarityGuard(load_stance_reader(PROJECT / "ghost" / "models")))


def reading(told: dict[str, Stance]) -> HearsayReader:
    """A reader that knows these texts, and takes all others to be off the topic."""
    return HearsayReader(ScriptedReader(lambda passage, statement: told.get(passage, OFF_TOPIC)))


@pytest.mark.parametrize(
    "text",
    [
        POSTS,
        "A video shared thousands of times on Telegram shows that the bridge was sold.",
        "Thousands of Facebook users claim that the bridge was sold.",
        "In recent days, viral messages warn that the bridge will be sold.",
        "According to a viral post, the bridge has been sold.",
        "Many people believe that the bridge has been sold.",
        "It is often said that the bridge has been sold.",
        "There are rumours that the bridge has been sold.",
        "Rumour has it that the bridge has been sold.",
        "Claim: The bridge has been sold.",
        "The notion that the bridge has been sold refuses to die.",
        "The company boasted that the bridge had been sold.",
        "We use ten per cent of our brains, the saying goes.",
    ],
)
def test_what_nobody_answers_for_is_hearsay(text: str) -> None:
    assert hearsay(text)


@pytest.mark.parametrize(
    "text",
    [
        SOLD,
        "The ministry says that the bridge has been sold.",
        "The ministry sent a message to all users saying that the bridge is closed.",
        "A study of 400 people shows that tea does not help.",
        "Police said on Monday that two people had died.",
        "The volcano claimed the lives of 40 people.",
        "The bridge was painted in 1968.",
        "Researchers posted their data online.",
    ],
)
def test_who_can_be_asked_is_a_source(text: str) -> None:
    assert not hearsay(text)


@pytest.mark.parametrize(
    ("sentence", "means"),
    [
        ("This is false.", Meaning.FALSE),
        ("That is wrong, as the bank and the ministry confirm.", Meaning.FALSE),
        ("But that isn't true.", Meaning.FALSE),
        ("The figure is wrong: it was four percent.", Meaning.FALSE),
        ("This claim is completely baseless.", Meaning.FALSE),
        ("The viral picture is a fake.", Meaning.FALSE),
        ("Not true.", Meaning.FALSE),
        ("Our rating: False", Meaning.FALSE),
        ("Verdict: Mostly true.", Meaning.TRUE),
        ("Verdict: half true.", None),
        ("The claim has no scientific basis.", Meaning.FALSE),
        ("Investigators have ruled this out.", Meaning.FALSE),
        ("This is a popular myth.", Meaning.FALSE),
        ("This is correct.", Meaning.TRUE),
        ("The message is genuine.", Meaning.TRUE),
        ("That is not wrong.", None),
        ("This is misleading.", Meaning.MISLEADING),
        ("This is wrong for young players.", None),
        ("It was invented in 1816.", None),
        ("It was false of him to say so.", None),
        ("The alarm was false.", None),
        ("They are not right in the centre.", None),
        (CITY, None),
    ],
)
def test_what_is_a_verdict_on_the_sentence_before(sentence: str, means: Meaning | None) -> None:
    assert verdict(sentence) is means


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


def test_a_verdict_on_what_stands_elsewhere_decides_nothing() -> None:
    reader = reading({"This is false.": REFUTING, CITY: SUPPORTING})
    alone, before = reader.read([("This is false.", SOLD), (f"This is false. {CITY}", "The city owns the bridge.")])
    assert alone.label is StanceLabel.NEUTRAL
    assert before == SUPPORTING


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


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("Posts on social media claim that the Eiffel Tower has been sold. This is false.",
         "The Eiffel Tower has been sold."),
        ("According to a viral video, drinking hot water kills the coronavirus. That is not true, doctors say.",
         "Hot water kills the coronavirus."),
        ("It has been claimed that the minister owns three villas in Spain. The claim is baseless.",
         "The minister owns three villas in Spain."),
        ("The senator said that crime had doubled since 2019. That is incorrect: police figures show a fall.",
         "Crime has doubled since 2019."),
        ("Claim: 5G towers spread the virus. Verdict: False.", "5G towers spread the virus."),
    ],
)  # fmt: skip
def test_the_bundled_model_takes_a_denied_report_for_denied(
    bundled: HearsayReader, passage: str, statement: str
) -> None:
    assert bundled.read([(passage, statement)])[0].label is StanceLabel.REFUTES
