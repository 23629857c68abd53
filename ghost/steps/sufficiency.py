"""Step 4: does the evidence settle each statement, or must the search go on?"""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.budget import Budget
from ghost.judges import Judge
from ghost.steps.investigate.hits import STAGE_NAMES
from ghost.steps.trace import Outcome
from ghost.types import Claim, Evidence, Reason, ReasonCode, Statement, Sufficiency
from ghost.web import Stage

HOME = "the knowledge base"


@dataclass(frozen=True, slots=True)
class SearchCoverage:
    """Where a run has searched: the knowledge base, pages that the analyst added, and stages of the web search.

    Stages whose searches all failed are not included.
    """

    stages: tuple[Stage, ...] = ()
    links: int = 0
    """Number of pages that the analyst added and that were read."""
    chosen: int = 0
    """Number of pages that a model chose without a search and that were read."""

    @property
    def sentence(self) -> str:
        """Where the run has searched."""
        if self.stages:
            return f"{self._home.capitalize()} {self._were} searched, and so was the web ({self._lists})."
        return f"Only {self._home} {self._were} searched."

    @property
    def nothing(self) -> str:
        """That nothing relevant was found there."""
        if self.stages:
            neither = "in" if self.links or self.chosen else "neither in"
            return f"Nothing relevant was found, {neither} {self._home} nor on the web (searched: {self._lists})."
        only = "the only places that were" if self.links or self.chosen else "the only place that was"
        return f"Nothing relevant was found in {self._home}, {only} searched."

    @property
    def remedy(self) -> str:
        """What to do when nothing was found there."""
        if not self.stages:
            return f"Add a source about it to {HOME} and verify the claim again."
        return (
            "Put the claim in the words, names and numbers that a page about it would use, or add a source about it "
            f"to {HOME}, and verify it again."
        )

    def about(self, reason: Reason) -> Reason:
        """A judge's reason with the places that were searched, which the judge does not know."""
        if reason.code is ReasonCode.NO_SOURCES:
            return Reason(reason.code, self.nothing, self.remedy)
        return Reason(reason.code, f"{reason.text} {self.sentence}", reason.remedy)

    @property
    def _home(self) -> str:
        named = "the page that you named" if self.links == 1 else f"{self.links} pages that you named"
        chosen = "a page that the model chose" if self.chosen == 1 else f"{self.chosen} pages that the model chose"
        parts = [HOME, *([named] if self.links else ()), *([chosen] if self.chosen else ())]
        return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else HOME

    @property
    def _were(self) -> str:
        return "were" if self.links or self.chosen else "was"

    @property
    def _lists(self) -> str:
        names = [STAGE_NAMES[stage] for stage in dict.fromkeys(self.stages)]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


KNOWLEDGE_BASE_ONLY = SearchCoverage()
"""A run that has not searched the web, or not yet."""


def sufficiency(
    claim: Claim,
    statements: Sequence[Statement],
    evidence: Sequence[Evidence],
    judge: Judge,
    budget: Budget,
    coverage: SearchCoverage = KNOWLEDGE_BASE_ONLY,
) -> Outcome[tuple[Sufficiency, ...]]:
    """Ask the judge once about all statements that have evidence; one without evidence is never settled.

    ``coverage`` is where the run has searched.
    """
    having = {e.statement for e in evidence}
    asked = [s for s in statements if s.number in having]
    answers = {f.statement: f for f in judge.sufficiency(claim, asked, evidence, budget)} if asked else {}
    found = tuple(
        answers.get(s.number) or (_silent(s) if s.number in having else _without(s, coverage)) for s in statements
    )
    settled = sum(f.enough for f in found)
    open_ones = [f for f in found if not f.enough]
    decision = "enough"
    if open_ones:
        decision = f"enough for {settled} of {len(found)} statements" if settled else "not enough"
    return Outcome(
        found,
        decision=decision,
        reason=" ".join(dict.fromkeys(f.reason for f in (open_ones or found))),
        inputs={
            "statements": [s.text for s in statements],
            "evidence": [e.number for e in evidence],
            "searched": list(coverage.stages),
        },
        outputs={
            "statements": [
                {
                    "statement": f.statement,
                    "enough": f.enough,
                    "reason": f.reason,
                    "missing": f.missing,
                    "queries": list(f.queries),
                    "stances": {f"[{n}]": stance for n, stance in f.stances},
                }
                for f in found
            ]
        },
    )


def _without(statement: Statement, coverage: SearchCoverage) -> Sufficiency:
    return Sufficiency(
        statement.number,
        enough=False,
        reason=coverage.nothing,
        missing=f"A source that speaks about: {statement.text}",
        code=ReasonCode.NO_SOURCES,
        queries=(statement.text,),
    )


def _silent(statement: Statement) -> Sufficiency:
    """A statement that the judge does not mention is not settled."""
    return Sufficiency(
        statement.number,
        enough=False,
        reason=f"The judge did not say whether the evidence settles “{statement.text}”.",
        missing="A source that says this explicitly.",
        code=ReasonCode.NOT_DECISIVE,
    )
