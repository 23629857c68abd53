"""Which cards rest on a source that is believed less than when they were made.

The rest of what makes a card stale is compared in SQL at each read; a rating is worked out from the address by the
credibility book, which SQL does not have.
"""

import json
import threading
from collections.abc import Collection

from sqlalchemy import select

from ghost.knowledge import CredibilityBook, Ratings
from ghost.records import Database, cards_watermark, claim_cards

_LESS = 1e-6


class RatedDown:
    """The ids of those cards, kept up to date with ratings and cards. Safe to use from any thread.

    Only cards that were written since the last call are looked at, or all of them after a rating has changed.
    """

    def __init__(self, database: Database, ratings: Ratings, book: CredibilityBook) -> None:
        self._database = database
        self._ratings = ratings
        self._book = book
        self._lock = threading.Lock()
        self._edition = -1
        self._mark = -1
        self._found: set[str] = set()

    def __call__(self) -> Collection[str]:
        """The ids as they are now, also where another process has changed a rating or a card."""
        self._ratings.refresh()
        with self._lock:
            if self._edition != self._book.edition:
                self._edition, self._mark, self._found = self._book.edition, -1, set()
            with self._database.read() as connection:
                mark = cards_watermark(connection)
                if mark != self._mark:
                    changed = select(claim_cards.c.id, claim_cards.c.sources).where(claim_cards.c.changed > self._mark)
                    rows = connection.execute(changed).all()
                    self._look_at([(row.id, row.sources) for row in rows])
                    self._mark = mark
            return frozenset(self._found)

    def _look_at(self, cards: Collection[tuple[str, str]]) -> None:
        now: dict[str, float] = {}
        for card_id, kept in cards:
            self._found.discard(card_id)
            for source in json.loads(kept):
                url = source["url"]
                if url not in now:
                    now[url] = self._book.credibility(url)
                if now[url] < source["credibility"] - _LESS:
                    self._found.add(card_id)
