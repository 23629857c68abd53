"""The benchmark's command line: ``python -m ghost bench NAME …``. Imports nothing large before it is needed."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import pages_cli
from bench.arguments import parser
from bench.figures import markdown, table
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
    if args.name == "everyday":
        return _everyday(args)
    if args.name == "reading":
        return _reading(args)

    from bench.rows import DataError  # only now, since it takes a while

    try:
        return {"page": _page, "store": _store}.get(args.name, _quality)(args)
    except DataError as error:
        say(str(error))
        return 2


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

    found = demo(args.limit, args.seed, args.only) | {"command": _command(args)}
    print(demo_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _everyday(args: argparse.Namespace) -> int:
    from bench.everyday import everyday
    from bench.everyday import table as everyday_table
    from bench.results import write_json

    found = everyday(args.half, args.limit, args.judge) | {"command": _command(args)}
    print(everyday_table(found))
    if args.json:
        write_json(found, args.json)
    return 0


def _reading(args: argparse.Namespace) -> int:
    from bench.reading import reading
    from bench.reading import table as reading_table
    from bench.results import write_json

    found = reading(args.repeats) | {"command": _command(args)}
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
        workers=getattr(args, "workers", 1) or cores(),
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
    names = ("claims", "pairs", "corpus", "judge", "half", "limit", "only", "seed", "workers", "repeats")
    given = {name: value for name in names if (value := getattr(args, name, None))}
    words = [f"--{name} {_typed(value)}" for name, value in given.items()]
    return " ".join([f"python -m ghost bench {args.name}", *words])


def _typed(value: Any) -> str:
    if isinstance(value, Path):
        return value.name
    return " ".join(value) if isinstance(value, list | tuple) else str(value)


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
