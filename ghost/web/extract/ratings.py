"""Ratings in text: the one form of words for a fact-check as a passage, and the forms in which pages rate a claim."""

import re

from ghost.web.extract.rating_words import Meaning as Meaning
from ghost.web.extract.rating_words import is_check, is_rating, kinds_of, read_rating

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
_NO = ("not", "false")
_QUOTES = str.maketrans("“”", "‘’")


def meaning(rating: str) -> Meaning | None:
    """What a rating means; None for one that only a person can judge.

    A number on its own scale speaks where there are no words, and where no word is known and it is the worst there is.
    Words for "true" that it contradicts mean nothing.
    """
    found = _SCALE.search(rating.strip())
    if not found:
        return read_rating(rating)
    words = rating[: found.start()].strip()
    share = share_of(float(found["value"]), float(found["worst"]), float(found["best"]))
    if share is None:
        return read_rating(words)
    if not words:
        return Meaning.FALSE if share <= _FALSE_UP_TO else Meaning.TRUE if share >= _TRUE_FROM else Meaning.MIXED
    means = read_rating(words)
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
        if is_rating(how) and (means := read_rating(how)):
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
    if is_check(label):
        return labelled(claim) or _headline(claim)
    # “That is wrong: …” goes on with the reasons.
    means = read_rating(label) if is_rating(label) and "it" not in kinds_of(label) else None
    if means is Meaning.FALSE and denies(claim):
        means = Meaning.MIXED
    return (claim, means) if means else None


def _headline(text: str) -> tuple[str, Meaning] | None:
    """What follows “Fact check:”; None where it says itself what is so."""
    if (goes_on := _after_no(text)) is not None:
        return goes_on, Meaning.TRUE if denies(goes_on) else Meaning.MIXED
    speaks = {"not", "false", "misleading", "unproven", "satire"} & set(kinds_of(text))
    return None if speaks and not asks(text) else (text, Meaning.MIXED)


def denies(text: str) -> bool:
    """Whether a text has a word for "not" in it."""
    return "not" in kinds_of(text)


def asks(sentence: str) -> bool:
    """Whether a sentence is a question, which states nothing."""
    return sentence.rstrip("\"'”’»)] ").endswith("?")


def _after_no(sentence: str) -> str | None:
    """What a sentence that begins with “No, …” goes on to say; None for any other."""
    found = _ANSWER.match(sentence.strip())
    return found["rest"] if found and " ".join(kinds_of(found["answer"])) in _NO else None
