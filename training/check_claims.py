"""Check claims whose verdict is known over the seed facts, and show how far the confidence can be believed.

    python -m training.check_claims [--claims bench/data/tuning_claims.jsonl] [--show]

Runs the real pipeline without the web for each claim. A wrong side (True for False, or the other way) is worse than a
missed verdict, and so is a verdict where none is due.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from config import Settings
from ghost.events import ClaimClassified, EvidenceWeighed
from ghost.judges import combine, decide_statement
from ghost.types import Claim, Classification, Evidence, Label
from ghost.workbench import Workbench, build

TUNING = Path("bench/data/tuning_claims.jsonl")
Row = tuple[str, Label]
Case = tuple[str, Label, Classification, tuple[Evidence, ...]]


def gather(bench: Workbench, rows: Iterable[Row]) -> list[Case]:
    """The classification and the evidence of each claim; what is not verifiable has none."""
    cases = []
    for text, label in rows:
        classification, evidence = None, ()
        for event in bench.verify(Claim(text)):
            if isinstance(event, ClaimClassified):
                classification = event.classification
            elif isinstance(event, EvidenceWeighed):
                evidence = event.evidence
        assert classification is not None
        cases.append((text, label, classification, evidence))
    return cases


def listed(file: Path) -> list[Row]:
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [(row["claim"], Label(row["label"])) for row in rows]


def decide(classification: Classification, evidence: tuple[Evidence, ...]) -> tuple[Label, float]:
    if not classification.statements:
        return Label.NOT_VERIFIABLE, classification.confidence
    verdicts = [
        decide_statement(s, [e for e in evidence if e.statement == s.number]) for s in classification.statements
    ]
    label, confidence, _ = combine(verdicts)
    return label, confidence


def outcome(expected: Label, found: Label) -> str:
    if found is expected:
        return "right"
    if found in (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE):
        return "missed"
    return "wrong side" if expected in (Label.TRUE, Label.FALSE) else "unfounded"


def tally(cases: list[Case]) -> Counter[str]:
    return Counter(outcome(expected, decide(c, e)[0]) for _, expected, c, e in cases)


def reliability_table(cases: list[Case]) -> Iterator[str]:
    """How often a verdict was right, by its confidence; decided and open ones apart."""
    for is_open in (False, True):
        verdicts = [(decide(c, e), expected) for _, expected, c, e in cases]
        mine = [
            (confidence, label is expected)
            for (label, confidence), expected in verdicts
            if (label is Label.NOT_ENOUGH_EVIDENCE) is is_open and label is not Label.NOT_VERIFIABLE
        ]
        mine.sort()
        for i in range(0, len(mine), max(1, len(mine) // 6)):
            part = mine[i : i + max(1, len(mine) // 6)]
            said, right = (sum(column) / len(part) for column in zip(*part, strict=True))
            yield f"  {'open   ' if is_open else 'decided'} said {said:.2f} right {right:.2f} of {len(part)}"


def show(cases: list[Case]) -> None:
    for text, expected, classification, evidence in cases:
        found, _ = decide(classification, evidence)
        if outcome(expected, found) != "right":
            print(f"\n{outcome(expected, found)}: {text}  [{expected} -> {found}]")
            for e in evidence:
                s = e.stance
                print(
                    f"   {s.supports:.2f} {s.refutes:.2f} {s.neutral:.2f} {s.off_topic:.2f} r{e.relevance:.2f}  "
                    f"{e.passage.text}"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, default=TUNING, help="JSON lines: claim, label")
    parser.add_argument("--show", action="store_true", help="list what does not come out right")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, build(Settings(data_dir=Path(folder)), web=False) as bench:
        cases = gather(bench, listed(args.claims))
    print(dict(tally(cases)))
    print(Counter((str(expected), str(decide(c, e)[0])) for _, expected, c, e in cases))
    print("\n".join(reliability_table(cases)))
    if args.show:
        show(cases)


if __name__ == "__main__":
    main()
