"""All sites and pages of the demo web, the lists of domains that belong to it, and the labelled claims about it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ghost.demo_web.page import DemoError, Page, copied, read_page
from ghost.types import Label

FOLDER = Path(__file__).parent / "sites"
CLAIMS = Path(__file__).parent / "claims.jsonl"
TO_TRY = ("bridge-sabotage", "mayor-dallow-now", "kelp-retracted", "water-mercury", "tunnel-toll")
"""A fact-check beside a PDF, a superseded fact, a retraction, a harmless share, a rumour."""


class Site(BaseModel):
    """One entry of ``sites/sites.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    about: str = ""
    """What kind of site it is, for whoever reads the list."""
    language: str = "en"
    dates: Literal["json-ld", "meta", "time", "text", "none"] = "meta"
    """How its pages say when they were published; ``none``: not at all, even where the file knows it."""
    robots: str | None = None
    """Text of its ``robots.txt``; without one there is no such file."""


class Lists(BaseModel):
    """What the settings of a workbench on the demo web have to know; hosts are suffixes, optionally with a path."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    trusted: tuple[str, ...]
    fact_checkers: tuple[str, ...]
    credibility: dict[str, float]


@dataclass(frozen=True)
class Library:
    """The content of the demo web."""

    sites: Mapping[str, Site]
    pages: tuple[Page, ...]
    lists: Lists

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Self:
        """Read a folder: ``sites.json``, ``lists.json`` and ``HOST/PATH.md``. Raises DemoError naming the file."""
        try:
            lists = Lists.model_validate(_json(folder / "lists.json"))
        except ValidationError as error:
            raise DemoError(f"lists.json in {folder} cannot be used: {error}") from error
        sites = read_sites(folder)
        pages = [read_page(path, folder) for path in sorted(folder.rglob("*.md"))]
        for page in pages:
            if page.host not in sites:
                raise DemoError(f"{page.name} belongs to no site of {folder / 'sites.json'}.")
        return cls(sites, _with_copies(pages), lists)

    @cached_property
    def by_name(self) -> dict[str, Page]:
        """Pages by ``host/path``."""
        return {page.name: page for page in self.pages}

    def of(self, host: str) -> list[Page]:
        """The pages of a site that a reader may find, newest first."""
        mine = [page for page in self.pages if page.host == host and page.head.search]
        return sorted(mine, key=lambda page: str(page.head.published or ""), reverse=True)


def read_sites(folder: Path = FOLDER) -> dict[str, Site]:
    """The sites by host. Raises DemoError."""
    try:
        return {host: Site.model_validate(row) for host, row in _json(folder / "sites.json").items()}
    except ValidationError as error:
        raise DemoError(f"sites.json in {folder} cannot be used: {error}") from error


def _with_copies(pages: list[Page]) -> tuple[Page, ...]:
    known = {page.name: page for page in pages}
    out = []
    for page in pages:
        original = known.get(page.head.copy_of)
        if page.head.copy_of and (original is None or original.head.copy_of):
            raise DemoError(f"{page.name} copies {page.head.copy_of}, which is no page with a text of its own.")
        out.append(copied(page, original) if original else page)
    return tuple(out)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DemoError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise DemoError(f"{path} is no JSON object.")
    return found


class DemoClaim(BaseModel):
    """One line of ``claims.jsonl``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    claim: str = Field(min_length=1)
    label: Label
    """What follows from the demo web, for whoever reads all of it."""
    as_of: date | None = None
    pages: Mapping[str, str] = {}
    """Plain address of each page whose quotes rightly decide the claim, and its sentence that does."""
    note: str = ""


def claims_to_try() -> tuple[DemoClaim, ...]:
    """The claims that docs/demo.md shows. The embedded judge decides them as they are labelled."""
    return tuple(claim for claim in demo_claims() if claim.id in TO_TRY)


def demo_claims(path: Path = CLAIMS) -> tuple[DemoClaim, ...]:
    """All claims, in the order of the file. Raises DemoError naming the line."""
    out = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            out.append(DemoClaim.model_validate(json.loads(line)))
        except (ValueError, ValidationError) as error:
            raise DemoError(f"Line {number} of {path} cannot be used: {error}") from error
    return tuple(out)
