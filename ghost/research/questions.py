"""Topics and questions as text: tidied, compared by their words, and made to stand alone.

Two questions are the same only within one topic, or where each names every content word of both topics: “How hot is
Mercury?” asks one thing of a planet and another one of a metal.
"""

import re
from collections.abc import Sequence

from ghost.errors import ClaimError
from ghost.judges import content
from ghost.matching import asked
from ghost.text import normalise
from ghost.types import SubQuestion

MAX_TOPIC_CHARS = 300
MAX_QUESTION_CHARS = 500
MOST_QUESTIONS = 12
"""That an analyst may ask at once; a planner makes 4 to 6."""
WORDS_ALIKE = 0.8
"""From this share of common words on a question is a candidate, whatever its cosine."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ACRONYM = re.compile(r"[^\W\d_]*[A-ZÀ-Þ][^\W\d_]*[A-ZÀ-Þ]\w*")
_WHETHER = "whether"


def tidy_topic(topic: str) -> str:
    """The topic on one line. Raises ClaimError for one that is empty, has no word, or is far too long."""
    return _tidied("topic", topic, MAX_TOPIC_CHARS, "Name one: a subject, or a question.")


def tidy_questions(questions: Sequence[str]) -> tuple[SubQuestion, ...]:
    """The analyst's questions, numbered; blank lines and repetitions are left out. Raises ClaimError."""
    tidied = [_tidied("question", q, MAX_QUESTION_CHARS, "Write one.") for q in questions if q.strip()]
    distinct = list({question_key(q): q for q in reversed(tidied)}.values())[::-1]
    if len(distinct) > MOST_QUESTIONS:
        raise ClaimError(f"There are {len(distinct)} questions; a research takes at most {MOST_QUESTIONS}.")
    return tuple(SubQuestion(n, q) for n, q in enumerate(distinct, start=1))


def topic_key(topic: str) -> str:
    """By this two topics are the same. Case counts in a single word (Jaguar, jaguar) and in acronyms (WHO, who)."""
    words = normalise(topic).strip(" .?!")
    return words if len(words.split()) == 1 else _folded(words)


def question_key(question: str) -> str:
    """By this two questions are the same words: white space, capitals and the final mark do not count."""
    return _folded(normalise(question).strip(" .?!"))


def stands_alone(question: str, topic: str) -> bool:
    """Whether a question names a content word of its topic, so that it can be understood by itself."""
    wanted = set(content(topic))
    return not wanted or bool(wanted & set(content(question)))


def as_search(question: str, topic: str) -> str:
    """What to search for: the question, with its topic in front where it does not name that."""
    return question if stands_alone(question, topic) else f"{topic}: {question}"


def as_statement(question: str) -> str:
    """What the stance model reads a passage against: a statement for a yes-or-no question, else the question itself."""
    understood = asked(question)
    return understood.statement if understood.form == _WHETHER and understood.statement else question


def is_whether(question: str) -> bool:
    """Whether yes or no answers it."""
    return asked(question).form == _WHETHER


def is_name(topic: str) -> bool:
    """Whether a topic looks like a name and nothing else: two words or more, each with a capital."""
    words = _WORD.findall(topic)
    return len(words) >= 2 and all(word[0].isupper() for word in words)


def shared_words(one: str, other: str) -> float:
    """Jaccard of the content words, 0..1; blind to their order and to “not”, so it decides nothing."""
    a, b = set(content(one)), set(content(other))
    return len(a & b) / len(a | b) if a | b else 0.0


def may_share(question: str, topic: str, earlier_question: str, earlier_topic: str) -> bool:
    """Whether the topics allow that two questions are the same."""
    if topic_key(topic) == topic_key(earlier_topic):
        return True
    named = _written(topic) | _written(earlier_topic)
    return bool(named) and named <= _written(question) and named <= _written(earlier_question)


def _tidied(what: str, text: str, most: int, remedy: str) -> str:
    tidied = normalise(text[: 20 * most])
    if not _WORD.search(tidied):
        raise ClaimError(f"There is no {what}. {remedy}")
    if len(text) > 20 * most or len(tidied) > most:
        raise ClaimError(f"The {what} is longer than {most} characters. Shorten it.")
    return tidied


def _folded(text: str) -> str:
    return " ".join(w if _ACRONYM.search(w) else w.casefold() for w in text.split())


def _written(text: str) -> set[str]:
    """The content words as they are written: a jaguar is no Jaguar, and jaguars are no cars; the US is not the UK."""
    return {word for word in _WORD.findall(normalise(text)) if content(word) or not word.islower()}
