"""The words of ``python -m ghost bench pages``."""

import argparse
from collections.abc import Callable
from pathlib import Path

from bench.page_block import PAGES, put
from bench.processes import ended_like_interrupted

Number = Callable[[int, int], Callable[[str], int]]


def arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]", number: Number, most: int) -> None:
    """Add the command; ``number(least, most)`` reads a number, and ``most`` is how many passages there may be."""
    pages = names.add_parser(
        "pages",
        help="how long the pages take to open and to react, over much that is stored",
        description="Fills a temporary knowledge base with made-up passages and runs, and opens every page over it. "
        "Takes some minutes; nothing of yours is read or changed. Exit code 0 even when a goal is missed.",
    )
    pages.add_argument("--passages", type=number(1, most), default=50_000, metavar="N", help="default: 50000")
    pages.add_argument("--runs", type=number(2, 20_000), default=1_000, metavar="N", help="default: 1000")
    pages.add_argument("--repeats", type=number(1, 100), default=5, metavar="N", help="of each page; default: 5")
    pages.add_argument("--seed", type=number(0, 2**31), default=1, metavar="N", help="of the texts; default: 1")
    pages.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep what was made up in this folder for the next time"
    )
    pages.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    pages.add_argument("--docs", type=Path, metavar="FILE", help="also put the table into this page, as Markdown")
    pages.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")


def measure(args: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    from bench import pages_table
    from bench.figures import NotMeasured
    from bench.pages import Options, pages
    from bench.results import write_json
    from bench.terminal import say

    try:
        with ended_like_interrupted():
            result = pages(Options(args.passages, args.runs, args.repeats, args.seed, args.keep))
    except NotMeasured as error:
        say(f"Nothing was measured: {error}.")
        return 2
    print(pages_table.table(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(pages_table.markdown(result), args.docs, PAGES)
    return 0
