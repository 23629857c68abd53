"""The page a claim was found at never speaks for the claim, wherever its text stands."""

from collections.abc import Sequence

from ghost.knowledge.likeness import Kind, likenesses
from ghost.knowledge.said import Said
from ghost.types import Evidence, StanceLabel
from ghost.web.address import same_page


def from_found_page(evidence: Sequence[Evidence], found_at: str | None, found_text: str = "") -> dict[str, str]:
    """Passage id -> why it is no evidence: it is from the page the claim was found at, or from a copy of that page.

    Who quotes the page to contradict it is no copy of it, and stays.
    """
    if not found_at and not found_text:
        return {}
    why: dict[str, str] = {}
    texts = [found_text] if found_text else []
    for e in evidence:
        if found_at and same_page(e.passage.source_url, found_at):
            why[e.passage.id] = "it is the page the claim was found at"
            texts.append(e.passage.text)
    others = [e for e in evidence if e.passage.id not in why]
    known = len(texts)
    for like in likenesses([Said.of(text) for text in (*texts, *(e.passage.text for e in others))]):
        found, other = sorted((like.one, like.other))
        if not found < known <= other:
            continue
        e = others[other - known]
        copied = like.kind is Kind.COPY or (like.kind is Kind.EXCERPT and like.one == other)
        if copied or e.stance.label is not StanceLabel.REFUTES:
            why.setdefault(e.passage.id, "its text is that of the page the claim was found at")
    return why
