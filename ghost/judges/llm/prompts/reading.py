"""Step 5 for a language model: which sentences of a page bear on the statements."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from ghost.judges.llm.prompts.fields import named
from ghost.judges.llm.prompts.material import DATA, data, statements_block
from ghost.judges.llm.prompts.schema import strict_schema
from ghost.judges.llm.request import Question
from ghost.types import StanceLabel, Statement

MAX_TOKENS = 700
MAX_QUOTES = 6
"""Of one part of a page; what a model names beyond them is left out."""

SYSTEM = f"""You read a web page for a fact-checking workbench, a part at a time. {DATA}

Copy from the passage the sentences that bear on a statement: that support it, refute it, or say something about \
exactly its subject that whoever decides must know. Copy each one whole and character by character, with nothing \
left out, joined or added; a program looks for it in the page and throws away what is not there. At most \
{MAX_QUOTES} sentences, the most telling ones. A sentence about another person, place, number or time does not \
bear on a statement. If nothing bears on one, which is the usual case, give none.

Answer with one JSON object: "quotes", a list of {{"statement": its number, "quote": the sentence, "stance": \
SUPPORTS, REFUTES or NEUTRAL}}; empty when there is none.
"""


class Quote(BaseModel):
    """A sentence that bears on a statement."""

    statement: int
    quote: str = Field(max_length=2000)
    stance: Annotated[StanceLabel, named(StanceLabel)]


class Reply(BaseModel):
    """What the model answers."""

    quotes: list[Quote] = Field(max_length=60)


SCHEMA = strict_schema(Reply)


def question(statements: Sequence[Statement], title: str, chunk: str) -> Question:
    """What is asked about one part of a page."""
    page = f"<source>{data(title)}</source>\n<passage>{data(chunk)}</passage>"
    return Question(
        "reading",
        (
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": f"{statements_block(statements)}\n\n{page}"},
        ),
        SCHEMA,
        MAX_TOKENS,
    )
