"""``python -m ghost bench everyday``: what people paste, over the starter library alone, against what is true.

``data/everyday.jsonl`` has two halves of different topics. The open half is there to look at; the sealed half only
counts, so its claims are never printed.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bench.results import Progress, head, percentile
from config import load_settings
from ghost.events import VerdictReached
from ghost.types import DECIDED, Claim, Label, Verdict
from ghost.workbench import Workbench, build

CLAIMS = Path(__file__).with_name("data") / "everyday.jsonl"
_SIDES = frozenset(label.value for label in DECIDED)


class EverydayClaim(BaseModel):
    """A claim with what is true of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    half: Literal["open", "sealed"]
    claim: str
    label: Label
    covered: bool
    """Whether a fact of the starter library settles it."""
    topic: str
    kind: str
    fact: str = ""


def read_claims(half: str = "", file: Path = CLAIMS) -> list[EverydayClaim]:
    """The claims of a half, or all of them, in the order of the file."""
    rows = [EverydayClaim.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if half in ("", row.half)]


def everyday(half: str, limit: int, judge: str | None, command: str = "") -> dict[str, Any]:
    """Verify the claims of a half over a fresh knowledge base that holds the starter library, without the web."""
    claims = read_claims(half)[: limit or None]
    progress = Progress()
    rows = []
    with TemporaryDirectory(prefix="ghost-bench-") as folder:
        settings = load_settings().model_copy(
            update={"data_dir": Path(folder).resolve(), "database_url": "", "chroma_url": ""}
        )
        with build(settings, judge=judge, web=False) as workbench:
            info = workbench.judge_info
            about = head(
                "everyday", command, models=workbench.models, judge={"name": info.name, "model": info.model},
                odds=workbench.tools.settings["odds"], half=half or "both", limit=limit,
            )  # fmt: skip
            for done, claim in enumerate(claims, start=1):
                rows.append(_row(claim, *_verified(workbench, claim.claim)))
                progress("Checking claims", done, len(claims))
            passages = workbench.knowledge.stats().active
    shown = [row for row in rows if row["half"] == "open"]
    return about | {"passages": passages, **figures(rows), "claims": shown}


def figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Right, open and wrong, of all claims and by whether the library covers them."""
    parts = {
        "all": rows,
        "covered": [row for row in rows if row["covered"]],
        "not covered": [row for row in rows if not row["covered"]],
    }
    return {
        "n": len(rows),
        "parts": {name: _counts(part) for name, part in parts.items() if part},
        "halves": {half: _counts(part) for half in ("open", "sealed") if (part := _of(rows, "half", half))},
        "kinds": {kind: _counts(_of(rows, "kind", kind)) for kind in sorted({row["kind"] for row in rows})},
        "seconds_p50": percentile([row["seconds"] for row in rows], 50),
        "seconds_p95": percentile([row["seconds"] for row in rows], 95),
    }


def _of(rows: Sequence[dict[str, Any]], key: str, value: str) -> list[dict[str, Any]]:
    return [row for row in rows if row[key] == value]


def _counts(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    decided = [row for row in rows if row["found"] in _SIDES]
    right = sum(row["label"] == row["found"] for row in decided)
    return {"n": len(rows), "right": right, "open": len(rows) - len(decided), "wrong": len(decided) - right}


def _verified(workbench: Workbench, claim: str) -> tuple[Verdict | None, float]:
    verdict, seconds = None, 0.0
    began = time.monotonic()
    for event in workbench.verify(Claim(claim), web=False):
        if isinstance(event, VerdictReached):
            verdict, seconds = event.verdict, time.monotonic() - began
    return verdict, seconds


def _row(claim: EverydayClaim, verdict: Verdict | None, seconds: float) -> dict[str, Any]:
    leaning = verdict.leaning if verdict else None
    return {
        **claim.model_dump(mode="json", exclude={"fact"}),
        "found": verdict.label.value if verdict else "failed",
        "confidence": verdict.confidence if verdict else None,
        "leaning": {"label": leaning.label.value, "probability": leaning.probability} if leaning else None,
        "seconds": seconds,
    }
