"""Research that remembers: a topic, its questions, and answers from memory first and from the web where needed."""

from ghost.research.memory import Memory
from ghost.research.parts import Parts
from ghost.research.questions import question_key, tidy_topic, topic_key
from ghost.research.researcher import Researcher, new_research_id
from ghost.research.skills import SHIPPED, Skills
from ghost.research.skills_file import SkillsProblem

__all__ = [
    "SHIPPED",
    "Memory",
    "Parts",
    "Researcher",
    "Skills",
    "SkillsProblem",
    "new_research_id",
    "question_key",
    "tidy_topic",
    "topic_key",
]
