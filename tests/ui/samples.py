"""Hand-made runs of every kind, for drawing without models or a knowledge base."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from ghost.types import (
    TOO_UNSURE,
    Basis,
    Citation,
    Claim,
    ClaimType,
    Classification,
    Evidence,
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

AT = datetime(2025, 11, 21, 14, 5, tzinfo=UTC)
JUDGE = JudgeInfo("embedded", "evidence-cross-encoder", ("embedded: runs on this machine",))
HOSTILE = (
    "<img src=x onerror=alert(1)> <script>alert(2)</script> ![pixel](https://evil.example/p.png) "
    "[click](javascript:alert(3)) :red[red] :material/home: :smile: $x^2$ `code` **bold** www.evil.example a@b.org"
)


def passage(identity: str, text: str, **changes: object) -> Passage:
    """A passage that was read at NASA's, changed as asked."""
    base = Passage(
        id=identity,
        text=text,
        source_url="https://www.nasa.gov/vision/space/workinginspace/great_wall.html",
        title="China's Wall Less Great in View from Space",
        domain="nasa.gov",
        publisher="NASA",
        topic="space",
        origin=Origin.WEB,
        status=Status.ACTIVE,
        source_type=SourceType.GOVERNMENT,
        language="en",
        published_at=None,
        retrieved_at=datetime(2025, 10, 1, tzinfo=UTC),
        indexed_at=AT,
        credibility=0.95,
        text_length=len(text),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


WALL = passage("p1", "The Great Wall of China cannot be seen from the Moon with the unaided eye.")
ORBIT = passage(
    "p2",
    "From low Earth orbit the Great Wall is generally not visible to the unaided eye, and no astronaut has seen it "
    "from the Moon.",
    source_url="https://www.britannica.com/question/Can-you-see-the-Great-Wall-of-China-from-space",
    title="Can you see the Great Wall of China from space?",
    domain="britannica.com",
    publisher="Britannica",
    credibility=0.85,
    published_at=date(2024, 3, 2),
    source_type=SourceType.ACADEMIC,
)
LENGTH = passage(
    "p3",
    "The Great Wall of China stretches for more than 20,000 kilometres.",
    source_url="https://whc.unesco.org/en/list/438",
    title="The Great Wall",
    domain="unesco.org",
    publisher="UNESCO",
)


def evidence(number: int, of: Passage, stance: Stance, group: int, statement: int = 1) -> Evidence:
    """A weighed passage."""
    relevance = stance.relevance
    return Evidence(
        number, statement, of, stance, relevance, of.credibility, 0.01, relevance + (of.credibility - 0.5) * 0.3, group,
        number,
    )  # fmt: skip


def steps() -> tuple[TraceStep, ...]:
    """The trace of a run that needed no investigation."""
    rows = (
        ("classify", 0.004, "FACTUAL · 1 statement to check", "It states something that sources can settle."),
        ("retrieve", 0.031, "20 candidates", "Searched by meaning and by words; 18 of 20 have no known date."),
        ("rerank", 0.412, "3 passages kept, 3 independent origins", "17 were below the relevance limit of 0.30."),
        ("sufficiency", 0.001, "enough", "2 independent origins take a side (support 0.00, refute 0.97)."),
        ("index", 0.012, "3 passages recorded", "Statistics of the passages used were updated."),
        ("verdict", 0.003, "False, high confidence (93%)", "2 of 2 citations accepted."),
    )
    return tuple(
        TraceStep(name, AT + timedelta(seconds=n), took, decision, reason, {"k": 20}, {"kept": 3})
        for n, (name, took, decision, reason) in enumerate(rows)
    )


def false_run(run_id: str = "f" * 32) -> Run:
    """A finished run with the verdict False, two accepted citations and one that the gate rejected."""
    weighed = (
        evidence(1, WALL, Stance(0.01, 0.97, 0.01, 0.01), 1),
        evidence(2, ORBIT, Stance(0.02, 0.9, 0.05, 0.03), 2),
        evidence(3, LENGTH, Stance(0.03, 0.02, 0.9, 0.05), 3),
    )
    citations = (
        Citation(1, "p1", WALL.text, StanceLabel.REFUTES, True, "The quote stands.", url=WALL.source_url),
        Citation(
            2, "p2", "no astronaut has seen it from the Moon", StanceLabel.REFUTES, True, "The quote stands.",
            url=ORBIT.source_url,
        ),
        Citation(
            3, "p3", "The wall is invisible.", StanceLabel.REFUTES, False,
            "The quote does not stand verbatim in the passage.",
        ),
    )  # fmt: skip
    verdict = Verdict(
        Label.FALSE,
        0.93,
        f"[1] NASA says “{WALL.text.rstrip('.')}”, which contradicts the claim. "
        "[2] Britannica says “no astronaut has seen it from the Moon”, which contradicts the claim.",
        citations,
        statements=(StatementVerdict(1, Label.FALSE, 0.93, 0.0, 0.97, probability=0.91),),
        probability=0.91,
        basis=Basis.SEVERAL,
    )
    text = "The Great Wall of China is visible from the Moon"
    return Run(
        id=run_id,
        status=RunStatus.FINISHED,
        claim=Claim(text),
        started_at=AT,
        judge=JUDGE,
        settings={"top_k_retrieval": 20, "web": False},
        classification=Classification(
            ClaimType.FACTUAL, 0.96, (Statement(1, text),), "It states something that sources can settle."
        ),
        evidence=weighed,
        verdict=verdict,
        steps=steps(),
        usage=Usage(seconds=0.46),
        finished_at=AT + timedelta(seconds=0.46),
    )


def opinion_run(run_id: str = "b" * 32) -> Run:
    """A finished run that ended at step 1."""
    reason = Reason(ReasonCode.OPINION, "“Delicious” is a matter of taste.", "Ask for something that can be counted.")
    return replace(
        false_run(run_id),
        claim=Claim("Pineapple on pizza is delicious"),
        classification=Classification(
            ClaimType.OPINION, 0.97, (), "A matter of taste.", "Most people in a survey like it.", ReasonCode.OPINION
        ),
        evidence=(),
        verdict=Verdict(Label.NOT_VERIFIABLE, None, "", reasons=(reason,)),
        steps=steps()[:1],
    )


def open_run(run_id: str = "c" * 32) -> Run:
    """A finished run without enough evidence."""
    reason = Reason(ReasonCode.NO_SOURCES, "No passage speaks about it.", "Add a source that does.")
    claim = Claim(
        "The mayor of Springfield owns nine llamas", as_of=date(2024, 1, 1), found_at="https://x.example/post"
    )
    return replace(
        false_run(run_id),
        claim=claim,
        evidence=(),
        verdict=Verdict(
            Label.NOT_ENOUGH_EVIDENCE, None, "", reasons=(reason,),
            statements=(StatementVerdict(1, Label.NOT_ENOUGH_EVIDENCE, None, 0.0, 0.0),),
        ),
    )  # fmt: skip


def leaning_run(run_id: str = "7" * 32) -> Run:
    """A finished run that is left open though its evidence leans; with what was looked at and not used."""
    tilt = Leaning(Label.FALSE, 0.55)
    fish = passage("p7", "Goldfish remember for months.", title="Goldfish", domain="fish.example", publisher="")
    dropped = {
        "statement": 1, "passage_id": "p8", "kept": False, "code": "relevance", "why": "relevance 0.10 is below 0.30",
        "title": "Walls of Europe", "domain": "walls.example", "final": 0.1,
    }  # fmt: skip
    base = false_run(run_id)
    weighed = TraceStep("rerank", AT, 0.4, "2 passages kept", "Read.", {}, {"candidates": [dropped]})
    return replace(
        base,
        evidence=(*base.evidence[1:], evidence(4, fish, Stance(0.1, 0.3, 0.1, 0.5), 4)),
        steps=tuple(weighed if step.name == "rerank" else step for step in base.steps[:-1]),
        verdict=Verdict(
            Label.NOT_ENOUGH_EVIDENCE, None, "[2] Britannica speaks of it, and [4] is about fish.",
            reasons=(TOO_UNSURE,), leaning=tilt,
            statements=(StatementVerdict(1, Label.NOT_ENOUGH_EVIDENCE, None, 0.0, 0.4, leaning=tilt),),
        ),
    )  # fmt: skip


def contested_run(run_id: str = "d" * 32) -> Run:
    """Two statements with different verdicts, contested, one passage on both sides."""
    base = false_run(run_id)
    supports = evidence(1, WALL, Stance(0.9, 0.02, 0.05, 0.03), 1, statement=2)
    assert base.verdict
    return replace(
        base,
        classification=Classification(
            ClaimType.MIXED,
            0.8,
            (Statement(1, "The wall is visible."), Statement(2, "The wall is long.")),
            "Two parts.",
        ),
        evidence=(*base.evidence, supports),
        verdict=replace(
            base.verdict,
            label=Label.PARTIALLY_TRUE,
            contested=True,
            statements=(
                StatementVerdict(1, Label.FALSE, 0.9, 0.0, 0.9, probability=0.9),
                StatementVerdict(2, Label.TRUE, 0.9, 0.9, 0.0, contested=True, probability=0.9),
            ),
        ),
    )


def hostile_run(run_id: str = "e" * 32) -> Run:
    """Markup in every text that comes from outside."""
    base = false_run(run_id)
    bad = passage(
        "p9", HOSTILE, title=HOSTILE, publisher=HOSTILE[:60], source_url="javascript:alert(4)", domain="evil.example"
    )
    assert base.verdict
    return replace(
        base,
        claim=Claim(HOSTILE, context=HOSTILE, found_at="javascript:alert(5)"),
        classification=Classification(ClaimType.FACTUAL, 0.9, (Statement(1, HOSTILE),), HOSTILE),
        evidence=(evidence(1, bad, Stance(0.01, 0.97, 0.01, 0.01), 1),),
        verdict=replace(
            base.verdict,
            explanation=f"[1] Someone says “{HOSTILE}”. [99] is no evidence.",
            citations=(
                Citation(1, "p9", HOSTILE[:50], StanceLabel.REFUTES, True, "stands"),
                Citation(2, "p9", HOSTILE, StanceLabel.REFUTES, False, HOSTILE),
            ),
            reasons=(Reason(ReasonCode.WEAK_ORIGIN, HOSTILE, HOSTILE),),
        ),
        steps=(TraceStep("classify", AT, 0.1, HOSTILE, HOSTILE, {HOSTILE: HOSTILE}, {"x": HOSTILE}),),
    )


def broken_run(status: RunStatus, error: str, run_id: str = "a" * 32) -> Run:
    """A run without a verdict, with what it had."""
    base = false_run(run_id)
    return replace(base, status=status, verdict=None, steps=base.steps[:3], error=error)


def misleading_run(run_id: str = "9" * 32) -> Run:
    """A finished run whose claim deceives."""
    base = false_run(run_id)
    assert base.verdict
    return replace(base, verdict=replace(base.verdict, label=Label.MISLEADING))


def searched_run(run_id: str = "8" * 32, title: str = "Honey in tombs") -> Run:
    """A finished run that searched: one snippet among its evidence, hits of every fate, a provider that failed."""
    base = false_run(run_id)
    assert base.verdict
    snippet = passage(
        "web:1", "Honey found in Egyptian tombs was still edible.", title=title, publisher="", origin=Origin.WEB,
        source_url="https://www.reuters.com/honey", domain="reuters.com", indexed_at=None, snippet=True,
    )  # fmt: skip
    hits = [
        {"url": snippet.source_url, "title": title, "published_at": None, "fate": "kept", "why": ""},
        {"url": "https://blog.example/a", "title": title, "published_at": "2024-01-31", "fate": "dropped",
         "why": "not on the list of trusted sources"},
    ]  # fmt: skip
    asked = {"statement": 1, "query": title, "provider": "ddgs", "sent_to": "DuckDuckGo", "seconds": 0.4}
    failed = {"state": "failed", "why": "No answer.", "kind": "ProviderTimeoutError", "hits": []}
    search = TraceStep(
        "investigate", AT, 0.5, "trusted sources: 1 of 2 hits kept", "2 searches made, 1 failed.",
        {"stage": "trusted"}, {"searches": [asked | {"state": "answered", "hits": hits}, asked | failed]},
    )  # fmt: skip
    return replace(
        base,
        settings={"web": True, "searched": ["DuckDuckGo", "Wikipedia"]},
        evidence=(*base.evidence, evidence(4, snippet, Stance(0.01, 0.9, 0.06, 0.03), 4)),
        steps=(*base.steps[:4], search, *base.steps[4:]),
        usage=replace(base.usage, searches=2),
        verdict=replace(
            base.verdict,
            citations=(
                Citation(4, "web:1", snippet.text, StanceLabel.REFUTES, True, "It stands.", url=snippet.source_url),
            ),
        ),
    )
