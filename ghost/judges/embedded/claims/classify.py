"""Step 1 without a language model: what type a claim is, and which statements it makes."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.antecedents import subject_of, with_antecedent
from ghost.judges.embedded.claims.clauses import clauses
from ghost.judges.embedded.claims.emptiness import Emptiness, emptiness
from ghost.judges.embedded.claims.framing import unframe, without_exhortation
from ghost.judges.embedded.claims.questions import declarative, is_open_question
from ghost.judges.embedded.claims.reader import ReadsClaims
from ghost.judges.embedded.claims.sentences import sentences, trim
from ghost.judges.embedded.claims.typed import factual, typed
from ghost.judges.embedded.claims.wordscan import bare
from ghost.judges.language import unreadable_language
from ghost.text import pieces
from ghost.types import ClaimType, Classification, ReasonCode

MAX_CHARS = 6_000
"""More is not read: it would be far beyond what is checked, and nobody waits for a pasted book."""

_LONE_URL = re.compile(r"^(?:https?://|www\.)\S+$")
SENTENCE_CHARS = 600
"""What has no full stop for so long is a list; it is cut at a pause. The rules compare words of a sentence with each
other, so a longer one would take long."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as it could be checked, or why it cannot be; in the order of the text."""

    text: str
    empty: Emptiness | None = None


def classify(
    text: str, context: str = "", reader: ReadsClaims | None = None, check: Callable[[], None] = lambda: None
) -> Classification:
    """Type, statements and reason of a claim; ``context`` is what the analyst added to make pronouns clear.

    ``check`` is called between two sentences and may raise to stop.

    Grammar cuts the text into clauses and finds those that say nothing; ``reader`` tells facts from opinions and scores
    check-worthiness. Without a reader every other clause is taken for a fact and check-worthiness stays None. With one,
    ModelError is raised when it cannot be run. OPINION and AMBIGUOUS come without statements and with a hint.
    """
    if len(text) > MAX_CHARS:
        text = _beginning(text)
    trimmed = trim(text)
    nothing = _nothing_said(text, trimmed)
    if nothing:
        return replace(_ambiguous(*nothing), check_worthiness=None if reader is None else 0.0)
    language = unreadable_language(trimmed)
    if language:
        return _foreign(language)
    found = list(_clauses(trimmed, bool(context.strip()), check))
    stated = list(dict.fromkeys(c.text for c in found if not c.empty))
    if not stated:
        worth = None if reader is None else 0.0
        return replace(_nothing_stated(found), check_worthiness=worth)
    return typed(trimmed, stated, reader, check) if reader else factual(stated)


def _beginning(text: str) -> str:
    """What is read of a long text: whole sentences where there are any, else whole words."""
    start = text.lstrip()[:MAX_CHARS]
    end = max(start.rfind(mark) for mark in (". ", "! ", "? ", ".\n", "\n\n"))
    if end > MAX_CHARS // 2:
        return start[: end + 1]
    return start.rpartition(" ")[0] or start


def _nothing_stated(found: Sequence[Clause]) -> Classification:
    empty = next((c.empty for c in found if c.empty), None)
    if empty is None:
        return _ambiguous(
            "There is no sentence in the text.", "Enter a sentence that says something about the world.", 0.95
        )
    return _ambiguous(empty.why, empty.rephrase, empty.confidence)


def _sentences(text: str) -> Iterator[str]:
    for sentence in sentences(without_exhortation(text)):
        for start, end in pieces(sentence, 0, len(sentence), SENTENCE_CHARS):
            yield sentence[start:end]


def _clauses(text: str, has_context: bool, check: Callable[[], None]) -> Iterator[Clause]:
    """Every clause of the trimmed text, framing off, questions turned round, pronouns replaced where that is safe."""
    antecedent = ""
    for sentence in _sentences(text):
        check()
        plain = unframe(sentence)
        if not any(map(str.isalnum, plain)):
            continue
        if antecedent:
            plain = with_antecedent(plain, antecedent)
        if plain.endswith("?") or is_open_question(plain):
            yield _question(plain, has_context)
            continue
        for part in clauses(plain):
            yield Clause(part, emptiness(part, has_context or bool(antecedent)))
        antecedent = subject_of(plain) or antecedent


def _question(text: str, has_context: bool) -> Clause:
    statement = None if is_open_question(text) else declarative(text)
    if statement is None:
        why = "It is a question that asserts nothing."
        return Clause(text, Emptiness(0.93, why, "Put the answer you want checked into a sentence, as in “X is Y”."))
    return Clause(statement, emptiness(statement, has_context))


def _ambiguous(why: str, rephrase: str, sure: float, code: ReasonCode = ReasonCode.AMBIGUOUS) -> Classification:
    return Classification(ClaimType.AMBIGUOUS, sure, (), why, rephrase, code)


def _foreign(language: str) -> Classification:
    why = f"Ghost reads English so far, and the text seems to be in {language}."
    how = "Translate the claim into English. A language model, where one judges, reads other languages too."
    return _ambiguous(why, how, 0.9, ReasonCode.UNSUPPORTED_LANGUAGE)


def _nothing_said(raw: str, text: str) -> tuple[str, str, float] | None:
    """Why there is nothing to check, how to rephrase, and how sure that is; None when there may be something."""
    sentence = "Enter a sentence that says something about the world, with who or what, and where or when."
    if _LONE_URL.match(raw.strip()):
        return (
            "It is only a link; a link states nothing.",
            "Copy the sentence from that page that you want checked.",
            0.97,
        )
    if not any(c.isalpha() for c in text):
        if any(c.isdigit() for c in text):
            return "It is only a number without a word about what it counts.", sentence, 0.95
        return "There are no words in the text.", sentence, 0.97
    words = [bare(t) for t in text.split()]
    if _is_gibberish(words):
        return "The text does not read as words.", sentence, 0.85
    if len(words) > 2 and len(set(words)) == 1:
        return "The same word is repeated; nothing is stated.", sentence, 0.9
    return None


def _is_gibberish(words: list[str]) -> bool:
    """Keyboard noise: hardly a word that English could have, and no small word in between."""
    plain = [w for w in words if w.isascii() and w.isalpha() and len(w) > 3]
    if not plain or any(w in lexicon.STOP for w in words):
        return False
    odd = sum(
        1 for w in plain if not re.search(r"[aeiouy]", w) or re.search(r"[bcdfghjklmnpqrstvwxz]{5}|q(?!u)|(.)\1\1", w)
    )
    return odd * 2 >= len(plain) and odd * 2 >= len(words)
