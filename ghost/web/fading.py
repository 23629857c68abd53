"""Whether text fades in or out: what an animation leaves behind counts, not what it begins with."""

import re
from collections.abc import Mapping

from ghost.web.measures import called, pixels, share, words
from ghost.web.styles import Sheet

LONG_SECONDS = 30.0
"""Nobody waits longer for a text to appear."""
BLURRED_PX = 8.0
"""Of letters that are blurred so much nothing can be read."""

_FOR_GOOD = frozenset({"forwards", "both"})
_FOR_EVER = frozenset({"infinite"})
_TIME = re.compile(r"([0-9]*\.?[0-9]+)(m?s)")
_PARTS = ("animation", "animation-name", "animation-fill-mode", "animation-duration", "animation-delay",
          "animation-iteration-count", "animation-play-state")  # fmt: skip


def opacity(value: Mapping[str, str]) -> float:
    """How much of an element is seen, 0 to 1, by its opacity and its filters."""
    found = share(value.get("opacity"))
    total = 1.0 if found is None else max(0.0, min(1.0, found))
    for word in words(value.get("filter", "")):
        name, arguments = called(word) or ("", [])
        if not arguments:
            continue
        if name == "blur" and (pixels(arguments[0]) or 0.0) >= BLURRED_PX:
            return 0.0
        part = share(arguments[0]) if name == "opacity" else None
        total *= 1.0 if part is None else max(0.0, min(1.0, part))
    return total


def ends_seen(value: Mapping[str, str], sheet: Sheet) -> bool:
    """Whether an animation shows what the style hides, soon and for good, or again and again."""
    return bool(sheet.fades_in) and _plays(value, sheet.fades_in, _FOR_GOOD | _FOR_EVER)


def ends_unseen(value: Mapping[str, str], sheet: Sheet) -> bool:
    """Whether an animation hides what the style shows, soon and for good; text that blinks can be read."""
    if not sheet.fades_out:
        return False
    return _plays(value, sheet.fades_out, _FOR_GOOD) or _plays(value, sheet.never_shows, _FOR_EVER)


def _plays(value: Mapping[str, str], names: frozenset[str], how: frozenset[str]) -> bool:
    """Whether one of the animations runs in one of these ways."""
    said = [value[part] for part in _PARTS if part in value]
    if not said:
        return False
    parts = [word for text in said for word in text.replace(",", " ").split()]
    if names.isdisjoint(parts) or "paused" in parts:
        return False
    times = [float(t[1]) / (1000 if t[2] == "ms" else 1) for p in parts if (t := _TIME.fullmatch(p[:20]))]
    if any(t > LONG_SECONDS for t in times):
        return False
    return not how.isdisjoint(parts)
