"""How well the embedded judge decides claims about an event that several pages tell of (``reports.py``).

    python -m training.measure_reports [--part 4] [--json FILE]

For each claim the event's own page, its reports and two pages of other events are read as a live investigation reads
pages, step 3 weighs what bears on the claim, and the decision rule decides. No model was trained on these events; the
odds are fitted on claims of their own pages among others, each page alone (``calibration_claims.py``).
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from config import Settings
from ghost.inference import Encoder, StanceReader
from ghost.judges import decide_statement
from ghost.steps import Investigation, ReadingRules, RerankRules, rerank
from ghost.steps.investigate import (
    SourceReport,
    SourceState,
    encode_texts,
    nearest_passages,
    relevant_findings,
    with_findings,
)
from ghost.types import Label, Origin, Passage, SourceType, Statement, StatementVerdict, Status
from ghost.workbench import build
from training.dossiers import Dossier, read_dossiers, window
from training.reports import Report, read_reports

SEED = 1
FOREIGN = 2
"""Pages of other events beside each event's own."""
SURE = 0.75
GOLD = {"SUPPORTS": Label.TRUE, "REFUTES": Label.FALSE, "NEI": Label.NOT_ENOUGH_EVIDENCE}


@dataclass(frozen=True)
class Page:
    """A page as it is read: its passages, and their vectors of shape (passages, dimensions)."""

    passages: tuple[Passage, ...]
    vectors: np.ndarray | None


@dataclass(frozen=True)
class Decided:
    """A claim with its label and what the judge made of it."""

    claim: str
    label: Label
    verdict: StatementVerdict | None
    """None where nothing that was read bears on it."""

    @property
    def found(self) -> Label:
        return self.verdict.label if self.verdict else Label.NOT_ENOUGH_EVIDENCE

    @property
    def sure(self) -> bool:
        """Whether it is decided, with a confidence of SURE or more."""
        return self.found is not Label.NOT_ENOUGH_EVIDENCE and bool(self.verdict and self.verdict.confidence >= SURE)


class Reader:
    """Reads claims against pages with the parts of a workbench."""

    def __init__(self, reader: StanceReader, encoder: Encoder, rules: RerankRules) -> None:
        self._reader, self._encoder, self._rules = reader, encoder, rules

    def page(self, name: str, report: Report) -> Page:
        """The page as one of a site of its own, every sentence with the one before it."""
        texts = [window(report.sentences, i) for i in range(len(report.sentences))]
        passages = tuple(_passage(f"{name}-{i}", name, report.title, text) for i, text in enumerate(texts))
        return Page(passages, encode_texts(texts, report.title, self._encoder))

    def decide(self, claim: str, pages: Sequence[Page]) -> StatementVerdict | None:
        """What all the pages together say of the claim."""
        statement = Statement(1, claim)
        found = [
            f
            for page in pages
            for f in relevant_findings(
                statement, nearest_passages(statement, page.passages, page.vectors, self._encoder), self._reader,
                ReadingRules().per_page,
            )
        ]  # fmt: skip
        if not found:
            return None
        read = Investigation(sources=(SourceReport("", "", SourceState.READ, found=tuple(found)),))
        candidates = with_findings({}, read, (statement,), (), None)
        weighed = rerank((statement,), candidates, self._reader, None, self._rules).value
        return decide_statement(statement, weighed.evidence) if weighed.evidence else None


def _passage(id_: str, site: str, title: str, text: str) -> Passage:
    return Passage(
        id=id_, text=text, source_url=f"https://{site}.example/page", title=title, domain=f"{site}.example",
        publisher="", topic="", origin=Origin.WEB, status=Status.ACTIVE, source_type=SourceType.UNKNOWN, language="en",
        published_at=None, retrieved_at=None, indexed_at=None, credibility=0.5,
    )  # fmt: skip


def decided(
    dossiers: Sequence[Dossier], reports: Mapping[str, Sequence[Report]], reader: Reader, part: int = 1
) -> Iterator[Decided]:
    """Each ``part``-th claim of the events that have reports, in the order of the dossiers."""
    events = [d for d in dossiers if d.topic in reports]
    told = [Report(d.topic.capitalize(), d.page) for d in events]
    pages = [
        [reader.page(f"e{n}p{k}", page) for k, page in enumerate((told[n], *reports[event.topic]))]
        for n, event in enumerate(events)
    ]
    rng = random.Random(SEED)
    for n, event in enumerate(events):
        others = rng.sample([m for m in range(len(events)) if m != n], min(FOREIGN, len(events) - 1))
        mine = [*pages[n], *(pages[m][0] for m in others)]
        for claim in event.claims[n % part :: part]:
            yield Decided(claim.text, GOLD[claim.label], reader.decide(claim.text, mine))


def figures(rows: Sequence[Decided]) -> dict[str, object]:
    """Share of right ones, those decided with a high confidence, and how labels and answers meet."""
    sure = [r for r in rows if r.sure]
    met = {str(label): Counter(str(r.found) for r in rows if r.label is label) for label in GOLD.values()}
    return {
        "claims": len(rows),
        "accuracy": round(sum(r.found is r.label for r in rows) / max(1, len(rows)), 4),
        "sure": len(sure),
        "sure_and_wrong": sum(r.found is not r.label for r in sure),
        "found": {label: dict(sorted(found.items())) for label, found in met.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=int, default=1, help="take one in so many claims")
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    with TemporaryDirectory() as folder, build(Settings(data_dir=Path(folder)), judge="embedded", web=False) as bench:
        tools = bench.tools
        if tools.encoder is None:
            raise SystemExit("The bundled encoder is missing.")
        reader = Reader(tools.reader, tools.encoder, tools.rules)
        found = figures(list(decided(read_dossiers(), read_reports(), reader, args.part)))
    print(json.dumps(found, indent=2))
    if args.json:
        args.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
