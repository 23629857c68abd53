"""Every function on the way of a text takes time in proportion to its length, whatever the text is."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from ghost.errors import ClaimError
from ghost.judges import Reading, classify, foreign_language, opposed, rates
from ghost.knowledge import suspicious, unreadable
from ghost.knowledge.attribution import key_of_name
from ghost.knowledge.deobfuscation import words_in
from ghost.steps.rerank.close_reading import apply_verbatim_match, claim_sentences
from ghost.testing import ON_TOPIC, evidence
from ghost.text import normalise, pieces, spans, visible
from ghost.types import site_list, tidy_text
from tests.hostile_texts import hostile

SHORT, TIMES = 750, 4
"""The longer text is so many times as long as the shorter one."""
SLACK = 0.04
"""Seconds that say nothing: a text is read in pieces, and what is read of it first costs more than the rest."""
STATEMENT = "Cats are mammals."


class WithoutEncoder:
    """A claim classifier that takes no time."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        return [Reading(0.4, 0.1, 0.5, 0.0, 0.5) for _ in texts]


def _step_1(text: str) -> None:
    classify(tidy_text(text), "", WithoutEncoder())


def _sites(text: str) -> None:
    with suppress(ClaimError):
        site_list(text)


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
    "words_in": words_in,
    "key_of_name": key_of_name,
    "opposed": lambda text: opposed(text, STATEMENT),
    "rates": rates,
    "word_for_word": lambda text: apply_verbatim_match(
        evidence(1, text, ON_TOPIC), ON_TOPIC, text[: len(text) // 2], claim_sentences(text)
    ),
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
