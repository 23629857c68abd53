"""Choose the thresholds of the embedded judge's decision rule.

    python -m training.choose_rule --claims bench/data/tuning_claims.jsonl

Runs steps 1 to 3 of the real pipeline over the seed facts for each claim, then tries a grid of thresholds on the
evidence found. A wrong side (True for False, or the other way) costs more than a missed one, as does a verdict where
none is due. Prints the best settings and the confusion of the one in use.
"""

import argparse
import itertools
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from config import Settings
from ghost.events import ClaimClassified, EvidenceWeighed
from ghost.judges.decision import RULE, Rule, combine, decide_statement
from ghost.types import Claim, Classification, Evidence, Label
from ghost.workbench import Workbench, build

COST = {"right": 0.0, "missed": 1.0, "unfounded": 2.0, "wrong side": 4.0}
Case = tuple[str, Label, Classification, tuple[Evidence, ...]]


def gather(bench: Workbench, rows: Iterable[dict[str, str]]) -> list[Case]:
    """The classification and the evidence of each claim; what is not verifiable has none."""
    cases = []
    for row in rows:
        classification, evidence = None, ()
        for event in bench.verify(Claim(row["claim"])):
            if isinstance(event, ClaimClassified):
                classification = event.classification
            elif isinstance(event, EvidenceWeighed):
                evidence = event.evidence
        assert classification is not None
        cases.append((row["claim"], Label(row["label"]), classification, evidence))
    return cases


def decide(classification: Classification, evidence: tuple[Evidence, ...], rule: Rule) -> Label:
    if not classification.statements:
        return Label.NOT_VERIFIABLE
    verdicts = [
        decide_statement(s, [e for e in evidence if e.statement == s.number], rule) for s in classification.statements
    ]
    return combine(verdicts)[0]


def outcome(expected: Label, found: Label) -> str:
    if found is expected:
        return "right"
    if found in (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE):
        return "missed"
    return "wrong side" if expected in (Label.TRUE, Label.FALSE) else "unfounded"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="list what the rule in use gets wrong")
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.claims.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder, build(Settings(data_dir=Path(folder))) as bench:
        cases = gather(bench, rows)

    def tally(rule: Rule) -> Counter[str]:
        return Counter(outcome(expected, decide(c, e, rule)) for _, expected, c, e in cases)

    def cost(found: Counter[str]) -> float:
        return sum(COST[name] * n for name, n in found.items()) / len(cases)

    grid = itertools.product((0.3, 0.4, 0.5, 0.6), (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75), (0.3, 0.5, 0.7, 0.9))
    tried = sorted(((cost(t := tally(r := Rule(*g))), r, t) for g in grid), key=lambda found: found[0])
    for value, rule, found in tried[:12]:
        print(f"{value:.3f}  {rule}  {dict(found)}")
    print(f"in use: {cost(tally(RULE)):.3f}  {RULE}  {dict(tally(RULE))}")
    print(Counter((str(expected), str(decide(c, e, RULE))) for _, expected, c, e in cases))
    if args.show:
        for text, expected, classification, evidence in cases:
            found = decide(classification, evidence, RULE)
            if outcome(expected, found) != "right":
                print(f"\n{outcome(expected, found)}: {text}  [{expected} -> {found}]")
                for e in evidence:
                    s = e.stance
                    print(f"   {s.supports:.2f} {s.refutes:.2f} {s.neutral:.2f} {s.off_topic:.2f}  {e.passage.text}")


if __name__ == "__main__":
    main()
