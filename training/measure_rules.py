"""What the rules around the models come to, on tables written without seeing the rules.

    python -m training.measure_rules step1 tests/data/pasted_claims.unseen.jsonl
    python -m training.measure_rules gate tests/data/gate_sentences.unseen.jsonl
    python -m training.measure_rules dates tests/data/dated_evidence.jsonl
    python -m training.measure_rules facts packs

Prints one JSON object. ``pasted_claims.jsonl`` and ``gate_sentences.jsonl`` were looked at while lines were chosen; the
``unseen`` tables were written after that.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config import load_settings
from ghost.events import VerdictReached
from ghost.inference import ClaimHead, OnnxCrossEncoder, OnnxEncoder
from ghost.judges import ClaimReader, classify, decide_statement, timed
from ghost.steps import QuoteReader, pass_gate
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import (
    Claim,
    ClaimType,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    Label,
    StanceLabel,
    Statement,
)
from ghost.workbench import build
from training.train_claim_types import ENCODER, MODELS, read

Row = dict[str, Any]
STOPPED = (ClaimType.OPINION, ClaimType.AMBIGUOUS)
_STANCES = {"SUPPORTS": SUPPORTING, "REFUTES": REFUTING, "NEI": ON_TOPIC}
_OPEN = "Open"


def step1(rows: Sequence[Row]) -> dict[str, Any]:
    """Share of right types, facts stopped, texts checked for nothing, and overlap of the statements in words."""
    reader = ClaimReader(ClaimHead(MODELS / "claim-types", OnnxEncoder(ENCODER)))
    found = [(ClaimType(row["type"]), row, classify(row["text"], reader=reader)) for row in rows]
    said = [(row["statements"], [s.text for s in one.statements]) for _, row, one in found if row["statements"]]
    return {
        "texts": len(rows),
        "types_right": _share(wanted is one.type for wanted, _, one in found),
        "facts": sum(wanted not in STOPPED for wanted, *_ in found),
        "facts_stopped": sum(wanted not in STOPPED and one.type in STOPPED for wanted, _, one in found),
        "checked_for_nothing": sum(wanted in STOPPED and one.type not in STOPPED for wanted, _, one in found),
        "statements_precision": round(sum(_covered(made, wanted) for wanted, made in said) / len(said), 4),
        "statements_recall": round(sum(_covered(wanted, made) for wanted, made in said) / len(said), 4),
    }


def gate(rows: Sequence[Row]) -> dict[str, Any]:
    """Sentences of a judge that are refused, of how many, by kind."""
    quotes = QuoteReader(OnnxCrossEncoder(MODELS / "stance-mpnet"), {})
    refused: Counter[str] = Counter()
    for row in rows:
        said = DraftSentence(f"{row['sentence']} [1]", (DraftCitation(1, row["quote"], StanceLabel.NEUTRAL, 1),))
        found = [evidence(1, row["quote"], ON_TOPIC)]
        report = pass_gate(Draft(Label(row["label"]), 0.9, (said,)), found, (row["claim"],), quotes=quotes)
        refused[_kind(row)] += not report.verdict.citations[0].accepted
    kinds = Counter(map(_kind, rows))
    return {kind: {"refused": refused[kind], "of": kinds[kind]} for kind in sorted(kinds)}


def dates(rows: Sequence[Row]) -> dict[str, Any]:
    """Statements over passages whose stance is known: right and wrong, with and without the rule about dates."""
    found: dict[str, Counter[str]] = {"with": Counter(), "without": Counter()}
    for row in rows:
        statement, passages = Statement(1, row["statement"]), [_dated(n, e) for n, e in enumerate(row["evidence"], 1)]
        weighed = timed(statement, passages, None, date.fromisoformat(row["today"]))
        for name, one in (("with", weighed), ("without", passages)):
            label = decide_statement(statement, one).label
            answer = label.value if label in (Label.TRUE, Label.FALSE) else _OPEN
            outcome = "right" if answer == row["gold"] else "open" if answer == _OPEN else "wrong"
            found[name][outcome] += 1
    return {name: dict(counts) for name, counts in found.items()}


def facts(rows: Sequence[Row]) -> dict[str, Any]:
    """What becomes of the facts of the starter library, pasted word for word."""
    found: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        settings = load_settings().model_copy(
            update={"data_dir": Path(folder).resolve(), "database_url": "", "chroma_url": ""}
        )
        with build(settings, judge="embedded", web=False) as workbench:
            for row in rows:
                events = workbench.verify(Claim(row["text"]), web=False)
                found.update(e.verdict.label.value for e in events if isinstance(e, VerdictReached))
    return {"facts": len(rows), **dict(found.most_common())}


def _dated(number: int, row: Row) -> Evidence:
    one = evidence(number, row["text"], _STANCES[row["says"]], credibility=row["credibility"])
    day = date.fromisoformat(row["published"]) if row["published"] else None
    return replace(one, passage=replace(one.passage, published_at=day), nearness=0.8)


def _kind(row: Row) -> str:
    return "faithful" if row["ok"] else str(row["kind"])


def _share(right: Iterable[bool]) -> float:
    counted = list(right)
    return round(sum(counted) / len(counted), 4)


def _covered(texts: Sequence[str], by: Sequence[str]) -> float:
    """Mean over ``texts`` of how much of its words the nearest of ``by`` shares (Jaccard); 0 without any."""
    words = [set(re.findall(r"\w+", text.casefold())) for text in by]
    mine = [set(re.findall(r"\w+", text.casefold())) for text in texts]
    if not mine:
        return 0.0
    return sum(max((len(m & w) / max(1, len(m | w)) for w in words), default=0.0) for m in mine) / len(mine)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = {"step1": step1, "gate": gate, "dates": dates, "facts": facts}
    parser.add_argument("what", choices=measures)
    parser.add_argument("file", type=Path, help="the table, or a folder of such files")
    args = parser.parse_args()
    files = sorted(args.file.glob("*.jsonl")) if args.file.is_dir() else [args.file]
    rows = [row for file in files for row in read(file)]
    if not rows:
        parser.error(f"there is nothing to measure in {args.file}")
    print(json.dumps(measures[args.what](rows), indent=2))


if __name__ == "__main__":
    main()
