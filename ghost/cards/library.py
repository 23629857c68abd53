"""Cards that come with the starter library: the claims that its facts name as settled."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time

from ghost.cards.expiry import expires
from ghost.cards.making import CategoryOf, Made
from ghost.knowledge import (
    KnowledgeBase,
    Pack,
    answers_of,
    key_of,
    normal_form,
    passage_of,
    stored_passages,
    suspicious,
)
from ghost.records import CardFilter, CardStore, card_key
from ghost.text import Period
from ghost.types import (
    CardCitation,
    CardOrigin,
    CardSource,
    Category,
    ClaimCard,
    Label,
    NewPassage,
    Passage,
    StanceLabel,
    citing,
)

WHO = "library"
_LABELS = {True: (Label.TRUE, StanceLabel.SUPPORTS), False: (Label.FALSE, StanceLabel.REFUTES)}
ALL = 100_000


def keep_in_step(store: CardStore, knowledge: KnowledgeBase, packs: Sequence[Pack], category_of: CategoryOf) -> int:
    """Bring the cards of the library to what these packs say, which are the ones that are on; returns how many changed.

    Cards whose claim no pack names any more are retired, and come back with it. What an analyst has approved stays
    while it holds, and what they retired stays retired.
    """
    cards = store.browse(CardFilter(origin=CardOrigin.LIBRARY), limit=ALL)
    there = {card_key(card.claim, None, CardOrigin.LIBRARY): card for card in cards}
    made: list[tuple[ClaimCard, tuple[CardSource, ...]]] = []
    back: list[str] = []
    screened = {claim for pack in packs if pack.screened for fact in pack.facts for claim in answers_of(fact)}
    answers = {card_key(a[0], None, CardOrigin.LIBRARY): a for a in _answers(knowledge, packs)}
    fresh = [key for key in answers if key not in there]
    categories = dict(zip(fresh, category_of([answers[key][0] for key in fresh]), strict=True))
    for key, (claim, true, fact, passage) in answers.items():
        known = there.get(key)
        if known is not None and known.retired and store.history(known.id)[0].who == WHO:
            back.append(known.id)
        new = _card(claim, true, fact, passage, known.category if known else categories[key])
        if (known is None and (claim in screened or not suspicious(claim))) or (
            known is not None and _differs(known, new.card)
        ):
            made.append((new.card, new.sources))
    # A claim that the analyst has put in other words is theirs.
    gone = [card.id for key, card in there.items() if key not in answers and not card.retired and not card.approved_at]
    for card_id in gone:
        store.retire(card_id, WHO, "the starter library does not name this claim now")
    for card_id in back:
        store.restore(card_id, WHO, "the starter library names this claim again")
    store.add_many(made, WHO, "came with Ghost", approved=False)
    return len(made) + len(gone) + len(back)


def _answers(knowledge: KnowledgeBase, packs: Sequence[Pack]) -> Iterator[tuple[str, bool, NewPassage, Passage]]:
    """Each claim that a fact answers, whether it is true, the fact, and the passage that it became."""
    facts = [fact for pack in packs for fact in pack.facts if fact.get("answers")]
    for fact, passage in zip(facts, stored_passages(knowledge, facts), strict=True):
        if passage is not None:
            for claim, true in answers_of(fact).items():
                yield claim, true, normal_form(passage_of(fact)), passage


def _card(claim: str, true: bool, fact: NewPassage, passage: Passage, category: Category) -> Made:
    label, stance = _LABELS[true]
    found_at = _day_of(fact) or passage.indexed_at or datetime.now(UTC)
    cited = CardCitation(
        1, passage.id, fact.text, stance, fact.source_url, fact.title, fact.published_at, passage.kind, passage.intake
    )
    said = replace(passage, publisher=fact.publisher, title=fact.title)
    card = ClaimCard(
        id="",
        claim=claim,
        category=category,
        label=label,
        answer=f"{citing(said, fact.text)} [1].",
        confidence=None,
        origin=CardOrigin.LIBRARY,
        checked_at=found_at,
        citations=(cited,),
        publisher=fact.publisher,
        url=fact.source_url,
        would_change="A credible source that contradicts it, or a correction of the fact in the starter library.",
        # A fact without a time for which it holds is one that does not change.
        expires_at=expires(claim, category, found_at) if fact.as_of else None,
    )
    # By the fact as the library has it: where the analyst has edited the passage, the card does not hold.
    source = CardSource(passage.id, key_of(fact.text, passage.source_url), passage.source_url, passage.credibility)
    return Made(card, (source,))


def _day_of(fact: NewPassage) -> datetime | None:
    day = Period.parse(fact.as_of).last if fact.as_of else fact.published_at
    return datetime.combine(day, time(), UTC) if day else None


def _differs(known: ClaimCard, new: ClaimCard) -> bool:
    """Whether the library says another thing than it did when the card was made."""
    return any(
        getattr(known, name) != getattr(new, name)
        for name in ("claim", "label", "answer", "citations", "publisher", "url", "as_of")
    )
