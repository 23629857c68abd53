"""``python -m ghost bench near-misses``: what nearly says a claim, and twins that do say it.

``data/near_misses.jsonl`` was written from descriptions of faults, by two people who had not seen the code. Each row
has a claim with passages, or with a page in HTML, and the answers that may be given for it (``accept``). A row that
accepts one label only, and no abstention, is a twin: it has the same form as the traps of its kind and settles its
claim.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

import seed_kb
from bench.results import Progress, head
from config import load_settings
from ghost.events import VerdictReached
from ghost.pipelines import Tools, verify
from ghost.types import Claim, Intake, Label, NewPassage
from ghost.web import Fetched, Links
from ghost.workbench import Workbench, build

ROWS = Path(__file__).with_name("data") / "near_misses.jsonl"


class Source(BaseModel):
    """A passage beside the claim."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    source: str
    date: dt.date | Literal[""] = ""


class NearMiss(BaseModel):
    """A claim with what is there about it, and the answers that may be given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    kind: str
    claim: str
    passages: tuple[Source, ...] = ()
    html: str = ""
    url: str = ""
    accept: tuple[Label, ...]
    why: str

    @property
    def trap(self) -> bool:
        """Whether an abstention is right."""
        return Label.NOT_ENOUGH_EVIDENCE in self.accept


class OnePage:
    """A fetcher that has one page."""

    def __init__(self, url: str, html: str) -> None:
        self._url, self._body = url, html.encode()

    def fetch(self, url: str, seconds: float, check: Callable[[], None], *, one_site: bool = False) -> Fetched:  # noqa: ARG002 - the protocol's
        """The page, whatever address is asked for."""
        check()
        size = len(self._body)
        return Fetched(url, self._url, 200, "text/html", "", self._body, size, 0.0, dt.datetime.now(dt.UTC))


def read_near_misses(file: Path = ROWS) -> list[NearMiss]:
    """All rows, in the order of the file."""
    return [NearMiss.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]


def near_misses(limit: int, command: str = "") -> dict[str, Any]:
    """Check each claim over its own passages or page and nothing else, with the embedded judge."""
    rows = read_near_misses()[: limit or None]
    progress = Progress()
    found = []
    with TemporaryDirectory(prefix="ghost-bench-") as folder:
        settings = load_settings().model_copy(
            update={
                "data_dir": Path(folder).resolve(),
                "database_url": "",
                "chroma_url": "",
                "packs_off": tuple(pack.name for pack in seed_kb.packs()),
            }
        )
        with build(settings, judge="embedded", web=False) as workbench:
            about = head("near_misses", command, models=workbench.models, limit=limit)
            for done, row in enumerate(rows, start=1):
                found.append(_answered(row, workbench, f"{done:032x}"))
                progress("Checking claims", done, len(rows))
    return about | figures(rows, found)


def figures(rows: Sequence[NearMiss], found: Sequence[Label]) -> dict[str, Any]:
    """Traps that were taken and twins that were settled, by kind, and the names of the rows that went wrong."""
    answered = list(zip(rows, found, strict=True))
    kinds = {row.kind: [one for one in answered if one[0].kind == row.kind] for row in rows}
    return {
        "n": len(rows),
        "all": _counts(answered),
        "kinds": {kind: _counts(part) for kind, part in sorted(kinds.items())},
        "wrong": {row.name: label.value for row, label in answered if label not in row.accept},
    }


def _counts(answered: Sequence[tuple[NearMiss, Label]]) -> dict[str, int]:
    # A claim that was not checked, because of its language, takes no trap either.
    traps = [label in (*row.accept, Label.NOT_VERIFIABLE) for row, label in answered if row.trap]
    twins = [label in row.accept for row, label in answered if not row.trap]
    return {"traps": len(traps), "taken": traps.count(False), "twins": len(twins), "settled": sum(twins)}


def _answered(row: NearMiss, workbench: Workbench, run_id: str) -> Label:
    with _there(row, workbench) as tools:
        events = list(verify(Claim(row.claim), tools, run_id))
    return next((e.verdict.label for e in events if isinstance(e, VerdictReached)), Label.NOT_VERIFIABLE)


@contextmanager
def _there(row: NearMiss, workbench: Workbench) -> Iterator[Tools]:
    """The tools of a run that finds the passages of a row, or its page."""
    if row.html:
        yield replace(workbench.tools, fetcher=OnePage(row.url, row.html), links=Links((row.url,)))
        return
    added = workbench.knowledge.add(
        [NewPassage(p.text, p.source, published_at=p.date or None, intake=Intake.READ) for p in row.passages]
    )
    yield workbench.tools
    workbench.knowledge.retire(added.ids, "measured")
