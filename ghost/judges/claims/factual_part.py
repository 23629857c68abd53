"""The factual part of a clause that judges while it tells: cuts that a reader would make, the classifier picks."""

import re
from collections.abc import Iterator

from ghost.judges.claims import lexicon, loaded
from ghost.judges.claims.reader import ReadsClaims
from ghost.judges.claims.sentences import capitalised
from ghost.judges.claims.wordscan import bare, content_words, first_verb, has_predicate, with_article

_TAIL = re.compile(r"\s+[–—-]\s+|\s*—\s*|:\s+|;\s+|,\s+")
_FRAME = re.compile(
    r"^(?:it(?:'s| is| was)|isn't it|how|i(?:'m| am)|we(?:'re| are)|what|thank (?:god|goodness|heavens)|"
    r"nobody (?:should|can)|(?:a|the) (?:shame|scandal|disgrace))\b(?:[^,:]{0,40}?\b)that\s+(?=\S+ \S+ \S)"
    r"|^thank (?:god|goodness|heavens)\s+(?=\S+ \S+ \S)"
    r"|^(?:what an? \w+|i hate to say it|say what you like(?: about \w+)?)\s*[:,]\s*(?:but )?(?=\S+ \S+ \S)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:[A-Z][a-z]+ly|to (?:\w+ ){1,3}shame|as (?:ever|usual|always)|of course|alas|once again)"
    r"(?: for us all)?,?\s+(?=\S+ \S)"
)
_CONCESSION = re.compile(
    r"^(?:while|although|though|despite|even if)\b[^,]+,\s+(?=\S+ \S+ \S)|,?\s+(?:though|although)\s+.+$", re.IGNORECASE
)
_ASIDE = re.compile(r",\s+[^,]+,(?=\s)|\s+\([^)]*\)|\s+[–—-]\s+[^–—]+\s+[–—-](?=\s)")
_TURN = re.compile(r",?\s+(?:and|but|yet|because|so)\s+")
_TOO_MUCH = 0.5
_TRIES = 24
_WORDS = 80


def factual_part(clause: str, reader: ReadsClaims) -> str:
    """The longest cut of ``clause`` that reads as a plain fact, without a word of judgement; "" where none does.

    Raises ModelError.
    """
    if len(clause.split()) > _WORDS:
        return ""
    tries: dict[str, None] = {}
    for text in _cuts(clause, depth=2):
        whole = _tidy(text, clause)
        if whole != clause and _stands(whole):
            tries.setdefault(whole)
        if len(tries) >= _TRIES:
            break
    if not tries:
        return ""
    readings = dict(zip(tries, reader.read(list(tries)), strict=True))
    # Without a word of judgement a cut that is left of a mixed clause may still look mixed; an opinion it must not be.
    good = [t for t, r in readings.items() if max(r.opinion, r.ambiguous) < _TOO_MUCH and not loaded.is_marked(t)]
    return max(good, key=lambda t: (len(t), readings[t].factual), default="")


def _cuts(text: str, depth: int) -> Iterator[str]:
    """Shorter versions of ``text``, each by one or two cuts."""
    shorter = [
        _plainer(text),
        _FRAME.sub("", text, count=1),
        _ADVERB.sub("", text, count=1),
        _CONCESSION.sub("", text, count=1),
        *(text[: m.start()] + text[m.end() :] for m in _ASIDE.finditer(text)),
        *(text[: m.start()] for m in _TAIL.finditer(text)),
        *(text[: m.start()] for m in _TURN.finditer(text)),
        *(text[m.end() :] for m in _TAIL.finditer(text)),
    ]
    found = [s.strip() for s in shorter if s.strip() and s != text]
    yield from found
    if depth > 1:
        for each in found:
            yield from _cuts(each, depth - 1)


def _plainer(text: str) -> str:
    """The text without judging adjectives before a noun and without "just" and "only" of blame left alone."""
    tokens = text.split()
    words = [bare(t) for t in tokens]
    verb = first_verb(words)
    kept = []
    for i, token in enumerate(tokens):
        judging = words[i] in loaded.LOADED | lexicon.TASTE and token[-1:].isalnum() and i + 1 < len(tokens)
        after = words[i - 1] if i else ""
        opens = (
            after in lexicon.DETERMINER
            or after.endswith("'s")
            or (i == 0 and len(tokens) > 1 and tokens[1][:1].isupper())
        )
        if not (judging and opens and (verb is None or i < verb or after in {"the", "this", "that"})):
            kept.append(token)
    return with_article(" ".join(kept))


def _stands(text: str) -> bool:
    words = [bare(t) for t in text.split()]
    return len(words) > 2 and has_predicate(words) and content_words(words) >= 2 and words[0] not in _LEANING


_LEANING = lexicon.words("he she it they this that these those which who and but yet so because as if each")


def _tidy(text: str, clause: str) -> str:
    text = text.strip(" ,;:–—-!?.")
    return capitalised(text) + ("." if clause.rstrip().endswith((".", "!", "?")) else "") if text else ""
