"""The questions of a topic: by a language model where there is one, else from templates."""

import re
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
    "What is known about {topic}?",
    "What is disputed about {topic}?",
    "Which important dates and figures are reported for {topic}?",
    "Which recent events are reported for {topic}?",
    "What do official sources say about {topic}?",
    "Who is affected by {topic}?",
)
"""They fit a person as well as a bridge, in the singular and in the plural."""
TEMPLATES: dict[Category, tuple[str, ...]] = {
    Category.HISTORICAL: (
        "What is known about {topic}?",
        "Which dates and places are reported for {topic}?",
        "Which causes are reported for {topic}?",
        "Which consequences are reported for {topic}?",
        "What do historians disagree about in {topic}?",
    ),
    Category.SCIENTIFIC: (
        "What is known about {topic}?",
        "What explains {topic}?",
        "What evidence is there for {topic}?",
        "What do scientists disagree about in {topic}?",
        "Which effects are reported for {topic}?",
    ),
    Category.STATISTICAL: (
        "Which official figures are reported for {topic}?",
        "Which methods of measurement are used for {topic}?",
        "Which changes over time are reported for {topic}?",
        "Which differences between countries or groups are reported for {topic}?",
        "What explains changes in {topic}?",
    ),
    Category.MEDICAL: (
        "What is known about {topic}?",
        "What do systematic reviews and trials show about {topic}?",
        "Which risks are reported for {topic}?",
        "What do health authorities say about {topic}?",
        "What is still uncertain about {topic}?",
    ),
    Category.POLITICAL: (
        "What is known about {topic}?",
        "Who supports {topic}, and with what arguments?",
        "Who opposes {topic}, and with what arguments?",
        "What has been decided about {topic}, and by whom?",
        "Who is affected by {topic}?",
    ),
    Category.INSTITUTIONAL: (
        "What is known about {topic}?",
        "Which tasks and powers are reported for {topic}?",
        "Who decides on {topic}?",
        "Which important dates and changes are reported for {topic}?",
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
_ARTICLE = re.compile(r"(?:The|An?) (?=\w)")
_OF_A_CLAIM = (
    "Which studies or measurements bear on whether {statement}?",
    "What do experts or official bodies say about whether {statement}?",
    "Where does the claim that {statement} come from?",
)
"""For a topic that is a claim, behind whether it is true. None takes a side: the embedded models would answer “What
speaks for it?” with what speaks against it."""
_OF_A_QUESTION = (
    "Which studies or measurements bear on the question “{question}”?",
    "What do experts or official bodies answer to the question “{question}”?",
    "Why is the question “{question}” asked?",
)
"""For a topic that yes or no answers, behind the question itself."""


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
        return [topic, *(t.format(question=f"{topic.rstrip(' ?')}?") for t in _OF_A_QUESTION)]
    if understood.form == "statement" and topic.rstrip().endswith("."):
        statement = _within(topic.rstrip(" ."))
        return [f"Is it true that {statement}?", *(t.format(statement=statement) for t in _OF_A_CLAIM)]
    if understood.form != "statement":  # a question that asks for more than yes or no is the first one
        subject = f"the question “{topic.rstrip('?')}?”"
        rest = ("What is known about {}?", "What do official sources say about {}?", "What is disputed about {}?")
        return [topic, *(t.format(subject) for t in rest)]
    templates = skill.questions or TEMPLATES.get(category, _USUAL)
    depth = max(LEAST, min(skill.policy.depth, MOST))
    return [_filled(t, topic) for t in templates[:depth]]


def _filled(template: str, topic: str) -> str:
    """A template with its topic, whose article is small within a sentence: "about the Saltgate Bridge"."""
    return template.replace("{topic}", topic if template.startswith("{topic}") else _within(topic))


def _within(text: str) -> str:
    """As it stands within a sentence: its article in small letters."""
    article = _ARTICLE.match(text)
    return article.group().lower() + text[article.end() :] if article else text


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
