"""How the language model reads the evidence, as a stored trace tells it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ghost.types import JudgeInfo, StanceLabel, TraceStep
from ghost.ui.verify.evidence import judge_readings
from ghost.ui.verify.verdict import left_judges


def step(name: str, **outputs: Any) -> TraceStep:
    return TraceStep(name, datetime.now(UTC), 0.1, "", "", outputs=outputs)


def test_the_last_round_counts_and_what_it_does_not_speak_of_stays() -> None:
    first = step("sufficiency", statements=[{"statement": 1, "stances": {"[1]": "REFUTES", "[2]": "NEUTRAL"}}])
    last = step("sufficiency", statements=[{"statement": 1, "stances": {"[1]": "SUPPORTS"}}])
    assert judge_readings([first, step("verdict", statements=[]), last]) == {
        (1, 1): StanceLabel.SUPPORTS,
        (2, 1): StanceLabel.NEUTRAL,
    }


@pytest.mark.parametrize(
    "statements",
    [None, 7, [None], [{"stances": []}], [{"statement": 1, "stances": {"x": "REFUTES", "[1]": "PERHAPS", "[2]": []}}]],
)
def test_a_trace_of_another_version_tells_nothing(statements: object) -> None:
    assert judge_readings([step("sufficiency", statements=statements)]) == {}


def test_only_judges_that_are_set_up_and_did_not_decide_need_an_explanation() -> None:
    refused = "cloud (m at h): left at step 1 (classify). The key was refused."
    route = ("local: not asked. GHOST_LOCAL_BASE_URL is not set.", refused, "embedded (e): always there.")
    assert left_judges(JudgeInfo("embedded", "e", route)) == [refused]
    assert left_judges(JudgeInfo("cloud", "m", ("cloud (m at h): OPENAI_API_KEY is set.",))) == []
