"""One sentence of a judge against its quotes: nothing in it may come from anywhere else."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from ghost.judges import content, foreign_language, is_frame
from ghost.steps.gate.citations import MIN_QUOTE_CHARS, QuoteReader, Refusal, contains_whole_words, fold_typography
from ghost.text import PAGES, lookalikes, name_in, publisher_names, speaker_in
from ghost.types import Citation, Evidence, Kind, Label, Passage, cited_as, in_own_words, page_to_check

CARRIED = 0.2
"""The least probability with which the stance model must read a sentence in its quotes.

Chosen, like the next one, on `tests/data/gate_sentences.jsonl`: 82 of 120 bad sentences are below, and 7 of 120
faithful ones. `training/measure_rules.py` measures both on sentences that were written later."""
CALLED = 0.5
"""From this probability on a sentence counts as calling the claim true, or false."""
_POINTING = "check(?:ed)?(?: it)? at|entered by hand from|snippet of"
"""Before the name of a page or publisher that a sentence only points at."""
OWN_WORDS = 4
"""A sentence with fewer content words of its own, beside quotations, says nothing itself."""
MARK = re.compile(r"\s*\[(\d{1,4})\]")
Objection = tuple[Refusal, str]


def find_objection(
    text: str,
    accepted: Sequence[Citation],
    evidence: Sequence[Evidence],
    known: Sequence[str],
    quotes: QuoteReader | None = None,
) -> Objection | None:
    """What is wrong with a sentence that has these accepted citations; ``known`` is what the analyst wrote.

    Without ``quotes`` the sentence is not compared with what its quotes say.
    """
    if not accepted:
        return Refusal.NO_CITATION, "It leans on no citation that holds."
    text = _without_sources(text, accepted)
    passages = [e.passage for e in evidence if e.number in {c.n for c in accepted}]
    sources = [fold_typography(t) for t in (*(p.text for p in passages), *known)]
    for words in quotations(text):
        # A mark in it may be the source's own, or ours where the quotation was never closed.
        if not (_is_in_sources(words, sources) or _is_in_sources(MARK.sub("", words), sources)):
            return Refusal.STRAY_QUOTE, f"It quotes “{words}”, which stands in none of the passages it cites."
    if speaker := wrong_speaker(text, accepted, passages, known):
        return Refusal.WRONG_SPEAKER, f"It lets “{speaker}” speak, whose words it does not cite."
    own = MARK.sub("", unquoted(text))
    if stray := _stray_number(own, accepted, passages, known):
        return Refusal.STRAY_NUMBER, f"It says {stray}, which neither its quotes nor the claim say."
    if _in_other_language(own, known):
        return Refusal.OTHER_LANGUAGE, "It is neither in English nor in the language of the claim."
    return _not_in_quotes(text, accepted, quotes) if quotes else None


def wrong_speaker(text: str, accepted: Sequence[Citation], passages: Sequence[Passage], known: Sequence[str]) -> str:
    """The publisher or page that a sentence lets speak though it was not read there; empty where there is none.

    A name that the analyst or the passage has too may be what the sentence is about, and counts only as a speaker. A
    name with a slip of the pen is that name.
    """
    unread = [p for p in passages if not in_own_words(p)]
    if not unread:
        return ""
    own = text
    for words in (*(c.quote.strip().rstrip(".") for c in accepted), *quotations(text)):
        own = own.replace(words, " ") if len(words) >= MIN_QUOTE_CHARS else own
    read_too = len(unread) < len(passages)
    read = {name for p in passages if in_own_words(p) for name in publisher_names(p.publisher, p.domain)}
    for p in unread:
        for where in (page_to_check(p), p.publisher, p.domain, *PAGES):
            own = re.sub(rf"(?i:{_POINTING}) (?:the |its )?{re.escape(where)}", " ", own) if where else own
    for p in unread:
        names = publisher_names(p.publisher, p.domain) - read
        subject = " ".join((p.text, *known))
        others = frozenset(name for name in names if not name_in(subject, [name]))
        near, near_others = (lookalikes(own, some, " ".join((subject, p.title, *read))) for some in (names, others))
        pages = [word for word in PAGES if word not in subject.casefold()] if not read_too else []
        title = [p.title] if p.title and not name_in(subject, [p.title]) else []
        if found := name_in(own, others | near_others) or speaker_in(own, names.union(near, pages, title)):
            return found
    return ""


def unquoted_notes(text: str, passages: Sequence[Passage], known: Sequence[str]) -> str:
    """The sentence without quotation marks around the words of notes, which nobody but their writer has said."""
    notes = [fold_typography(p.text) for p in passages if p.kind is Kind.NOTE]
    others = [fold_typography(t) for t in (*(p.text for p in passages if p.kind is not Kind.NOTE), *known)]
    others += [fold_typography(words) for p in passages for words in quotations(p.text)]
    for start, end in reversed(spans(text) if notes else []):
        words = text[start:end].strip(_MARKS)
        if _is_in_sources(words, notes) and not _is_in_sources(words, others):
            text = f"{text[:start]}{words}{text[end:]}"
    return text


def contradicts_label(text: str, citations: Sequence[Citation], label: Label, quotes: QuoteReader) -> Objection | None:
    """Whether the stance model reads a sentence as saying the opposite of the label."""
    opposite = {Label.TRUE: "The claim is false.", Label.FALSE: "The claim is true."}.get(label)
    own = _own_words(text, [c for c in citations if c.accepted])
    if not opposite or not content(own) or is_frame(own) or foreign_language(own):
        return None
    if quotes.says(MARK.sub("", text), opposite).supports < CALLED:
        return None
    return Refusal.AGAINST_LABEL, f"It says the opposite of the label “{label}”."


def _own_words(text: str, accepted: Sequence[Citation]) -> str:
    """What a sentence says besides its quotations, and whose they are."""
    text = _without_sources(text, accepted)
    for quote in (c.quote.strip().rstrip(".") for c in accepted):
        if quote:
            text = text.replace(quote, " ")  # it may have quotation marks of its own
    return MARK.sub("", unquoted(text))


def _without_sources(text: str, accepted: Sequence[Citation]) -> str:
    """A sentence without the words by which notes and the like are cited; the titles in them have their own quotes."""
    for c in accepted:
        text = text if in_own_words(c) else text.replace(cited_as(c), " ")
    return text


def _not_in_quotes(text: str, accepted: Sequence[Citation], quotes: QuoteReader) -> Objection | None:
    """Whether the stance model does not read the sentence in its quotes."""
    own = _own_words(text, accepted)
    repeats = any(
        fold_typography(MARK.sub("", text)).strip(" .!?") == fold_typography(c.quote).strip(" .!?") for c in accepted
    )
    if repeats or is_frame(own) or len(content(own)) < OWN_WORDS:
        return None
    english = [c.quote for c in accepted if not foreign_language(c.quote)]  # the model reads nothing else
    if not english or foreign_language(own):
        return None
    read = quotes.says(" ".join(dict.fromkeys(english)), MARK.sub("", text))
    if read.supports >= CARRIED:
        return None
    if read.refutes > read.neutral + read.off_topic:
        return Refusal.OPPOSITE_SENTENCE, "The stance model reads its own quote as saying the opposite."
    return Refusal.NOT_IN_QUOTE, "The stance model does not read in its quote what it says."


def with_marks(text: str, accepted: Sequence[Citation]) -> str:
    """The sentence on one line, with a mark for each citation that holds and for no other."""
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


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """The sentence with other numbers in its marks. Brackets within a quotation are those of its source."""
    out, cut = "", 0
    for start, end in [*spans(text), (len(text), len(text))]:
        own = re.sub(r"\[(\d{1,4})\]", lambda m: f"[{numbers.get(int(m[1]), m[1])}]", text[cut:start])
        out, cut = out + own + text[start:end], end
    return out


def _is_in_sources(words: str, sources: Sequence[str]) -> bool:
    wanted = fold_typography(words).strip(" .,;:!?…")
    if not wanted:
        return True
    if len(wanted) < MIN_QUOTE_CHARS:  # single words in quotation marks; case is no matter there
        return any(contains_whole_words(wanted.lower(), s.lower()) for s in sources)
    return any(contains_whole_words(wanted, s) for s in sources)


def _stray_number(own: str, accepted: Sequence[Citation], passages: Sequence[Passage], known: Sequence[str]) -> str:
    """The first number in a judge's own words that its quotes, sources and the claim lack; empty when there is none."""
    names = (t for p in passages for t in (p.title, p.publisher, p.domain, str(p.published_at or "")))
    leans_on = " \n ".join((*(c.quote for c in accepted), *known, *names))
    values = {value for _, forms in _numbers(leans_on) for value in forms}
    words = set(re.findall(r"\w+", leans_on.lower()))
    for number, forms in _numbers(own):
        # Small ones in words often count sources: "two of them say so".
        if number.lower() not in _SMALL and not forms & values:
            return number
    return next((word for word in re.findall(r"\w+", own) if word.lower() in _BIG and word.lower() not in words), "")


def _in_other_language(own: str, known: Sequence[str]) -> bool:
    language = foreign_language(own)
    return language is not None and language != (foreign_language(known[0]) if known else None)


_PAIRS = (
    *(("“‟", "”"), ("„", '“”‟"'), ("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹")),
    *(("「", "」"), ("『", "』"), ("｢", "｣"), ("〝", "〞〟"), ("＂", "＂")),
)
"""What opens a quotation and what closes it."""
_WORD = r"(?:[^\s'‘’‚´]|(?<=\w)['’](?=\w))+"
_QUOTED = re.compile(
    "|".join([
        *(f"[{a}][^{z}]*[{z}]" for a, z in _PAIRS),
        r'(?<!\d)"[^"]*"',  # after a digit it is inches
        r"(?<![^\s(\[])”(?=\w)[^”]*”",  # as in Swedish; elsewhere it closes
        r"`+[^`]+?(?:`+|'')",
        # From two words on, and at the ends of words: anything less may be apostrophes.
        rf"(?<!\w)['‘‚´](?=\w){_WORD}(?:\s+{_WORD})+['’‘´](?!\w)",
    ])
)  # fmt: skip
_OPEN = re.compile(r'(?<!\w)(?:[“‟„«「『｢〝](?=\s?\w)|"(?=\w)).*$', re.DOTALL)
_MARKS = "“”‟„«»‹›「」『』｢｣〝〞〟＂\"`'‘’‚´ "


def spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each quotation, with its marks."""
    return [m.span() for m in _QUOTED.finditer(text)]


def quotations(text: str) -> list[str]:
    """The words of each quotation; one that is not closed runs to the end."""
    found = [text[start:end].strip(_MARKS) for start, end in spans(text)]
    rest = _OPEN.search(unquoted(text))
    return [*found, rest.group().strip(_MARKS)] if rest else found


def unquoted(text: str) -> str:
    """The text without its quotations."""
    return _QUOTED.sub(" ", text)


_SMALL = {word: n for n, word in enumerate("one two three four five six seven eight nine".split(), 1)}
_TEENS = {
    word: n
    for n, word in enumerate(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), 10
    )
}
_TENS = {word: n * 10 for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_BIG = frozenset("hundred hundreds thousand thousands million millions billion billions trillion dozen dozens".split())
"""Compared as words: what stands before them is a number by itself."""
_FIGURES = re.compile(r"(?<![\w])\d[\d.,\u00a0\u202f' ]*\d|\d")
_SIGN = re.compile(r"(?<!\w)(?:(\d{1,4})\s?)?([¼-¾⅐-⅟↉])|(?<![^\W\d_])([²³¹⁰-⁹₀-₉Ⅰ-ↈ①-⓿❶-➓])")
"""Fractions, alone or after a whole number; superscripts and the like, which after a letter (km²) are part of it."""
_IN_WORDS = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[-\s]({'|'.join(_SMALL)}))?|({'|'.join([*_TEENS, *_SMALL])}))\b", re.IGNORECASE
)


def _numbers(text: str) -> Iterator[tuple[str, set[str]]]:
    """Each number as written, and its possible values."""
    for m in _SIGN.finditer(text):
        if (value := unicodedata.numeric(m[2] or m[3], None)) is not None:
            yield m.group(), {f"{value + int(m[1] or 0):g}"}
    for number in _FIGURES.findall(_SIGN.sub(" ", text)):
        yield number.strip(), _values(number)
    for m in _IN_WORDS.finditer(text):
        parts = [word.lower() for word in m.groups() if word]
        yield m.group(), {str(sum((_TENS | _TEENS | _SMALL)[part] for part in parts))}


def _values(number: str) -> set[str]:
    """The possible values of a number: 20,000 and 20.000 and 20 000 are the same, and so are 8.50 and 8,5."""
    bare = re.sub(r"[\s\u00a0\u202f']", "", number).strip(".,")
    values = {re.sub(r"[.,]", "", bare)} if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", bare) else set()
    decimal = bare.replace(",", ".")
    if decimal.count(".") == 1:
        values.add(decimal.rstrip("0").rstrip("."))
    elif "." not in decimal:
        values.add(decimal.lstrip("0") or "0")
    else:
        values.add(decimal.replace(".", ""))
    if " " in number:
        values |= {part.lstrip("0") or "0" for part in re.split(r"[\s.,]+", number) if part}
    return values
