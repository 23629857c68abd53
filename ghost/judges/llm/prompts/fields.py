"""Fields of a model's reply that are read with a little patience: case and spelling of names, percentages."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def named(kind: type[StrEnum]) -> BeforeValidator:
    """A name of the enum in any case, with blanks, hyphens or underscores; nothing else, least of all a guess."""
    known = {_plain(member.value): member for member in kind}

    def read(value: Any) -> Any:
        return known.get(_plain(value), value) if isinstance(value, str) else value

    return BeforeValidator(read)


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def _share(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and 1 < value <= 100:
        return value / 100
    return value


Confidence = Annotated[float, BeforeValidator(_share), Field(ge=0.0, le=1.0, allow_inf_nan=False, strict=True)]
"""0 to 1; a percentage is understood."""
