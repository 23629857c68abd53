"""Which search hits are kept as snippets for this run, and why the others are dropped."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from ghost.knowledge import (
    MIN_CHARS,
    SATIRE_SITE,
    HostRules,
    admit,
    cut,
    forged_markup,
    id_of,
    is_satire_site,
    key_of,
    own_verdict_reason,
    suspicious,
    suspicious_passage,
)
from ghost.types import NewPassage, Origin, Passage, SourceType, Status, canonical, page_key, same_page
from ghost.web import ClaimReview, Hit, Stage, text_of

MIN_WORDS = 5
"""Shorter snippets are menus, dates and breadcrumbs."""
_LITTLE = "its snippet says too little"
STAGE_NAMES = {Stage.TRUSTED: "trusted sources", Stage.FACT_CHECK: "fact-checkers", Stage.BROAD: "the whole web"}

OwnTextFinder = Callable[[Sequence[str]], Sequence[str]]
"""For each text the id of the run whose explanation it repeats, or an empty string."""


def no_own_text(texts: Sequence[str]) -> Sequence[str]:
    """Finds nothing, where there are no earlier runs."""
    return [""] * len(texts)


class Fate(StrEnum):
    """What became of a hit."""

    KEPT = "kept"
    DUPLICATE = "duplicate"
    DROPPED = "dropped"
    TO_READ = "to be read"
    """Its snippet says too little to be evidence, so its page is read where there is room."""
    REVIEW = "fact-check"
    """A published fact-check without a snippet."""


class SourceRatings(Protocol):
    """What is known about a source by its address."""

    def credibility(self, url: str) -> float:
        """0..1."""
        ...

    def rated(self, url: str) -> bool:
        """Whether anyone has rated it."""
        ...

    def source_type(self, url: str) -> SourceType:
        """What kind of publisher it is."""
        ...

    def domain(self, url: str) -> str:
        """The registered domain."""
        ...


@dataclass(frozen=True, slots=True)
class SearchRules:
    """Where to search and what to keep, from the settings. Lists hold host suffixes with an optional path."""

    trusted: tuple[str, ...] = ()
    fact_check: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    """If not empty, nothing else is kept in any stage."""
    denied: tuple[str, ...] = ()
    hits: int = 5
    """The most that are kept of one search."""
    seconds: float = 5.0
    """Time-out of one search."""
    allowed_here: tuple[str, ...] = ()
    """As ``allowed``, for this run; a page must be on both."""
    denied_here: tuple[str, ...] = ()
    """As ``denied``, for this run."""

    def sites(self, stage: Stage) -> tuple[str, ...]:
        """The sites of a stage; none for the whole web, unless only some sites are allowed."""
        broad = self.allowed_here or self.allowed
        return {Stage.TRUSTED: self.trusted, Stage.FACT_CHECK: self.fact_check, Stage.BROAD: broad}[stage]


@dataclass(frozen=True, slots=True)
class FilteredHit:
    """A hit and what became of it."""

    url: str
    title: str
    provider: str
    published_at: date | None
    fate: Fate
    why: str
    passage: Passage | None = None
    """The snippet as a passage, for a hit that was kept."""
    review: ClaimReview | None = None
    """The fact-check it leads to, where address and date allow it, whatever its snippet says."""
    page: Passage | None = None
    """Stands for the page of a hit without a snippet until it is read; never evidence."""


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Decides which hits and pages of one stage may count."""

    stage: Stage
    rules: SearchRules
    sources: SourceRatings
    as_of: date | None = None
    found_at: str | None = None
    today: date | None = None
    """The day of the run; without it every date is believed."""
    find_own_text: OwnTextFinder = no_own_text
    """Our own verdicts are never evidence, wherever they were published."""
    reads: bool = False
    """Whether pages are read in this run."""

    def apply(self, hits: Iterable[Hit], known: Iterable[str] = ()) -> list[FilteredHit]:
        """Each hit with its fate, in order; ``known`` are the ids of the snippets that the run already has."""
        seen, kept, out = set(known), 0, []
        for hit in (self._dated(hit) for hit in hits):
            url = canonical(hit.url)
            why, passage = self.refusal(url, hit.published_at), None
            review = None if why else hit.review
            if not why and (hit.snippet or not review):
                passage, why = self._snippet(hit, url)
            page = self._page(hit, url, why) if not passage and (review or why) else None
            fate = Fate.REVIEW if review and not hit.snippet else Fate.DROPPED
            if passage and passage.id in seen:
                fate, why, passage = Fate.DUPLICATE, "the run has it already", None
            elif passage and kept >= self.rules.hits:
                why, passage = f"{self.rules.hits} hits of this search are already kept", None
            elif passage:
                fate, kept = Fate.KEPT, kept + 1
                seen.add(passage.id)
            elif page and fate is Fate.DROPPED and kept < self.rules.hits:
                fate, kept = Fate.TO_READ, kept + 1
            shown, title = url or hit.url[:300], text_of(hit.title)[:300]
            out.append(FilteredHit(shown, title, hit.provider, hit.published_at, fate, why, passage, review, page))
        return out

    def refusal(self, url: str, published_at: date | None) -> str:
        """Why the address or the date excludes a hit or a page; empty where neither does. ``url`` is canonical."""
        rules = self.rules
        if not url:
            return "its address cannot be used"
        if self.stage is not Stage.BROAD and not _on(rules.sites(self.stage), url):
            return f"not on the list of {STAGE_NAMES[self.stage]}"
        for allowed, denied, who, run in (
            (rules.allowed, rules.denied, "by the settings", "that the settings allow"),
            (rules.allowed_here, rules.denied_here, "for this run", "that this run allows"),
        ):
            if _on(denied, url):
                return f"its site is denied {who}"
            if allowed and not _on(allowed, url):
                return f"its site is not among those {run}"
        if is_satire_site(url):
            return SATIRE_SITE
        if self.found_at and same_page(url, self.found_at):
            return "it is the page the claim was found at"
        if self.as_of and published_at and published_at > self.as_of:
            return f"published after {self.as_of.isoformat()}"
        return ""

    def _dated(self, hit: Hit) -> Hit:
        """The hit without a date in the future, which would make everything true today look outdated.

        Checked here and not in the providers, so that it covers all of them, and cached answers too.
        """
        if self.today is None:
            return hit
        latest = self.today + timedelta(days=1)  # somewhere it is tomorrow already
        if hit.review and hit.review.reviewed_at and hit.review.reviewed_at > latest:
            hit = replace(hit, review=replace(hit.review, reviewed_at=None))
        return replace(hit, published_at=None) if hit.published_at and hit.published_at > latest else hit

    def _snippet(self, hit: Hit, url: str) -> tuple[Passage | None, str]:
        """The snippet as a passage of this run, or why its text excludes it; the same checks as at admission."""
        shown, title = text_of(hit.snippet), text_of(hit.title)
        # All of it, though only the first passage is kept: what surrounds an injected order belongs to it.
        if order := forged_markup(f"{hit.title} \n {hit.snippet}") or suspicious(shown):
            return None, f"its snippet looks like an instruction: {order}"
        first = next(iter(cut(shown)), "")
        admission = admit(NewPassage(text=first, source_url=url, title=title, origin=Origin.WEB))
        found = admission.passage
        if found is None or too_short(found.text):
            little = found is not None or len(first) < MIN_CHARS
            return None, _LITTLE if little and self.reads else (
                f"its snippet is no text to read ({admission.reason or 'a few words only'})"
            )
        if found.status is not Status.ACTIVE:
            return None, f"its snippet looks like an instruction: {admission.reason}"
        if run := next(filter(None, self.find_own_text([found.text, shown])), ""):
            return None, own_verdict_reason(run)
        return self._passage(found, hit.published_at), ""

    def _page(self, hit: Hit, url: str, why: str) -> Passage | None:
        """Stands for a page to be read; None where more than a lack of text speaks against it."""
        if not self.reads or why not in ("", _LITTLE):
            return None
        new = NewPassage(text=text_of(hit.title)[:300], source_url=url, title=text_of(hit.title), origin=Origin.WEB)
        return self._passage(new, hit.published_at) if url and not suspicious_passage(new) else None

    def _passage(self, found: NewPassage, published_at: date | None) -> Passage:
        dated = replace(found, published_at=published_at, retrieved_at=datetime.now(UTC))
        id = f"web:{key_of(found.text, page_key(found.source_url))[:16]}"
        return replace(to_passage(dated, self.sources), id=id, snippet=True)


def _on(sites: tuple[str, ...], url: str) -> bool:
    return _host_rules(sites).matches(url)


@lru_cache(maxsize=16)
def _host_rules(sites: tuple[str, ...]) -> HostRules[bool]:
    return HostRules(dict.fromkeys(sites, True))


def too_short(text: str) -> bool:
    """Whether a text has too few words to be a passage; scripts without spaces between words are not counted."""
    return len(text.split()) < MIN_WORDS and text.isascii()


def to_passage(new: NewPassage, sources: SourceRatings) -> Passage:
    """A passage of this run, under the id that it gets when it is admitted."""
    url = new.source_url
    return Passage(
        id=id_of(key_of(new.text, url)),
        text=new.text,
        source_url=url,
        title=new.title,
        domain=sources.domain(url),
        publisher=new.publisher,
        topic="",
        origin=new.origin,
        status=Status.ACTIVE,
        source_type=sources.source_type(url),
        language=new.language,
        published_at=new.published_at,
        retrieved_at=new.retrieved_at,
        indexed_at=None,
        credibility=sources.credibility(url),
        text_length=len(new.text),
        as_late_as=new.as_late_as,
        as_of=new.as_of,
        rated=sources.rated(url),
        kind=new.kind,
        intake=new.intake,
        text_hash=new.text_hash,
        frame=new.frame,
    )
