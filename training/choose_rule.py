"""Choose the thresholds of the embedded judge's decision rule, and measure how far its confidence can be believed.

    python -m training.choose_rule [--claims bench/data/tuning_claims.jsonl] [--show]

Runs steps 1 to 3 of the real pipeline for each claim: the tuning claims over the seed facts, and the held-back claims
of ``training/data/contrasts.jsonl`` over the seed facts and one passage of each contrast. Then it tries a grid of
thresholds on the evidence found. A wrong side (True for False, or the other way) costs more than a missed one, as does
a verdict where none is due. With ``--claims`` only these claims are judged, over the seed facts.
"""

import argparse
import itertools
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from config import Settings
from ghost.events import ClaimClassified, EvidenceWeighed
from ghost.judges.decision import RULE, Rule, combine, decide_statement
from ghost.types import Claim, Classification, Evidence, Label, NewPassage
from ghost.workbench import Workbench, build
from training.written import Contrast, read_contrasts

TUNING = Path("bench/data/tuning_claims.jsonl")
COST = {"right": 0.0, "missed": 1.0, "unfounded": 2.0, "wrong side": 4.0}
EXPECTED = {"SUPPORTS": Label.TRUE, "REFUTES": Label.FALSE}
GRID = (
    (0.5, 0.6, 0.7, 0.75, 0.8),
    (0.65, 0.7, 0.75, 0.78, 0.8, 0.82, 0.84, 0.85, 0.88),
    (0.3, 0.5),
    (0.85,),
    (0.5, 0.6, 0.7, 0.85),
)
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


def written(contrasts: list[Contrast]) -> list[Row]:
    """The held-back claims with the verdict that the first passage of their contrast gives them."""
    return [
        (claim, EXPECTED.get(stance, Label.NOT_ENOUGH_EVIDENCE))
        for contrast in contrasts
        if contrast.held_back
        for claim, stance, _ in contrast.claims
    ]


def sets(claims: Path | None) -> Iterator[tuple[str, list[Case]]]:
    """The cases of each set of claims, each over a knowledge base of its own."""
    with tempfile.TemporaryDirectory() as folder, build(Settings(data_dir=Path(folder)), web=False) as bench:
        yield (claims or TUNING).stem, gather(bench, listed(claims or TUNING))
        if claims is None:
            contrasts = read_contrasts()
            bench.knowledge.add(NewPassage(c.passages[0], title=c.topic) for c in contrasts)
            yield "contrasts", gather(bench, written(contrasts))


def decide(classification: Classification, evidence: tuple[Evidence, ...], rule: Rule) -> tuple[Label, float]:
    if not classification.statements:
        return Label.NOT_VERIFIABLE, classification.confidence
    verdicts = [
        decide_statement(s, [e for e in evidence if e.statement == s.number], rule) for s in classification.statements
    ]
    label, confidence, _ = combine(verdicts)
    return label, confidence


def outcome(expected: Label, found: Label) -> str:
    if found is expected:
        return "right"
    if found in (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE):
        return "missed"
    return "wrong side" if expected in (Label.TRUE, Label.FALSE) else "unfounded"


def tally(cases: list[Case], rule: Rule) -> Counter[str]:
    return Counter(outcome(expected, decide(c, e, rule)[0]) for _, expected, c, e in cases)


def cost(found: Counter[str]) -> float:
    """Mean cost of a claim."""
    return sum(COST[name] * n for name, n in found.items()) / found.total()


def reliability_table(cases: list[Case], rule: Rule) -> Iterator[str]:
    """How often a verdict was right, by its confidence; decided and open ones apart."""
    for is_open in (False, True):
        verdicts = [(decide(c, e, rule), expected) for _, expected, c, e in cases]
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
        found, _ = decide(classification, evidence, RULE)
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
    parser.add_argument("--claims", type=Path, help="judge only these, over the seed facts")
    parser.add_argument("--show", action="store_true", help="list what the rule in use gets wrong")
    args = parser.parse_args()
    found = dict(sets(args.claims))
    rules = [Rule(*values) for values in itertools.product(*GRID)]
    tried = [(sum(cost(tally(cases, rule)) for cases in found.values()) / len(found), rule) for rule in rules]
    for value, rule in sorted(tried, key=lambda pair: pair[0])[:12]:
        print(f"{value:.3f}  {rule}  " + "  ".join(f"{name} {dict(tally(c, rule))}" for name, c in found.items()))
    for name, cases in found.items():
        print(f"\n{name}, in use: {cost(tally(cases, RULE)):.3f}  {RULE}  {dict(tally(cases, RULE))}")
        print(Counter((str(expected), str(decide(c, e, RULE)[0])) for _, expected, c, e in cases))
        print("\n".join(reliability_table(cases, RULE)))
        if args.show:
            show(cases)


if __name__ == "__main__":
    main()
