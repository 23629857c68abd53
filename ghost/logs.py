"""The log on standard error: lines for people, or JSON objects for programs. Neither holds what somebody asked."""

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue
from typing import Any

from ghost.text import one_line

PLAIN = "%(asctime)s %(levelname)s %(message)s"
OURS = ("ghost", "seed_kb", "config", "bench", "__main__")
"""Loggers whose messages are known to hold no claims. Of others only the template of a message is written."""
_INPUT = re.compile(r"input_value=.*?(?=, input_type=|\]|$)", re.DOTALL)


class Lines(logging.Formatter):
    """Log lines without the messages of exceptions: they may hold what somebody asked."""

    def formatException(self, ei: object) -> str:
        error = ei[1] if isinstance(ei, tuple) else None
        return "\n".join(frames(error)) if isinstance(error, BaseException) else ""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and what the record has as ``fields``."""

    def __init__(self, with_claims: bool = False) -> None:
        """``with_claims``: messages of other libraries and of exceptions are written, whatever they hold."""
        super().__init__()
        self._with_claims = with_claims

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
            **getattr(record, "fields", {}),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            told["exception"] = list(frames(error))
            if self._with_claims:
                told["error"] = one_line(str(error))
        return json.dumps(told, ensure_ascii=False, default=str)

    def _message(self, record: logging.LogRecord) -> str:
        if self._with_claims or record.name.partition(".")[0] in OURS:
            return without_input(record.getMessage())
        # A template shows its values only once they are put in; a text without any may have been put together before.
        return one_line(str(record.msg)) if record.args else f"{record.module}:{record.lineno}"


@contextmanager
def logging_to_stderr(
    as_json: bool, form: str = PLAIN, with_claims: bool = False, info: Sequence[str] = ()
) -> Iterator[None]:
    """Within this, the log goes to standard error; that of the loggers ``info`` from this level on, else warnings.

    ``with_claims``: it may hold the messages of exceptions, which may repeat a claim.
    """
    handler = QueueHandler(SimpleQueue())  # a terminal or a pipe that takes nothing must not hold up the server
    lines = logging.Formatter(form) if with_claims else Lines(form)
    handler.setFormatter(JsonLines(with_claims) if as_json else lines)
    writer = QueueListener(handler.queue, logging.StreamHandler(sys.stderr))
    root, more = logging.getLogger(), [logging.getLogger(name) for name in info]
    levels = [logger.level for logger in more]
    root.addHandler(handler)
    for logger in more:
        logger.setLevel(logging.INFO)
    writer.start()
    try:
        yield
    finally:
        root.removeHandler(handler)
        for logger, level in zip(more, levels, strict=True):
            logger.setLevel(level)
        writer.stop()


def frames(error: BaseException) -> Iterator[str]:
    """Where an error comes from. Not its message, which may hold what somebody asked."""
    yield f"{type(error).__name__} at"
    for frame in traceback.extract_tb(error.__traceback__):
        yield f"  {frame.filename}:{frame.lineno} {frame.name}"


def without_input(text: str) -> str:
    """An error message without the values that Pydantic repeats in it: they may be of a claim."""
    return one_line(_INPUT.sub("input_value=…", text))
