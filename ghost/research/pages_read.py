"""The pages that one research has read: each is fetched once, and weighed again for every later question."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ghost.research.reading import AnswerReader
from ghost.steps import Investigation, SearchHistory, SourceReport, SourceState
from ghost.types import Passage


@dataclass(slots=True)
class PagesRead:
    """Every page so far, with all of its passages that may be shown."""

    history: SearchHistory = field(default_factory=SearchHistory)
    """What the next search has to know: pages that were asked for, their texts, and providers that are down."""
    _sources: dict[str, SourceReport] = field(default_factory=dict)

    @property
    def passages(self) -> list[Passage]:
        """Of all pages; none of those that were retracted, or are satire."""
        return [p for s in self._sources.values() if s.shown for p, _ in s.shown.passages]

    def has(self, url: str) -> bool:
        """Whether the page at this address was read, whatever address it was asked for by."""
        return url in self._sources

    def __len__(self) -> int:
        return len(self._sources)

    def keep(self, found: Sequence[Investigation], history: SearchHistory, reader: AnswerReader) -> None:
        """Add what a question has led to. Its snippets and stages are its own, and are not kept."""
        self.history = replace(history, snippets=(), answered=())
        for s in (s for f in found for s in f.sources):
            if s.state is SourceState.READ and s.shown and not s.disowned:
                self._sources.setdefault(s.final_url or s.url, s)
                reader.learn([p for p, _ in s.shown.passages], s.vectors)

    def leave(self, urls: Collection[str]) -> None:
        """Weigh these pages no more: what they said was not admitted, so it answers nothing."""
        self._sources = {url: s for url, s in self._sources.items() if url not in urls}

    def again(self, passage_ids: Collection[str]) -> Investigation:
        """The pages with these passages, as they are offered to step 6: what else they have was offered before."""
        sources = []
        for s in self._sources.values():
            new = tuple(new for p, new in s.shown.passages if p.id in passage_ids) if s.shown else ()
            if new:
                sources.append(replace(s, found=(), new=new, nearby=(), doubtful=(), reviews=()))
        return Investigation(sources=tuple(sources))
