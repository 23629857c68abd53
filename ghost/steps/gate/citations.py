"""One citation of a judge: does it hold, and may a label rest on it?"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ghost.inference import StanceReader
from ghost.judges import VERBATIM, bare, frame_for, rated_side, with_frame
from ghost.knowledge import normalise, sentences
from ghost.reports import UNREADABLE
from ghost.steps.rerank.selection import SAME_MATTER, SIDE, same_page
from ghost.text import stream_safe
from ghost.types import Citation, DraftCitation, Evidence, Label, Origin, Stance, StanceLabel, Timing
from ghost.web import asks

CONFIDENT_OPPOSITE = 0.8
"""From this probability of the opposite stance on the stance model overrules a citation."""
_OPPOSITE = {StanceLabel.SUPPORTS: StanceLabel.REFUTES, StanceLabel.REFUTES: StanceLabel.SUPPORTS}
NEEDED: dict[Label, tuple[tuple[StanceLabel, ...], ...]] = {
    Label.TRUE: ((StanceLabel.SUPPORTS,),),
    Label.FALSE: ((StanceLabel.REFUTES,),),
    Label.PARTIALLY_TRUE: ((StanceLabel.SUPPORTS,), (StanceLabel.REFUTES,)),
    # Literally supported, and something that shows how it misleads; what is only refuted is False.
    Label.MISLEADING: ((StanceLabel.SUPPORTS,), (StanceLabel.REFUTES, StanceLabel.NEUTRAL)),
}
"""For each decisive label: at least one accepted citation with a stance of each group."""
MIN_QUOTE_CHARS = 12
"""Shorter quotes ("the", "in 2019") are verbatim everywhere and prove nothing, except as a whole passage."""


class Refusal(StrEnum):
    """Why something a judge wrote is rejected; the trace counts each kind."""

    UNKNOWN_NUMBER = "unknown_number"
    """No evidence has the cited number."""
    ALTERED_QUOTE = "altered_quote"
    """No passage of the run contains the quote."""
    OTHER_STATEMENT = "other_statement"
    """The passage is not evidence for the cited statement."""
    QUESTION = "question"
    """The quote is a question, which states nothing."""
    UNREADABLE = "unreadable"
    """The stance model reads the passage against its own words, so it stands for neither side."""
    OPPOSITE_STANCE = "opposite_stance"
    """The stance model is confident of the opposite."""
    FRAMED = "framed"
    """What stands around the passage makes it somebody else's word, or a doubtful one."""
    NO_CITATION = "no_citation"
    """A sentence has no citation that holds."""
    STRAY_NUMBER = "stray_number"
    """A sentence has a number that is neither in its quotes nor in the claim."""
    STRAY_QUOTE = "stray_quote"
    """A sentence quotes words that no passage contains."""
    OPPOSITE_SENTENCE = "opposite_sentence"
    """A sentence says the opposite of its own quote."""
    NOT_IN_QUOTE = "not_in_quote"
    """A sentence says something that its quote does not say."""
    WRONG_SPEAKER = "wrong_speaker"
    """A sentence lets a publisher say what was not read there: a note, a snippet, what was entered by hand."""
    OTHER_LANGUAGE = "other_language"
    """A sentence is neither in English nor in the language of the claim."""
    AGAINST_LABEL = "against_label"
    """A sentence, the citations or the verdicts on the statements contradict the label."""
    NOT_AGREED = "not_agreed"
    """The label rests on outside text that the stance model does not read that way."""
    LABEL_UNSUPPORTED = "label_unsupported"
    """The label has no accepted citation of a fitting stance."""


@dataclass(frozen=True, slots=True)
class QuoteReader:
    """Reads a quote by itself, because a passage may say something else around the words that a judge chose."""

    reader: StanceReader
    statements: Mapping[int, str]
    """Number -> text."""
    plain: StanceReader | None = None
    """Reads what a judge writes, without the rules for web pages; without it ``reader`` does."""

    def stance(self, quote: str, statement: int) -> Stance | None:
        """The stance of the quote alone; None for a statement that the run does not have."""
        text = self.statements.get(statement)
        return self.reader.read([(quote, text)])[0] if text is not None else None

    def counts_framed(self, e: Evidence) -> bool:
        """Whether a passage counts by its frame for its statement."""
        return bool(frame_for(e.passage, self.statements.get(e.statement, "")).kind)

    def says(self, text: str, other: str) -> Stance:
        """The stance of one text towards another, where a judge wrote at least one of them."""
        return (self.plain or self.reader).read([(text, other)])[0]


def examine_citation(
    cited: DraftCitation, evidence: Sequence[Evidence], quotes: QuoteReader | None = None
) -> tuple[Citation, Refusal | None]:
    """The checked citation, and why it was refused. Without ``quotes`` only whole passages are read."""
    rows = [e for e in evidence if e.number == cited.number]
    if not rows:
        why = f"There is no evidence [{cited.number}] in this run."
        unknown = Citation(cited.number, "", cited.quote, cited.stance, False, why, cited.statement)
        return unknown, Refusal.UNKNOWN_NUMBER
    passage = rows[0].passage
    mine = [e for e in rows if e.statement == cited.statement] if cited.statement else rows
    refusal, why = None, "The quote stands in the passage, and the stance model does not object."
    if not is_verbatim(cited.quote, passage.text):
        refusal, why = Refusal.ALTERED_QUOTE, "The quote does not stand verbatim in the passage."
        if elsewhere := sorted({e.number for e in evidence if is_verbatim(cited.quote, e.passage.text)}):
            why = f"{why[:-1]}; it is from [{elsewhere[0]}], not from [{cited.number}]."
    elif not mine:
        refusal, why = Refusal.OTHER_STATEMENT, f"[{cited.number}] is not evidence for statement {cited.statement}."
    elif asks(cited.quote) and cited.stance in _OPPOSITE:
        refusal, why = Refusal.QUESTION, "The quote is a question, which states nothing."
    elif cited.stance in _OPPOSITE and all(e.unreadable for e in mine):
        refusal, why = Refusal.UNREADABLE, f"{UNREADABLE}, so it stands for neither side."
    elif cited.stance in _OPPOSITE and all(_is_not_its_word(e, cited.stance, quotes) for e in mine):
        why = f"It is not the page’s own word: the passage {with_frame(passage).frame.line}."
        refusal = Refusal.FRAMED
    elif all(opposes(e.stance, cited.stance) for e in mine):
        why = f"The stance model reads the passage the other way ({_percentages(mine[0].stance)})."
        refusal = Refusal.OPPOSITE_STANCE
    elif quotes and (alone := _opposite_stance(cited, mine, quotes)):
        why = f"The stance model reads the quote itself the other way ({_percentages(alone)})."
        refusal = Refusal.OPPOSITE_STANCE
    found = Citation(
        n=cited.number,
        passage_id=passage.id,
        quote=cited.quote,
        stance=cited.stance,
        accepted=refusal is None,
        why=why,
        statement=cited.statement,
        url=passage.source_url,
        domain=passage.domain,
        title=passage.title,
        published_at=passage.published_at,
        as_of=passage.as_of,
        kind=passage.kind,
        intake=passage.intake,
        snippet=passage.snippet,
        publisher=passage.publisher,
    )
    return found, refusal


def _is_not_its_word(e: Evidence, side: StanceLabel, quotes: QuoteReader | None) -> bool:
    """Whether the frame by which a passage counts for its statement leaves nothing of this side."""
    statement = quotes.statements.get(e.statement, "") if quotes else ""
    return bool(frame_for(e.passage, statement).kind) and _probability_of(e.stance, side) == 0.0


def is_verbatim(quote: str, text: str) -> bool:
    """Whether ``quote`` is verbatim in ``text``, apart from white space and typographic quotes."""
    wanted, kept = fold_typography(quote), fold_typography(text)
    if not wanted:
        return False
    if wanted == kept:
        return True
    return len(wanted) >= MIN_QUOTE_CHARS and contains_whole_words(wanted, kept)


def contains_whole_words(wanted: str, kept: str) -> bool:
    """Whether ``wanted`` is in ``kept`` without cutting a word or a number; both are folded."""
    return any(not (_inside(kept, m.start()) or _inside(kept, m.end())) for m in re.finditer(re.escape(wanted), kept))


_NUMERAL = re.compile(
    r"[-\u2010\u2011\u2013\u2212]?(?:(?<![\w.,])[.,·])?(?:\d{1,3}(?: \d{3})+(?!\d)|\d+)(?:[.,'·٫٬:/⁄]\d+)*"
)
"""A complete number: its sign, the separators of thousands and decimals, a time, a fraction.

A space separates thousands where the groups fit, because ``fold_typography`` makes all spaces alike.
"""


def _inside(text: str, cut: int) -> bool:
    """Whether a cut before ``text[cut]`` splits a word or a number: "able" of "unable", "50" of "150", "1" of "1.9".

    Scripts without spaces between words have no case either, and may be cut anywhere.
    """
    if not 0 < cut < len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if all(c.isnumeric() or c.lower() != c.upper() for c in (before, after)):
        return True
    return any(m.start() < cut < m.end() for m in _NUMERAL.finditer(text))


_TYPOGRAPHY = str.maketrans({
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "″": '"',
    "‹": "<", "›": ">", "＜": "<", "＞": ">",
    "〈": "<", "〉": ">", "⟨": "<", "⟩": ">", "﹤": "<", "﹥": ">", "❮": "<", "❯": ">",
})  # fmt: skip


def fold_typography(text: str) -> str:
    """The text with uniform white space and quotes."""
    return " ".join(unicodedata.normalize("NFC", stream_safe(text)).translate(_TYPOGRAPHY).split())


def _opposite_stance(cited: DraftCitation, mine: Sequence[Evidence], quotes: QuoteReader) -> Stance | None:
    """The stance of the quote where it confidently says the opposite of what it is cited for, for every statement.

    A quote in the statement's own words does not: that is clear without a model. Nor does one that counts by its frame,
    or that a person has read.
    """
    if cited.stance not in _OPPOSITE or any(e.correction or quotes.counts_framed(e) for e in mine):
        return None
    if cited.stance is StanceLabel.SUPPORTS and any(_repeats_statement(cited.quote, e, quotes) for e in mine):
        return None
    alone = [stance for e in mine if (stance := quotes.stance(cited.quote, e.statement))]
    return alone[0] if alone and all(opposes(stance, cited.stance) for stance in alone) else None


def _repeats_statement(quote: str, e: Evidence, quotes: QuoteReader) -> bool:
    """Whether a passage supports a statement in its own words, and the quote is all of it or contains that sentence."""
    words = bare(quotes.statements.get(e.statement, ""))
    has = fold_typography(quote) == fold_typography(e.passage.text) or any(
        bare(part) == words for part in sentences(normalise(quote))
    )
    return has and e.stance.supports >= VERBATIM


def opposes(stance: Stance, claimed: StanceLabel) -> bool:
    """Whether a stance is confidently the opposite of the claimed one."""
    opposite = _OPPOSITE.get(claimed)
    return opposite is not None and _probability_of(stance, opposite) >= CONFIDENT_OPPOSITE


def _percentages(stance: Stance) -> str:
    return f"supports {stance.supports:.0%}, refutes {stance.refutes:.0%}"


AGREES = 0.5
"""From this probability of the cited stance on outside text may carry a label: the stance model must see what the judge
reads in it. `docs/hostile-pages.md` says what that stops and what it costs."""
OWN = (Origin.SEED, Origin.CURATED)
"""Passages that came with Ghost or were entered by the analyst; they contain no orders to a model."""


def may_carry_label(
    citation: Citation, evidence: Sequence[Evidence], quotes: QuoteReader | None, *, alone: bool = True
) -> bool:
    """Whether a label may rest on an accepted citation.

    What settles nothing alone carries none. Outside text has to say it, the quote by itself as well as its passage.
    Where the label rests on one side ``alone``, the page must not say the opposite too: it may have talked the judge
    into the quote. Nor may a published fact-check rate this very claim otherwise.
    """
    if alone and quotes and _rated_otherwise(citation, evidence, quotes):
        return False
    for e in evidence:
        if e.number != citation.n or citation.statement not in (0, e.statement):
            continue
        if not e.passage.settles:
            continue
        if e.passage.origin in OWN or (e.correction and e.correction.label is citation.stance):
            return True
        says = _probability_of(e.stance, citation.stance)
        if quotes and not quotes.counts_framed(e) and (quote := quotes.stance(citation.quote, e.statement)):
            says = min(says, _probability_of(quote, citation.stance))
        if says < AGREES:
            continue
        # The statement's own words are certain, but a plain denial beside them still counts.
        says = min(says, CONFIDENT_OPPOSITE)
        if not (
            alone and (_denied_beside(e, citation, says, quotes) or _denied_by_its_page(e, citation, says, evidence))
        ):
            return True
    return False


def _rated_otherwise(citation: Citation, evidence: Sequence[Evidence], quotes: QuoteReader) -> bool:
    """Whether a fact-check's rating of what a citation is cited for takes the other side today."""
    for number, text in quotes.statements.items():
        mine = [e for e in evidence if e.statement == number and e.timing is not Timing.OUTDATED]
        if citation.statement in (0, number) and (side := rated_side(text, mine)):
            return side is _OPPOSITE.get(citation.stance)
    return False


def _denied_beside(of: Evidence, citation: Citation, says: float, quotes: QuoteReader | None) -> bool:
    """Whether another sentence of the passage says the opposite, more plainly than ``says``.

    The stance of a passage is that of its plainest sentence, which may hide this.
    """
    opposite = _OPPOSITE.get(citation.stance)
    if not opposite or not quotes:
        return False
    beside = [s for s in sentences(of.passage.text) if not is_verbatim(citation.quote, s) and s not in citation.quote]
    read = [quotes.stance(sentence, of.statement) for sentence in beside]
    return any(stance and _probability_of(stance, opposite) >= max(SIDE, says) for stance in read)


def _denied_by_its_page(of: Evidence, citation: Citation, says: float, evidence: Sequence[Evidence]) -> bool:
    """Whether the same page takes the opposite side, on exactly this matter or more plainly than ``says``.

    Small models read sentences about neighbouring matters as denials; those count only where they are plainer. The
    quote itself among other sentences denies nothing.
    """
    opposite = _OPPOSITE.get(citation.stance)
    for e in evidence:
        if not opposite or e.statement != of.statement or not same_page(e.passage, of.passage):
            continue
        denies = _probability_of(e.stance, opposite)
        on_it = e.nearness is None or e.nearness >= SAME_MATTER
        if denies >= SIDE and (on_it or denies > says) and not is_verbatim(citation.quote, e.passage.text):
            return True
    return False


def _probability_of(stance: Stance, side: StanceLabel) -> float:
    """The probability of a side; one for a citation that takes none."""
    return {StanceLabel.SUPPORTS: stance.supports, StanceLabel.REFUTES: stance.refutes}.get(side, 1.0)
