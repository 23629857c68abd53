"""Step 4 for a language model: what each passage does to a statement, and what is missing to settle it."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from ghost.judges.llm.prompts.fields import named
from ghost.judges.llm.prompts.material import DATA, claim_block, evidence_block, statements_block
from ghost.judges.llm.prompts.schema import strict_schema
from ghost.judges.llm.request import Question
from ghost.types import Claim, Evidence, StanceLabel, Statement

MAX_TOKENS = 1500

SYSTEM = f"""You read evidence for a fact-checking workbench. {DATA}

For each statement, say of every passage found for it whether it SUPPORTS the statement, REFUTES it, is NEUTRAL \
(on the topic without settling it) or OFF-TOPIC. A passage about another person, place, number or time does not \
support it. Then say whether this evidence is enough to decide the statement. It is enough when at least one \
reliable passage clearly supports or refutes it and nothing of equal weight says otherwise. If it is not enough, \
say what is missing, and give up to three short search queries, in words that a page with the answer would use.

Answer with one JSON object: "statements", a list with, for each statement, "statement" (its number), "stances" \
(a list of {{"n": number of the passage, "stance": …}}), "enough" (true or false), "reason" (one short \
sentence), "missing" ("" if enough), "queries" (empty if enough).
"""


class StanceOf(BaseModel):
    """How the model reads one passage."""

    n: int
    stance: Annotated[StanceLabel, named(StanceLabel)]


class Answer(BaseModel):
    """What the model says of one statement."""

    statement: int
    stances: list[StanceOf] = Field(default_factory=list, max_length=100)
    enough: bool = Field(strict=True)
    reason: str = Field(max_length=2000)
    missing: str = Field(default="", max_length=2000)
    queries: list[str] = Field(default_factory=list, max_length=20)


class Reply(BaseModel):
    """What the model answers."""

    statements: list[Answer] = Field(min_length=1, max_length=40)


SCHEMA = strict_schema(Reply)


def question(claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Question:
    """What is asked about these statements and their evidence."""
    material = "\n\n".join((claim_block(claim), statements_block(statements), evidence_block(evidence)))
    return Question(
        "sufficiency",
        ({"role": "system", "content": SYSTEM}, {"role": "user", "content": material}),
        SCHEMA,
        MAX_TOKENS,
    )
