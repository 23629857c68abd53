"""One citation of a judge against the evidence of the run: number, quote, and the stance model's objection."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ghost.inference import StanceReader
from ghost.judges import VERBATIM, bare
from ghost.knowledge import normalise, sentences
from ghost.steps.rerank.selection import SAME_MATTER, SIDE, same_page
from ghost.text import stream_safe
from ghost.types import Citation, DraftCitation, Evidence, Origin, Stance, StanceLabel
from ghost.web import asks

CONFIDENT_OPPOSITE = 0.8
"""From this probability of the opposite stance on, the stance model overrules a citation."""
MIN_QUOTE_CHARS = 12
"""Shorter quotes ("the", "in 2019") are verbatim everywhere and prove nothing, unless they are the whole passage."""


class Refusal(StrEnum):
    """Why something a judge wrote is not shown; the trace counts each kind."""

    UNKNOWN_NUMBER = "unknown_number"
    """There is no evidence with the number that is cited."""
    ALTERED_QUOTE = "altered_quote"
    """The quote stands in no passage of the run."""
    OTHER_PASSAGE = "other_passage"
    """The quote stands in another passage than the one cited."""
    OTHER_STATEMENT = "other_statement"
    """The passage is no evidence for the statement it is cited for."""
    QUESTION = "question"
    """The quote asks, and so states nothing."""
    OPPOSITE_STANCE = "opposite_stance"
    """The stance model is confident of the opposite."""
    NO_CITATION = "no_citation"
    """A sentence leans on nothing that holds."""
    STRAY_NUMBER = "stray_number"
    """A sentence has a number that neither its quotes nor the claim have."""
    STRAY_QUOTE = "stray_quote"
    """A sentence has words in quotation marks that stand nowhere."""
    OPPOSITE_SENTENCE = "opposite_sentence"
    """A sentence says the opposite of its own quote."""
    NOT_IN_QUOTE = "not_in_quote"
    """A sentence says something that its own quote does not say."""
    OTHER_LANGUAGE = "other_language"
    """A sentence is neither in English nor in the language of the claim."""
    AGAINST_LABEL = "against_label"
    """A sentence, the citations or the verdicts on the statements contradict the label."""
    NOT_AGREED = "not_agreed"
    """The label rests on passages from outside in which the stance model sees nothing of the kind."""
    LABEL_UNSUPPORTED = "label_unsupported"
    """The label has no accepted citation of a fitting stance."""


@dataclass(frozen=True, slots=True)
class QuoteReader:
    """Reads a quote by itself: a passage may say something else around the words that a judge chose from it."""

    reader: StanceReader
    statements: Mapping[int, str]
    """Number -> text."""
    plain: StanceReader | None = None
    """Reads what a judge writes, without the rules for what pages write; where it is missing, ``reader`` does."""

    def stance(self, quote: str, statement: int) -> Stance | None:
        """What the quote alone does to a statement; None for a statement that the run does not have."""
        text = self.statements.get(statement)
        return self.reader.read([(quote, text)])[0] if text is not None else None

    def says(self, text: str, other: str) -> Stance:
        """What a text, of which a judge wrote at least one, does to another."""
        return (self.plain or self.reader).read([(text, other)])[0]


def check_citation(cited: DraftCitation, evidence: Sequence[Evidence], quotes: QuoteReader | None = None) -> Citation:
    """Whether this citation holds, and why not."""
    return examine_citation(cited, evidence, quotes)[0]


def examine_citation(
    cited: DraftCitation, evidence: Sequence[Evidence], quotes: QuoteReader | None = None
) -> tuple[Citation, Refusal | None]:
    """The citation after the gate, and what kind of refusal it met; without ``quotes`` passages are read whole."""
    rows = [e for e in evidence if e.number == cited.number]
    if not rows:
        why = f"There is no evidence [{cited.number}] in this run."
        unknown = Citation(cited.number, "", cited.quote, cited.stance, False, why, cited.statement)
        return unknown, Refusal.UNKNOWN_NUMBER
    passage = rows[0].passage
    mine = [e for e in rows if e.statement == cited.statement] if cited.statement else rows
    refusal, why = None, "The quote stands in the passage, and the stance model does not object."
    if not is_verbatim(cited.quote, passage.text):
        refusal, why = _misquoted(cited, evidence)
    elif not mine:
        refusal, why = Refusal.OTHER_STATEMENT, f"[{cited.number}] is not evidence for statement {cited.statement}."
    elif asks(cited.quote) and cited.stance in (StanceLabel.SUPPORTS, StanceLabel.REFUTES):
        refusal, why = Refusal.QUESTION, "The quote is a question, which states nothing."
    elif all(opposes(e.stance, cited.stance) for e in mine):
        why = f"The stance model reads the passage the other way ({_read(mine[0].stance)})."
        refusal = Refusal.OPPOSITE_STANCE
    elif quotes and (alone := _turned(cited, mine, quotes)):
        why = f"The stance model reads the quote itself the other way ({_read(alone)})."
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
    )
    return found, refusal


def _misquoted(cited: DraftCitation, evidence: Sequence[Evidence]) -> tuple[Refusal, str]:
    elsewhere = sorted({e.number for e in evidence if is_verbatim(cited.quote, e.passage.text)})
    if elsewhere:
        return Refusal.OTHER_PASSAGE, (
            f"The quote does not stand verbatim in the passage; it is from [{elsewhere[0]}], not from [{cited.number}]."
        )
    return Refusal.ALTERED_QUOTE, "The quote does not stand verbatim in the passage."


def is_verbatim(quote: str, text: str) -> bool:
    """Whether ``quote`` is verbatim in ``text``, white space and typographic quotes and dashes aside."""
    wanted, kept = fold_typography(quote), fold_typography(text)
    if not wanted:
        return False
    if wanted == kept:
        return True
    return len(wanted) >= MIN_QUOTE_CHARS and contains_whole_words(wanted, kept)


def contains_whole_words(wanted: str, kept: str) -> bool:
    """Whether ``wanted`` is in ``kept`` without splitting a word or a number; both are folded."""
    return any(not (_inside(kept, m.start()) or _inside(kept, m.end())) for m in re.finditer(re.escape(wanted), kept))


_NUMERAL = re.compile(
    r"[-\u2010\u2011\u2013\u2212]?(?:(?<![\w.,])[.,·])?(?:\d{1,3}(?: \d{3})+(?!\d)|\d+)(?:[.,'·٫٬:/⁄]\d+)*"
)
"""A number as far as it belongs together: with its sign, what parts its thousands and its decimals, a time, a fraction.

A space parts thousands where the groups fit, since ``fold_typography`` makes thin spaces and no-break spaces alike.
"""


def _inside(text: str, cut: int) -> bool:
    """Whether a cut before ``text[cut]`` splits a word or a number: "able" of "unable", "50" of "150", "1" of "1.9".

    Scripts without spaces between words, which are also without case, may be cut anywhere.
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
    """The text with white space and typographic quotes made alike."""
    return " ".join(unicodedata.normalize("NFC", stream_safe(text)).translate(_TYPOGRAPHY).split())


def _turned(cited: DraftCitation, mine: Sequence[Evidence], quotes: QuoteReader) -> Stance | None:
    """The stance of the quote where it confidently says the opposite of what it is cited for, for every statement.

    A quote that has the very words of a statement does not: that is plain without the model.
    """
    if cited.stance not in (StanceLabel.SUPPORTS, StanceLabel.REFUTES):
        return None
    if cited.stance is StanceLabel.SUPPORTS and any(_has_the_words(cited.quote, e, quotes) for e in mine):
        return None
    alone = [stance for e in mine if (stance := quotes.stance(cited.quote, e.statement))]
    return alone[0] if alone and all(opposes(stance, cited.stance) for stance in alone) else None


def _has_the_words(quote: str, e: Evidence, quotes: QuoteReader) -> bool:
    """Whether a passage supports a statement by its very words, and the quote has them as a sentence or is it all."""
    words = bare(quotes.statements.get(e.statement, ""))
    has = fold_typography(quote) == fold_typography(e.passage.text) or any(
        bare(part) == words for part in sentences(normalise(quote))
    )
    return has and e.stance.supports >= VERBATIM


def opposes(stance: Stance, claimed: StanceLabel) -> bool:
    """Whether a stance is confidently the opposite of the one that is claimed."""
    if claimed is StanceLabel.SUPPORTS:
        return stance.refutes >= CONFIDENT_OPPOSITE
    if claimed is StanceLabel.REFUTES:
        return stance.supports >= CONFIDENT_OPPOSITE
    return False


def _read(stance: Stance) -> str:
    return f"supports {stance.supports:.0%}, refutes {stance.refutes:.0%}"


AGREES = 0.5
"""From this probability of the cited stance on, text from outside may carry a label: what the judge reads in it, the
stance model has to see as well. `docs/hostile-pages.md` has what that stops and what it costs."""
OWN = (Origin.SEED, Origin.CURATED)
"""Passages that came with Ghost or were entered by the analyst; they give no orders."""

_OPPOSITE = {StanceLabel.SUPPORTS: StanceLabel.REFUTES, StanceLabel.REFUTES: StanceLabel.SUPPORTS}


def may_carry_label(
    citation: Citation, evidence: Sequence[Evidence], quotes: QuoteReader | None, *, alone: bool = True
) -> bool:
    """Whether a label may rest on an accepted citation: more than that nothing speaks against it.

    Text from outside has to say it, the quote by itself as well as its passage. Where the label has it ``alone``,
    without another side, its page must not say the opposite as well: a page may have talked the judge into the quote.
    """
    for e in evidence:
        if e.number != citation.n or citation.statement not in (0, e.statement):
            continue
        if e.passage.origin in OWN:
            return True
        says = _read_as(e.stance, citation.stance)
        if quotes and (quote := quotes.stance(citation.quote, e.statement)):
            says = min(says, _read_as(quote, citation.stance))
        if says < AGREES:
            continue
        # The very words are sure, and a plain denial beside them counts all the same.
        says = min(says, CONFIDENT_OPPOSITE)
        if not (
            alone and (_denied_beside(e, citation, says, quotes) or _denied_by_its_page(e, citation, says, evidence))
        ):
            return True
    return False


def _denied_beside(of: Evidence, citation: Citation, says: float, quotes: QuoteReader | None) -> bool:
    """Whether another sentence of the passage says the opposite, more plainly than ``says``.

    A passage is read as what it says most plainly, which may hide that.
    """
    opposite = _OPPOSITE.get(citation.stance)
    if not opposite or not quotes:
        return False
    beside = [s for s in sentences(of.passage.text) if not is_verbatim(citation.quote, s) and s not in citation.quote]
    read = [quotes.stance(sentence, of.statement) for sentence in beside]
    return any(stance and _read_as(stance, opposite) >= max(SIDE, says) for stance in read)


def _denied_by_its_page(of: Evidence, citation: Citation, says: float, evidence: Sequence[Evidence]) -> bool:
    """Whether the same page takes the opposite side, on this very matter or more plainly than ``says``.

    Small models read sentences that are only beside the matter as denials; those count where they are the plainer ones.
    The quote itself among other sentences denies nothing.
    """
    opposite = _OPPOSITE.get(citation.stance)
    for e in evidence:
        if not opposite or e.statement != of.statement or not same_page(e.passage, of.passage):
            continue
        denies = _read_as(e.stance, opposite)
        on_it = e.nearness is None or e.nearness >= SAME_MATTER
        if denies >= SIDE and (on_it or denies > says) and not is_verbatim(citation.quote, e.passage.text):
            return True
    return False


def _read_as(stance: Stance, side: StanceLabel) -> float:
    """The probability of a side; one for a citation that takes none."""
    return {StanceLabel.SUPPORTS: stance.supports, StanceLabel.REFUTES: stance.refutes}.get(side, 1.0)
