"""Verdicts that are measured whole: each statement is decided, and a fact-check counts only as a fact-checker's."""

from collections.abc import Sequence

from bench.examples import CHECKERS, Example, written_passages
from bench.shares import whole_verdicts
from ghost.judges import EmbeddedJudge
from ghost.knowledge import CredibilityBook
from ghost.pipelines import Tools
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, passage
from ghost.types import Label, Passage, SourceType, Stance
from tests.pipelines.test_seven_steps import Shelf

HEIGHT = Example(
    claim="The tower was built in 1889 and is 400 metres tall.",
    label=Label.PARTIALLY_TRUE,
    passages=("The tower was built in 1889.", "The tower measures 330 metres."),
)
HONEY = Example(
    claim="Honey from Egyptian tombs was edible.",
    label=Label.MISLEADING,
    passages=("Archaeologists ate honey that lay in Egyptian tombs.",),
    checks=("Sweet Facts rated the claim “Honey from Egyptian tombs was edible” as Misleading.",),
)


def found(example: Example, read: dict[tuple[str, str], Stance]) -> Sequence[tuple[Label, bool]]:
    """What becomes of an example; ``read`` has the stances by a word of passage and of statement."""

    def answer(text: str, statement: str) -> Stance:
        return next((s for (one, other), s in read.items() if one in text and other in statement), OFF_TOPIC)

    reader = ScriptedReader(answer)
    tools = Tools(Shelf(stored(example)), EmbeddedJudge("scripted"), reader, scorer=reader, settings={"seed": 1})
    measured = whole_verdicts(tools, [(example.claim, example.label)], "", lambda *_: None)
    return [(v.label, v.right) for v in measured]


def stored(example: Example) -> list[Passage]:
    book = CredibilityBook({}, CHECKERS)
    return [
        passage(new.text, f"p{n}", url=new.source_url, source_type=book.source_type(new.source_url))
        for n, new in enumerate(written_passages([example]), start=1)
    ]


def test_a_claim_is_measured_with_all_of_its_statements() -> None:
    read = {("1889", "1889"): SUPPORTING, ("330", "400"): REFUTING}
    assert found(HEIGHT, read) == [(Label.PARTIALLY_TRUE, True)]
    assert found(HEIGHT, read | {("330", "400"): SUPPORTING}) == [(Label.TRUE, False)]


def test_what_stays_open_is_not_measured() -> None:
    assert found(HEIGHT, {("1889", "1889"): SUPPORTING}) == []


def test_a_check_makes_a_claim_misleading_and_the_same_words_as_a_plain_passage_do_not() -> None:
    read = {("Archaeologists", "Honey"): SUPPORTING, ("Sweet Facts", "Honey"): ON_TOPIC}
    assert [p.source_type is SourceType.FACT_CHECKER for p in stored(HONEY)] == [False, True]
    assert found(HONEY, read) == [(Label.MISLEADING, True)]
    plain = HONEY.model_copy(update={"passages": (*HONEY.passages, *HONEY.checks), "checks": ()})
    assert found(plain, read) == [(Label.TRUE, False)]
