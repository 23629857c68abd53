"""One sentence of a judge against the quotes it leans on: nothing in it may come from elsewhere."""

import re
from collections.abc import Sequence

from ghost.judges.language import foreign_language
from ghost.judges.polarity import opposed
from ghost.steps.citations import MIN_QUOTE_CHARS, Refusal, fold, stands_at_words
from ghost.types import Citation, Evidence, Label, Passage

MARK = re.compile(r"\s*\[(\d{1,4})\]")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»")
_NUMBER = re.compile(r"(?<![\w])\d[\d.,\u00a0\u202f' ]*\d|\d")
_NUMBER_WORDS = frozenset(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred hundreds thousand thousands million millions billion billions trillion dozen "
    "dozens".split()
)
"""Smaller ones ("one source", "both", "two of them") count what is on the table, not what is in the world."""
_ABOUT_A_CLAIM = re.compile(
    r"\b(?:claim|statement|support|refut|contradict|myth|false|untrue|incorrect|wrong|den(?:y|ies|ied)|disprov|debunk|"
    r"no evidence|misconception|rather than)",
    re.IGNORECASE,
)
"""A sentence that speaks about the claim repeats its words without asserting them."""
_SAYS_TRUE = re.compile(r"\b(?:claim|statement) (?:is|was) (?:\w+ly |in fact )?(?:true|correct|accurate|right)\b", re.I)
_SAYS_FALSE = re.compile(
    r"\b(?:claim|statement) (?:is|was) (?:\w+ly |in fact )?(?:false|untrue|incorrect|inaccurate|wrong|not true|"
    r"not correct)\b",
    re.I,
)

Objection = tuple[Refusal, str]


def objection(
    text: str, accepted: Sequence[Citation], evidence: Sequence[Evidence], known: Sequence[str]
) -> Objection | None:
    """What is wrong with a sentence whose accepted citations are these; ``known`` is what the analyst has written."""
    if not accepted:
        return Refusal.NO_CITATION, "It leans on no citation that holds."
    passages = [e.passage for e in evidence if e.number in {c.n for c in accepted}]
    sources = [fold(t) for t in (*(p.text for p in passages), *known)]
    for span in _QUOTED.findall(text):
        if not _stands(span[1:-1], sources):
            return Refusal.STRAY_QUOTE, f"It quotes {span}, which stands in none of the passages it cites."
    own = MARK.sub("", _QUOTED.sub(" ", text))
    if stray := _stray_number(own, accepted, passages, known):
        return Refusal.STRAY_NUMBER, f"It says {stray}, which neither its quotes nor the claim say."
    if _foreign(own, known):
        return Refusal.OTHER_LANGUAGE, "It is neither in English nor in the language of the claim."
    repeats = any(fold(own).strip(" .!?") in fold(c.quote) for c in accepted)
    if not repeats and not _ABOUT_A_CLAIM.search(own) and any(opposed(c.quote, own) for c in accepted):
        return Refusal.OPPOSITE_SENTENCE, "It says the opposite of its own quote."
    return None


def against_label(text: str, label: Label) -> Objection | None:
    """Whether a sentence states the opposite of the label."""
    own = _QUOTED.sub(" ", text)
    wrong = {Label.TRUE: _SAYS_FALSE, Label.FALSE: _SAYS_TRUE}.get(label)
    if wrong and wrong.search(own):
        return Refusal.AGAINST_LABEL, f"It says the opposite of the label “{label}”."
    return None


def marked(text: str, accepted: Sequence[Citation]) -> str:
    """The sentence on one line with a mark for each citation that holds, and for no other."""
    good = list(dict.fromkeys(c.n for c in accepted))

    def keep(found: re.Match[str]) -> str:
        return found.group(0) if int(found.group(1)) in good else ""

    spans = [(m.start(), m.end()) for m in _QUOTED.finditer(text)]
    cut, out = 0, ""
    for start, end in [*spans, (len(text), len(text))]:  # a quote may have brackets of its own
        out += MARK.sub(keep, text[cut:start]) + text[start:end]
        cut = end
    out = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(out.split()))
    have = {int(n) for n in re.findall(r"\[(\d{1,4})\]", out)}
    if missing := "".join(f" [{n}]" for n in good if n not in have):
        body = out.rstrip(".!?")
        out = f"{body}{missing}{out[len(body) :]}"
    return out


def _stands(span: str, sources: Sequence[str]) -> bool:
    wanted = fold(span).strip(" .,;:!?…")
    if not wanted:
        return True
    if len(wanted) < MIN_QUOTE_CHARS:  # single words in quotation marks; case is no matter there
        return any(stands_at_words(wanted.lower(), s.lower()) for s in sources)
    return any(wanted in s for s in sources)


def _stray_number(own: str, accepted: Sequence[Citation], passages: Sequence[Passage], known: Sequence[str]) -> str:
    """The first number of a sentence that none of its sources has; empty when there is none."""
    names = (t for p in passages for t in (p.title, p.publisher, p.domain, str(p.published_at or "")))
    allowed = " \n ".join((*(c.quote for c in accepted), *known, *names))
    figures = {form for number in _NUMBER.findall(allowed) for form in _forms(number)}
    for number in _NUMBER.findall(own):
        if not _forms(number) & figures:
            return number.strip()
    words = {w.lower() for w in re.findall(r"[^\W\d_]+", allowed)}
    for word in re.findall(r"[^\W\d_]+", own):
        if word.lower() in _NUMBER_WORDS and word.lower() not in words:
            return word
    return ""


def _forms(number: str) -> set[str]:
    """The ways a number may be meant: 20,000 and 20.000 and 20 000 are alike, and so are 8.50 and 8,5."""
    bare = re.sub(r"[\s\u00a0\u202f']", "", number).strip(".,")
    forms = {re.sub(r"[.,]", "", bare)} if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", bare) else set()
    decimal = bare.replace(",", ".")
    if decimal.count(".") == 1:
        forms.add(decimal.rstrip("0").rstrip("."))
    elif "." not in decimal:
        forms.add(decimal.lstrip("0") or "0")
    else:
        forms.add(decimal.replace(".", ""))
    return (
        forms | {part.lstrip("0") or "0" for part in re.split(r"[\s.,]+", number) if part} if " " in number else forms
    )


def _foreign(own: str, known: Sequence[str]) -> bool:
    language = foreign_language(own)
    return language is not None and language != (foreign_language(known[0]) if known else None)
