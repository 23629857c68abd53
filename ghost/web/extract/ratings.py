"""Ratings of fact-checkers: what their words mean, by a small vocabulary per language, and the forms they come in.

A rating is *true* only where every word of it is known and none takes anything back: "True photo, false caption" is
not true, nor is "Correct until 2018". A rating is *false* where nothing unknown stands before or right behind the word
that says so: "False attribution" is about the attribution. What cannot be read this way is left to a person.
"""

import json
import re
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path


class Meaning(Enum):
    """What a rating says of the claim that was reviewed. Only the first two take a side."""

    FALSE = "false"
    TRUE = "true"
    MISLEADING = "misleading"
    """It deceives, whether or not it is true to the letter."""
    MIXED = "mixed"
    """True in part, or true with a reservation."""
    UNPROVEN = "unproven"
    SATIRE = "satire"


_FILE = Path(__file__).with_name("rating_words.json")
_MOST = 500
_KNOWN = 1024
_TOKEN = re.compile(r"[^\W_]+|[,.:;!?…()\[\]\n–—|/]|(?<=\s)-(?=\s)")
_ENDS = frozenset(".:;!?…\n")
_PAUSES = frozenset(",()[]–—|/-")
_NO_SIDE = (Meaning.SATIRE, Meaning.MISLEADING, Meaning.UNPROVEN, Meaning.MIXED)
"""In the order in which they outrank one another, and any side, within one sentence."""
_LEAD = frozenset(("check", "label", "rates", "it", "degree", ","))
"""What may stand around a rating and is none: “Our rating:”."""

Kinds = list[str]
"""The kind of each word or phrase in turn; empty for one that is not in the vocabulary."""
_FORM = re.compile(r"^.{1,400}? rated the claim “(?P<claim>[^“”]+)” as (?P<rating>[^“”]+)\.$", re.DOTALL)
_PROSE = re.compile(
    r"^(?:the|this|that|a) (?:\w+ ){0,2}"
    r"(?:claim|rumou?r|allegation|assertion|statement|story|report|idea|notion|belief)s? that "
    r"(?P<what>[^.!?“”]{3,300})\.(?:\s|$)",
    re.IGNORECASE,
)
"""How fact-checkers say it in a sentence of their text, which may go on with the reasons."""
_IS = re.compile(r" (?:is|are|was|were) ")
_LABEL = re.compile(
    r"^(?:\[(?P<inside>[^\[\]]{2,60})\](?:\s*[:–—-])?|(?P<before>[^:–—“”]{2,60}?)(?:\s*:|\s+[–—-]))\s+(?P<claim>\S.{9,})$",
    re.DOTALL,
)
"""“FALSE: …”, “Fake – …”, “[Hoax] …”."""
_ANSWER = re.compile(r"^(?P<answer>[^\s,.:;!–—]{2,10})\s*[,.:;!–—]+\s*(?P<rest>.*)$", re.DOTALL)
_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_SCALE = re.compile(
    rf"(?:^|\()(?P<value>{_NUMBER}) on a scale from (?P<worst>{_NUMBER}) \(worst\) to (?P<best>{_NUMBER}) \(best\)\)?$"
)
_FALSE_UP_TO = 0.25
_TRUE_FROM = 0.75
"""Shares of a scale: of 1 to 5, the numbers up to 2 stand for “mostly false”, those from 4 on for “mostly true”."""
_QUOTES = str.maketrans("“”", "‘’")


@lru_cache(_KNOWN)
def _read_rating(words: str) -> Meaning | None:
    """What a rating means; None where the vocabulary does not suffice."""
    sentences = [s for s in _sentences(words) if not _leads(*s)]
    if not sentences:
        return None
    means = _meaning(sentences[0][0])
    if means is Meaning.TRUE:  # whatever the rest takes back, is taken back
        kinds = {kind for rest, _ in sentences[1:] for kind in rest}
        means = next((m for m in _NO_SIDE if m.value in kinds), means)
        if means is Meaning.TRUE and kinds & {"false", "not", "but", "partly"}:
            means = Meaning.MIXED
    return means


def is_rating(words: str) -> bool:
    """Whether all of it is a rating and nothing else: “FALSE”, “Hoax Alert”, and neither “No” nor “False friends”."""
    kinds = kinds_of(words)
    return all(kinds) and bool(set(kinds) - _LEAD - {"not", "thing"})


def announced(sentence: str) -> Meaning | None:
    """What a sentence rates that says it is a rating: “Our rating: False”, “We rate this claim as false”; else None."""
    if is_rating(sentence) and "rates" in kinds_of(sentence):
        return _read_rating(sentence)
    head, colon, rest = sentence.partition(":")
    return _read_rating(rest) if colon and is_rating(rest) and _leads(kinds_of(head), colon) else None


def kinds_of(words: str) -> Kinds:
    """The kinds of the words and phrases of a short text, in order."""
    return [kind for sentence, _ in _sentences(words) for kind in sentence]


def _meaning(kinds: Kinds) -> Meaning | None:
    if "because" in kinds:
        kinds = kinds[: kinds.index("because")]
    have = set(kinds)
    if "misleading" in have and kinds[kinds.index("misleading") - 1 : kinds.index("misleading")] == ["not"]:
        return None
    if found := next((m for m in _NO_SIDE if m.value in have), None):
        return found
    if "partly" in have and have & {"true", "false"}:
        return Meaning.MIXED
    if {"true", "false"} <= have:
        return Meaning.MIXED if "" not in have else None
    if "true" in have:
        return _of_true(kinds, have)
    if "false" in have:
        return _of_false(kinds, have)
    if "not" in have and have <= {"not", "it", ","}:
        return Meaning.FALSE
    return Meaning.FALSE if kinds[:2] == ["not", ","] else None


def _of_true(kinds: Kinds, have: set[str]) -> Meaning | None:
    before = kinds[: kinds.index("true")]
    if "not" in before:
        between = before[len(before) - before[::-1].index("not") :]
        if set(between) <= {"it"}:
            return Meaning.FALSE
        return Meaning.MIXED if set(between) <= {"it", "degree"} else None
    if "not" in have and have <= {"true", "not", "it", "degree"}:  # “Das stimmt nicht”
        return Meaning.FALSE
    if "but" in have:
        return Meaning.MIXED
    return Meaning.TRUE if not have & {"", "not", "thing"} else None


def _of_false(kinds: Kinds, have: set[str]) -> Meaning | None:
    if "not" in kinds[: kinds.index("false")]:
        return None
    if "but" in have:
        return Meaning.MIXED
    clause = kinds[: next((i for i, k in enumerate(kinds) if k == "," and "false" in kinds[:i]), len(kinds))]
    return Meaning.FALSE if all(clause) else None


def _leads(kinds: Kinds, end: str) -> bool:
    """Whether a sentence comes before the rating: “True or false?”, “AP's assessment:”, “Fact check –”."""
    asks = end == "?"
    names = end == ":" and bool({"label", "check"} & set(kinds)) and not {"true", "false"} & set(kinds)
    return asks or names or set(kinds) <= _LEAD


def _sentences(words: str) -> list[tuple[Kinds, str]]:
    text = unicodedata.normalize("NFKC", words[:_MOST]).casefold().replace("’", "'").replace("n't", " not")
    found: list[tuple[Kinds, str]] = []
    run: list[str] = []
    for token in [*_TOKEN.findall(text), "."]:
        if token not in _ENDS:
            run.append(token)
        elif run:
            found.append((_kinds(run), token))
            run = []
        elif found and token == "?":
            found[-1] = (found[-1][0], token)
    return found


def _kinds(tokens: list[str]) -> Kinds:
    """Longest phrases first."""
    words, longest = _vocabulary()
    kinds: Kinds = []
    at = 0
    while at < len(tokens):
        if tokens[at] in _PAUSES:
            kinds.append(",")
            at += 1
            continue
        size = next((n for n in range(longest, 0, -1) if tuple(tokens[at : at + n]) in words), 0)
        kinds.append(words[tuple(tokens[at : at + size])] if size else "")
        at += size or 1
    return kinds


@cache
def _vocabulary() -> tuple[dict[tuple[str, ...], str], int]:
    """Phrase -> kind in all languages together, as a rating seldom says which it is in; and the longest phrase."""
    languages = json.loads(_FILE.read_text(encoding="utf-8"))
    words = {
        tuple(unicodedata.normalize("NFKC", phrase).casefold().split()): kind
        for kinds in languages.values()
        for kind, phrases in kinds.items()
        for phrase in phrases
    }
    return words, max(map(len, words))


def meaning(rating: str) -> Meaning | None:
    """What a rating means; None for one that only a person can judge.

    A number on its own scale speaks where there are no words, and where no word is known and it is the worst there is.
    Words for "true" that it contradicts mean nothing.
    """
    found = _SCALE.search(rating.strip())
    if not found:
        return _read_rating(rating)
    words = rating[: found.start()].strip()
    share = share_of(float(found["value"]), float(found["worst"]), float(found["best"]))
    if share is None:
        return _read_rating(words)
    if not words:
        return Meaning.FALSE if share <= _FALSE_UP_TO else Meaning.TRUE if share >= _TRUE_FROM else Meaning.MIXED
    means = _read_rating(words)
    if means is Meaning.TRUE and share < _TRUE_FROM:
        return None
    if means is None and share == 0.0 and not {"true", "not", "partly"} & set(kinds_of(words)):
        return Meaning.FALSE
    return means


def share_of(value: float | None, worst: float | None, best: float | None) -> float | None:
    """0 (worst) to 1 (best); None where an end of the scale is missing, or the value is outside."""
    if value is None or worst is None or best is None or worst == best:
        return None
    share = (value - worst) / (best - worst)
    return share if 0.0 <= share <= 1.0 else None


def on_scale(words: str, value: float | None, worst: float | None, best: float | None) -> str:
    """A rating in words, with its number where the words do not suffice or the number speaks against them.

    Empty where it has neither words nor a number on a scale of its own.
    """
    if share_of(value, worst, best) is None:
        return words
    number = f"{value:g} on a scale from {worst:g} (worst) to {best:g} (best)"
    if not words:
        return number
    both = f"{words} ({number})"
    return words if meaning(words) and meaning(both) is meaning(words) else both


def worded(reviewer: str, claim: str, rating: str) -> str:
    """A fact-check in the one form that ``rated`` knows; quotation marks inside cannot imitate it."""
    who, what, how = (text.strip().translate(_QUOTES) for text in (reviewer, claim, rating.strip().rstrip(".")))
    return f"{who} rated the claim “{what}” as {how}."


def rated(text: str) -> tuple[str, Meaning] | None:
    """The reviewed claim and what was said of it, where a text is a fact-check in our form or begins like one."""
    if form := _FORM.match(text):
        means = meaning(form["rating"])
        return (form["claim"], means) if means else None
    if not (prose := _PROSE.match(text.strip())):
        return None
    for verb in reversed(list(_IS.finditer(prose["what"]))):  # “that warming is a hoax is false”
        how = prose["what"][verb.end() :]
        if is_rating(how) and (means := _read_rating(how)):
            return prose["what"][: verb.start()], means
    return None


def labelled(sentence: str) -> tuple[str, Meaning] | None:
    """The claim behind a label and what the label says of it: “FALSE: …”, “Hoax alert – …”, “Fact check: No, …”.

    No side is taken where a label is put before a denial, or where a fact-check only names its subject.
    """
    found = _LABEL.match(sentence.strip())
    if not found:
        return None
    label, claim = found["inside"] or found["before"], found["claim"]
    kinds = kinds_of(label)
    if "check" in kinds and set(kinds) <= _LEAD:  # it only announces a fact-check
        return labelled(claim) or _headline(claim)
    # “That is wrong: …” goes on with the reasons.
    means = _read_rating(label) if is_rating(label) and "it" not in kinds else None
    if means is Meaning.FALSE and "not" in kinds_of(claim):
        means = Meaning.MIXED
    return (claim, means) if means else None


def _headline(text: str) -> tuple[str, Meaning] | None:
    """What follows “Fact check:”; None where it says itself what is so."""
    answer = _ANSWER.match(text.strip())
    if answer and kinds_of(answer["answer"]) in (["not"], ["false"]):  # “No, …”
        goes_on = answer["rest"]
        return goes_on, Meaning.TRUE if "not" in kinds_of(goes_on) else Meaning.MIXED
    speaks = {"not", "false", "misleading", "unproven", "satire"} & set(kinds_of(text))
    return None if speaks and not asks(text) else (text, Meaning.MIXED)


def asks(sentence: str) -> bool:
    """Whether a sentence is a question, which states nothing."""
    return sentence.rstrip("\"'”’»)] ").endswith("?")
