"""``python -m ghost bench matching``: whether claims that say the same are told from those that do not."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, field_validator

from bench import metrics
from bench.results import Options, Progress, head, say
from bench.rows import DataError, Row, Table, read_table
from config import PROJECT, load_settings
from ghost.inference import BUNDLED_ENCODER, BUNDLED_MODELS, Encoder, load_encoder, load_stance_reader
from ghost.matching import Candidates, ClaimMatcher, load_matcher
from ghost.records import wilson_interval
from ghost.types import ClaimMatch, Relation

HELD = PROJECT / "bench" / "data" / "matching.jsonl"
"""Pairs over claims that nothing was fitted or chosen on."""
NEAR = 0.9
"""Cosine from which an opposite pair is one that similarity alone takes for the same."""
FALSE_SAME, SAME_FOUND = 0.02, 0.75
"""What is promised: the upper end of the interval of pairs falsely called the same, and the share of those found."""
DEPTH = 5
_AT_ONCE = 64
_RELATIONS = [relation.value for relation in Relation]


class MatchRow(Row):
    """A claim that has an answer, a question, and how they stand to each other."""

    card: str = Field(min_length=1)
    question: str = Field(min_length=1)
    relation: str
    kind: str = ""
    category: str = ""

    @field_validator("relation")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in _RELATIONS:
            raise ValueError(f"{value!r} is none of {', '.join(_RELATIONS)}")
        return value


class SameRow(Row):
    """Two sentences of an outside set, and whether they say the same."""

    a: str = Field(min_length=1)
    b: str = Field(min_length=1)
    label: str = Field(min_length=1)
    """SAME, or anything else."""
    doc_id: str = ""
    """Of the claim ``b``, where it is one of a list to be searched."""


class ListedClaim(Row):
    """A claim of a list that is searched."""

    doc_id: str = Field(min_length=1)
    claim: str = Field(min_length=1)

    @property
    def key(self) -> str:
        return self.doc_id


def matching(data: Path, outside: Path | None, listed: tuple[Path, Path] | None, options: Options) -> dict[str, Any]:
    """Measure and return the result as one JSON object.

    ``outside`` has pairs ``a``, ``b``, ``label``; ``listed`` is a file of texts with the claims they repeat, and the
    file of all claims. Raises DataError on a file that cannot be used, ConfigError and GhostError.
    """
    own = load_settings()
    table = read_table(data, MatchRow).sample(options.limit, options.seed)
    result = head("matching", options.command, own, seed=options.seed, limit=options.limit, pairs=table.described)
    encoder = load_encoder(BUNDLED_ENCODER[0], BUNDLED_MODELS, own.threads)
    reader = load_stance_reader(BUNDLED_MODELS, own.threads)
    matcher = load_matcher(BUNDLED_MODELS, own.threads, encoder, reader)
    matcher.match([("The weights are read before the clock starts.", "Is it so that they are read?")])
    say(f"Comparing {len(table.rows):,} pairs.")
    started = time.perf_counter()
    found = _match(matcher, [(row.card, row.question) for row in table.rows])
    seconds = time.perf_counter() - started
    result |= figures(table.rows, found)
    result["seconds_per_pair"] = round(seconds / len(found), 4)
    result["categories"] = _categories(matcher, table)
    result["models"] = {
        name: {"name": model.name, "sha256": model.checksum}
        for name, model in (("match", matcher), ("encoder", encoder), ("stance", reader))
    }
    if outside:
        result["outside"] = _outside(matcher, read_table(outside, SameRow).sample(options.limit, options.seed))
    if listed:
        result["listed"] = _listed(matcher, encoder, listed, options)
    return result


def figures(rows: Sequence[MatchRow], found: Sequence[ClaimMatch]) -> dict[str, Any]:
    """All figures of a result over labelled pairs."""
    gold, said = [row.relation for row in rows], [match.relation.value for match in found]
    same, opposite = Relation.SAME.value, Relation.OPPOSITE.value
    others = [n for n, relation in enumerate(gold) if relation != same]
    called = [n for n, relation in enumerate(said) if relation == same]
    near = [n for n in range(len(rows)) if gold[n] == opposite and found[n].cosine > NEAR]
    false = share(sum(said[n] == same for n in others), len(others))
    recall = share(sum(gold[n] == same for n in called), gold.count(same))
    return {
        "n": len(rows),
        "accuracy": metrics.accuracy(gold, said),
        "confusion": metrics.confusion(gold, said),
        "false_same": false,
        "same_found": recall,
        "same_right": share(sum(gold[n] == same for n in called), len(called)),
        "opposite_found": share(sum(s == g == opposite for s, g in zip(said, gold, strict=True)), gold.count(opposite)),
        "opposite_right": share(sum(s == g == opposite for s, g in zip(said, gold, strict=True)), said.count(opposite)),
        "near_opposites": {
            "called_opposite": share(sum(said[n] == opposite for n in near), len(near)),
            "called_same": share(sum(said[n] == same for n in near), len(near)),
        },
        "goals": {
            "false_same": false["interval"][1] <= FALSE_SAME,
            "same_found": recall["share"] is not None and recall["share"] >= SAME_FOUND,
        },
        "by_kind": _by_kind(rows, said),
    }


def share(hits: int, n: int) -> dict[str, Any]:
    """A share with its 95% interval; None for a share of nothing."""
    low, high = wilson_interval(hits, n)
    return {
        "hits": hits,
        "n": n,
        "share": round(hits / n, 4) if n else None,
        "interval": [round(low, 4), round(high, 4)],
    }


def _by_kind(rows: Sequence[MatchRow], said: Sequence[str]) -> dict[str, dict[str, int]]:
    """Of each kind of pair, how many are called what; the most frequent kinds first."""
    kinds: dict[str, dict[str, int]] = {}
    for row, relation in zip(rows, said, strict=True):
        counts = kinds.setdefault(f"{row.relation}: {row.kind}", {"n": 0, "right": 0, "called_same": 0})
        counts["n"] += 1
        counts["right"] += relation == row.relation
        counts["called_same"] += relation == Relation.SAME.value
    return dict(sorted(kinds.items(), key=lambda item: (-item[1]["n"], item[0])))


def _match(matcher: ClaimMatcher, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
    found: list[ClaimMatch] = []
    progress = Progress()
    for start in range(0, len(pairs), _AT_ONCE):
        found += matcher.match(pairs[start : start + _AT_ONCE])
        progress("Pairs", len(found), len(pairs))
    return found


def _categories(matcher: ClaimMatcher, table: Table[MatchRow]) -> dict[str, Any]:
    named = {row.card: row.category for row in table.rows if row.category}
    found = [category.value for category in matcher.category_of(list(named))]
    right = sum(one == other for one, other in zip(found, named.values(), strict=True))
    return {"right": share(right, len(named)), "other": found.count("other")}


def _outside(matcher: ClaimMatcher, table: Table[SameRow]) -> dict[str, Any]:
    found = _match(matcher, [(row.a, row.b) for row in table.rows])
    gold = [row.label.upper() == "SAME" for row in table.rows]
    said = [match.relation is Relation.SAME for match in found]
    n, count = len(gold), sum(gold)
    return {
        **table.described,
        "accuracy": share(sum(g == s for g, s in zip(gold, said, strict=True)), n),
        "same_found": share(sum(g and s for g, s in zip(gold, said, strict=True)), count),
        "false_same": share(sum(s and not g for g, s in zip(gold, said, strict=True)), n - count),
    }


def _listed(matcher: ClaimMatcher, encoder: Encoder, listed: tuple[Path, Path], options: Options) -> dict[str, Any]:
    """Whether the claim that a text repeats is among the first of a list, and whether it is then called the same."""
    texts = read_table(listed[0], SameRow).sample(options.limit, options.seed)
    claims = read_table(listed[1], ListedClaim)
    at = {row.doc_id: n for n, row in enumerate(claims.rows)}
    for number, row in enumerate(texts.rows):
        if row.doc_id not in at:
            raise DataError(f"{listed[0]}, line {texts.lines[number]}: {listed[1]} has no claim {row.doc_id!r}.")
    say(f"Reading {len(claims.rows):,} claims.")
    vectors = _encode(encoder, [row.claim for row in claims.rows])
    wording = [row.claim for row in claims.rows]
    candidates = Candidates(wording, encoder, vectors)
    found = [candidates.nearest(row.a, DEPTH) for row in texts.rows]
    hits = sum(at[row.doc_id] in near for row, near in zip(texts.rows, found, strict=True))
    cosine_alone = sum(
        at[row.doc_id] in np.argsort(-(vectors @ vector))[:DEPTH]
        for row, vector in zip(texts.rows, _encode(encoder, [row.a for row in texts.rows]), strict=True)
    )
    true = _match(matcher, [(row.a, row.b) for row in texts.rows])
    wrong = _match(
        matcher,
        [
            (row.a, wording[near[0]])
            for row, near in zip(texts.rows, found, strict=True)
            if near and near[0] != at[row.doc_id]
        ],
    )
    called: Callable[[Sequence[ClaimMatch]], int] = lambda some: sum(m.relation is Relation.SAME for m in some)  # noqa: E731
    return {
        **texts.described,
        "claims": len(wording),
        "recall_at_5": share(hits, len(found)),
        "recall_at_5_by_cosine": share(cosine_alone, len(found)),
        "true_called_same": share(called(true), len(true)),
        "other_first_called_same": share(called(wrong), len(wrong)),
    }


def _encode(encoder: Encoder, texts: Sequence[str]) -> np.ndarray:
    return np.vstack([encoder.encode(texts[n : n + 256]) for n in range(0, len(texts), 256)])
