"""What the benchmark tells the person while it works, on standard error."""

import sys
import time


def say(text: str) -> None:
    """A line for the person, beside the output."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Progress:
    """``progress(what, done, total)`` for long work: one line that writes over itself, or a line now and then."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._terminal = sys.stderr.isatty()
        self._every = 0.1 if self._terminal else 5.0  # seconds between two reports

    def __call__(self, what: str, done: int, total: int) -> None:
        now, last = time.monotonic(), done >= total
        if not last and now - self._shown < self._every:
            return
        self._shown = now
        if self._terminal:
            end = "\n" if last else ""
            print(f"\r\x1b[Kbench: {what} {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)
        else:
            say(f"{what} {done:,} of {total:,}")
