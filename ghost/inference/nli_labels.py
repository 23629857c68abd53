"""Which output of a stance model means what, by the names that the model's own ``config.json`` gives them."""

import re
from collections.abc import Mapping

from ghost.errors import ModelError
from ghost.types import StanceLabel

NAMES: dict[str, StanceLabel] = {
    **dict.fromkeys(
        ("entailment", "entail", "entails", "entailed", "supports", "support", "supported"), StanceLabel.SUPPORTS
    ),
    **dict.fromkeys(
        ("contradiction", "contradict", "contradicts", "contradictory", "refutes", "refute", "refuted"),
        StanceLabel.REFUTES,
    ),
    **dict.fromkeys(
        ("neutral", "not enough info", "not enough information", "not enough evidence", "nei"), StanceLabel.NEUTRAL
    ),
    **dict.fromkeys(("off topic", "offtopic"), StanceLabel.OFF_TOPIC),
}
"""As training sets of the field call their classes, in lower case with single blanks."""
NEEDED = (StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.NEUTRAL)

_UNNAMED = re.compile(r"label ?\d+")
_GAPS = re.compile(r"[\s_-]+")

WANTED = "A stance model has three classes: entailment, contradiction and neutral."
ELSE = f"{WANTED} Name another model in GHOST_STANCE_MODEL, or leave it out to use the bundled one."


def columns(id2label: Mapping[int, str], name: str) -> dict[StanceLabel, int]:
    """The column of each stance among the outputs of the model ``name``; off-topic only where there is one.

    Raises ModelError when the names do not tell, or tell that this is another kind of model.
    """
    labels = [id2label[i] for i in sorted(id2label)]
    shown = ", ".join(labels[:6])[:200] or "none"
    if sorted(id2label) != list(range(len(labels))):
        raise ModelError(f"The classes of {name} are not numbered from 0 in its config.json. {ELSE}")
    if len(labels) < 2:
        raise ModelError(
            f"{name} has no classes, so it scores or embeds texts and cannot tell support from contradiction. {ELSE}"
        )
    if len(labels) == 2:
        raise ModelError(
            f"{name} has two classes ({shown}), so it cannot tell a passage that contradicts a claim from one that "
            f"leaves it open. {ELSE}"
        )
    found: dict[StanceLabel, int] = {}
    for column, label in enumerate(labels):
        words = _GAPS.sub(" ", label).strip().lower()
        if _UNNAMED.fullmatch(words):
            raise ModelError(
                f"The config.json of {name} calls its classes {shown}, which does not say which one means support. "
                "Where you know it, copy the model to a folder of your own, write entailment, contradiction and "
                "neutral into id2label in config.json, and name that folder in GHOST_STANCE_MODEL."
            )
        stance = NAMES.get(words)
        if stance is None or stance in found:
            raise ModelError(f"{name} has other classes than a stance model: {shown}. {ELSE}")
        found[stance] = column
    if any(stance not in found for stance in NEEDED):
        raise ModelError(f"{name} has other classes than a stance model: {shown}. {ELSE}")
    return found
