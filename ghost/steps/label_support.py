"""What a label may rest on: text from outside that says it, on a page that does not say the opposite as well."""

from collections.abc import Sequence

from ghost.knowledge import sentences
from ghost.steps.citations import CONFIDENT_OPPOSITE, QuoteReader, quote_stands
from ghost.steps.selection import SAME_MATTER, SIDE, same_page
from ghost.types import Citation, Evidence, Origin, Stance, StanceLabel

AGREES = 0.5
"""From this probability of the cited stance on, text from outside may carry a label: what the judge reads in it, the
stance model has to see as well. `docs/hostile-pages.md` has what that stops and what it costs."""
OWN = (Origin.SEED, Origin.CURATED)
"""Passages that came with Ghost or were entered by the analyst; they give no orders."""

_OPPOSITE = {StanceLabel.SUPPORTS: StanceLabel.REFUTES, StanceLabel.REFUTES: StanceLabel.SUPPORTS}


def carries(
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
    beside = [s for s in sentences(of.passage.text) if not quote_stands(citation.quote, s) and s not in citation.quote]
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
        if denies >= SIDE and (on_it or denies > says) and not quote_stands(citation.quote, e.passage.text):
            return True
    return False


def _read_as(stance: Stance, side: StanceLabel) -> float:
    """The probability of a side; one for a citation that takes none."""
    return {StanceLabel.SUPPORTS: stance.supports, StanceLabel.REFUTES: stance.refutes}.get(side, 1.0)
