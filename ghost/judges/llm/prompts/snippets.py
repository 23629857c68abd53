"""Step 5 for a language model: which search snippets settle a statement by themselves."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field

from ghost.judges.llm.prompts.fields import named
from ghost.judges.llm.prompts.material import DATA, data, statements_block
from ghost.judges.llm.prompts.schema import strict_schema
from ghost.judges.llm.request import Question
from ghost.types import Passage, Statement

MAX_TOKENS = 700

SYSTEM = f"""You look at search results for a fact-checking workbench, before their pages are opened. {DATA}

For each passage and each statement, say whether the passage alone settles the statement: SUPPORTS or REFUTES when \
it says so in plain words about the same person, place, number and time, else INSUFFICIENT.

Answer with one JSON object: "results", a list of objects with "n" (number of the passage), "statement" (its \
number) and "says". Leave out what is INSUFFICIENT.
"""


class Says(StrEnum):
    """What a snippet does by itself."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    INSUFFICIENT = "INSUFFICIENT"


class Result(BaseModel):
    """One passage for one statement."""

    n: int
    statement: int
    says: Annotated[Says, named(Says)]


class Reply(BaseModel):
    """What the model answers."""

    results: list[Result] = Field(max_length=200)


SCHEMA = strict_schema(Reply)


def question(statements: Sequence[Statement], snippets: Sequence[Passage]) -> Question:
    """What is asked about the snippets of a stage, all in one."""
    rows = []
    for n, p in enumerate(snippets, start=1):
        where = data(", ".join(filter(None, (p.domain, p.title))))
        rows.append(f"[{n}] <source>{where}</source>\n<passage>{data(p.text)}</passage>")
    return Question(
        "snippets",
        (
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": "\n\n".join((statements_block(statements), "\n".join(rows)))},
        ),
        SCHEMA,
        MAX_TOKENS,
    )
