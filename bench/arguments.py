"""What can be typed after ``python -m ghost bench``. Imports nothing large."""

import argparse
from collections.abc import Callable
from pathlib import Path

from bench import pages_cli
from bench.figures import PARTS

MOST = 200_000
"""Passages that a knowledge base of the benchmark may have."""
_CORPUS = "JSON lines: doc_id with text, or title and abstract, perhaps url"


def parser() -> argparse.ArgumentParser:
    """The benchmarks that exist and their options."""
    root = argparse.ArgumentParser(prog="python -m ghost bench", description="Measure what Ghost promises.")
    names = root.add_subparsers(dest="name", required=True, metavar="NAME")
    _speed_arguments(names)
    _quality_arguments(names)
    _llm_arguments(names)
    _demo_arguments(names)
    _everyday_arguments(names)
    _reading_arguments(names)
    pages_cli.arguments(names, _number, MOST)
    return root


def _speed_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    speed = names.add_parser(
        "speed",
        help="time of a verification, memory of the page, small models against torch",
        description="Time of a verification, memory of the page, and the small models against torch. "
        "Takes a few minutes; nothing of yours is read or changed. Exit code 0 even when a goal is missed.",
    )
    size = speed.add_mutually_exclusive_group()
    size.add_argument("--passages", type=_number(1, MOST), default=10_000, metavar="N", help="default: 10000")
    size.add_argument(
        "--growth",
        type=_sizes,
        default=(),
        metavar="SIZES",
        help="instead of one size, what changes as the knowledge base grows, such as 1000,10000,100000",
    )
    speed.add_argument("--claims", type=_number(1, 2_000), default=40, metavar="N", help="default: 40")
    speed.add_argument(
        "--seed", type=_number(0, 2**31), default=1, metavar="N", help="of the made-up texts; default: 1"
    )
    speed.add_argument("--skip", type=_parts, default=(), metavar="PARTS", help=f"leave out some of {','.join(PARTS)}")
    speed.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    speed.add_argument("--docs", type=Path, metavar="FILE", help="also put the table into this page, as Markdown")
    speed.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")


def _quality_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    verdicts = names.add_parser(
        "verdicts",
        help="what the pipeline makes of claims whose verdict is known",
        description="Verify claims whose verdict is known, over a corpus of its own and without the web.",
    )
    verdicts.add_argument("--claims", type=Path, required=True, metavar="F", help="JSON lines: id, claim, label, gold")
    verdicts.add_argument("--corpus", type=Path, metavar="F", help=f"{_CORPUS}; without it the seed facts")
    verdicts.add_argument("--judge", choices=("auto", "cloud", "local", "embedded"), help="default: GHOST_JUDGE")

    stance = names.add_parser(
        "stance",
        help="whether pairs of claim and evidence are read rightly",
        description="Read pairs of claim and evidence with the model that weighs evidence.",
    )
    stance.add_argument("--pairs", type=Path, required=True, metavar="F", help="JSON lines: claim, evidence, label")

    retrieval = names.add_parser(
        "retrieval",
        help="whether the documents that bear on a claim are found",
        description="Compare search by words, by meaning, both fused, and reranked, over a corpus of its own.",
    )
    retrieval.add_argument("--claims", type=Path, required=True, metavar="F", help="JSON lines: id, claim, gold, cited")
    retrieval.add_argument("--corpus", type=Path, required=True, metavar="F", help=_CORPUS)

    for one in (verdicts, stance, retrieval):
        one.add_argument("--limit", type=_number(1, 10**9), default=0, metavar="N", help="so many, drawn by the seed")
        one.add_argument("--seed", type=_number(0, 2**31), default=1, metavar="S", help="of sample and intervals; 1")
        one.add_argument("--json", type=Path, metavar="OUT", help="write all figures to this file, as JSON")
        one.add_argument("--keep", type=Path, metavar="DIR", help="keep the index in this folder for the next time")
        one.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
        one.set_defaults(docs=None)
    for one in (verdicts, retrieval):
        one.add_argument("--workers", type=_number(1, 64), default=0, metavar="N", help="claims at a time; the cores")

    page = names.add_parser("page", help="put results into a page of the documentation")
    page.add_argument("results", nargs="+", type=Path, metavar="OUT", help="results written with --json")
    page.add_argument("--docs", type=Path, required=True, metavar="FILE", help="a page with a place for figures")
    page.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")

    store = names.add_parser("store", help="put results where the Quality page reads them")
    store.add_argument("results", nargs="+", type=Path, metavar="OUT", help="results written with --json")
    store.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    store.set_defaults(docs=None)


def _llm_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    model = names.add_parser(
        "llm",
        help="what our own code costs around the calls of a language model",
        description="Verifies seed facts with a scripted model that answers in 200 ms; nothing leaves the machine.",
    )
    model.add_argument("--claims", type=_number(1, 2_000), default=20, metavar="N", help="default: 20")
    model.add_argument("--seed", type=_number(0, 2**31), default=1, metavar="N", help="of the claims; default: 1")
    model.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    model.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    model.set_defaults(docs=None)


def _everyday_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    to = names.add_parser(
        "everyday",
        help="what people paste, over the starter library alone",
        description="Checks the everyday claims over the starter library, without the web: right, open and wrong.",
    )
    to.add_argument("--half", choices=("open", "sealed"), default="", help="only one; sealed claims are never printed")
    to.add_argument("--limit", type=_number(1, 10**6), default=0, metavar="N", help="the first so many")
    to.add_argument("--judge", choices=("auto", "cloud", "local", "embedded"), help="who decides, if not GHOST_JUDGE")
    to.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    to.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    to.set_defaults(docs=None)


def _demo_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    web = names.add_parser(
        "demo",
        help="live investigations over the demo web, against its labelled claims",
        description="Searches, fetches and reads a small made-up web on this machine; nothing leaves it.",
    )
    web.add_argument("--limit", type=_number(1, 10**6), default=0, metavar="N", help="the first so many")
    web.add_argument("--only", nargs="+", default=(), metavar="ID", help="the claims with these ids")
    web.add_argument("--seed", type=_number(0, 2**31), default=1, metavar="N", help="of the interval; default: 1")
    web.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    web.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    web.set_defaults(docs=None)


def _reading_arguments(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    pages = names.add_parser(
        "reading",
        help="how long it takes to read pages, and how long a run is when every server hangs",
        description="Reads ten pages of the demo web, and lets search, pages and a language model hang.",
    )
    pages.add_argument("--repeats", type=_number(1, 100), default=5, metavar="N", help="of the reading; default: 5")
    pages.add_argument("--json", type=Path, metavar="OUT", help="also write all figures to this file, as JSON")
    pages.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    pages.set_defaults(docs=None)


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")

    return read


def _sizes(text: str) -> tuple[int, ...]:
    """Each size once, the smallest first, since a knowledge base only grows here."""
    read = _number(1, MOST)
    return tuple(sorted({read(size.strip()) for size in text.split(",")}))


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is no part; the parts are {', '.join(PARTS)}")
    return names
