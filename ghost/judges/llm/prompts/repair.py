"""The one chance to mend an answer that could not be used."""

from dataclasses import replace

from ghost.judges.llm.request import Question

REPAIR = """Your answer could not be used: {problem} Answer the same question again, with one JSON object in the form \
that was asked for and nothing before or after it."""
SHOWN_CHARS = 4_000
"""So much of the bad answer is sent back."""


def again(question: Question, answer: str, problem: str) -> Question:
    """The same question, with the bad answer and what was wrong with it."""
    return replace(
        question,
        messages=(
            *question.messages,
            {"role": "assistant", "content": answer[:SHOWN_CHARS] or "(nothing)"},
            {"role": "user", "content": REPAIR.format(problem=problem)},
        ),
    )
