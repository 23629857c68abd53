"""Routes of claim cards: list, search, look at, and change them."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from ghost.api.access import READS, Access, Curates
from ghost.api.openapi import problems
from ghost.api.problems import Problem, refusals_told
from ghost.api.results import as_json
from ghost.api.schemas import Answer, Day, Request, Text
from ghost.api.service import Opened, Service
from ghost.errors import ClaimError
from ghost.records import CardFilter, CardOrder
from ghost.reports import card_value, iso
from ghost.types import CardOrigin, CardState, Category, ClaimCard, Label

router = APIRouter(prefix="/api", tags=["claim cards"])
CardId = Annotated[str, Path(description="Id of the card.", max_length=64)]


class CardAnswer(Answer):
    """A finished answer that later questions can reuse."""

    id: str
    claim: str
    label: Label
    answer: str
    category: str
    origin: str
    state: CardState
    stale: str
    """Why it no longer holds; empty while it does."""
    reviewed: bool
    """Whether a person stands behind the answer; false for what a check found by itself."""
    confidence: float | None
    run_id: str
    citations: list[dict[str, Any]]


class CardList(Answer):
    """Some of the cards, the latest answer first."""

    total: int
    """How many match."""
    cards: list[CardAnswer]


class FoundCard(CardAnswer):
    """A card near a question."""

    cosine: float
    """How near its claim is to the question; nearness does not mean that it answers it."""


class FoundCards(Answer):
    """The cards nearest to a question, the nearest first."""

    query: str
    results: list[FoundCard]


class CardChanges(Answer):
    """The changes of a card, newest first."""

    changes: list[dict[str, Any]]


class EarlierRequest(Request):
    """A claim that may have been checked before."""

    claim: Text = Field(min_length=1, max_length=100_000)
    """The claim."""


class EarlierAnswer(Answer):
    """The cards that surely answer this claim and still hold; usually none or one."""

    cards: list[CardAnswer]


class Note(Request):
    """A change of a card."""

    note: Text = Field(default="", max_length=1000)
    """Why; it is kept in the history of the card."""


class Expiry(Note):
    """Until when a card holds."""

    on: Day | None = None
    """The last day; without one the card ends now."""


class CardEdit(Note):
    """What to change; fields that are left out stay as they are."""

    claim: Text | None = Field(default=None, max_length=5_000)
    answer: Text | None = Field(default=None, max_length=5_000)
    category: Category | None = None
    limitations: Text | None = Field(default=None, max_length=5_000)
    would_change: Text | None = Field(default=None, max_length=5_000)


class Undo(Note):
    """A change to undo."""

    change_id: Text = Field(min_length=1, max_length=64)
    """Its id, from the card's history."""


@router.get("/cards", response_model=CardList, dependencies=READS)
def cards(
    service: Opened,
    text: Annotated[str, Query(max_length=500, description="Only cards with this in the claim or the answer.")] = "",
    state: CardState | None = None,
    origin: CardOrigin | None = None,
    label: Label | None = None,
    category: Category | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 25,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Response:
    """The cards, the latest answer first."""
    narrow, kept = CardFilter(text, state, category, label, origin), service.workbench.cards
    found = kept.browse(narrow, CardOrder.NEWEST, limit, offset)
    return as_json({"total": kept.count(narrow), "cards": [card_value(card) for card in found]})


@router.get("/cards/search", response_model=FoundCards, dependencies=READS)
def search(
    service: Opened,
    q: Annotated[str, Query(min_length=1, max_length=5_000, description="A question or a claim.")],
    limit: Annotated[int, Query(ge=1, le=50)] = 5,
) -> Response:
    """The cards nearest to a question, by meaning and by words."""
    found = service.workbench.cards.search(q, limit)
    return as_json({"query": q, "results": [{"cosine": f.cosine, **card_value(f.card)} for f in found]})


@router.post("/checked-before", response_model=EarlierAnswer, dependencies=READS)
def checked_before(asked: EarlierRequest, service: Opened) -> Response:
    """Whether an earlier answer surely answers this claim and still holds. In doubt there is none."""
    card = service.jobs.lookups.checked_before(asked.claim) if asked.claim.strip() else None
    return as_json({"cards": [card_value(card)] if card else []})


@router.get("/cards/{card_id}", response_model=CardAnswer, responses=problems(404), dependencies=READS)
def card(card_id: CardId, service: Opened) -> Response:
    """A card and its current state."""
    return as_json(card_value(_known(service, card_id)))


@router.get("/cards/{card_id}/history", response_model=CardChanges, responses=problems(404), dependencies=READS)
def history(card_id: CardId, service: Opened) -> Response:
    """The changes of a card, newest first."""
    _known(service, card_id)
    changes = service.workbench.cards.history(card_id)
    return as_json({"changes": [{**asdict(change), "at": iso(change.at)} for change in changes]})


@router.patch("/cards/{card_id}", response_model=CardAnswer, responses=problems(404, 409))
def edit(card_id: CardId, asked: CardEdit, service: Opened, access: Curates) -> Response:
    """Change what a card says. That also approves it."""
    given = asked.model_dump(exclude={"note"}, exclude_none=True)
    if not given:
        raise ClaimError("Say what to change: claim, answer, category, limitations or would_change.")
    kept = service.workbench.cards
    return _changed(service, card_id, lambda who: kept.edit(card_id, who, asked.note, **given), access)


@router.post("/cards/{card_id}/approve", response_model=CardAnswer, responses=problems(404, 409))
def approve(card_id: CardId, asked: Note, service: Opened, access: Curates) -> Response:
    """Approve a card."""
    kept = service.workbench.cards
    return _changed(service, card_id, lambda who: kept.approve(card_id, who, asked.note), access)


@router.post("/cards/{card_id}/expire", response_model=CardAnswer, responses=problems(404, 409))
def expire(card_id: CardId, asked: Expiry, service: Opened, access: Curates) -> Response:
    """Expire a card, now or at the end of a day."""
    until = datetime.combine(asked.on, time(), UTC) + timedelta(days=1) if asked.on else None
    kept = service.workbench.cards
    return _changed(service, card_id, lambda who: kept.expire(card_id, until, who, asked.note), access)


@router.post("/cards/{card_id}/retire", response_model=CardAnswer, responses=problems(404, 409))
def retire(card_id: CardId, asked: Note, service: Opened, access: Curates) -> Response:
    """Remove a card from searches. Nothing is deleted."""
    kept = service.workbench.cards
    return _changed(service, card_id, lambda who: kept.retire(card_id, who, asked.note), access)


@router.post("/cards/{card_id}/restore", response_model=CardAnswer, responses=problems(404, 409))
def restore(card_id: CardId, asked: Note, service: Opened, access: Curates) -> Response:
    """Bring a retired card back."""
    kept = service.workbench.cards
    return _changed(service, card_id, lambda who: kept.restore(card_id, who, asked.note), access)


@router.post("/cards/undo", response_model=CardAnswer, responses=problems(409))
def undo(asked: Undo, service: Opened, access: Curates) -> Response:
    """Undo a change of a card."""
    with refusals_told():
        return as_json(card_value(service.workbench.cards.undo(asked.change_id, _who(access), asked.note)))


def _known(service: Service, card_id: str) -> ClaimCard:
    if found := service.workbench.cards.get(card_id):
        return found
    raise Problem("no_such_card")


def _changed(service: Service, card_id: str, change: Callable[[str], ClaimCard], access: Access) -> Response:
    _known(service, card_id)
    with refusals_told():
        return as_json(card_value(change(_who(access))))


def _who(access: Access) -> str:
    """Who makes a change, for the history of the card."""
    return f"key {access.key}" if access.key else "api"
