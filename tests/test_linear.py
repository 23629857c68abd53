"""Every function on the way of a text takes time in proportion to its length, whatever the text is."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from ghost.errors import ClaimError
from ghost.judges import Reading, classify, foreign_language, opposed, rates
from ghost.knowledge import origins, suspicious, unreadable
from ghost.matching import may_be_same, names_all, scopes_of
from ghost.steps import RerankRules, rerank
from ghost.testing import ON_TOPIC, ScriptedReader, passage
from ghost.text import aligned, normalise, pieces, spans, unfit, visible
from ghost.types import Candidate, Statement, site_list, tidy_text
from tests.hostile_texts import hostile

SHORT, TIMES = 750, 4
"""The longer text is so many times as long as the shorter one."""
SLACK = 0.04
"""Seconds that say nothing: a text is read in pieces, and what is read of it first costs more than the rest."""
STATEMENT = "Cats are mammals."
RULES = RerankRules()


class WithoutEncoder:
    """A claim classifier that takes no time."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        return [Reading(0.4, 0.1, 0.5, 0.0, 0.5) for _ in texts]


def _step_1(text: str) -> None:
    classify(tidy_text(text), "", WithoutEncoder())


def _sites(text: str) -> None:
    with suppress(ClaimError):
        site_list(text)


def _weighed(text: str) -> None:
    found = Candidate(passage(text, "p"), 1, 1.0, 0.9)
    rerank([Statement(1, text[: len(text) // 2])], {1: [found]}, ScriptedReader(lambda *_: ON_TOPIC), None, RULES)


def _cut(text: str) -> None:
    plain = normalise(text)
    for start, end in spans(plain):
        list(pieces(plain, start, end, 400))


READ: dict[str, Callable[[str], object]] = {
    "step 1": _step_1,
    "foreign_language": foreign_language,
    "tidy_text": tidy_text,
    "site_list": _sites,
    "visible": visible,
    "spans": _cut,
    "suspicious": suspicious,
    "unreadable": unreadable,
    "origins": lambda text: origins([passage(f"{text} says so.", "a", url="https://a.test"), passage(text, "b")]),
    "opposed": lambda text: opposed(text, STATEMENT),
    "rates": rates,
    "scopes_of": scopes_of,
    "names_all": lambda text: names_all(text, f"{text} 7"),
    "aligned": lambda text: aligned(text, f"{text} 7"),
    "unfit": lambda text: unfit(text, f"{text} 7"),
    "may_be_same": lambda text: may_be_same(text, STATEMENT),
    "rerank": _weighed,
}


@pytest.mark.parametrize("function", READ)
def test_time_grows_with_the_length_and_no_faster(function: str) -> None:
    read = READ[function]
    read(STATEMENT)  # what is loaded at the first use
    slow = []
    for (name, short), (_, long) in zip(hostile(SHORT), hostile(SHORT * TIMES), strict=True):
        # A square of the length would cost 16 times as much; noise is measured again.
        for _ in range(3):
            brief, whole = _seconds(read, short), _seconds(read, long)
            if whole <= 2 * TIMES * brief + SLACK:
                break
        else:
            slow.append(f"{name}: {brief:.3f} s, then {whole:.3f} s")
    assert slow == []


def _seconds(read: Callable[[str], object], text: str) -> float:
    """Processor time, which others on the machine do not change much."""
    started = time.process_time()
    read(text)
    return time.process_time() - started
