"""The claim cards: one object to make, find, approve and change them."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from ghost.cards import fact_checks, library
from ghost.cards.expiry import expires
from ghost.cards.index import COLLECTION, CardIndex
from ghost.cards.making import CardMaker, CategoryOf, Made
from ghost.cards.staleness import RatedDown
from ghost.errors import ClaimError, GhostError, StoreError
from ghost.inference import Encoder
from ghost.knowledge import (
    KnowledgeBase,
    Pack,
    Progress,
    Ratings,
    get_meta,
    key_of,
    no_progress,
    set_meta,
    switched_off,
)
from ghost.records import (
    ALL_CARDS,
    ANALYST,
    CardChange,
    CardFilter,
    CardOrder,
    CardStore,
    ReviewStore,
    RunStore,
    utc_now,
)
from ghost.steps import QuoteReader, is_verbatim
from ghost.types import (
    CardOrigin,
    CardSource,
    CardState,
    Category,
    ClaimCard,
    Run,
    Status,
)

log = logging.getLogger(__name__)
_FOLLOWED = "cards_followed"
"""Up to which write of the knowledge base its fact-checks have become cards."""

SHOWN_FROM = 0.80
"""The cosine from which a found card is worth listing to a person or a model. It decides nothing."""


_STATES, _ORIGINS = list(CardState), list(CardOrigin)
"""Of two cards that are equally near, one that may answer comes first, then one of this workbench."""


@dataclass(frozen=True, slots=True)
class Found:
    """A card that a search has found."""

    card: ClaimCard
    state: CardState
    cosine: float
    """Of the question and the card's claim; says what they are about, never whether they say the same."""

    @property
    def stale(self) -> str:
        """Why the card does not hold any more; empty while it does."""
        return self.card.stale


def no_packs() -> Sequence[Pack]:
    """For whoever has no starter library."""
    return ()


def uncategorised(claims: Sequence[str]) -> Sequence[Category]:
    """For whoever has nothing that tells kinds of claims apart."""
    return [Category.OTHER] * len(claims)


class Cards:
    """Every finished answer that later questions can reuse. Safe to use from any thread."""

    def __init__(
        self,
        knowledge: KnowledgeBase,
        runs: RunStore,
        ratings: Ratings,
        encoder: Encoder,
        quotes: QuoteReader,
        category_of: CategoryOf = uncategorised,
        packs: Callable[[], Sequence[Pack]] = no_packs,
        from_runs: bool = True,
    ) -> None:
        """``packs``: those of the starter library that are on. ``from_runs``: whether runs become cards by themselves,
        as those on a made-up web must not.
        """
        self.store = CardStore(knowledge.database, RatedDown(knowledge.database, ratings, knowledge.book))
        self._knowledge = knowledge
        self._runs = runs
        self._reviews = ReviewStore(knowledge.database)
        self._reviewed = (-1, -1)
        """Up to where verdicts of the analyst have become cards."""
        self._category_of = category_of
        self._packs = packs
        self._from_runs = from_runs
        self._following = threading.Lock()
        self._followed = -1
        self._off: frozenset[str] | None = None
        """The packs that were off when the library was last compared."""
        self._maker = CardMaker(category_of, knowledge.get, quotes)
        self._index = CardIndex(knowledge.database, knowledge.beside(COLLECTION), encoder)

    def start(self, progress: Progress = no_progress) -> None:
        """Bring the cards in step with library and knowledge base, and put the vector index right.

        Where the index cannot be put right the workbench opens without: every question is then checked anew.
        """
        self.follow()
        try:
            self._index.repair(progress)
        except StoreError as error:
            log.warning("Claim cards cannot be searched: %s", error)

    def follow(self) -> None:
        """Take in new fact-checks, verdicts of the analyst, and what became of the packs; cheap when nothing changed.

        Every search does it first, so that nobody who imports a file or switches a pack off has to think of cards.
        """
        self._follow_reviews()
        mark = self._knowledge.watermark()
        if mark == self._followed:
            return
        with self._following:
            database = self._knowledge.database
            with database.read() as connection:
                since = int(get_meta(connection, _FOLLOWED) or -1)
            if since != mark:
                for found in fact_checks.published_since(self._knowledge, since):
                    made = [(m.card, m.sources) for m in fact_checks.cards_of(found, self._category_of)]
                    self.store.add_many(made, fact_checks.WHO, "published fact-check", approved=False)
            off = frozenset(switched_off(self._knowledge))
            if off != self._off:
                library.keep_in_step(self.store, self._knowledge, self._packs(), self._category_of)
            if since != mark:
                with database.write() as connection:
                    set_meta(connection, _FOLLOWED, str(mark))
            self._followed, self._off = mark, off

    def _follow_reviews(self) -> None:
        """A card for each verdict that the analyst gave a check. One that is taken back is stale at the next read."""
        mark = self._reviews.watermark()
        if mark == self._reviewed or not self._from_runs:
            return
        there = {c.run_id: c for c in self.store.browse(CardFilter(origin=CardOrigin.ANALYST), limit=library.ALL)}
        for said in self._reviews.overrides():
            known = there.get(said.run_id)
            run = self._runs.get(said.run_id) if known is None or known.checked_at != said.at else None
            if made := self._maker.decided(run) if run else None:
                card = replace(made.card, retired=known is not None and known.retired)
                self.store.add(card, made.sources, ANALYST, "your verdict on a check")
        self._reviewed = mark

    # Finding

    def search(self, question: str, limit: int = 5, as_of: date | None = None) -> list[Found]:
        """The cards that match a question best, by meaning and by words, nearest first; none that is retired.

        A stale or expired one is marked so and must not answer. With ``as_of`` only cards that were checked as of that
        day are found, without it only those that were checked as of none. Raises StoreError.
        """
        self.follow()
        near = {n.id: n.cosine for n in self._index.search(question, limit, as_of)}
        now = utc_now()
        found = [Found(card, card.state(now), near[card.id]) for card in self.store.many(list(near))]
        return sorted(found, key=lambda f: (-round(f.cosine, 4), _STATES.index(f.state), _ORIGINS.index(f.card.origin)))

    def get(self, card_id: str) -> ClaimCard | None:
        """The card as it stands now, or None."""
        return self.store.get(card_id)

    def browse(
        self, filter: CardFilter = ALL_CARDS, order: CardOrder = CardOrder.NEWEST, limit: int = 25, offset: int = 0
    ) -> list[ClaimCard]:
        """A page of the cards that pass the filter."""
        self.follow()
        return self.store.browse(filter, order, limit, offset)

    def count(self, filter: CardFilter = ALL_CARDS) -> int:
        """How many cards pass the filter."""
        self.follow()
        return self.store.count(filter)

    def states(self) -> dict[CardState, int]:
        """How many cards are in each state."""
        self.follow()
        return self.store.states()

    def history(self, card_id: str) -> list[CardChange]:
        """What happened to a card, newest first."""
        return self.store.history(card_id)

    # Making

    def from_run(self, run: Run) -> ClaimCard | None:
        """Make the card of a finished run, where its verdict carries one; None where it does not. Never raises.

        What an analyst has approved stays while it holds, and what they retired stays retired.
        """
        try:
            made = self._maker.from_run(run) if self._from_runs else None
            return self._keep(made, f"check {run.id}") if made else None
        except Exception as error:  # the run is finished and recorded, whatever becomes of its card
            log.log(logging.INFO if isinstance(error, GhostError) else logging.ERROR, "No card: %s", error)
            return None

    def approve_run(
        self, run_id: str, claim: str = "", answer: str = "", who: str = ANALYST, note: str = ""
    ) -> ClaimCard:
        """Make a card of a run whose verdict an analyst stands behind, whether or not it would be one by itself.

        ``claim`` words the claim so that it can be understood alone, ``answer`` replaces the run's. Raises ClaimError
        with what is missing, StoreError when there is no such run.
        """
        run = self._runs.get(run_id)
        if run is None:
            raise StoreError("No card was made: there is no such check.")
        made = self._maker.approved(run, claim, answer)
        kept = self.store.add(made.card, made.sources, who, note or f"approved from check {run_id}", approved=True)
        return self._changed(kept)

    # Changing

    def edit(self, card_id: str, who: str = ANALYST, note: str = "", **values: Any) -> ClaimCard:
        """Change claim, category, answer, limitations or would_change; the analyst stands behind the card from then on.

        Raises ClaimError for an answer that says the opposite of the label, for a claim that the sources do not say it
        of, and as ``CardStore.edit``.
        """
        card = self._known(card_id)
        self._maker.check_answer(str(values.get("answer", "")), card.label)
        self._maker.check_claim(str(values.get("claim", "")), card.label, card.citations)
        until = expires(card.claim, card.category, utc_now(), card.as_of)
        return self._changed(self.store.edit(card_id, who, note, None if card.reviewed else until, **values))

    def approve(self, card_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Let an analyst stand behind a card from now on: it holds as long as what is reviewed does.

        One that is stale because a source was edited or rated down holds again with the source as it is. Raises
        ClaimError where a source is gone or does not say what is quoted, or the verdict of its check is another one.
        """
        card = self._known(card_id)
        run = self._runs.get(card.run_id) if card.run_id else None
        if run is not None and run.label is not card.label:
            raise ClaimError(
                "Nothing was changed: the verdict of its check is another one. Make a card of that instead."
            )
        sources = self._sources_now(card) if card.stale else None
        over = card.expires_at is not None and card.expires_at <= utc_now()
        until = expires(card.claim, card.category, utc_now(), card.as_of) if over or not card.reviewed else None
        return self._changed(self.store.approve(card_id, who, note, expires_at=until, sources=sources))

    def expire(self, card_id: str, expires_at: datetime | None = None, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Let the card hold until a time, or no longer than now."""
        return self._changed(self.store.set_expiry(card_id, expires_at or utc_now(), who, note))

    def set_margin(self, card_id: str, margin: float, who: str = ANALYST, note: str = "") -> ClaimCard:
        """How much surer than usual a match must be before the card answers, 0..1."""
        return self._changed(self.store.set_margin(card_id, margin, who, note))

    def retire(self, card_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Take the card out of every search; nothing is deleted."""
        return self._changed(self.store.retire(card_id, who, note))

    def restore(self, card_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Bring a retired card back."""
        return self._changed(self.store.restore(card_id, who, note))

    def undo(self, change_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Take a change of a card back. Raises StoreError where that cannot be done."""
        return self._changed(self.store.undo(change_id, who, note))

    def _keep(self, made: Made, note: str, who: str = "ghost") -> ClaimCard | None:
        """Keep a card that nobody has asked for; returns what there is of its claim then."""
        card = self._changed(self.store.add(made.card, made.sources, who, note, approved=False))
        return None if card.retired else card

    def _changed(self, card: ClaimCard) -> ClaimCard:
        """The card, once the index has it; where the index fails, the change is kept, and the next search says so."""
        try:
            self._index.catch_up()
        except StoreError as error:
            log.warning("The index of claim cards is behind: %s", error)
        return card

    def _known(self, card_id: str) -> ClaimCard:
        card = self.store.get(card_id)
        if card is None:
            raise StoreError(f"Nothing was changed: there is no card {card_id}.")
        return card

    def _sources_now(self, card: ClaimCard) -> tuple[CardSource, ...]:
        """The sources of a card as they are now. Raises ClaimError where one does not carry what is quoted from it."""
        kept = self.store.sources(card.id)
        there = {p.id: p for p in self._knowledge.get([s.passage_id for s in kept if s.passage_id])}
        now = []
        for source in kept:
            p = there.get(source.passage_id)
            if source.passage_id and (p is None or p.status is not Status.ACTIVE):
                raise ClaimError("Nothing was changed: a source of the card is not active. Verify the claim anew.")
            quotes = [c.quote for c in card.citations if p and c.passage_id == p.id]
            if p and not all(is_verbatim(quote, p.text) for quote in quotes):
                raise ClaimError("Nothing was changed: a source does not say any more what the card quotes from it.")
            url = p.source_url if p else source.url
            key = key_of(p.text, url) if p else source.key
            now.append(CardSource(source.passage_id, key, url, self._knowledge.book.credibility(url)))
        return tuple(now)
