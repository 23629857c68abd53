"""What a figure was measured on: processor, load, versions."""

import importlib.util
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from config import ADDRESSES, Settings
from ghost.text import server_of

PACKAGES = (
    "chromadb",
    "numpy",
    "onnxruntime",
    "SQLAlchemy",
    "streamlit",
    "tokenizers",
    "torch",
    "sentence-transformers",
    "transformers",
    "playwright",
)


def machine() -> dict[str, Any]:
    """Processor, cores that we may use, system, and how busy it is before anything is measured."""
    return {
        "cpu": _processor(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_average": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def versions() -> dict[str, str | None]:
    """Python and the packages that the figures depend on; None for what is not installed."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that are not as they come; no secrets, and nothing that names this machine."""
    kept = {"openai_api_key", "data_dir", "chroma_url", "host", "port", "judge"}
    now = settings.model_dump(mode="json", exclude=kept)
    plain = {name: field.get_default() for name, field in Settings.model_fields.items()}
    changed = {name: value for name, value in now.items() if value != _json(plain[name])}
    return {name: server_of(value) if name in ADDRESSES else value for name, value in changed.items()}


def installed(module: str) -> bool:
    """Whether a package can be imported, without importing it."""
    return importlib.util.find_spec(module) is not None


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or "unknown"
