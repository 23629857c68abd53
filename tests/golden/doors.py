"""The public doors through which the golden tests enter. A renaming of the code changes this file and no other."""

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

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


class _Lent:
    """A workbench that outlives the command that asked for it."""

    def __init__(self, bench: Any) -> None:
        self.bench = bench

    def __enter__(self) -> Any:
        return self.bench

    def __exit__(self, *_: object) -> None:
        pass


@contextmanager
def held_open() -> Iterator[None]:
    """Let all commands on one data folder share the workbench that the first of them opens: opening takes seconds."""
    import ghost.cli.verify  # imported now, so that a ``build`` that it has imported itself is found below
    import ghost.workbench

    original, benches = ghost.workbench.build, {}

    def build(settings: Any, **options: Any) -> _Lent:
        if settings.data_dir not in benches:
            benches[settings.data_dir] = original(settings, **options).__enter__()
        return _Lent(benches[settings.data_dir])

    holders = _swap(original, build)
    try:
        yield
    finally:
        for module in holders:
            vars(module)["build"] = original
        for bench in benches.values():
            bench.__exit__(None, None, None)


def _swap(original: Callable[..., Any], substitute: Callable[..., Any]) -> list[Any]:
    """Put the substitute wherever the function is known by its name."""
    modules: Mapping[str, Any] = dict(sys.modules)
    holders = [m for name, m in modules.items() if name.startswith("ghost") and vars(m).get("build") is original]
    for module in holders:
        vars(module)["build"] = substitute
    return holders
