"""One sentence of a judge against the quotes it leans on: nothing in it may come from elsewhere."""

import re
from collections.abc import Sequence

from ghost.judges.language import foreign_language
from ghost.steps.citations import MIN_QUOTE_CHARS, Refusal, fold, stands_at_words
from ghost.steps.numbers import stray_number
from ghost.steps.on_claim import called
from ghost.steps.quotations import quotations, spans, unquoted
from ghost.steps.turned import turned
from ghost.types import Citation, Evidence, Label, Passage

MARK = re.compile(r"\s*\[(\d{1,4})\]")
Objection = tuple[Refusal, str]


def objection(
    text: str, accepted: Sequence[Citation], evidence: Sequence[Evidence], known: Sequence[str]
) -> Objection | None:
    """What is wrong with a sentence whose accepted citations are these; ``known`` is what the analyst has written."""
    if not accepted:
        return Refusal.NO_CITATION, "It leans on no citation that holds."
    passages = [e.passage for e in evidence if e.number in {c.n for c in accepted}]
    sources = [fold(t) for t in (*(p.text for p in passages), *known)]
    for words in quotations(text):
        # A mark in it may be the source's own, or ours where nobody has closed the quotation.
        if not (_stands(words, sources) or _stands(MARK.sub("", words), sources)):
            return Refusal.STRAY_QUOTE, f"It quotes “{words}”, which stands in none of the passages it cites."
    own = MARK.sub("", unquoted(text))
    if stray := _stray(own, accepted, passages, known):
        return Refusal.STRAY_NUMBER, f"It says {stray}, which neither its quotes nor the claim say."
    if _foreign(own, known):
        return Refusal.OTHER_LANGUAGE, "It is neither in English nor in the language of the claim."
    repeats = any(fold(own).strip(" .!?") in fold(c.quote) for c in accepted)
    told = _without_names(own, passages)
    if not repeats and any(turned(c.quote, told, known) for c in accepted):
        return Refusal.OPPOSITE_SENTENCE, "It says the opposite of its own quote."
    return None


def against_label(text: str, label: Label, known: Sequence[str] = ()) -> Objection | None:
    """Whether a sentence states the opposite of the label; ``known`` is what the analyst has written."""
    opposite = {Label.TRUE: False, Label.FALSE: True}.get(label)
    if opposite is not None and opposite in called(MARK.sub("", unquoted(text)), known):
        return Refusal.AGAINST_LABEL, f"It says the opposite of the label “{label}”."
    return None


def marked(text: str, accepted: Sequence[Citation]) -> str:
    """The sentence on one line with a mark for each citation that holds, and for no other."""
    good = list(dict.fromkeys(c.n for c in accepted))

    def keep(found: re.Match[str]) -> str:
        return found.group(0) if int(found.group(1)) in good else ""

    cut, out = 0, ""
    for start, end in [*spans(text), (len(text), len(text))]:  # a quote may have brackets of its own
        out += MARK.sub(keep, text[cut:start]) + text[start:end]
        cut = end
    out = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(out.split()))
    have = {int(n) for n in re.findall(r"\[(\d{1,4})\]", out)}
    if missing := "".join(f" [{n}]" for n in good if n not in have):
        body = out.rstrip(".!?")
        out = f"{body}{missing}{out[len(body) :]}"
    return out


def _stands(words: str, sources: Sequence[str]) -> bool:
    wanted = fold(words).strip(" .,;:!?…")
    if not wanted:
        return True
    if len(wanted) < MIN_QUOTE_CHARS:  # single words in quotation marks; case is no matter there
        return any(stands_at_words(wanted.lower(), s.lower()) for s in sources)
    return any(stands_at_words(wanted, s) for s in sources)


def _without_names(own: str, passages: Sequence[Passage]) -> str:
    """The words of a judge without the names of those it quotes: that the Harbour Times says so says nothing itself."""
    names = {name for p in passages for name in (p.publisher, p.domain, p.title) if name}
    for name in sorted(names, key=len, reverse=True):
        own = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", own)
    return own


def _stray(own: str, accepted: Sequence[Citation], passages: Sequence[Passage], known: Sequence[str]) -> str:
    names = (t for p in passages for t in (p.title, p.publisher, p.domain, str(p.published_at or "")))
    leans_on = " \n ".join((*(c.quote for c in accepted), *known, *names))
    return stray_number(own, leans_on, " \n ".join(p.text for p in passages))


def _foreign(own: str, known: Sequence[str]) -> bool:
    language = foreign_language(own)
    return language is not None and language != (foreign_language(known[0]) if known else None)
