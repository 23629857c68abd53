"""The benchmark's command line: ``python -m ghost bench NAME …``. Imports nothing large before it is needed."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.figures import PARTS, markdown, table
from bench.page_block import BEGIN, has_block, put
from bench.processes import ended_like_interrupted
from bench.terminal import say


def main(argv: Sequence[str]) -> int:
    """Run one benchmark and return the exit code: 0 measured (also when a goal is missed), 2 for bad usage."""
    words = list(argv)
    try:
        args = parser().parse_args(words)
    except SystemExit as end:  # argparse has said what is wrong, or printed the help
        return int(end.code or 0)
    if args.name == "llm":
        if problem := _unwritable(args.json):
            say(problem)
            return 2
        return _llm(args)
    if problem := _unwritable(args.json) or _no_page(args.docs):  # known before minutes of measuring, not after
        say(problem)
        return 2
    return _speed(args)


def parser() -> argparse.ArgumentParser:
    """The benchmarks that exist and their options."""
    root = argparse.ArgumentParser(prog="python -m ghost bench", description="Measure what Ghost promises.")
    names = root.add_subparsers(dest="name", required=True, metavar="NAME")
    speed = names.add_parser(
        "speed",
        help="time of a verification, memory of the page, small models against torch",
        description="Time of a verification, memory of the page, and the small models against torch. "
        "Takes a few minutes; nothing of yours is read or changed. Exit code 0 even when a goal is missed.",
    )
    speed.add_argument("--passages", type=_number(1, 200_000), default=10_000, metavar="N", help="default: 10000")
    speed.add_argument("--claims", type=_number(1, 2_000), default=40, metavar="N", help="default: 40")
    speed.add_argument(
        "--seed", type=_number(0, 2**31), default=1, metavar="N", help="of the made-up texts; default: 1"
    )
    speed.add_argument("--skip", type=_parts, default=(), metavar="PARTS", help=f"leave out some of {','.join(PARTS)}")
    speed.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    speed.add_argument("--docs", type=Path, metavar="FILE", help="also put the table into this page, as Markdown")
    speed.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    model = names.add_parser(
        "llm",
        help="what our own code costs around the calls of a language model",
        description="Verifies seed facts with a scripted model that answers in 200 ms; nothing leaves the machine.",
    )
    model.add_argument("--claims", type=_number(1, 2_000), default=20, metavar="N", help="default: 20")
    model.add_argument("--seed", type=_number(0, 2**31), default=1, metavar="N", help="of the claims; default: 1")
    model.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    model.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    return root


def _llm(args: argparse.Namespace) -> int:
    from bench.llm import llm
    from bench.llm import table as llm_table
    from bench.speed import write_json

    found = llm(args.claims, args.seed)
    print(llm_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _speed(args: argparse.Namespace) -> int:
    from bench.speed import Options, speed, write_json

    with ended_like_interrupted():
        result = speed(Options(args.passages, args.claims, args.seed, args.skip))
    print(table(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(markdown(result), args.docs)
    return 0


def _unwritable(target: Path | None) -> str:
    if target is None or (target.parent.is_dir() and not target.is_dir()):
        return ""
    return f"{target} cannot be written: name a file in a folder that exists."


def _no_page(page: Path | None) -> str:
    if page is None or has_block(page):
        return ""
    return f"{page} is not a page with a line {BEGIN}, so there is no place for the table."


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")

    return read


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is no part; the parts are {', '.join(PARTS)}")
    return names
