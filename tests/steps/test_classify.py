"""Step 1 with the analyst: statements that are seen, and corrected, before the search."""

from ghost.budget import Budget, Limits, Receipt
from ghost.judges import EmbeddedJudge
from ghost.steps import Extracted, classify, extract
from ghost.testing import ScriptedJudge
from ghost.types import Claim, ClaimType, Classification, Draft, Label, ReasonCode, Scopes, Statement

CLAIM = Claim("The tower is tall and was built in 1889.")
BUILT = Statement(2, "The tower was built in 1889.", Scopes(time=("1889",)))
FOUND = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "The tower is tall."), BUILT), "Facts.")
OPINION = Classification(ClaimType.OPINION, 0.9, (), "It is a matter of taste.", "Name a measure.", ReasonCode.OPINION)
DRAFT = Draft(Label.TRUE, 0.9, ())


class SpendingJudge(ScriptedJudge):
    """Books what a language model would."""

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        held = budget.hold(500, 0.02)
        budget.settle(held, 300, 0.01)
        budget.keep(Receipt("classify", "cloud", "m", "h", True, 1, 200, 100, False, 0.01, 0.1, "json_schema"))
        return super().classify(claim, budget)


def test_the_analysts_statements_take_the_place_of_those_found_which_stay_on_record() -> None:
    claim = Claim(CLAIM.text, statements=("The Eiffel Tower was built in 1889.",))
    done = classify(claim, ScriptedJudge(DRAFT, FOUND), Budget(Limits()))
    assert [s.text for s in done.value.statements] == ["The Eiffel Tower was built in 1889."]
    assert done.value.extracted == ("The tower is tall.", "The tower was built in 1889.")
    assert done.decision == "FACTUAL · 1 statement to check, corrected by the analyst"
    assert done.outputs["extracted"] == list(done.value.extracted)
    assert done.outputs["corrected"] is True


def test_statements_that_were_left_as_they_are_are_confirmed_and_not_corrected() -> None:
    claim = Claim(CLAIM.text, statements=("The tower is tall.", "The tower was built in 1889."))
    done = classify(claim, ScriptedJudge(DRAFT, FOUND), Budget(Limits()))
    assert done.value == FOUND
    assert done.decision.endswith("confirmed by the analyst")
    assert done.outputs["corrected"] is False


def test_whoever_names_a_statement_says_that_there_is_something_to_check() -> None:
    claim = Claim("It is nice.", statements=("In a poll of 2019 most people liked it.",))
    found = classify(claim, ScriptedJudge(DRAFT, OPINION), Budget(Limits())).value
    assert (found.type, found.code, found.rephrase, found.extracted) == (ClaimType.MIXED, None, "", ())
    assert "It is a matter of taste." in found.reason
    alone = classify(Claim("It is nice."), ScriptedJudge(DRAFT, OPINION), Budget(Limits()))
    assert alone.value is OPINION


def test_what_was_extracted_before_the_run_is_not_asked_for_again_and_counts_in_the_run() -> None:
    judge = SpendingJudge(DRAFT, FOUND)
    before = extract(CLAIM, judge, Budget(Limits()))
    assert before.statements == ("The tower is tall.", "The tower was built in 1889.")
    assert judge.asked == ["classify"]
    budget = Budget(Limits(tokens=400))
    mark = budget.mark()
    classify(Claim(CLAIM.text, statements=("It stands in Paris.",)), judge, budget, before)
    assert judge.asked == ["classify"]
    assert (budget.usage().tokens, budget.usage().cost_usd) == (300, 0.01)
    assert [receipt.purpose for receipt in budget.since(mark)[0]] == ["classify"]
    assert budget.room()[0] == 100


def test_extracting_needs_no_run() -> None:
    found = extract(Claim("Paris is the capital of France."), EmbeddedJudge("m"), Budget(Limits()))
    assert isinstance(found, Extracted)
    assert found.statements == ("Paris is the capital of France.",)
    assert found.judge.name == "embedded"


def test_statements_get_the_scopes_that_they_name_and_those_that_the_claim_names_first() -> None:
    said = (Statement(1, "Rents rose."), Statement(2, "Wages of nurses fell in France."))
    found = Classification(ClaimType.FACTUAL, 0.9, said, "Facts.")
    claim = Claim("In Germany, rents rose during 2021, and wages of nurses fell in France.")
    done = classify(claim, ScriptedJudge(DRAFT, found), Budget(Limits()))
    one, other = (s.scopes for s in done.value.statements)
    assert one == Scopes(jurisdiction=("Germany",))
    assert other == Scopes(jurisdiction=("France",), population=("nurses",))
    assert done.outputs["scopes"] == [
        {"statement": 1, "jurisdiction": ["Germany"]},
        {"statement": 2, "jurisdiction": ["France"], "population": ["nurses"]},
    ]


def test_scopes_that_the_judge_has_found_stay() -> None:
    said = (Statement(1, "Rents rose in Berlin.", Scopes(jurisdiction=("the city of Berlin",))),)
    found = Classification(ClaimType.FACTUAL, 0.9, said, "Facts.")
    done = classify(Claim("Rents rose in Berlin."), ScriptedJudge(DRAFT, found), Budget(Limits()))
    assert done.value.statements == said
