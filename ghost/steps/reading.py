"""Reading pages for a claim: each fetched, laid out, read by the judge, and weighed, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ghost.budget import Budget
from ghost.steps.fetching import Brought, SourceState, bring
from ghost.steps.hits import Sieve
from ghost.steps.investigation import Outside
from ghost.steps.opened import Opened, open_page
from ghost.steps.sources import Source, not_read, weigh_page
from ghost.types import Passage, Statement


@dataclass(slots=True)
class PageReader:
    """Reads pages for the statements of one claim."""

    statements: Sequence[Statement]
    outside: Outside
    sieve: Sieve
    budget: Budget
    found_at: str = ""
    """The page the claim was found at, in canonical form: it is read to know its copies, and for nothing else."""
    found_text: str = ""
    read: list[Source] = field(default_factory=list)
    """What came of the pages so far."""

    def go(self, addresses: Sequence[str], hits: Mapping[str, Passage]) -> Iterator[Source]:
        """Each page as it is done; ``hits`` is what a search engine showed of them, where one did."""
        outside = self.outside
        if outside.fetcher is None or outside.reader is None:
            return

        def then(came: Brought, budget: Budget) -> Opened | None:
            return None if came.url == self.found_at else self._opened(came, hits.get(came.url), budget)

        for came in bring(addresses, outside.fetcher, outside.reading, self.budget, outside.today, then):
            hit = hits.get(came.url)
            if came.url == self.found_at:
                source = self._of_found_page(came)
            elif came.page is None:
                source = not_read(came, hit.title if hit else "")
            else:
                source = weigh_page(
                    came, came.opened or self._opened(came, hit, None), self.statements, outside.reader,
                    outside.encoder, outside.reading, self.budget.check,
                )  # fmt: skip
            self.read.append(source)
            yield source

    def _opened(self, came: Brought, hit: Passage | None, budget: Budget | None) -> Opened:
        """A page laid out and read by the judge; without a budget the judge is not asked."""
        assert came.page
        judge = self.outside.judge if budget else None
        return open_page(
            came, came.page, hit, self.statements, self.sieve, self.outside.sources, judge, budget or self.budget
        )

    def _of_found_page(self, came: Brought) -> Source:
        if came.page is None:
            return not_read(came, "")
        self.found_text = came.page.text
        why = "it is the page the claim was found at"
        return Source(came.url, came.page.title, SourceState.DROPPED, why, came.page.url, came.received, came.seconds)
