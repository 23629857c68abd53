"""``python -m ghost bench stance``: whether pairs of claim and evidence are read rightly."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from bench import metrics
from bench.library import library
from bench.results import Options, Progress, head, say
from bench.rows import PairRow, Table, read_table
from config import load_settings
from ghost.inference import StanceReader
from ghost.types import Stance

NEI = "NEI"
LABELS = {
    "SUPPORTS": "SUPPORTS",
    "REFUTES": "REFUTES",
    "NEI": NEI,
    "NEUTRAL": NEI,
    "OFF-TOPIC": NEI,
    "OFF_TOPIC": NEI,
}
"""What a file may say, and the class it counts as."""
LENGTHS = (15, 30, 60, 120)
"""Words up to which a piece of evidence belongs to a group of lengths; the last group has no end."""
_AT_ONCE = 64
"""Pairs read between two reports of progress."""

TRAPS = ("negation", "number", "date", "entity", "quantifier")

_NEGATION = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|cannot|neither|nor|without|fails? to|failed to|unable)\b|n['’]t\b", re.I
)
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_DATE = re.compile(
    rf"\b(?:1[0-9]{{3}}|20[0-9]{{2}})(?:s|\b)|\b(?:{_MONTH})\.? [0-9]{{1,4}}\b|\b[0-9]{{1,2}} (?:{_MONTH})\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.I,
)
_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half twice "
    "first second third"
)
_NUMBER = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|\b(?:{'|'.join(_WORDS.split())})\b", re.I)
_QUANTIFIER = re.compile(
    r"\b(?:all|every|each|any|some|most|many|few|several|only|always|often|sometimes|rarely|usually|at least|"
    r"at most|more than|less than|fewer than|majority|minority|exactly|entire|both|nearly|almost)\b",
    re.I,
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)(?<![\"“(])\b[A-Z][\w'’-]+")
"""A capital that does not begin a sentence."""


def stance(pairs: Path, options: Options) -> dict[str, Any]:
    """Measure and return the result as one JSON object.

    Raises DataError on a file that cannot be used, ConfigError and GhostError.
    """
    own = load_settings()
    table = read_table(pairs, PairRow)
    check_labels(table)
    three = any(LABELS[row.label.upper()] == NEI for row in table.rows)
    drawn = table.sample(options.limit, options.seed)
    result = head("stance", options.command, own, seed=options.seed, limit=options.limit, pairs=drawn.described)
    # The reader as the pipeline has it, with what is built around it.
    with library(own.model_copy(update={"judge": "embedded"}), None, 1, Progress()) as opened:
        tools = opened.workbench.tools
        say(f"Reading {len(drawn.rows):,} pairs.")
        read = _read(tools.reader, drawn.rows)
        result |= {"models": tools.settings["models"], **figures(drawn.rows, read, three, options.seed)}
    return result


def check_labels(table: Table[PairRow]) -> None:
    """Raises DataError on a label that is none."""
    for number, row in enumerate(table.rows):
        if row.label.upper() not in LABELS:
            raise table.wrong(number, f"the label {row.label!r} is none of {', '.join(LABELS)}.")


def figures(rows: Sequence[PairRow], read: Sequence[Stance], three: bool, seed: int) -> dict[str, Any]:
    """All figures of a result; ``three`` where neither side is an answer too."""
    gold = [LABELS[row.label.upper()] for row in rows]
    found = [answer(one, three) for one in read]
    lengths = [_length(row.evidence) for row in rows]
    lie = [_traps(row) for row in rows]
    everything = range(len(rows))
    named = dict.fromkeys([*TRAPS, *(name for names in lie for name in names)])

    def part(numbers: Iterable[int]) -> dict[str, Any]:
        chosen = list(numbers)
        if not chosen:
            return {"n": 0, "accuracy": None, "macro_f1": None}
        g, f = [gold[i] for i in chosen], [found[i] for i in chosen]
        return {"n": len(chosen), "accuracy": metrics.accuracy(g, f), "macro_f1": metrics.macro_f1(g, f)}

    def over(figure: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Sequence[int]], float]:
        return lambda drawn: figure([gold[i] for i in drawn], [found[i] for i in drawn])

    classes = metrics.by_class(gold, found)
    return {
        **part(everything),
        "answers": ["SUPPORTS", "REFUTES", NEI] if three else ["SUPPORTS", "REFUTES"],
        "by_class": {label: {k: round(v, 4) for k, v in row.items()} for label, row in classes.items()},
        "confusion": metrics.confusion(gold, found),
        "by_evidence_words": {
            name: part(i for i in everything if lengths[i] == name) for name in _length_names() if name in lengths
        },
        "by_trap": {
            **{name: part(i for i in everything if name in lie[i]) for name in named},
            "none": part(i for i in everything if not lie[i]),
        },
        "intervals": metrics.intervals(
            len(rows),
            [("accuracy", over(metrics.accuracy)), ("macro_f1", over(metrics.macro_f1))],
            seed,
        ),
    }


def answer(read: Stance, three: bool) -> str:
    """The label a reading stands for: the likeliest stance, or the likelier of the two sides."""
    if three:
        return LABELS[read.label.value]
    return "SUPPORTS" if read.supports >= read.refutes else "REFUTES"


def _read(reader: StanceReader, rows: Sequence[PairRow]) -> list[Stance]:
    found: list[Stance] = []
    progress = Progress()
    for start in range(0, len(rows), _AT_ONCE):
        found += reader.read([(row.evidence, row.claim) for row in rows[start : start + _AT_ONCE]])
        progress("Pairs", len(found), len(rows))
    return found


def _traps(row: PairRow) -> tuple[str, ...]:
    if row.trap is None:
        return traps(row.claim, row.evidence)
    return (row.trap,) if isinstance(row.trap, str) else row.trap


def _length_names() -> list[str]:
    starts = (0, *LENGTHS)
    return [f"{start + 1}-{end}" for start, end in zip(starts, LENGTHS, strict=False)] + [f"{LENGTHS[-1] + 1}+"]


def _length(evidence: str) -> str:
    words = len(evidence.split())
    return _length_names()[sum(words > end for end in LENGTHS)]


def traps(claim: str, evidence: str) -> tuple[str, ...]:
    """Which traps lie between the two.

    Negation: one of them denies something and the other does not. Number, date, entity: the claim has one that the
    evidence has not, while the evidence has another one. Quantifier: the claim has one that the evidence has not.
    """
    found = {
        "negation": bool(_NEGATION.search(claim)) != bool(_NEGATION.search(evidence)),
        "number": _another(_numbers(claim), _numbers(evidence)),
        "date": _another(_all(_DATE, claim), _all(_DATE, evidence)),
        "entity": _another(_all(_NAME, claim), _all(_NAME, evidence), evidence.casefold()),
        "quantifier": bool(_all(_QUANTIFIER, claim) - _all(_QUANTIFIER, evidence)),
    }
    return tuple(name for name in TRAPS if found[name])


def _another(claimed: set[str], said: set[str], text: str = "") -> bool:
    return bool(said - claimed) and any(one not in text for one in claimed - said)


def _numbers(text: str) -> set[str]:
    """Figures without those of a date; ``1,000`` and ``1000`` are one."""
    return {number.replace(",", "") for number in _all(_NUMBER, _DATE.sub(" ", text))}


def _all(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match.casefold() for match in pattern.findall(text)}
