"""Whether a claim card still holds, worked out in SQL from what it rests on as that is now.

Nothing marks a card when a passage or a verdict changes. Each read compares the card with the present state instead, so
no change can be missed, whoever made it, and one that is undone counts no longer at once.
"""

from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, case, func, literal, literal_column, text

from ghost.records.database import to_column
from ghost.records.dialect import among
from ghost.records.reviews import standing_label
from ghost.records.tables.cards import claim_cards
from ghost.types import CardOrigin, CardState, PageCheck

_NOT_SAID = f"('{PageCheck.NOT_FOUND.value}', '{PageCheck.CONTRADICTED.value}')"
_PASSAGES: ColumnElement[str] = literal_column(
    "(SELECT CASE WHEN p.id IS NULL THEN 'A source is not in the knowledge base any more.' "
    "WHEN p.status = 'quarantined' THEN 'A source was put into quarantine.' "
    "WHEN p.status != 'active' THEN 'A source was retired.' "
    "WHEN p.merge_key != s.key THEN 'A source was edited.' "
    "ELSE 'The page cited for its note does not say this.' END "
    "FROM card_sources AS s LEFT JOIN passages AS p ON p.id = s.passage_id "
    "WHERE s.card_id = claim_cards.id AND (p.id IS NULL OR p.status != 'active' OR p.merge_key != s.key "
    # A run may have used the note beside other sources.
    f"OR (p.page_check IN {_NOT_SAID} AND (claim_cards.origin = '{CardOrigin.LIBRARY.value}' OR NOT EXISTS "
    "(SELECT 1 FROM card_sources AS o JOIN passages AS q ON q.id = o.passage_id "
    f"WHERE o.card_id = claim_cards.id AND q.page_check NOT IN {_NOT_SAID})))) LIMIT 1)"
)
_REPORTED = text(
    "EXISTS (SELECT 1 FROM reviews WHERE reviews.run_id = claim_cards.run_id AND reviews.kind = 'error' "
    "AND reviews.withdrawn_at IS NULL "
    "AND (claim_cards.approved_at IS NULL OR reviews.at > claim_cards.approved_at))"
)


def stale_reason(rated_down: Collection[str] = ()) -> ColumnElement[str]:
    """A column for a query over ``claim_cards``: why a card does not hold any more, empty while it does.

    ``rated_down``: ids of the cards with a source that is believed less than when they were made.
    """
    return _stale_reason(tuple(rated_down))


@lru_cache(maxsize=8)
def _stale_reason(rated_down: tuple[str, ...]) -> ColumnElement[str]:
    """Kept, as putting it together takes longer than most queries that it stands in."""
    mine = claim_cards.c.run_id
    said, by_person = standing_label(mine), claim_cards.c.origin == CardOrigin.ANALYST.value
    verdict = func.coalesce(said, literal_column("(SELECT label FROM runs WHERE id = claim_cards.run_id)"))
    checks: list[tuple[Any, ColumnElement[str]]] = [
        (by_person & said.is_distinct_from(claim_cards.c.label), literal("The analyst took this verdict back.")),
        ((mine != "") & (verdict != claim_cards.c.label), literal("The verdict of its check was overridden.")),
        ((mine != "") & _REPORTED, literal("An error was reported in its check.")),
        (_PASSAGES.is_not(None), _PASSAGES),
    ]
    if rated_down:
        checks.append((among(claim_cards.c.id, rated_down), literal("A source was rated down.")))
    return case(*checks, else_="")


def card_state(now: datetime, stale: ColumnElement[str]) -> ColumnElement[str]:
    """A column with the ``CardState`` at this time; the same order as ``ClaimCard.state``."""
    over = claim_cards.c.expires_at <= to_column(now)
    return case(
        (claim_cards.c.retired, CardState.RETIRED.value),
        (stale != "", CardState.STALE.value),
        (over, CardState.EXPIRED.value),
        else_=CardState.ACTIVE.value,
    )
