"""``python -m ghost worker``: do what pages, APIs and commands have put into the queue on PostgreSQL."""

from argparse import Namespace
from typing import TYPE_CHECKING

from config import ConfigError, Settings, load_settings
from ghost.cli.terminal import print_json, progress, put_out, say
from ghost.logs import logging_to_stderr
from ghost.reports import counted
from ghost.text import one_line

if TYPE_CHECKING:
    from ghost.records import LivingProcess

TASKS = {
    "lookup": "claims to look up", "claim": "claims", "question": "questions", "article": "articles",
    "plan": "research plans", "research": "researches", "import_check": "files to check", "import": "imports",
    "turn": "claims of batches",
}  # fmt: skip
"""What each task of the queue is called. One turn at most stands for all claims of batches that wait."""


def worker(args: Namespace) -> int:
    """Work until somebody ends it, or print who works and what waits; 0 then. Raises GhostError."""
    settings = load_settings()
    if not settings.database_url:
        raise ConfigError(
            "Workers need a database that several processes share. Set GHOST_DATABASE_URL to a PostgreSQL database. "
            "Without one, each page and command does its own work, and no worker is needed."
        )
    return _list(settings, args.json) if args.list else _work(settings, args.slots)


def _work(settings: Settings, slots: int) -> int:
    from ghost.jobs import run_worker
    from ghost.workbench import build  # large

    as_json = settings.log_format == "json"
    with (
        logging_to_stderr(as_json, info=("ghost.telemetry",) if as_json else ()),
        build(settings, progress=progress, retried=True) as workbench,
    ):
        workbench.get_ready()
        run_worker(
            workbench,
            workbench.knowledge.database,
            slots,
            lambda: _ready(slots),
            grace_seconds=settings.grace_seconds,
        )
    say("Stopped. Unfinished work is back in the queue.")
    return 0


def _ready(slots: int) -> None:
    say(f"Worker ready, {_slots(slots)}. Press Ctrl-C to stop; work that cannot be finished goes back to the queue.")


def _list(settings: Settings, as_json: bool) -> int:
    from ghost.jobs import Queue, why_unattended
    from ghost.records import Database

    database = Database.open(settings.database_place)
    try:
        now = Queue(database).standing()
    finally:
        database.close()
    if as_json:
        print_json(
            {
                "workers": [
                    {"process": w.owner, "slots": w.slots, "started_at": w.started_at.isoformat(), "paused": w.paused}
                    for w in now.workers
                ],
                "waiting": {task: now.waiting[task] for task in TASKS},
                "running": {task: now.running[task] for task in TASKS},
            }
        )
        return 0
    lines = [_told(each) for each in now.workers]
    lines += [f"{why}."] if (why := why_unattended(now.workers)) else []
    lines += [
        f"{what}: {now.running[task]:,} in progress, {_waiting(task, now.waiting[task])}"
        for task, what in TASKS.items()
        if now.running[task] or now.waiting[task]
    ]
    put_out("".join(f"{line}\n" for line in lines).encode())
    return 0


def _told(worker: "LivingProcess") -> str:
    host, _, rest = worker.owner.partition("/")
    minutes = int(worker.seconds // 60)
    since = f"started {counted(minutes, 'minute', 'minutes')} ago" if minutes else "just started"
    told = f"{one_line(host)}, process {rest.partition('/')[0]}: {_slots(worker.slots)}, {since}"
    return f"{told}, waiting for the vector index" if worker.paused else told


def _waiting(task: str, number: int) -> str:
    """How much waits. Of the claims of batches only whether any do is in the queue."""
    return f"{number:,} waiting" if task != "turn" else "more waiting" if number else "none waiting"


def _slots(slots: int) -> str:
    return counted(slots, "slot", "slots")
