"""Other things of a like name: the Ormsund Tunnel is not the Velby Tunnel, however near the sentences are."""

import re

_WORD = re.compile(r"[^\W_]+")
_RUN = re.compile(r"\b[^\W\d_a-zß-öø-ÿ][^\W_]*(?:[ -][^\W\d_a-zß-öø-ÿ][^\W_]*)+")
"""Words with capitals beside each other."""
_NO_NAME = frozenset(
    "the a an in on at of is was were are what who which when where why how does do did has have and after before "
    "president king queen prime minister sir dr mr mrs ms pope saint lord lady general professor prof senator".split()
)
"""Words that have a capital because they begin a sentence, and titles, which say little of who is meant."""


def has_namesake(text: str, other: str) -> bool:
    """Whether ``other`` gives a part of a name in ``text`` to something else only.

    So it is where it has a name of several words that shares one with a name of several words in ``text`` and adds
    another one, while the first word of the first name, or half of it, stands nowhere in it.
    """
    there, names = set(_words(other)), [set(name) for name in _names(other)]
    for name in _names(text):
        lacking = [word for word in name if word not in there]
        other_one = name[0] in lacking or 2 * len(lacking) >= len(name)
        if other_one and any(not found.isdisjoint(name) and found - set(name) for found in names):
            return True
    return False


def _names(text: str) -> list[list[str]]:
    runs = ([word for word in _words(run) if word not in _NO_NAME] for run in _RUN.findall(text))
    return [run for run in runs if len(run) > 1]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
