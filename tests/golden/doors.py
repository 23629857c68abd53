"""The public doors through which the golden tests enter. A renaming of the code changes this file and no other."""

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from config import PROJECT, Settings, load_settings
from ghost.cli.main import main
from ghost.demo_web import DemoWeb, environment, values
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import ErrorKind, Label

__all__ = [
    "ENV_FILE", "PROJECT", "Answer", "Asked", "DemoWeb", "ErrorKind", "Label", "Scripted", "ScriptedLLM",
    "demo_environment", "held_open", "open_workbench", "run_command",
]  # fmt: skip
ENV_FILE = Settings.model_config
"""Says under ``env_file`` which file of the person's own settings is read."""


def demo_environment(web: DemoWeb, folder: Path) -> dict[str, str]:
    """The variables of the environment that put a workbench on the demo web, with its data in ``folder``."""
    return environment(values(web, folder))


def run_command(*words: str) -> tuple[int, str, str]:
    """``python -m ghost`` with these words in this process: exit code, standard output, standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    return code, *(stream.buffer.getvalue().decode() for stream in (out, err))


def open_workbench() -> Any:
    """The workbench of the environment, for ``with``: what no command line can do is done through its stores."""
    from ghost import workbench

    return workbench.build(load_settings())


@contextmanager
def held_open() -> Iterator[None]:
    """Let all commands on one data folder share the workbench that the first of them opens: opening takes seconds."""
    from ghost import workbench

    original, opened = workbench.build, {}

    def build(settings: Any, **options: Any) -> Any:
        if settings.data_dir not in opened:
            opened[settings.data_dir] = closing.enter_context(original(settings, **options))
        return nullcontext(opened[settings.data_dir])

    # Commands take the function from there when they run.
    with ExitStack() as closing, patch.object(workbench, "build", build):
        yield
