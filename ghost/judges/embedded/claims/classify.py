"""Step 1 without a language model: what type a claim is, and which statements it makes."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ghost.judges.embedded.claims.clauses import clauses, subject_of, with_antecedent
from ghost.judges.embedded.claims.framing import unframe, without_exhortation
from ghost.judges.embedded.claims.questions import declarative, is_open_question
from ghost.judges.embedded.claims.sentences import sentences, trim
from ghost.judges.embedded.claims.typed import ReadsClaims, factual, typed
from ghost.judges.embedded.claims.words import AUXILIARY, DETERMINER, STOP, THIRD, content_words, has_predicate
from ghost.judges.language import unreadable_language
from ghost.text import bare, pieces
from ghost.types import ClaimType, Classification, ReasonCode

MAX_CHARS = 6_000
"""More is not read: it would be far beyond what is checked, and nobody waits for a pasted book."""
SENTENCE_CHARS = 600
"""What has no full stop for so long is a list; it is cut at a pause. The rules compare words of a sentence with each
other, so a longer one would take long."""
_LONE_URL = re.compile(r"^(?:https?://|www\.)\S+$")
_READS_ENGLISH = "Ghost reads English. With a language model it can check this claim."
_SAY_SOMETHING = "Enter a sentence that says something about the world, with who or what, and where or when."


@dataclass(frozen=True, slots=True)
class _Empty:
    """Why nothing in a clause can be checked, and how to rephrase it."""

    confidence: float
    why: str
    rephrase: str


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
    worth = None if reader is None else 0.0
    if nothing := _nothing_said(text, trimmed):
        return replace(_ambiguous(nothing), check_worthiness=worth)
    if language := unreadable_language(trimmed):
        how = f"It seems to be in {language}. Set up a language model as the judge, or translate it into English."
        return replace(_ambiguous(_Empty(0.9, _READS_ENGLISH, how)), code=ReasonCode.UNSUPPORTED_LANGUAGE)
    found = list(_clauses(trimmed, bool(context.strip()), check))
    stated = list(dict.fromkeys(text for text, empty in found if not empty))
    if stated:
        return typed(trimmed, stated, reader, check) if reader else factual(stated)
    without = _Empty(0.95, "There is no sentence in the text.", _SAY_SOMETHING)
    return replace(_ambiguous(next((empty for _, empty in found if empty), without)), check_worthiness=worth)


def _ambiguous(empty: _Empty) -> Classification:
    return Classification(ClaimType.AMBIGUOUS, empty.confidence, (), empty.why, empty.rephrase, ReasonCode.AMBIGUOUS)


def _beginning(text: str) -> str:
    """What is read of a long text: whole sentences where there are any, else whole words."""
    start = text.lstrip()[:MAX_CHARS]
    end = max(start.rfind(mark) for mark in (". ", "! ", "? ", ".\n", "\n\n"))
    if end > MAX_CHARS // 2:
        return start[: end + 1]
    return start.rpartition(" ")[0] or start


def _nothing_said(raw: str, text: str) -> _Empty | None:
    """Why there is nothing to check in the whole text; None when there may be something."""
    if _LONE_URL.match(raw.strip()):
        how = "Copy the sentence from that page that you want checked."
        return _Empty(0.97, "It is only a link; a link states nothing.", how)
    if not any(c.isalpha() for c in text):
        if any(c.isdigit() for c in text):
            return _Empty(0.95, "It is only a number without a word about what it counts.", _SAY_SOMETHING)
        return _Empty(0.97, "There are no words in the text.", _SAY_SOMETHING)
    plain = [bare(t) for t in text.split()]
    if _is_gibberish(plain):
        return _Empty(0.85, "The text does not read as words.", _SAY_SOMETHING)
    if len(plain) > 2 and len(set(plain)) == 1:
        return _Empty(0.9, "The same word is repeated; nothing is stated.", _SAY_SOMETHING)
    return None


def _is_gibberish(words: Sequence[str]) -> bool:
    """Keyboard noise: hardly a word that English could have, and no small word in between."""
    plain = [w for w in words if w.isascii() and w.isalpha() and len(w) > 3]
    if not plain or any(w in STOP for w in words):
        return False
    noise = r"^[^aeiouy]+$|[bcdfghjklmnpqrstvwxz]{5}|q(?!u)|(.)\1\1"
    return 2 * sum(bool(re.search(noise, w)) for w in plain) >= len(words)


def _clauses(text: str, has_context: bool, check: Callable[[], None]) -> Iterator[tuple[str, _Empty | None]]:
    """Every clause of the trimmed text with why it cannot be checked, if so: framing off, questions turned round,
    pronouns replaced where that is safe.
    """
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
            yield part, _emptiness(part, has_context or bool(antecedent))
        antecedent = subject_of(plain) or antecedent


def _sentences(text: str) -> Iterator[str]:
    for sentence in sentences(without_exhortation(text)):
        for start, end in pieces(sentence, 0, len(sentence), SENTENCE_CHARS):
            yield sentence[start:end]


def _question(text: str, has_context: bool) -> tuple[str, _Empty | None]:
    statement = None if (is_open := is_open_question(text)) else declarative(text)
    if statement:
        return statement, _emptiness(statement, has_context)
    how = "Put the answer you want checked into a sentence, as in “X is Y”."
    why = "asserts nothing" if is_open else "cannot be turned into a statement by its words alone"
    return text, _Empty(0.93, f"It is a question that {why}.", how)


# "It is illegal to …", "It is hot in summer", but not "It was built in 1900" nor "It is the largest city in Peru".
_IT_IS = (
    r"^(?:it|it's|its|it’s)\s+"
    r"(?:is |was |has been |had been |will be |can be |would be |may be |isn't |is not |wasn't )?"
)
_EXPLETIVE = re.compile(
    _IT_IS
    + r"(?!(?:the|an?|one|my|his|her)\b|(?:\w+ed|built|made|born|written|found|known|owned|sold|taken|given|won|held)"
    r" (?:in|by|on|at|from|for|during)\b)(?:[\w'’,-]+ ){0,5}?(?:that|to|because|when|where|who|in|for|on|at|from|"
    r"during)\b.*\w|" + _IT_IS + r"(?:[\w'’,-]+ ){0,10}?(?:that|who|to)\b.*\w"
    r"|^it\s+(?:\w+ly )?(?:rain|snow|hail|thunder)\w*\b|^it (?:take|takes|took|cost|costs) \S+",
    re.IGNORECASE,
)
_VAGUE_SUBJECT = re.compile(
    r"^(?:something|things|everything|anything|someone|somebody|stuff|nothing|whatever|one thing|some things?)\b",
    re.IGNORECASE,
)


def _emptiness(clause: str, resolvable: bool) -> _Empty | None:
    """Why nothing in one unframed clause can be checked; None where something can.

    ``resolvable``: a context or an earlier sentence can settle its pronouns.
    """
    words = [bare(t) for t in clause.split()]
    content = content_words(words)
    short = clause if len(clause) <= 40 else clause[:37] + "…"
    first = words[0] if words else ""
    head = first.split("'")[0]
    pronoun = head in {"he", "she", "it", "they"} or (
        head in {"this", "that", "these", "those"}
        and ("'" in first or (len(words) > 1 and words[1] in AUXILIARY | THIRD))
    )
    if pronoun and not resolvable and not _anchored(clause, head, content):
        return _Empty(
            0.9,
            f"“{head.capitalize()}” points at somebody or something that the text does not name.",
            f"Say who or what “{head}” is, and what exactly happened, or add a context.",
        )
    vague = pronoun or first in {"you", "i", "we"} or (len(words) > 3 and _VAGUE_SUBJECT.match(clause) is not None)
    thin = content == 0 or (content == 1 and not resolvable and vague)
    if thin and not (pronoun and resolvable and len(words) > 2):
        return _Empty(
            0.88,
            f"“{short}” names nothing that evidence could be about.",
            "Name who or what it is about, what happened, and where or when.",
        )
    if has_predicate(words) or re.search(r"\w\s*(?:[:=]|—|–)\s*\w", clause):
        return None
    if len(words) >= 6 and first not in DETERMINER:
        return None
    return _Empty(
        0.86 if len(words) < 4 else 0.75,
        f"“{short}” has no verb, so it does not say that anything is the case.",
        f"Make it a sentence: say what “{short}” is, does or did.",
    )


def _anchored(clause: str, head: str, content: int) -> bool:
    """Whether a sentence that opens with a pronoun can be checked all the same ("It is illegal to own … in …")."""
    if head == "it":
        return content >= 2 and _EXPLETIVE.match(clause) is not None
    return head == "they" and content >= 4
