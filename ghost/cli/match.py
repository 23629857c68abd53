"""``python -m ghost match``: whether two claims or questions are the same, and in which respects they differ."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import progress, read_file, read_input, say, show, typed
from ghost.jobs import MAX_BYTES, Sheet, read_sheet
from ghost.text import one_line
from ghost.types import ClaimMatch

COLUMNS = (("a", "claim", "card", "one"), ("b", "question", "other"))
"""Names of the two columns, in any order; else they are the first two."""
_AT_ONCE = 32


def match(args: Namespace) -> int:
    """Compare the two claims, or each pair of a file, and print what came of it; 1 when a line cannot be read."""
    if bool(args.file) == bool(args.claims):
        raise UsageError("Name two claims, or a file with pairs: --file PAIRS.csv.")
    settings = load_settings()
    if not args.file and len(args.claims) != 2:
        raise UsageError("Two claims are compared. Put each of them in quotes.")
    lines, bad = ([(0, typed(args.claims[0]), typed(args.claims[1]))], 0) if not args.file else _read(args)

    from ghost.matching import load_matcher  # large, and not needed to refuse a file

    matcher = load_matcher(threads=settings.threads)
    found: list[ClaimMatch] = []
    for start in range(0, len(lines), _AT_ONCE):
        found += matcher.match([(one, other) for _, one, other in lines[start : start + _AT_ONCE]])
        if args.file:
            progress("Pairs", len(found), len(lines))
    rows = [
        _row(one, other, made) | ({"line": line} if line else {})
        for (line, one, other), made in zip(lines, found, strict=True)
    ]
    if args.file:
        show(args.json, {"pairs": rows, "bad_lines": bad}, "\n".join(map(_line, rows)))
    else:
        show(args.json, rows[0], _text(found[0]))
    return 1 if bad else 0


def _read(args: Namespace) -> tuple[list[tuple[int, str, str]], int]:
    """The pairs with their lines, and how many lines have none; each of those is named."""
    body = read_input(MAX_BYTES) if args.file == "-" else read_file(Path(args.file), MAX_BYTES)
    called = "standard input" if args.file == "-" else typed(Path(args.file).name)
    sheet = read_sheet(body, called, encoding=typed(args.encoding))
    if len(sheet.head) < 2:
        raise UsageError(f"{one_line(called)} has one column. A pair needs two: a,b")
    first, second = _columns(sheet)
    pairs, bad = [], 0
    for row in sheet.rows:
        if not row.cells and not row.problem:
            continue
        cells = [row.cells[n].strip() if n < len(row.cells) else "" for n in (first, second)]
        if row.problem or not all(cells):
            say(f"Line {row.line:,}: {one_line(row.problem) or 'a cell of the pair is empty'}. It was left out.")
            bad += 1
            continue
        pairs.append((row.line, cells[0], cells[1]))
    if not pairs:
        raise UsageError(f"{one_line(called)} has no line with two claims.")
    return pairs, bad


def _columns(sheet: Sheet) -> tuple[int, int]:
    names = [name.strip().lower() for name in sheet.head]
    one, other = (next((names.index(name) for name in known if name in names), None) for known in COLUMNS)
    return (one, other) if one is not None and other is not None and sheet.has_head else (0, 1)


def _row(one: str, other: str, made: ClaimMatch) -> dict[str, Any]:
    return {
        "a": one,
        "b": other,
        "relation": made.relation.value,
        "probability": round(made.probability, 4),
        "cosine": round(made.cosine, 4),
        "why": made.why,
        "slots": [{"name": s.name, "a": s.one, "b": s.other, "agrees": s.agrees} for s in made.slots],
    }


def _line(row: dict[str, Any]) -> str:
    said = f"{one_line(row['a'])} | {one_line(row['b'])}"
    return f"{row['line']:>6,}  {row['relation']:<9}  {row['probability']:.2f}  {said}"


def _text(made: ClaimMatch) -> str:
    lines = [
        f"{made.relation.value.capitalize()} (probability {made.probability:.2f}, cosine {made.cosine:.2f})",
        made.why,
    ]
    for slot in made.slots:
        if slot.one or slot.other or not slot.agrees:
            sign = "=" if slot.agrees else "≠"
            lines.append(
                f"  {sign} {slot.name}: {one_line(slot.one) or '(nothing)'} | {one_line(slot.other) or '(nothing)'}"
            )
    return "\n".join(lines)
