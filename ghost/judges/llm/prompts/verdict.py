"""Step 7 for a language model: the verdict, sentence by sentence, each with its quotes."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field

from ghost.judges.llm.prompts.fields import Confidence, named
from ghost.judges.llm.prompts.material import DATA, claim_block, evidence_block, statements_block
from ghost.judges.llm.prompts.schema import strict_schema
from ghost.judges.llm.request import Question
from ghost.types import Claim, Evidence, StanceLabel, Statement

MAX_TOKENS = 2500

SYSTEM = f"""You decide claims for a fact-checking workbench, by the evidence given and nothing else. {DATA}

Labels: "True" and "False" need evidence that clearly says so. "Partially True": statements differ, or strong \
independent evidence stands on both sides. "Misleading": literally supported, but a passage shows that it \
deceives; cite both. "Not Enough Evidence": anything else; it is an honest answer, and better than a guess.

Explain in two to five short sentences. Every sentence leans on at least one passage: put its mark [n] into the \
sentence and list it under "citations" with "n", the number of the "statement" it is about, a "quote" copied \
character by character from that passage (a whole sentence or clause, never shortened with dots), and the \
"stance" of the passage towards that statement (SUPPORTS, REFUTES or NEUTRAL). Use no number, name or date that \
does not stand in the quotes of the sentence. Write in the language of the claim or in English. A program checks \
every quote; a sentence with an altered quote is thrown away.

Answer with one JSON object: "sentences" (a list of {{"text", "citations"}}), "statements" (for each statement \
its number as "statement", "label" and "confidence" 0 to 1), "label" (of the whole claim), "confidence" (0 to 1 \
that the label is right), "missing" (for Not Enough Evidence: what would settle it; else "").
"""


class Decision(StrEnum):
    """The labels that evidence can lead to; Not Verifiable belongs to step 1."""

    TRUE = "True"
    FALSE = "False"
    PARTIALLY_TRUE = "Partially True"
    MISLEADING = "Misleading"
    NOT_ENOUGH_EVIDENCE = "Not Enough Evidence"


class Cited(BaseModel):
    """One citation of a sentence."""

    n: int
    statement: int = 0
    quote: str = Field(max_length=4000)
    stance: Annotated[StanceLabel, named(StanceLabel)]


class Sentence(BaseModel):
    """One sentence of the explanation."""

    text: str = Field(max_length=4000)
    citations: list[Cited] = Field(default_factory=list, max_length=40)


class Decided(BaseModel):
    """The label of one statement."""

    statement: int
    label: Annotated[Decision, named(Decision)]
    confidence: Confidence


class Reply(BaseModel):
    """What the model answers. The sentences come first, so that they can be shown while the rest is written."""

    sentences: list[Sentence] = Field(max_length=40)
    statements: list[Decided] = Field(default_factory=list, max_length=40)
    label: Annotated[Decision, named(Decision)]
    confidence: Confidence
    missing: str = Field(default="", max_length=2000)


SCHEMA = strict_schema(Reply)


def question(claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Question:
    """What is asked about this claim and its evidence."""
    material = "\n\n".join((claim_block(claim), statements_block(statements), evidence_block(evidence)))
    return Question(
        "verdict",
        ({"role": "system", "content": SYSTEM}, {"role": "user", "content": material}),
        SCHEMA,
        MAX_TOKENS,
    )
