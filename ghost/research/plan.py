"""The questions of a topic: by a language model where there is one, else from templates."""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, JudgeError
from ghost.judges import ResearchWriter, foreign_language
from ghost.matching import ClaimMatcher, asked
from ghost.research.questions import MAX_QUESTION_CHARS, is_whether, question_key, stands_alone, tidy_questions
from ghost.types import Category, Skill, SubQuestion

LEAST, MOST = 4, 6
_USUAL = (
    "Who or what is {topic}?",
    "What is known about {topic}?",
    "What is disputed about {topic}?",
    "What are the most important dates and figures about {topic}?",
    "What has happened with {topic} lately?",
    "What do official sources say about {topic}?",
)
"""They fit a person as well as a bridge."""
TEMPLATES: dict[Category, tuple[str, ...]] = {
    Category.HISTORICAL: (
        "What was {topic}?",
        "When and where did {topic} take place?",
        "What led to {topic}?",
        "What came of {topic}?",
        "What do historians disagree about in {topic}?",
    ),
    Category.SCIENTIFIC: (
        "What is {topic}?",
        "How does {topic} work?",
        "What evidence is there for {topic}?",
        "What do scientists disagree about in {topic}?",
        "What are the effects of {topic}?",
    ),
    Category.STATISTICAL: (
        "What are the latest official figures for {topic}?",
        "How is {topic} measured?",
        "How has {topic} changed over time?",
        "How does {topic} compare between countries or groups?",
        "What explains changes in {topic}?",
    ),
    Category.MEDICAL: (
        "What is {topic}?",
        "What do systematic reviews and trials show about {topic}?",
        "What are the risks of {topic}?",
        "What do health authorities say about {topic}?",
        "What is still uncertain about {topic}?",
    ),
    Category.POLITICAL: (
        "What is {topic}?",
        "Who supports {topic}, and with what arguments?",
        "Who opposes {topic}, and with what arguments?",
        "What has been decided about {topic}, and by whom?",
        "How has {topic} changed over time?",
    ),
    Category.INSTITUTIONAL: (
        "What is {topic}?",
        "What are the tasks and powers of {topic}?",
        "Who decides in {topic}?",
        "When did {topic} begin, and how has it changed?",
        "What is criticised about {topic}?",
    ),
    Category.QUOTATION: (
        "Who said {topic}?",
        "When and where was {topic} first said or written?",
        "What was meant by {topic}?",
        "To whom is {topic} wrongly attributed?",
    ),
}
"""Of the categories whose topics want questions of their own."""
_OF_A_QUESTION = (
    "{0}",
    "What evidence says yes to the question “{0}”?",
    "What evidence says no to the question “{0}”?",
    "What do experts or official bodies answer to the question “{0}”?",
    "Why is the question “{0}” asked?",
)
"""For a topic that yes or no answers."""
_OF_A_CLAIM = (
    "Is it true that {statement}?",
    "What evidence is there that {statement}?",
    "What speaks against the claim that {statement}?",
    "What do experts or official bodies say about whether {statement}?",
    "Where does the claim that {statement} come from?",
)
"""For a topic that is a claim."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The questions, and how they came about."""

    questions: tuple[SubQuestion, ...]
    by: str
    """The name of a judge, or ``analyst``."""
    why: str
    """In a sentence."""


def plan_questions(
    topic: str, category: Category, skill: Skill, writer: ResearchWriter | None, matcher: ClaimMatcher, budget: Budget
) -> Planned:
    """4 to 6 questions that can be understood alone. Raises Cancelled, and BudgetExceeded when the time is over."""
    why = "No language model is set up or allowed, so the questions come from templates."
    if writer:
        try:
            found = writer.questions(topic, LEAST, MOST, lambda texts: _wrong(topic, texts, matcher), budget)
            return Planned(_numbered(found), writer.info.name, f"The {writer.info.name} model wrote them.")
        except (JudgeError, BudgetExceeded) as failure:
            budget.check()
            why = f"The questions come from templates, because the language model was left: {failure}"
    if language := foreign_language(topic):
        why += f" The topic seems to be in another language ({language}); the embedded models read English best."
    return Planned(_numbered(_templated(topic, category, skill)), "embedded", why)


def own_questions(topic: str, questions: Sequence[str]) -> Planned:
    """The analyst's own questions. Raises ClaimError."""
    found = tidy_questions(questions)
    vague = [q.number for q in found if not stands_alone(q.text, topic)]
    why = "You wrote them."
    if vague:
        numbers = " and ".join(map(str, vague))
        why += f" The topic is put in front of the search for {numbers}, which would not be understood alone."
    return Planned(found, "analyst", why)


def _templated(topic: str, category: Category, skill: Skill) -> list[str]:
    understood = asked(topic)
    if is_whether(topic):
        return [t.format(topic) for t in _OF_A_QUESTION]
    if understood.form == "statement" and topic.rstrip().endswith("."):
        return [t.format(statement=topic.rstrip(" .")) for t in _OF_A_CLAIM]
    if understood.form != "statement":  # a question that asks for more than yes or no is the first one
        subject = f"the question “{topic.rstrip('?')}?”"
        rest = ("What is known about {}?", "What do official sources say about {}?", "What is disputed about {}?")
        return [topic, *(t.format(subject) for t in rest)]
    templates = skill.questions or TEMPLATES.get(category, _USUAL)
    depth = max(LEAST, min(skill.policy.depth, MOST))
    return [t.replace("{topic}", topic) for t in templates[:depth]]


def _wrong(topic: str, texts: Sequence[str], matcher: ClaimMatcher) -> str:
    """What is wrong with the questions of a language model; empty when nothing is."""
    if not LEAST <= len(texts) <= MOST:
        return f"There are {len(texts)} questions in place of {LEAST} to {MOST}."
    for text in texts:
        if not text.strip() or len(text) > MAX_QUESTION_CHARS:
            return "A question is empty or far too long."
        if not stands_alone(text, topic):
            return f"“{text[:200]}” cannot be understood alone: it does not name the topic."
    if len({question_key(text) for text in texts}) < len(texts) or matcher.repeats(texts):
        return "Two of the questions ask the same."
    return ""


def _numbered(texts: Sequence[str]) -> tuple[SubQuestion, ...]:
    return tuple(SubQuestion(n, text) for n, text in enumerate(texts, start=1))
