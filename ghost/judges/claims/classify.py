"""Step 1 without a model: what type a claim is and which statements it makes, by rules that can name their reason."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ghost.judges.claims import lexicon
from ghost.judges.claims.antecedents import subject_of, with_antecedent
from ghost.judges.claims.clauses import clauses
from ghost.judges.claims.framing import unframe, without_exhortation
from ghost.judges.claims.open_clauses import settle
from ghost.judges.claims.questions import declarative, is_open_question
from ghost.judges.claims.reader import ReadsClaims
from ghost.judges.claims.sentences import capitalised, sentences, trim
from ghost.judges.claims.weigh import weigh
from ghost.judges.claims.weighed import Kind, Weighed
from ghost.judges.claims.wordscan import bare, first_verb
from ghost.judges.language import unreadable_language
from ghost.sentences import pieces
from ghost.types import ClaimType, Classification, ReasonCode, Statement

MAX_STATEMENTS = 8
"""More parts than this make no claim but an article; the rest is left out and the reason says so."""

MAX_CHARS = 6_000
"""More is not read: it would be far beyond MAX_STATEMENTS, and nobody waits for a pasted book."""

_ASIDE = re.compile(r",\s+(which|who)\s+([^,]+)$")
_NAME_END = re.compile(r"((?:[A-Z0-9][\w'’.-]*)(?:\s+[A-Z0-9][\w'’.-]*)*)$")
_LONE_URL = re.compile(r"^(?:https?://|www\.)\S+$")
_CONJUNCTION = re.compile(r",?\s+(?:and|but|so|yet)(?: (?:that's why|therefore))?\s+")
_GROUND = re.compile(r",?\s+because\s+|:\s+")
"""What follows gives the fact that an opinion is about."""
_CONDITION = lexicon.words("if unless when whenever whether although though because while either both between")
_GREETING_WORDS = 7
SENTENCE_CHARS = 600
"""What has no full stop for so long is a list; it is cut at a pause. The rules compare words of a sentence with each
other, so a longer one would take long."""
_LONG_CLAUSE = 80
"""Words; cutting a longer one at each of its conjunctions would take long."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One clause with its judgement, in the order of the text."""

    text: str
    weighed: Weighed


def classify(
    text: str, context: str = "", reader: ReadsClaims | None = None, check: Callable[[], None] = lambda: None
) -> Classification:
    """Type, statements and reason of a claim; ``context`` is what the analyst added to make pronouns clear.

    ``check`` is called between two sentences and may raise to stop.

    The rules that are certain come first; ``reader`` decides what they leave open and scores check-worthiness.
    Without a reader the rules decide alone, never raise on any string, and check-worthiness stays None. With one,
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
    parts = _parts(trimmed, bool(context.strip()), check)
    if reader is None:
        return _summed_up([p.weighed for p in parts])
    settled, worth = settle(trimmed, [p.weighed for p in parts], reader, check)
    return replace(_summed_up(settled), check_worthiness=worth)


def _beginning(text: str) -> str:
    """What is read of a long text: whole sentences where there are any, else whole words."""
    start = text.lstrip()[:MAX_CHARS]
    end = max(start.rfind(mark) for mark in (". ", "! ", "? ", ".\n", "\n\n"))
    if end > MAX_CHARS // 2:
        return start[: end + 1]
    return start.rpartition(" ")[0] or start


def _summed_up(parts: list[Weighed]) -> Classification:
    """The claim as a whole, from its clauses in the order of the text."""
    facts = _distinct([p for p in parts if p.kind is Kind.FACT])
    opinions = [p for p in parts if p.kind is Kind.OPINION]
    if facts:
        return _checkable(facts, opinions)
    if opinions:
        first = opinions[0]
        return Classification(ClaimType.OPINION, first.confidence, (), first.why, first.rephrase, ReasonCode.OPINION)
    if not parts:
        return _ambiguous(
            "There is no sentence in the text.", "Enter a sentence that says something about the world.", 0.95
        )
    empty = parts[0]
    return _ambiguous(empty.why, empty.rephrase, empty.confidence)


def _sentences(text: str) -> Iterator[str]:
    for sentence in sentences(without_exhortation(text)):
        for start, end in pieces(sentence, 0, len(sentence), SENTENCE_CHARS):
            yield sentence[start:end]


def _parts(text: str, has_context: bool, check: Callable[[], None]) -> list[_Part]:
    """Every clause of the trimmed text, framing off, questions turned round, pronouns replaced where that is safe."""
    parts: list[_Part] = []
    antecedent: str | None = None
    for sentence in _sentences(text):
        check()
        plain = unframe(sentence)
        if not any(map(str.isalnum, plain)):
            continue
        if antecedent:
            plain = with_antecedent(plain, antecedent)
        if _is_greeting(plain):
            continue
        if plain.endswith("?") or is_open_question(plain):
            parts.append(_question(plain, has_context))
            continue
        resolvable = has_context or any(p.weighed.kind is Kind.FACT for p in parts)
        for clause in clauses(plain):
            for piece in _without_aside(clause):
                parts.extend(_opinion_cut(piece, weigh(piece, resolvable), resolvable))
        antecedent = subject_of(plain) or _loved(plain) or antecedent
    return parts


def _opinion_cut(clause: str, weighed: Weighed, resolvable: bool) -> list[_Part]:
    """An opinion that follows a fact after "and" or "but" is cut off; leaving it out changes no fact."""
    if (weighed.kind is not Kind.OPINION and " I " not in clause) or len(clause.split()) > _LONG_CLAUSE:
        return [_Part(clause, weighed)]
    for match in _GROUND.finditer(clause):
        left, right = clause[: match.start()], capitalised(clause[match.end() :])
        judging, ground = weigh(left, True), weigh(right, False)
        words = [bare(t) for t in right.split()]
        full = len(words) > 3 and first_verb(words) is not None and words[0] not in lexicon.PRONOUN
        if judging.kind is Kind.OPINION and ground.kind is Kind.FACT and full:
            return [_Part(left, judging), _Part(right, ground)]
    for match in _CONJUNCTION.finditer(clause):
        left, right = clause[: match.start()], clause[match.end() :]
        words = [bare(t) for t in left.split()]
        verb = first_verb(words)
        if verb is None or _CONDITION & set(words):
            continue
        fact = weigh(left, resolvable)
        subject = " ".join(left.split()[:verb])
        tries = [right, f"{subject} {right}"]
        if words[verb] in lexicon.BE and words[0] != "there":
            tries.append(f"{subject} {words[verb]} {right}")
        opinion = next((w for w in (weigh(t, True) for t in tries) if w.kind is Kind.OPINION), None)
        if fact.kind is Kind.FACT and opinion is not None:
            return [_Part(left, fact), _Part(right, opinion)]
    return [_Part(clause, weighed)]


def _question(text: str, has_context: bool) -> _Part:
    statement = None if is_open_question(text) else declarative(text)
    if statement is None:
        why = "It is a question that asserts nothing."
        return _Part(
            text, Weighed(Kind.EMPTY, 0.93, why, "Put the answer you want checked into a sentence, as in “X is Y”.")
        )
    weighed = weigh(statement, has_context)
    return _Part(statement, weighed)


def _without_aside(clause: str) -> list[str]:
    """The clause, and a closing ", which …" as a clause of its own when it clearly belongs to a name before it."""
    match = _ASIDE.search(clause)
    if not match:
        return [clause]
    main, rest = clause[: match.start()], match.group(2)
    name = _NAME_END.search(main)
    judged = weigh(f"It {rest}", True)
    if judged.kind is Kind.OPINION:
        return [main, f"This {rest}"]
    if weigh(main, True).kind is not Kind.FACT and name:
        return [main, f"{name.group(1)} {rest}"]
    return [clause]


def _loved(sentence: str) -> str | None:
    """The thing a feeling is about: "I love Iceland" speaks of Iceland next."""
    match = re.match(
        r"^(?:I|We) (?:\w+ ){0,2}(?:love|hate|like|enjoy|adore|visited|miss) ([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*|"
        r"[a-z]+)[.!]*$",
        sentence,
    )
    return match.group(1) if match else None


def _distinct(facts: list[Weighed]) -> list[Weighed]:
    first: dict[str, Weighed] = {}
    for fact in facts:
        first.setdefault(fact.core.casefold(), fact)
    return list(first.values())


def _checkable(facts: list[Weighed], opinions: list[Weighed]) -> Classification:
    kept = facts[:MAX_STATEMENTS]
    statements = tuple(Statement(n, f.core) for n, f in enumerate(kept, 1))
    taste = next((f.taste for f in kept if f.taste), "")
    sure = min(f.confidence for f in kept)
    what = "one statement" if len(kept) == 1 else f"{len(kept)} statements"
    if opinions or taste:
        kind = ClaimType.MIXED
        sure = min(sure, *(o.confidence for o in opinions)) if opinions else sure
        left_out = taste or opinions[0].taste
        reason = f"It mixes facts and opinion: “{left_out}” cannot be checked and was left out; {what} can be."
        if taste and any(f.core.startswith(taste.rstrip("…")) for f in kept):
            reason = f"It mixes facts and opinion; {what} can be checked, judging words included."
    else:
        kind = ClaimType.FACTUAL
        reason = f"It makes {what} that evidence can support or refute."
    if len(facts) > MAX_STATEMENTS:
        reason += f" Only the first {MAX_STATEMENTS} of {len(facts)} statements are checked."
    return Classification(kind, round(sure, 2), statements, reason)


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
    if _is_greeting(text):
        return "It is a greeting or small talk; it states nothing.", sentence, 0.95
    words = [bare(t) for t in text.split()]
    if _is_gibberish(words):
        return "The text does not read as words.", sentence, 0.85
    if len(words) > 2 and len(set(words)) == 1:
        return "The same word is repeated; nothing is stated.", sentence, 0.9
    return None


def _is_greeting(text: str) -> bool:
    match = lexicon.GREETING.match(text)
    if not match or len(text.split()) > _GREETING_WORDS:
        return False
    rest = [bare(t) for t in text[match.end() :].split()]
    return all(w in lexicon.GREETING_REST or not w or lexicon.GREETING.match(w) for w in rest) or (
        len(rest) == 1 and text[match.end() :].strip()[:1].isupper()
    )


def _is_gibberish(words: list[str]) -> bool:
    """Keyboard noise: hardly a word that English could have, and no small word in between."""
    plain = [w for w in words if w.isascii() and w.isalpha() and len(w) > 3]
    if not plain or any(w in lexicon.STOP for w in words):
        return False
    odd = sum(
        1 for w in plain if not re.search(r"[aeiouy]", w) or re.search(r"[bcdfghjklmnpqrstvwxz]{5}|q(?!u)|(.)\1\1", w)
    )
    return odd * 2 >= len(plain) and odd * 2 >= len(words)
