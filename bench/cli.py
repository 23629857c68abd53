"""The benchmark's command line: ``python -m ghost bench NAME …``. Imports nothing large before it is needed."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.processes import ended_like_interrupted
from bench.results import NotMeasured, cores, say, write_json
from bench.speed_tables import BATCH, FIGURES, GROWTH, PAGES, PARTS, has_block, markers, put

MOST = 2_000_000
"""Passages that a knowledge base of the benchmark may have."""
JUDGES = ("auto", "cloud", "local", "embedded")
_CORPUS = "JSON lines: doc_id with text, or title and abstract, perhaps url"
_CLAIMS = "JSON lines: id, claim, label, gold, cited"
_PAIRS = "JSON lines: card, question, relation (same, opposite, related, different), kind, category"
_CLEF = "JSON lines: a, b, label, doc_id of texts that repeat a claim; and doc_id, claim of all claims"


def main(argv: Sequence[str]) -> int:
    """Run one benchmark and return the exit code: 0 measured (also when a goal is missed), 2 for bad usage."""
    try:
        args = parser().parse_args(argv)
    except SystemExit as end:  # argparse has said what is wrong, or printed the help
        return int(end.code or 0)
    if problem := _unusable(args):  # known before minutes of measuring, not after
        say(problem)
        return 2

    from bench.rows import DataError  # only now, since it takes a while

    try:
        with ended_like_interrupted():
            args.measure(args)
    except DataError as error:
        say(str(error))
        return 2
    except NotMeasured as error:
        say(f"Nothing was measured: {error}.")
        return 2
    return 0


def parser() -> argparse.ArgumentParser:
    """The benchmarks that exist and their options."""
    root = argparse.ArgumentParser(prog="python -m ghost bench", description="Measure what Ghost promises.")
    names = root.add_subparsers(dest="name", required=True, metavar="NAME")

    def command(name: str, measure: Callable[[argparse.Namespace], None], about: str) -> argparse.ArgumentParser:
        added = names.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        added.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
        added.set_defaults(measure=measure, json=None, docs=None)
        return added

    speed = command("speed", _speed, "time of a verification and memory of the page; takes a few minutes")
    size = speed.add_mutually_exclusive_group()
    size.add_argument("--passages", type=_number(1, MOST), default=10_000, metavar="N", help="default: 10000")
    size.add_argument(
        "--growth", type=_sizes, default=(), metavar="SIZES",
        help="instead of one size, what changes as the knowledge base grows, such as 1000,10000,100000",
    )  # fmt: skip
    speed.add_argument("--claims", type=_number(1, 2_000), default=40, metavar="N", help="default: 40")
    speed.add_argument("--skip", type=_parts, default=(), metavar="PARTS", help=f"leave out some of {','.join(PARTS)}")

    pages = command("pages", _pages, "how long the pages take to open and to react, over much that is stored")
    pages.add_argument("--passages", type=_number(1, MOST), default=50_000, metavar="N", help="default: 50000")
    pages.add_argument("--runs", type=_number(2, 20_000), default=1_000, metavar="N", help="default: 1000")
    pages.add_argument("--repeats", type=_number(1, 100), default=5, metavar="N", help="of each page; default: 5")
    growth = command("growth", _growth, "what changes as the knowledge base grows, to a million passages; takes long")
    growth.add_argument("sizes", type=_sizes, metavar="SIZES", help="such as 10000,100000,1000000")
    growth.add_argument("--claims", type=_number(1, 2_000), default=40, metavar="N", help="default: 40")
    growth.add_argument("--runs", type=_number(2, 100_000), default=1_000, metavar="N", help="stored; default: 1000")
    growth.add_argument("--skip", type=_grown_parts, default=(), metavar="PARTS", help="leave out pages or rebuild")
    growth.add_argument("--folder", type=Path, metavar="FOLDER", help="grow in there (default: the system's temporary)")

    batch = command("batch", _batch, "claims checked side by side, beside the same claims one by one")
    batch.add_argument("--passages", type=_number(1, MOST), default=5_000, metavar="N", help="default: 5000")
    batch.add_argument("--claims", type=_number(1, 2_000), default=96, metavar="N", help="default: 96")
    batch.add_argument(
        "--workers", type=_sizes, default=(), metavar="N,N", help="also so many processes on Ray, such as 1,2"
    )
    for one in (speed, pages, growth, batch):
        one.add_argument("--docs", type=Path, metavar="FILE", help="also put the table into this page, as Markdown")

    verdicts = command("verdicts", _quality, "what the pipeline makes of claims whose verdict is known")
    verdicts.add_argument("--claims", type=Path, required=True, metavar="F", help=_CLAIMS)
    verdicts.add_argument("--corpus", type=Path, metavar="F", help=f"{_CORPUS}; without it the seed facts")
    stance = command("stance", _quality, "whether pairs of claim and evidence are read rightly")
    stance.add_argument("--pairs", type=Path, required=True, metavar="F", help="JSON lines: claim, evidence, label")
    retrieval = command("retrieval", _quality, "whether the documents that bear on a claim are found")
    retrieval.add_argument("--claims", type=Path, required=True, metavar="F", help=_CLAIMS)
    retrieval.add_argument("--corpus", type=Path, required=True, metavar="F", help=_CORPUS)
    for one in (verdicts, retrieval):
        one.add_argument("--workers", type=_number(1, 64), default=0, metavar="N", help="claims at a time; the cores")

    matching = command("matching", _matching, "whether claims and questions that say the same are told from others")
    matching.add_argument("--data", type=Path, metavar="F", help=f"{_PAIRS}; default: the held-back pairs of Ghost")
    matching.add_argument("--pawsx", type=Path, metavar="F", help="JSON lines: a, b, label (SAME or another)")
    matching.add_argument("--clef", type=Path, nargs=2, metavar=("TEXTS", "CLAIMS"), help=_CLEF)

    everyday = command("everyday", _everyday, "what people paste, over the starter library alone")
    everyday.add_argument("--half", choices=("open", "sealed"), default="", help="sealed claims are never printed")
    ways = command("pipelines", _pipelines, "both pipelines over the same claims, repeated, reworded and denied")
    ways.add_argument("--half", choices=("learn", "report"), default="", help="claims to report on are never printed")
    ways.add_argument("--reruns", type=_number(1, 20), default=3, metavar="N", help="of each claim; default: 3")
    demo = command("demo", _demo, "live investigations over the demo web, against its labelled claims")
    demo.add_argument("--only", nargs="+", default=(), metavar="ID", help="the claims with these ids")
    near = command(
        "near-misses", _near_misses, "passages and pages that nearly say what a claim says, and twins that do"
    )
    reading = command("reading", _reading, "how long pages take to read, and a run when every server hangs")
    reading.add_argument("--repeats", type=_number(1, 100), default=5, metavar="N", help="default: 5")
    asking = command("asking", _asking, "how long an answer takes that is found among many claim cards")
    asking.add_argument("--cards", type=_number(10, 100_000), default=10_000, metavar="N", help="default: 10000")
    asking.add_argument("--questions", type=_number(1, 1_000), default=40, metavar="N", help="default: 40")
    research = command(
        "research", _research, "how fast the gate of research is among many memories, and how research answers"
    )
    research.add_argument("--memories", type=_number(10, 10_000), default=10_000, metavar="N", help="default: 10000")
    research.add_argument("--plans", type=_number(1, 1_000), default=40, metavar="N", help="default: 40")
    api = command("api", _api, "whether the HTTP API keeps up with many readers and many small requests")
    api.add_argument("--seconds", type=_number(1, 600), default=20, metavar="N", help="default: 20")
    api.add_argument("--streams", type=_number(1, 120), default=50, metavar="N", help="event streams; default: 50")
    api.add_argument("--rate", type=_number(2, 2_000), default=200, metavar="N", help="requests a second; default: 200")
    people = command("analysts", _analysts, "many people at work over the HTTP API at once, for minutes")
    people.add_argument("--seconds", type=_number(1, 7_200), default=600, metavar="N", help="default: 600")
    people.add_argument("--analysts", type=_number(1, 60), default=20, metavar="N", help="default: 20")
    people.add_argument(
        "--team", action="store_true", help="on PostgreSQL and Chroma with two workers, not on one server"
    )
    for one in (verdicts, everyday, ways):
        one.add_argument("--judge", choices=JUDGES, help="who decides, if not GHOST_JUDGE")
    for one in (verdicts, stance, retrieval, matching, everyday, ways, demo, near):
        one.add_argument("--limit", type=_number(1, 10**9), default=0, metavar="N", help="only so many")
    for one in (speed, pages, growth, batch, verdicts, stance, retrieval, matching, demo, people):
        one.add_argument("--seed", type=_number(0, 2**31), default=1, metavar="N", help="of what is drawn; default: 1")
    quality = (verdicts, stance, retrieval, matching, everyday, ways, demo, near)
    for one in (speed, pages, growth, batch, *quality, reading, asking, research, api, people):
        one.add_argument("--json", type=Path, metavar="OUT", help="write all figures to this file, as JSON")

    page = command("page", _page, "put results into a page of the documentation")
    page.add_argument("results", nargs="*", type=Path, metavar="OUT", help="results; default: those that are stored")
    page.add_argument("--docs", type=Path, required=True, metavar="FILE", help="a page with a place for figures")
    store = command("store", _store, "put results where the Quality page reads them")
    store.add_argument("results", nargs="+", type=Path, metavar="OUT", help="results written with --json")
    return root


def _speed(args: argparse.Namespace) -> None:
    from bench.speed import Options, speed

    sizes = args.growth or (args.passages,)
    _fast(args, speed(Options(sizes, bool(args.growth), args.claims, args.seed, args.skip)))


def _growth(args: argparse.Namespace) -> None:
    from bench.growth import Options, growth, markdown, terminal

    options = Options(args.sizes, args.claims, args.runs, args.seed, args.skip, args.folder)
    result = growth(options)
    print(terminal(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(markdown(result), args.docs, GROWTH)


def _pages(args: argparse.Namespace) -> None:
    from bench.pages import Options, pages

    _fast(args, pages(Options(args.passages, args.runs, args.repeats, args.seed)))


def _batch(args: argparse.Namespace) -> None:
    from bench.at_scale import markdown
    from bench.batch import Options, batch, table

    found = batch(Options(args.passages, args.claims, args.seed, args.workers))
    print(table(found))
    if args.json:
        write_json(found, args.json)
    if args.docs:
        put(markdown(found), args.docs, BATCH)


def _fast(args: argparse.Namespace, result: dict[str, Any]) -> None:
    from bench.speed_tables import markdown, terminal

    print(terminal(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(markdown(result), args.docs, _block(args))


def _quality(args: argparse.Namespace) -> None:
    from bench.results import Options
    from bench.retrieval import retrieval
    from bench.stance import stance
    from bench.verdicts import verdicts

    options = Options(
        limit=args.limit, seed=args.seed, workers=getattr(args, "workers", 1) or cores(),
        judge=getattr(args, "judge", None), command=_command(args),
    )  # fmt: skip
    match args.name:
        case "verdicts":
            result = verdicts(args.claims, args.corpus, options)
        case "stance":
            result = stance(args.pairs, options)
        case _:
            result = retrieval(args.claims, args.corpus, options)
    _told(args, result)


def _matching(args: argparse.Namespace) -> None:
    from bench.matching import HELD, matching
    from bench.results import Options

    options = Options(limit=args.limit, seed=args.seed, command=_command(args))
    _told(args, matching(args.data or HELD, args.pawsx, tuple(args.clef) if args.clef else None, options))


def _asking(args: argparse.Namespace) -> None:
    from bench.asking import asking

    _told(args, asking(args.cards, args.questions, _command(args)))


def _research(args: argparse.Namespace) -> None:
    from bench.research import research

    _told(args, research(args.memories, args.plans, _command(args)))


def _api(args: argparse.Namespace) -> None:
    from bench.api import api

    _told(args, api(args.seconds, args.streams, args.rate, _command(args)))


def _analysts(args: argparse.Namespace) -> None:
    from bench.analysts import analysts

    _told(args, analysts(args.seconds, args.analysts, args.team, args.seed, _command(args)))


def _everyday(args: argparse.Namespace) -> None:
    from bench.everyday import everyday

    _told(args, everyday(args.half, args.limit, args.judge, _command(args)))


def _pipelines(args: argparse.Namespace) -> None:
    from bench.pipelines import pipelines

    _told(args, pipelines(args.half, args.limit, args.judge, args.reruns, _command(args)))


def _demo(args: argparse.Namespace) -> None:
    from bench.demo import demo

    _told(args, demo(args.limit, args.seed, args.only, _command(args)))


def _near_misses(args: argparse.Namespace) -> None:
    from bench.near_misses import near_misses

    _told(args, near_misses(args.limit, _command(args)))


def _reading(args: argparse.Namespace) -> None:
    from bench.reading import reading

    _told(args, reading(args.repeats, _command(args)))


def _told(args: argparse.Namespace, result: dict[str, Any]) -> None:
    from bench.quality import terminal

    print(terminal(result))
    if args.json:
        write_json(result, args.json)


def _page(args: argparse.Namespace) -> None:
    from bench.quality import read_results
    from bench.quality_page import markdown
    from bench.stored import RESULTS

    stored = [file for file in sorted(RESULTS.glob("*.json")) if file.stem != "speed"]
    put(markdown(read_results(args.results or stored)), args.docs)


def _store(args: argparse.Namespace) -> None:
    from bench.stored import store

    for made in store(args.results):
        print(made)


def _command(args: argparse.Namespace) -> str:
    """How to measure the same again; files without their folders, which mean nothing elsewhere."""
    names = (
        "data",
        "pawsx",
        "clef",
        "claims",
        "pairs",
        "corpus",
        "judge",
        "half",
        "reruns",
        "limit",
        "only",
        "seed",
        "workers",
        "repeats",
        "seconds",
        "streams",
        "rate",
        "analysts",
        "team",
    )
    given = {name: value for name in names if (value := getattr(args, name, None))}
    options = (f"--{name}" if value is True else f"--{name} {_typed(value)}" for name, value in given.items())
    return " ".join([f"python -m ghost bench {args.name}", *options])


def _typed(value: Any) -> str:
    if isinstance(value, Path):
        return value.name
    return " ".join(map(_typed, value)) if isinstance(value, list | tuple) else str(value)


def _block(args: argparse.Namespace) -> str:
    if args.name == "batch":
        return BATCH
    grown = args.name == "growth" or getattr(args, "growth", ())
    return PAGES if args.name == "pages" else GROWTH if grown else FIGURES


def _unusable(args: argparse.Namespace) -> str:
    if args.json and (args.json.is_dir() or not args.json.parent.is_dir()):
        return f"{args.json} cannot be written: name a file in a folder that exists."
    if args.docs and not has_block(args.docs, _block(args)):
        return f"{args.docs} is not a page with a line {markers(_block(args))[0]}, so there is no place for the table."
    return ""


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


def _grown_parts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in ("pages", "rebuild")]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is no part; the parts are pages and rebuild")
    return names


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is no part; the parts are {', '.join(PARTS)}")
    return names
