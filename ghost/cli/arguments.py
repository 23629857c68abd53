"""What can be typed after ``python -m ghost``. Imports nothing large: ``--help`` answers at once."""

import argparse
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from ghost import __version__

CATEGORIES = (
    "historical scientific statistical medical political quotation epistemological interpretive ethical institutional "
    "linguistic other"
).split()
"""Written out, since ``--help`` imports nothing large; a test holds them against ``ghost.types.Category``."""
PIPELINES = ("seven-steps", "single-conversation")
"""Those of ``ghost.types.Pipeline``, for the same reason."""
EXIT_CODES = "Exit codes: 0 done (any verdict), 1 failure, 2 something typed or set cannot be used."


class UsageError(Exception):
    """Something typed cannot be used; ``usage`` shows how to type it."""

    def __init__(self, message: str, usage: str = "") -> None:
        super().__init__(message)
        self.usage = usage


class Parser(argparse.ArgumentParser):
    """An argument parser that leaves it to the caller to report a mistake."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.format_usage())


def parser() -> Parser:
    """The whole command line; ``command`` (and ``action`` after ``kb``) of the parsed arguments say what to do."""
    root = Parser(prog="python -m ghost", description="A workbench for checking claims.", epilog=EXIT_CODES)
    root.add_argument("--version", action="version", version=f"ghost {__version__}")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, what: str, *, json: str = "print one JSON object", **options: Any) -> Parser:
        return _command(commands, name, what, json, **options)

    _verify(command("verify", "check a claim and print the verdict"))
    _ask(command("ask", "answer a question from earlier answers, or check it"))
    _research(command("research", "research a topic: from memory where it can, from the web where it has to"))
    _batch(command("batch", "check a list of claims, and write a table of the results",
                   json="one JSON object for each line instead of CSV"))  # fmt: skip
    _match(command("match", "say whether two claims or questions are the same", json="print one JSON object"))
    _knowledge(_actions(commands, "kb", "look at and change the knowledge base"))
    _cards(_actions(commands, "cards", "look at and change the claim cards: answers that can be reused"))
    _export(command("export", "write a run that was made before to a file", json=""))
    seed = command("seed", "add the facts that come with Ghost (safe to repeat)")
    seed.add_argument(
        "--check-links", action="store_true", help="only ask whether the pages that the facts name are still there"
    )
    calibrate = command("calibrate", "fit how sure a stance model's verdicts are, and measure how many are right")
    calibrate.add_argument(
        "--stance-model", default="", metavar="MODEL", help="bundled, a folder or a name (default: GHOST_STANCE_MODEL)"
    )
    calibrate.add_argument(
        "--judge", choices=("embedded", "local", "cloud"), default="embedded",
        help="measure the verdicts of a language model instead (default: embedded)",
    )  # fmt: skip
    models = _actions(commands, "models", "list the stance models, or fetch one from the hub")
    _command(models, "list", "the bundled one, those on this machine, and some worth fetching")
    fetch = _command(models, "fetch", "download a three-way NLI model from the Hugging Face hub")
    fetch.add_argument("name", metavar="NAME", help="its name there, OWNER/NAME")
    fetch.add_argument("--file", default="", metavar="FILE", help="which ONNX file, such as onnx/model_quantized.onnx")
    fetch.add_argument("--revision", default="", metavar="ID", help="commit, tag or branch (default: the newest)")
    _prune(command("prune", "remove old runs that nothing refers to"))
    _keys(_actions(commands, "keys", "make, list and revoke the API keys of other programs"))
    _mcp(command("mcp", "serve assistants and editors over the Model Context Protocol", json=""))
    command("page", "open the workbench in the browser (what make run does)", json="")
    serve = command("serve", "serve the HTTP API to other programs", json="")
    serve.add_argument("--host", metavar="HOST", help="address to listen on (default: GHOST_API_HOST)")
    serve.add_argument("--port", type=_port, metavar="PORT", help="default: GHOST_API_PORT")
    command("up", "start the workbench, the HTTP API and a Chroma server together", json="")
    _worker(command("worker", "check what others put into the queue on PostgreSQL", json="with --list: print JSON"))
    move = command("move", "copy all records to another database and compare every row")
    move.add_argument("--to", required=True, metavar="URL|FOLDER", help="a PostgreSQL database, or a data folder")
    backup = command("backup", "write all records to a file, while others go on writing")
    backup.add_argument("file", metavar="FILE", help="a new file; an existing one is not overwritten")
    restore = command("restore", "put the records of a backup back")
    restore.add_argument("file", metavar="FILE", help="what backup has written, or any ghost.db")
    restore.add_argument(
        "--replace", action="store_true",
        help="replace existing records; the old ones are kept, those of PostgreSQL as a backup beside FILE",
    )  # fmt: skip
    _demo(command("demo", "open the workbench on a small made-up web, offline (what make demo does)", json=""))
    # Its arguments are the benchmark's own and are handed on unread.
    commands.add_parser("bench", help="run the benchmark: python -m ghost bench --help", add_help=False)
    return root


def _actions(commands: Any, name: str, what: str) -> Any:
    made = commands.add_parser(name, help=what, epilog=EXIT_CODES)
    return made.add_subparsers(dest="action", required=True, metavar="ACTION")


def _command(commands: Any, name: str, what: str, json: str = "print one JSON object") -> Parser:
    """A command with what all have; ``json`` describes its ``--json``, empty for none."""
    made: Parser = commands.add_parser(name, help=what, epilog=EXIT_CODES)
    if json:
        made.add_argument("--json", action="store_true", help=json)
    made.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    return made


def _repeated(to: Any, name: str, metavar: str, what: str) -> None:
    to.add_argument(name, action="append", default=[], metavar=metavar, help=f"{what}; may be given several times")


def _check(to: Parser) -> None:
    """What is said of one check as of many."""
    to.add_argument(
        "--as-of", type=_day, metavar="DATE", help="leave out evidence published after this day (YYYY-MM-DD)"
    )
    _judge(to)
    to.add_argument(
        "--pipeline", choices=PIPELINES, default="",
        help="how to check it; a conversation needs a language model (default: GHOST_PIPELINE)",
    )  # fmt: skip


def _judge(to: Parser) -> None:
    judges = ("auto", "cloud", "local", "embedded")
    to.add_argument("--judge", choices=judges, help="who decides (default: GHOST_JUDGE)")


def _verify(to: Parser) -> None:
    to.add_argument("claim", metavar="CLAIM", help="the claim in quotes, or - to read it from standard input")
    to.add_argument("--context", default="", metavar="TEXT", help="what was said around the claim")
    to.add_argument("--found-at", metavar="URL", help="where the claim was found; that page never supports it")
    _check(to)
    _repeated(to, "--statement", "TEXT", "check this in place of what step 1 extracts from the claim")
    _repeated(to, "--allow-site", "HOST", "use nothing of all other sites, in this run")
    _repeated(to, "--deny-site", "HOST", "use nothing of this site, in this run")
    web = to.add_mutually_exclusive_group()
    _repeated(web, "--link", "URL", "read this page first and judge it too")
    web.add_argument("--no-web", action="store_true", help="use the knowledge base only")


def _ask(to: Parser) -> None:
    to.add_argument("question", metavar="QUESTION", help="in quotes, or - to read it from standard input")
    to.add_argument("--conversation", default="", metavar="ID", help="go on with a conversation")
    to.add_argument("--anew", action="store_true", help="check it, whatever was answered before")
    _judge(to)
    to.add_argument("--no-web", action="store_true", help="use the knowledge base only")


def _research(to: Parser) -> None:
    to.add_argument(
        "topic", nargs="?", default="", metavar="TOPIC", help="in quotes, or - to read it from standard input"
    )
    to.add_argument("--skill", default="", metavar="NAME", help="how to research the topic (default: chosen to fit it)")
    to.add_argument("--questions", metavar="FILE", help="your own questions, one per line; - reads standard input")
    instead = to.add_mutually_exclusive_group()
    instead.add_argument("--plan", action="store_true", help="show the plan and the most it may cost, and stop")
    instead.add_argument("--resume", default="", metavar="ID", help="continue a research that did not finish")
    instead.add_argument("--list", action="store_true", help="list earlier research and the skills")
    to.add_argument("--out", type=Path, metavar="FILE", help="also write the report to a .md, .html or .json file")
    _judge(to)
    to.add_argument("--no-web", action="store_true", help="use only memory and the knowledge base")


def _match(to: Parser) -> None:
    to.add_argument("claims", nargs="*", metavar="CLAIM", help="two claims or questions, each in quotes")
    to.add_argument("--file", metavar="PAIRS", help="CSV with a pair in the first two columns; - reads standard input")
    _encoding(to)


def _export(to: Parser) -> None:
    to.add_argument("run_id", metavar="RUN_ID", help="id of the run, as it stands at the end of its report")
    to.add_argument(
        "--format", choices=("html", "claimreview", "bundle", "markdown", "json"), default="markdown",
        help="html prints to PDF, claimreview is schema.org's JSON-LD, bundle is a zip of all (default: markdown)",
    )  # fmt: skip
    to.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: standard output)")
    to.add_argument("--author-name", default="", metavar="NAME", help="publisher (default: GHOST_PUBLISHER_NAME)")
    to.add_argument("--author-url", default="", metavar="URL", help="their home page (default: GHOST_PUBLISHER_URL)")
    to.add_argument("--page", default="", metavar="URL", help="the page on which the ClaimReview is published")


def _batch(to: Parser) -> None:
    to.add_argument("file", nargs="?", metavar="FILE", help="CSV or one claim on each line; - reads standard input")
    to.add_argument(
        "--out", type=Path, metavar="FILE",
        help="write .csv or .jsonl there (default: CSV on the screen); with --engine ray the folder of the results",
    )  # fmt: skip
    to.add_argument("--resume", metavar="ID", help="go on with a batch that was begun before, or export it again")
    to.add_argument("--column", metavar="NAME", help="the column of the claims (default: by its name or its sentences)")
    _encoding(to)
    _check(to)
    to.add_argument("--no-web", action="store_true", help="use the knowledge base only")
    to.add_argument(
        "--engine", choices=("queue", "ray"), default="queue",
        help="queue: claim by claim, each recorded (the default); ray: a list of any length on many cores or machines, "
        "into Parquet files",
    )  # fmt: skip
    to.add_argument("--address", default="", metavar="ADDR", help="of the Ray cluster (default: start one here)")
    to.add_argument("--workers", type=_count, default=0, metavar="N", help="processes on Ray (default: all cores)")


def _encoding(to: Parser) -> None:
    to.add_argument("--encoding", default="", metavar="NAME", help="of the file, such as cp1251 (default: detected)")


def _knowledge(actions: Any) -> None:
    _command(actions, "stats", "the knowledge base in figures")

    search = _command(actions, "search", "find passages by meaning and by words")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--limit", type=_count, default=10, metavar="N", help="at most so many passages (default: 10)")

    add = _command(actions, "add", "add a text; long ones are cut into passages of one to three sentences")
    text = add.add_mutually_exclusive_group(required=True)
    text.add_argument("text", nargs="?", metavar="TEXT", help="the text in quotes, or - to read it from standard input")
    text.add_argument("--file", type=Path, metavar="FILE", help="a UTF-8 text file")
    add.add_argument("--source", default="", metavar="URL", help="where an excerpt stands, or a note can be checked")
    add.add_argument(
        "--kind", choices=("note", "excerpt"),
        help="note: a sentence of your own; excerpt: verbatim words of the source (default: excerpt with --source)",
    )  # fmt: skip
    add.add_argument("--title", default="", metavar="TITLE", help="title of the page or document")
    add.add_argument("--published", type=_day, metavar="DATE", help="day of publication (YYYY-MM-DD)")

    _transfer(actions)

    for name, what in (
        ("retire", "take passages out of every search; nothing is deleted"),
        ("restore", "undo retire"),
        ("trust", "let a verdict rest on passages that were entered by hand from a source without a rating"),
        ("distrust", "undo trust"),
    ):
        change = _command(actions, name, what)
        change.add_argument("ids", nargs="+", metavar="ID", help="passage id, as kb search shows it")
        change.add_argument("--note", default="", metavar="TEXT", help="why; it is kept in the passage's history")

    check = _command(actions, "check-notes", "compare notes with the pages where they can be checked")
    check.add_argument("ids", nargs="*", metavar="ID", help="passage id (default: all unchecked notes)")
    check.add_argument("--pack", default="", metavar="PACK", help="all notes of this pack of the starter library")

    undo = _command(actions, "undo", "take a change back: an edit, a retirement, an import")
    undo.add_argument(
        "change", nargs="?", default="", metavar="CHANGE", help="its id, or that of an import (default: the last one)"
    )
    changes = _command(actions, "changes", "what was done to the knowledge base, newest first")
    changes.add_argument("--limit", type=_count, default=10, metavar="N", help="at most so many (default: 10)")
    readings = _command(actions, "readings", "how you read passages in place of Ghost, newest first")
    done = readings.add_mutually_exclusive_group()
    done.add_argument("--export", type=Path, metavar="FILE", help="write them as training pairs (JSON Lines)")
    done.add_argument("--undo", type=_reading, metavar="ID", help="undo one, and decide its check again as before")
    _command(actions, "rebuild", "build the vector index again from the database")


def _cards(actions: Any) -> None:
    listed = _command(actions, "list", "the cards, the latest answer first")
    listed.add_argument("--text", default="", metavar="TEXT", help="only cards with this in the claim or the answer")
    listed.add_argument("--state", choices=("active", "stale", "expired", "retired"), help="only cards in this state")
    listed.add_argument(
        "--origin", choices=("run", "analyst", "library", "fact_check"), help="only cards of this origin"
    )
    listed.add_argument("--label", choices=("true", "false", "partially true", "misleading"), help="only this verdict")
    listed.add_argument("--category", choices=CATEGORIES, help="only claims of this kind")
    listed.add_argument("--limit", type=_count, default=25, metavar="N", help="at most so many (default: 25)")
    listed.add_argument("--offset", type=_offset, default=0, metavar="N", help="leave out so many (default: 0)")

    search = _command(actions, "search", "find the cards nearest to a question")
    search.add_argument("query", metavar="QUESTION")
    search.add_argument("--limit", type=_count, default=5, metavar="N", help="at most so many cards (default: 5)")

    for name, what in (("show", "all that a card says"), ("history", "what was done to a card, newest first")):
        _command(actions, name, what).add_argument("id", metavar="ID", help="card id, as cards list shows it")

    approve = _changes_card(actions, "approve", "stand behind a card, or make one of a run", "ID or RUN_ID")
    approve.add_argument("--claim", default="", metavar="TEXT", help="of a run: the claim, so that it stands alone")
    approve.add_argument("--answer", default="", metavar="TEXT", help="of a run: the answer in your words")
    edit = _changes_card(actions, "edit", "change what a card says")
    for name in ("claim", "answer", "limitations", "would-change"):
        edit.add_argument(f"--{name}", metavar="TEXT")
    edit.add_argument("--category", choices=CATEGORIES)
    expire = _changes_card(actions, "expire", "let a card hold no longer, or until a day")
    expire.add_argument("--on", type=_day, metavar="DATE", help="the last day (YYYY-MM-DD; default: it ends now)")
    _changes_card(actions, "retire", "take a card out of every search; nothing is deleted")
    _changes_card(actions, "restore", "undo retire")
    undo = _changes_card(actions, "undo", "take a change back", "CHANGE", "undo")
    undo.epilog = "The id of a change is in cards history."


def _mcp(to: Parser) -> None:
    to.add_argument("--http", action="store_true", help="over HTTP (default: standard input and output)")
    to.add_argument("--host", metavar="HOST", help="over HTTP at this address (default: 127.0.0.1)")
    to.add_argument("--port", type=_port, metavar="N", help="over HTTP at this port (default: 5001)")


def _keys(actions: Any) -> None:
    add = _command(actions, "add", "make a key; it is shown this once")
    add.add_argument("name", metavar="NAME", help="what it is for, such as the program that uses it")
    add.add_argument(
        "--role", required=True, choices=("read", "verify", "curate"),
        help="read looks at everything, verify also checks claims, curate also changes cards and the knowledge base",
    )  # fmt: skip
    add.add_argument("--days", type=_days, metavar="N", help="how long it is accepted (default: until it is revoked)")
    _command(actions, "pair", "show a one-time code with which the browser extension gets a key of its own")
    _command(actions, "token", "show the token with which a program on this machine may curate over the API")
    _command(actions, "list", "the keys, the newest first; never their secrets")
    revoke = _command(actions, "revoke", "accept a key no longer, within seconds; this cannot be undone")
    revoke.add_argument("id", metavar="ID", help="key id, as keys list shows it")


def _prune(to: Parser) -> None:
    to.add_argument("--older-than", type=_age, metavar="AGE", help="runs older than this, such as 90d, 12w or 2y")
    to.add_argument("--larger-than", type=_size, metavar="SIZE", help="the oldest runs beyond this size, such as 2GB")
    to.add_argument("--export", type=Path, metavar="FILE", help="write them to this file first (.gz compresses it)")
    to.add_argument("--bring-back", type=Path, metavar="FILE", help="bring back the runs in such a file")
    to.add_argument("--dry-run", action="store_true", help="show what would be removed; change nothing")
    to.add_argument("--yes", action="store_true", help="remove without asking")


def _changes_card(actions: Any, name: str, what: str, metavar: str = "ID", to: str = "id") -> Parser:
    made = _command(actions, name, what)
    made.add_argument(to, metavar=metavar)
    made.add_argument("--note", default="", metavar="TEXT", help="why; it is kept in the card's history")
    return made


def _transfer(actions: Any) -> None:
    bring = _command(actions, "import", "take in a file of passages or fact-checks: CSV, JSON Lines, ClaimReview")
    what = bring.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE")
    what.add_argument("--undo", metavar="ID", help="retire all that an import brought new")
    what.add_argument("--restore", metavar="ID", help="bring an undone import back")
    bring.add_argument("--dry-run", action="store_true", help="say what would become of each row and change nothing")
    bring.add_argument(
        "--kind", choices=("excerpt", "note"), default="excerpt", help="of rows without one (default: excerpt)"
    )
    bring.add_argument("--cut", action="store_true", help="cut long texts into passages of one to three sentences")
    _encoding(bring)
    _repeated(bring, "--column", "FIELD=COLUMN",
              "in a CSV file with other headers: which column has the text, source_url, title, …")  # fmt: skip

    out = _command(actions, "export", "write passages to a file")
    out.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="default: jsonl, for kb import")
    out.add_argument("--out", type=Path, metavar="FILE", help="where to (default: standard output)")
    for name in ("status", "origin", "source-type", "domain", "topic"):
        out.add_argument(f"--{name}", metavar=name.upper(), help=f"only passages of this {name.replace('-', ' ')}")
    out.add_argument("--text", metavar="TEXT", help="only passages with these words")

    rate = _command(actions, "rate", "say how far a domain is to be believed, and see what that changes")
    rate.add_argument("domain", nargs="?", metavar="DOMAIN", help="such as example.org or example.org/opinion")
    rate.add_argument("score", nargs="?", metavar="SCORE", help="0 (not at all) to 1, or none to take a rating back")
    rate.add_argument("--file", type=Path, metavar="FILE", help="a list (CSV or JSON Lines): domain, score, type, note")
    rate.add_argument("--undo", metavar="ID", help="bring back what was before a change")
    rate.add_argument("--reason", default="", metavar="TEXT", help="why; it is kept with the rating")
    rate.add_argument("--dry-run", action="store_true", help="say what it would change and change nothing")

    ratings = _command(actions, "ratings", "list your ratings of domains")
    ratings.add_argument("--out", type=Path, metavar="FILE", help="write them as CSV, which kb rate --file reads")


def _demo(to: Parser) -> None:
    to.add_argument("--port", type=_port, metavar="N", help="port of the page (default: GHOST_PORT, else 8502)")
    # Always the same, since it is part of the addresses that runs and caches of a kept folder name.
    to.add_argument("--web-port", type=_port, default=8503, metavar="N", help="port of the demo web (default: 8503)")
    to.add_argument("--folder", type=Path, metavar="FOLDER", help="keep the demo's data there (default: none is kept)")
    to.add_argument("--web-only", action="store_true", help="serve the demo web without the workbench")


def _worker(to: Parser) -> None:
    to.add_argument(
        "--slots", type=_slots, default=3, metavar="N",
        help="how much it does at a time, at least 2 (default: 3); one slot is kept for claims, questions and articles",
    )  # fmt: skip
    to.add_argument("--list", action="store_true", help="print which workers are running and what is waiting, and stop")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2024-05-31") from None


_MOST_DAYS = 200 * 365


def _age(text: str) -> int:
    """Days."""
    days = {"d": 1, "w": 7, "m": 30, "y": 365}.get(text[-1:].lower())
    if days is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an age such as 90d, 12w, 6m or 2y")
    found = days * _number(text[:-1], 0, _MOST_DAYS, "number of days, weeks, months or years")
    if found > _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is more than 200 years")
    return found


def _size(text: str) -> int:
    """Bytes."""
    units = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
    unit = units.get(text[-2:].upper())
    if unit is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500MB or 2GB")
    return unit * _number(text[:-2].strip(), 0, 1_000_000, "number")


def _count(text: str) -> int:
    return _number(text, 1, 200, "number")


def _reading(text: str) -> int:
    return _number(text, 1, 2**31 - 1, "number")


def _slots(text: str) -> int:
    return _number(text, 2, 64, "number")


def _days(text: str) -> int:
    return _number(text, 1, 3650, "number")


def _offset(text: str) -> int:
    return _number(text, 0, 10_000_000, "number")


def _port(text: str) -> int:
    return _number(text, 0, 65535, "port")


def _number(text: str, least: int, most: int, what: str) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a {what} from {least} to {most}")
    return int(text)
