"""Runs to report on, made by hand."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from html.parser import HTMLParser

from ghost.records import Case
from ghost.reports import Format, Publisher, export
from ghost.types import (
    TOO_UNSURE,
    Citation,
    Claim,
    ClaimType,
    Classification,
    Evidence,
    Harm,
    JudgeInfo,
    Label,
    Leaning,
    Origin,
    Passage,
    Reason,
    ReasonCode,
    Run,
    RunStatus,
    SourceType,
    Stance,
    StanceLabel,
    Statement,
    StatementVerdict,
    Status,
    TraceStep,
    Usage,
    Verdict,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TEXT = "From low Earth orbit the Great Wall of China is hard to see with the naked eye."


def passage(**changes: object) -> Passage:
    base = Passage(
        id="p1",
        text=TEXT,
        source_url="https://www.nasa.gov/wall",
        title="China's Wall Less Great in View from Space",
        domain="nasa.gov",
        publisher="NASA",
        topic="space",
        origin=Origin.SEED,
        status=Status.ACTIVE,
        source_type=SourceType.GOVERNMENT,
        language="en",
        published_at=date(2005, 5, 9),
        retrieved_at=None,
        indexed_at=NOON,
        credibility=0.95,
    )
    return replace(base, **changes)


def evidence(**changes: object) -> Evidence:
    base = Evidence(
        number=1,
        statement=1,
        passage=passage(),
        stance=Stance(0.02, 0.9, 0.05, 0.03),
        relevance=0.97,
        credibility=0.95,
        access_bonus=0.0,
        final=1.105,
        group=1,
        rank=1,
    )
    return replace(base, **changes)


def finished(**changes: object) -> Run:
    """A run with a verdict of False on one statement, one accepted and one refused citation."""
    cited = Citation(
        n=1,
        passage_id="p1",
        quote=TEXT,
        stance=StanceLabel.REFUTES,
        accepted=True,
        why="The quote stands in the passage.",
        statement=1,
        url="https://www.nasa.gov/wall",
        domain="nasa.gov",
        title="China's Wall Less Great in View from Space",
        published_at=date(2005, 5, 9),
    )
    refused = replace(
        cited, n=2, quote="It is invisible.", accepted=False, why="The quote does not stand verbatim in the passage."
    )
    base = Run(
        id="r1",
        status=RunStatus.FINISHED,
        claim=Claim(
            "The Great Wall of China is visible from space.", "A quiz", date(2026, 1, 1), "https://a.example/q"
        ),
        started_at=NOON,
        judge=JudgeInfo("embedded", "stance-v1", ("embedded: runs on this machine",)),
        settings={"top_k_rerank": 5, "judge": "auto", "source_credibility": {f"h{i}.org": 0.5 for i in range(60)}},
        classification=Classification(
            ClaimType.FACTUAL,
            0.9,
            (Statement(1, "The Great Wall of China is visible from space."),),
            "It states something that sources can settle.",
        ),
        evidence=(evidence(),),
        verdict=Verdict(
            Label.FALSE,
            0.91,
            f"[1] NASA says “{TEXT}”, which contradicts the claim.",
            (cited, refused),
            reasons=(Reason(ReasonCode.WEAK_ORIGIN, "One origin only.", "A second source."),),
            statements=(StatementVerdict(1, Label.FALSE, 0.91, 0.02, 0.9, probability=0.95),),
            probability=0.95,
        ),
        steps=(
            TraceStep("classify", NOON, 0.01, "FACTUAL, 1 statement", "Rules.", {"claim": "x"}, {"type": "FACTUAL"}),
            TraceStep("verdict", NOON, 0.2, "False, high confidence (91%)", "1 of 2 citations passed the gate."),
        ),
        usage=Usage(seconds=0.42),
        finished_at=NOON,
    )
    return replace(base, **changes)


def leaning() -> Run:
    """A run that was left open, though its evidence leans one way."""
    tilt = Leaning(Label.FALSE, 0.52)
    return finished(
        verdict=Verdict(
            Label.NOT_ENOUGH_EVIDENCE, None, "", reasons=(TOO_UNSURE,), leaning=tilt,
            statements=(StatementVerdict(1, Label.NOT_ENOUGH_EVIDENCE, None, 0.02, 0.4, leaning=tilt),),
        )
    )  # fmt: skip


def cancelled() -> Run:
    """A run that was stopped after its evidence was weighed."""
    return finished(status=RunStatus.CANCELLED, verdict=None, error="The run was cancelled.")


def failed_at_once() -> Run:
    """A run that ended before anything was known."""
    return Run(
        "r2", RunStatus.FAILED, Claim("Water is wet."), NOON, JudgeInfo("embedded", "m"), error="The disk is full."
    )


PUBLISHER = Publisher("Example Checks")


def html(run: Run) -> str:
    """The HTML report."""
    return export(run, Format.HTML, PUBLISHER).decode()


def markdown(run: Run) -> str:
    """The Markdown report."""
    return export(run, Format.MARKDOWN, PUBLISHER).decode()


class Page(HTMLParser):
    """A page as a browser would take it: elements with their attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.found]

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def links(self) -> Iterator[str]:
        return (of[name] or "" for _, of in self.found for name in ("href", "src") if name in of)


def conversed(**changes: object) -> Run:
    """A run of a single conversation."""
    run = finished(settings={"pipeline": "single-conversation"}, **changes)
    assert run.verdict
    return replace(run, verdict=replace(run.verdict, truth_percentage=4.2, harm=Harm.HIGH))


def case(name: str = "Election 2026", notes: str = "Ask the ministry.\n\n# Not a heading") -> Case:
    return Case("c1", name, notes, NOON, NOON, 2)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        assert len(names) == len(set(names))
        return {name: packed.read(name) for name in names}


def check_manifest(files: dict[str, bytes]) -> dict[str, object]:
    """The manifest of an archive, when it names each of its files with its checksum."""
    manifest = json.loads(files["manifest.json"])
    assert manifest["files"].keys() == files.keys() - {"manifest.json"}
    for name, entry in manifest["files"].items():
        assert entry == {"sha256": hashlib.sha256(files[name]).hexdigest(), "bytes": len(files[name])}
    return dict(manifest)
