"""Write docs/settings.md from config.py: ``python scripts/settings_table.py``. A test holds that it is up to date."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pydantic_core import PydanticUndefined

from config import PROJECT, Settings

PAGE = PROJECT / "docs" / "settings.md"
HEAD = """# Settings

Set them in the environment or in `.env` ([.env.example](../.env.example) lists them all). It is read from this folder,
and for an installed Ghost from [its own](installing.md#where-data-is-kept). Lists and tables are JSON. An unknown name,
or a value that cannot be used, is refused with the name of the variable. **Settings** in the workbench shows the values
in use; keys are never shown.

This page is generated from [config.py](../config.py) by `python scripts/settings_table.py`.

| variable | default | what it does |
|---|---|---|
"""


def page() -> str:
    """The whole page, as it should be."""
    return HEAD + "".join(_row(name) for name in Settings.model_fields)


def _row(name: str) -> str:
    field = Settings.model_fields[name]
    variable = "OPENAI_API_KEY" if name == "openai_api_key" else f"GHOST_{name.upper()}"
    return f"| `{variable}` | {_default(name, field.default)} | {' '.join((field.description or '').split())} |\n"


def _default(name: str, value: Any) -> str:
    if name == "data_dir":
        return "this folder; when installed, [the platform's](installing.md#where-data-is-kept)"
    if isinstance(value, tuple | dict):
        return "list in [sites.toml](../sites.toml)" if value else ""
    if value in (None, "", PydanticUndefined):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
