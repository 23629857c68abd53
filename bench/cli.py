"""The benchmark's command line: ``python -m ghost bench NAME …``. Imports nothing large before it is needed."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import pages_cli
from bench.figures import PARTS, markdown, table
from bench.page_block import FIGURES, GROWTH, PAGES, has_block, markers, put
from bench.processes import ended_like_interrupted
from bench.terminal import say


def main(argv: Sequence[str]) -> int:
    """Run one benchmark and return the exit code: 0 measured (also when a goal is missed), 2 for bad usage."""
    words = list(argv)
    try:
        args = parser().parse_args(words)
    except SystemExit as end:  # argparse has said what is wrong, or printed the help
        return int(end.code or 0)
    block = PAGES if args.name == "pages" else GROWTH if getattr(args, "growth", ()) else FIGURES
    problem = _unwritable(getattr(args, "json", None)) or _no_page(args.docs, block)
    if problem:  # known before minutes of measuring, not after
        say(problem)
        return 2
    if args.name == "speed":
        return _growth(args) if args.growth else _speed(args)
    if args.name == "pages":
        return pages_cli.measure(args)
    if args.name == "llm":
        return _llm(args)
    if args.name == "demo":
        return _demo(args)
    if args.name == "reading":
        return _reading(args)

    from bench.rows import DataError  # only now, since it takes a while

    try:
        return {"page": _page, "store": _store}.get(args.name, _quality)(args)
    except DataError as error:
        say(str(error))
        return 2


def parser() -> argparse.ArgumentParser:
    """The benchmarks that exist and their options."""
    root = argparse.ArgumentParser(prog="python -m ghost bench", description="Measure what Ghost promises.")
    names = root.add_subparsers(dest="name", required=True, metavar="NAME")
    _speed_arguments(names)
    _quality_arguments(names)
    _llm_arguments(names)
    _demo_arguments(names)
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
        one.set_defaults(docs=None, workers=1)
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


MOST = 200_000
"""Passages that a knowledge base of the benchmark may have."""
_CORPUS = "JSON lines: doc_id with text, or title and abstract, perhaps url"


def _llm(args: argparse.Namespace) -> int:
    from bench.llm import llm
    from bench.llm import table as llm_table
    from bench.results import write_json

    found = llm(args.claims, args.seed)
    print(llm_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _demo(args: argparse.Namespace) -> int:
    from bench.demo import demo
    from bench.demo import table as demo_table
    from bench.results import write_json

    found = demo(args.limit, args.seed, args.only)
    print(demo_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _reading(args: argparse.Namespace) -> int:
    from bench.reading import reading
    from bench.reading import table as reading_table
    from bench.results import write_json

    found = reading(args.repeats)
    print(reading_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _speed(args: argparse.Namespace) -> int:
    from bench.results import write_json
    from bench.speed import Options, speed

    with ended_like_interrupted():
        result = speed(Options(args.passages, args.claims, args.seed, args.skip))
    print(table(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(markdown(result), args.docs)
    return 0


def _growth(args: argparse.Namespace) -> int:
    from bench import growth, growth_table
    from bench.results import write_json

    with ended_like_interrupted():
        result = growth.growth(growth.Options(args.growth, args.claims, args.seed, args.skip))
    print(growth_table.table(result))
    if args.json:
        write_json(result, args.json)
    if args.docs:
        put(growth_table.markdown(result), args.docs, GROWTH)
    if stopped := result.get("stopped"):
        return 130 if stopped["why"] == growth.INTERRUPTED else 1
    return 0


def _quality(args: argparse.Namespace) -> int:
    from bench import quality
    from bench.machine import cores
    from bench.options import Options
    from bench.retrieval import retrieval
    from bench.stance import stance
    from bench.verdicts import verdicts

    options = Options(
        limit=args.limit,
        seed=args.seed,
        workers=args.workers or cores(),
        judge=getattr(args, "judge", None),
        keep=args.keep,
        json=args.json,
        command=_command(args),
    )
    if options.folder is None:
        say("With --json or --keep, a run that is cut off can be taken up again.")
    with ended_like_interrupted():
        match args.name:
            case "verdicts":
                result = verdicts(args.claims, args.corpus, options)
            case "stance":
                result = stance(args.pairs, options)
            case _:
                result = retrieval(args.claims, args.corpus, options)
    print(quality.terminal(result))
    return 0


def _command(args: argparse.Namespace) -> str:
    """How to measure the same again; files without their folders, which mean nothing elsewhere."""
    names = ("claims", "pairs", "corpus", "judge", "limit", "seed", "workers")
    given = {name: value for name in names if (value := getattr(args, name, None))}
    words = [f"--{name} {value.name if isinstance(value, Path) else value}" for name, value in given.items()]
    return " ".join([f"python -m ghost bench {args.name}", *words])


def _page(args: argparse.Namespace) -> int:
    from bench.quality import markdown, read_results

    put(markdown(read_results(args.results)), args.docs)
    return 0


def _store(args: argparse.Namespace) -> int:
    from bench.stored import store

    for made in store(args.results):
        print(made)
    return 0


def _unwritable(target: Path | None) -> str:
    if target is None or (target.parent.is_dir() and not target.is_dir()):
        return ""
    return f"{target} cannot be written: name a file in a folder that exists."


def _no_page(page: Path | None, block: str) -> str:
    if page is None or has_block(page, block):
        return ""
    return f"{page} is not a page with a line {markers(block)[0]}, so there is no place for the table."


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
