"""Routes of the knowledge base: search it, look at a passage, add text, retire and restore, correct a reading."""

from dataclasses import asdict, replace
from datetime import date
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Path, Query
from pydantic import Field, field_validator, model_validator
from starlette.responses import Response

from ghost.api.access import CURATES, READS, Access, Curates
from ghost.api.openapi import problems
from ghost.api.problems import Problem, refusals_told
from ghost.api.results import as_json, find_run
from ghost.api.schemas import Answer, Day, Request, Text, examples
from ghost.api.service import Opened
from ghost.errors import ClaimError
from ghost.knowledge import cut
from ghost.reports import added_value, candidate_value, iso, reading_value
from ghost.types import MAX_URL_CHARS, Intake, Kind, NewPassage, Passage, StanceLabel, cited_as, lone_address

router = APIRouter(prefix="/api/knowledge", tags=["knowledge base"])
PassageId = Annotated[str, Path(description="Id of the passage.", max_length=64, examples=["p_c1cb76aa94d77b7f"])]
ReadingId = Annotated[int, Path(description="Id of the reading.", ge=1, le=2**31 - 1)]
MAX_TEXT = 500_000


class PassageAnswer(Answer):
    """A passage of the knowledge base."""

    passage_id: str
    text: str
    url: str
    domain: str
    title: str
    publisher: str
    published_at: date | None
    kind: Kind
    intake: Intake
    """How its words came in: ``read`` at the address, ``read_earlier`` by a version that kept no text, ``entered``."""
    cited_as: str
    """Whose words it holds, as the subject of a sentence."""
    origin: str
    status: str
    credibility: float


class FoundPassage(PassageAnswer):
    """A passage that was found."""

    rank: int


class FoundPassages(Answer):
    """The passages that fit a text best, best first."""

    query: str
    results: list[FoundPassage]


class NewText(Request):
    """A text to add; a long one is cut into passages of one to three sentences."""

    model_config = examples({
        "text": "The harbour bridge was closed on 3 March for repairs.", "kind": "excerpt",
        "source_url": "https://news.example.org/bridge", "title": "Harbour bridge closed",
        "published_at": "2026-03-03",
    })  # fmt: skip

    text: Text = Field(min_length=1, max_length=MAX_TEXT)
    """The text, in whole sentences."""
    source_url: Text = Field(default="", max_length=MAX_URL_CHARS)
    """Where an excerpt was published, or a note can be checked; an excerpt needs it."""
    kind: Kind | None = None
    """``excerpt`` for verbatim words, ``note`` for a sentence of your own. Null: an excerpt if it has an address."""
    title: Text = Field(default="", max_length=500)
    """Title of the page or document."""
    publisher: Text = Field(default="", max_length=200)
    """Who published it."""
    published_at: Day | None = None
    """When it was published."""

    @field_validator("source_url")
    @classmethod
    def _web(cls, value: str) -> str:
        if value and not lone_address(value):
            raise ValueError("must be a web address that starts with http:// or https://")
        return value

    @model_validator(mode="after")
    def _excerpt_has_address(self) -> Self:
        if self.kind is Kind.EXCERPT and not self.source_url:
            raise ValueError("an excerpt needs its source_url; a note does not")
        return self


class AddedText(Answer):
    """What became of an added text."""

    added: int
    merged: int
    quarantined: int
    refused: int
    ids: list[str]
    outcomes: list[dict[str, Any]]
    """What was done with each passage, and why."""


class Passages(Request):
    """Passages to change together."""

    ids: list[Text] = Field(min_length=1, max_length=1000)
    """Ids of the passages."""
    note: Text = Field(default="", max_length=1000)
    """Why; it is kept in the history of each passage."""


class ChangedPassages(Answer):
    """What a change did."""

    changed: int
    """How many passages it changed."""
    change: str | None
    """Its id; null when nothing was changed."""


class NewReading(Request):
    """How a passage of a run really reads for one of its statements."""

    run_id: Text = Field(min_length=1, max_length=40)
    """Id of the run."""
    passage_id: Text = Field(min_length=1, max_length=64)
    """Id of the passage in that run's evidence."""
    statement: int = Field(default=1, ge=1)
    """Number of the statement."""
    label: Literal[StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.NEUTRAL]
    """What the passage does to the statement; NEUTRAL is neither."""


class ReadingAnswer(Answer):
    """How a person reads a passage for a statement, in place of Ghost."""

    id: int
    run_id: str
    """The run in which it was made, and which it decided again."""
    passage_id: str
    statement: str
    text: str
    label: StanceLabel
    machine: StanceLabel
    """What Ghost had read."""
    at: str
    undone_at: str | None


class ReadingList(Answer):
    """A page of the readings that were made, the newest first."""

    total: int
    readings: list[ReadingAnswer]


class KnowledgeFigures(Answer):
    """The knowledge base in figures. All but ``by_status`` and ``total`` count active passages."""

    total: int
    active: int
    by_status: dict[str, int]
    by_origin: dict[str, int]


@router.get("/search", response_model=FoundPassages, dependencies=READS)
def search(
    service: Opened,
    q: Annotated[str, Query(min_length=1, max_length=5_000, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:
    """Find passages by meaning and by words."""
    found = service.workbench.knowledge.search(q, limit)
    return as_json({"query": q, "results": [candidate_value(candidate) for candidate in found]})


@router.get("/stats", response_model=KnowledgeFigures, dependencies=READS)
def stats(service: Opened) -> Response:
    """The knowledge base in figures."""
    figures = service.workbench.knowledge.stats()
    return as_json({"total": figures.total, "active": figures.active, **asdict(figures)})


@router.get("/passages/{passage_id}", response_model=PassageAnswer, responses=problems(404), dependencies=READS)
def passage(passage_id: PassageId, service: Opened) -> Response:
    """A passage with its source, dates and status."""
    found = service.workbench.knowledge.get([passage_id])
    if not found:
        raise Problem("no_such_passage")
    return as_json(passage_value(found[0]))


@router.post("/passages", response_model=AddedText, status_code=201, responses=problems(409))
def add(asked: NewText, service: Opened, access: Curates) -> Response:
    """Add a text with its source. What reads like an instruction to an AI is quarantined, not refused."""
    texts = cut(asked.text)
    if not texts:
        raise ClaimError("There is no text to add.")
    note = f"added over the API{f' with the key {access.key}' if access.key else ''}"
    new = NewPassage(
        "", asked.source_url, asked.title, publisher=asked.publisher, published_at=asked.published_at, note=note,
        kind=asked.kind or Kind.EXCERPT,
    )  # fmt: skip
    with refusals_told():
        return as_json(added_value(service.workbench.knowledge.add([replace(new, text=text) for text in texts])), 201)


@router.post("/retire", response_model=ChangedPassages, responses=problems(404, 409))
def retire(asked: Passages, service: Opened, access: Curates) -> Response:
    """Remove passages from searches. Nothing is deleted."""
    return _change(asked, service, access, "retire")


@router.post("/restore", response_model=ChangedPassages, responses=problems(404, 409))
def restore(asked: Passages, service: Opened, access: Curates) -> Response:
    """Bring retired passages back."""
    return _change(asked, service, access, "restore")


@router.get("/readings", response_model=ReadingList, dependencies=READS)
def readings(
    service: Opened,
    limit: Annotated[int, Query(ge=1, le=200)] = 25,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Response:
    """How people read passages in place of Ghost, also what was undone."""
    store = service.workbench.readings.store
    made = store.all(limit=limit, offset=offset)
    return as_json({"total": store.count(), "readings": [reading_value(r) for r in made]})


@router.post(
    "/readings", response_model=ReadingAnswer, status_code=201, responses=problems(404, 409), dependencies=CURATES
)
def read(asked: NewReading, service: Opened) -> Response:
    """Say how a passage of a run really reads. The run is decided again; later runs use it for the same statement."""
    find_run(service, asked.run_id)
    with refusals_told():
        made = service.workbench.readings.add(asked.run_id, asked.passage_id, asked.statement, asked.label)
    return as_json(reading_value(made), 201)


@router.post("/readings/{reading_id}/undo", response_model=ReadingAnswer, responses=problems(409), dependencies=CURATES)
def undo_reading(reading_id: ReadingId, service: Opened) -> Response:
    """Undo a reading: its run has the verdict that it had without it."""
    with refusals_told():
        return as_json(reading_value(service.workbench.readings.set(reading_id, False)))


def _change(asked: Passages, service: Opened, access: Access, what: str) -> Response:
    base, ids = service.workbench.knowledge, list(dict.fromkeys(asked.ids))
    known = {p.id for p in base.get(ids)}
    if missing := [i for i in ids if i not in known]:
        raise Problem("no_such_passage", f"Nothing was changed: {len(missing)} of the passages are not there.")
    note = asked.note or f"over the API{f', with the key {access.key}' if access.key else ''}"
    with refusals_told():
        change = (base.curation.retire if what == "retire" else base.curation.restore)(ids, note)
    return as_json({"changed": change.passages if change else 0, "change": change.id if change else None})


def passage_value(p: Passage) -> dict[str, Any]:
    """A passage, JSON-safe."""
    return {
        "passage_id": p.id, "text": p.text, "url": p.source_url, "domain": p.domain, "title": p.title,
        "publisher": p.publisher, "topic": p.topic, "language": p.language, "origin": p.origin.value,
        "status": p.status.value, "source_type": p.source_type.value, "credibility": p.credibility, "rated": p.rated,
        "published_at": iso(p.published_at), "retrieved_at": iso(p.retrieved_at), "indexed_at": iso(p.indexed_at),
        "as_of": p.as_of or None, "frame": p.frame.line or None, "verification_count": p.verification_count,
        "kind": p.kind.value, "intake": p.intake.value, "trusted": p.trusted, "text_hash": p.text_hash,
        "cited_as": cited_as(p), "library_rating": p.library_rating,
    }  # fmt: skip
