"""Stability is measured for real and counted; claims of the half to report on are not printed."""

from collections import Counter

import pytest

import seed_kb
from bench.pipelines import pipelines
from bench.quality import terminal
from bench.stability import Answer, Answers, StableClaim, figures, goals, read_claims, shown
from ghost.testing import ScriptedLLM

CLAIM = StableClaim(
    half="learn", claim="A", label="True", paraphrases=("B", "C"), negation="Not A", framings=("D", "E"), fact="A fact."
)
TRUE, FALSE, OPEN = (Answer(label, 90.0) for label in ("True", "False", "Not Enough Evidence"))


def answers(first: Answer, negation: Answer, framings: tuple[Answer, Answer], **more: object) -> Answers:
    given = {"claim": CLAIM, "reruns": (first,) * 3, "paraphrases": (first, first)} | more
    return Answers(negation=negation, framings=framings, **given)  # type: ignore[arg-type]


def test_the_figures_by_hand() -> None:
    found = figures(
        [
            answers(TRUE, FALSE, (TRUE, TRUE)),
            answers(TRUE, OPEN, (TRUE, OPEN), reruns=(TRUE, Answer("True", 92.5), OPEN), paraphrases=(FALSE, OPEN)),
            answers(FALSE, FALSE, (FALSE, FALSE)),
            answers(OPEN, OPEN, (TRUE, TRUE)),
        ]
    )
    assert (found["right"], found["open"], found["wrong"], found["runs"]) == (2, 1, 1, 32)
    assert found["spread_points"] == {"most": 2.5, "mean": 0.625}
    assert found["reruns_alike"]["hits"] == 3
    assert (found["paraphrases_alike"]["hits"], found["paraphrases_turned"]) == (6, 1)
    assert (found["mirrored"]["hits"], found["mirrored_of_decided"]["hits"]) == (2, 1)
    assert (found["mirrored_of_decided"]["n"], found["denials_alike"]) == (3, 1)
    assert (found["framings_alike"]["hits"], found["framings_as_the_claim"]["hits"]) == (3, 2)
    assert goals(found) == {"spread_points": False, "mirrored": False, "framings_alike": False}


def test_a_claim_that_failed_is_neither_mirrored_nor_right() -> None:
    failed = Answer("failed", None)
    found = figures([answers(failed, failed, (failed, failed))])
    assert (found["right"], found["open"], found["mirrored"]["hits"], found["failed"]) == (0, 1, 0, 8)
    assert found["spread_points"] == {"most": 0.0, "mean": 0.0}


def test_only_claims_to_learn_from_are_shown() -> None:
    sealed = answers(TRUE, FALSE, (TRUE, TRUE), claim=CLAIM.model_copy(update={"half": "report"}))
    assert [row["claim"] for row in shown([sealed, answers(TRUE, FALSE, (TRUE, TRUE))])] == ["A"]


def test_the_table_is_even_and_the_library_settles_its_claims() -> None:
    rows = read_claims()
    assert Counter((r.half, r.label) for r in rows) == {
        (half, label): 16 for half in ("learn", "report") for label in ("True", "False")
    }
    texts = [text for r in rows for text in (r.claim, *r.paraphrases, r.negation, *r.framings)]
    assert len(texts) == len({text.casefold() for text in texts})
    facts = {fact["text"] for pack in seed_kb.packs() for fact in pack.facts}
    assert [r.claim for r in rows if r.fact not in facts] == []
    halves = [{r.fact for r in rows if r.half == half} for half in ("learn", "report")]
    assert not halves[0] & halves[1]


def test_the_seven_steps_are_measured_without_a_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.pipelines.read_claims", lambda half="": read_claims("learn")[:1])
    found = pipelines("learn", 1, "embedded", reruns=1)
    (column,) = found["pipelines"]
    assert (column["name"], column["runs"], column["calls_per_claim"]) == ("seven-steps, embedded", 6, 0)
    assert found["claims"]["seven-steps, embedded"][0]["claim"] == "Zero is an even number."
    assert "framing pairs alike" in terminal(found)


def test_with_a_language_model_both_pipelines_are_measured_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model writes nothing that can be used, so the seven steps go on in the conversation's place."""
    monkeypatch.setattr("bench.pipelines.read_claims", lambda half="": read_claims("learn")[1:2])
    with ScriptedLLM.serving(lambda _: {"nothing": "to the point"}) as server:
        monkeypatch.setenv("GHOST_LOCAL_BASE_URL", server.url)
        found = pipelines("learn", 1, "local", reruns=1)
    embedded, steps, conversation = found["pipelines"]
    names = [column["name"] for column in found["pipelines"]]
    assert names == ["seven-steps, embedded", "seven-steps, local", "single-conversation, local"]
    assert embedded["calls_per_claim"] == 0
    assert steps["calls_per_claim"] >= 1
    assert (conversation["fell_back"], conversation["failed"]) == (6, 0)
    labels = [rows[0]["found"] for rows in found["claims"].values()]
    assert labels[1:] == [labels[0]] * 2  # the embedded judge has decided in the end
