"""Research that remembers: a topic, its questions, and answers from memory first and from the web where needed."""

from ghost.research.gate import Gate
from ghost.research.memory import Memory
from ghost.research.parts import Parts
from ghost.research.questions import (
    MAX_QUESTION_CHARS,
    MAX_TOPIC_CHARS,
    MOST_QUESTIONS,
    question_key,
    tidy_topic,
    topic_key,
)
from ghost.research.reading import AnswerReader
from ghost.research.researcher import Researcher, new_research_id
from ghost.research.skills import SHIPPED, Skills

__all__ = [
    "MAX_QUESTION_CHARS",
    "MAX_TOPIC_CHARS",
    "MOST_QUESTIONS",
    "SHIPPED",
    "AnswerReader",
    "Gate",
    "Memory",
    "Parts",
    "Researcher",
    "Skills",
    "new_research_id",
    "question_key",
    "tidy_topic",
    "topic_key",
]
