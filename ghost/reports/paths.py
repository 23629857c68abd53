"""Keeps the folders of this machine out of what is told: a path becomes its last part."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Self, TypeVar

from ghost.types import Run

T = TypeVar("T")
_SHORTEST = 4
"""Characters of a folder that is looked for; a shorter one, such as ``/``, would be found everywhere."""


class Paths:
    """Finds what lies in given folders, in texts and in values made of texts."""

    def __init__(self, folders: Iterable[Path | str]) -> None:
        """``folders`` are those whose names, and everything below them, must not be told."""
        named = sorted({str(folder) for folder in folders if len(str(folder)) >= _SHORTEST}, key=len, reverse=True)
        start, folder = r"(?:file://|(?<![\w/.:-]))", "|".join(map(re.escape, named)) or "(?!)"
        self._found = re.compile(rf"{start}(?:{folder})[^\s\"'“”‘’<>|,;)]*")

    @classmethod
    def around(cls, code: Path, data: Path, models: Iterable[str]) -> Self:
        """Those of a workbench: its code, its data, the models that the settings name by their folder, and the home."""
        return cls([code, data, Path.home(), *(model for model in models if Path(model).is_absolute())])

    def hide(self, text: str) -> str:
        """The text with the last part of each path in place of the whole."""
        return self._found.sub(lambda found: _last(found[0]), text)

    def hidden(self, value: T) -> T:
        """The same value, with the paths hidden in every text of it."""
        found: Any = value
        match value:
            case str():
                found = self.hide(value)
            case dict():
                found = {key: self.hidden(item) for key, item in value.items()}
            case list() | tuple():
                found = type(value)(self.hidden(item) for item in value)
        return found

    def without(self, run: Run) -> Run:
        """The run as it may be told. Its evidence and its verdict are left alone: quotes stay word for word."""
        steps = tuple(
            replace(
                step, reason=self.hide(step.reason), inputs=self.hidden(step.inputs), outputs=self.hidden(step.outputs)
            )
            for step in run.steps
        )
        judge = replace(
            run.judge,
            name=self.hide(run.judge.name),
            model=self.hide(run.judge.model),
            route=self.hidden(run.judge.route),
        )
        return replace(run, steps=steps, judge=judge, settings=self.hidden(run.settings), error=self.hide(run.error))


def _last(path: str) -> str:
    path = path.rstrip("/\\.")
    return (PureWindowsPath(path) if "\\" in path else PurePosixPath(path)).name
