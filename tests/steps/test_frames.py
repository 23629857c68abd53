"""What the frame of a passage does to how it counts, and that the run says so."""

from dataclasses import replace

import pytest

from ghost.judges import read_framed
from ghost.steps import RerankContext, RerankRules, rerank
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, passage
from ghost.types import Candidate, Frame, FrameKind, Stance, StanceLabel, Statement

SAID = "The Ostwick bridge was sold."
S = Statement(1, SAID)
SETTLES_NOTHING = sorted(set(FrameKind) - {FrameKind.NONE, FrameKind.MYTH})


def framed(kind: FrameKind, words: str = "", text: str = SAID):  # type: ignore[no-untyped-def]
    return replace(passage(text, "p", url="https://a.example/x"), frame=Frame(kind, words))


def stance(kind: FrameKind, words: str = "", text: str = SAID, reads: Stance = SUPPORTING, of: str = SAID) -> Stance:
    (found,) = read_framed(ScriptedReader(lambda *_: reads), [(framed(kind, words, text), of)])
    return found


@pytest.mark.parametrize("kind", SETTLES_NOTHING)
@pytest.mark.parametrize("reads", [SUPPORTING, REFUTING])
def test_words_that_are_not_the_pages_own_settle_nothing(kind: FrameKind, reads: Stance) -> None:
    found = stance(kind, reads=reads)
    assert (found.supports, found.refutes) == (0.0, 0.0)
    assert found.label is StanceLabel.NEUTRAL


def test_a_myth_supports_nothing_and_contradicts_only_what_says_the_same() -> None:
    for below, alone, refutes in (
        (REFUTING, SUPPORTING, 0.96),
        (REFUTING, REFUTING, 0.01),
        (SUPPORTING, SUPPORTING, 0.01),
    ):
        reader = ScriptedReader(lambda text, _, b=below, a=alone: b if text.startswith("Myths: ") else a)  # type: ignore[misc]
        (found,) = read_framed(reader, [(framed(FrameKind.MYTH, "Myths"), SAID)])
        assert (found.supports, found.refutes) == (0.0, refutes)


@pytest.mark.parametrize("kind", [FrameKind.MYTH, FrameKind.QUIZ, FrameKind.PICTURE, FrameKind.TAKEN_BACK])
def test_what_goes_on_to_say_what_is_so_may_still_contradict(kind: FrameKind) -> None:
    argued = f"{SAID} That is false, says the mayor."
    assert stance(kind, text=argued, reads=REFUTING).refutes == REFUTING.refutes
    assert stance(kind, text=argued).supports == 0.0


@pytest.mark.parametrize(
    ("rating", "label"),
    [
        ("False", "REFUTES"),
        ("Pants on Fire", "REFUTES"),
        ("True", "SUPPORTS"),
        ("Half true", "NEUTRAL"),
        ("", "NEUTRAL"),
    ],
)
def test_a_claim_that_the_page_checks_counts_by_its_rating(rating: str, label: str) -> None:
    assert stance(FrameKind.CLAIM, rating).label == label


@pytest.mark.parametrize(
    ("kind", "words", "statement"),
    [
        (FrameKind.SPEAKER, "KRULL", "Krull said that the bridge was sold."),
        (FrameKind.FICTION, "Plot", "In the novel, the bridge is sold."),
        (FrameKind.MYTH, "Myths", "That the bridge was sold is a myth."),
        (FrameKind.NONE, "", SAID),
    ],
)
def test_a_statement_about_the_frame_is_read_as_ever(kind: FrameKind, words: str, statement: str) -> None:
    assert stance(kind, words, of=statement) == SUPPORTING


def test_step_3_applies_it_sentence_by_sentence_and_says_why() -> None:
    texts = {"a": f"{SAID} The pier is old.", "b": "The AI-generated picture shows that the bridge was sold."}
    found = [replace(passage(text, name, url=f"https://{name}.example/x"), domain=name) for name, text in texts.items()]
    found[0] = replace(found[0], frame=Frame(FrameKind.LETTER, "Letters"))
    candidates = {1: [Candidate(p, n, 1 / (60 + n), 0.9) for n, p in enumerate(found, 1)]}
    reader = ScriptedReader(lambda *_: SUPPORTING)
    outcome = rerank([S], candidates, reader, None, RerankRules(), RerankContext())
    assert {e.stance.label for e in outcome.value.evidence} == {StanceLabel.NEUTRAL}
    assert "is a reader’s letter under “Letters”." in outcome.reason
    assert {row["frame"] for row in outcome.outputs["candidates"]} == {
        "is a reader’s letter under “Letters”",
        "describes something made up or staged: “The AI-generated picture shows”",
    }


def test_without_a_frame_nothing_changes() -> None:
    for reads in (SUPPORTING, REFUTING, ON_TOPIC):
        assert stance(FrameKind.NONE, reads=reads) == reads
