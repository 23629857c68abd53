"""Step 1 for a language model: the claim type, and the statements in it."""

from typing import Annotated

from pydantic import BaseModel, Field

from ghost.judges.llm.prompts.fields import Confidence, named
from ghost.judges.llm.prompts.material import DATA, claim_block
from ghost.judges.llm.prompts.schema import strict_schema
from ghost.judges.llm.request import Question
from ghost.types import Claim, ClaimType

MAX_TOKENS = 900
MAX_STATEMENTS = 8

SYSTEM = f"""You sort claims for a fact-checking workbench. {DATA}

Decide the type of the claim:
- FACTUAL: it asserts something about the world that evidence can support or refute, even if it is absurd or \
false.
- OPINION: a matter of taste, a value judgement, a wish, advice or a prediction without a measure.
- MIXED: it has both; the part of fact can be checked.
- AMBIGUOUS: a question without an assertion, or too vague to know who or what is meant.

List the checkable statements, at most {MAX_STATEMENTS}: each one complete sentence that can be read alone, in \
the words of the claim, with its numbers, dates, names and negations unchanged. Replace pronouns by what they \
stand for. Put first the one on which the claim stands or falls, the others in the order of their weight. Add \
nothing. If the claim is not in English, write the statements in English. Without a checkable \
part, give none.

Answer with one JSON object: "reason" (one short sentence why it is of this type), "type", "confidence" (0 to \
1), "statements" (a list of sentences), "rephrase" (for OPINION and AMBIGUOUS: how to ask for something \
checkable; else "").
"""


class Reply(BaseModel):
    """What the model answers."""

    reason: str = Field(max_length=2000)
    type: Annotated[ClaimType, named(ClaimType)]
    confidence: Confidence
    statements: list[str] = Field(max_length=40)
    rephrase: str = Field(default="", max_length=2000)


SCHEMA = strict_schema(Reply)


def question(claim: Claim) -> Question:
    """What is asked about this claim."""
    return Question(
        "classify",
        ({"role": "system", "content": SYSTEM}, {"role": "user", "content": claim_block(claim)}),
        SCHEMA,
        MAX_TOKENS,
    )
