"""What the settings of a workbench have to say so that it lives on the demo web, and never in the user's own data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ghost.demo_web.server import DemoWeb


def values(web: DemoWeb, folder: Path) -> dict[str, Any]:
    """Settings by field name. ``folder`` holds the demo's own database and index.

    Judge and models stay as the user has set them.
    """
    lists = web.library.lists
    return {
        "data_dir": folder,
        "chroma_url": "",  # a server of the user's holds the user's own passages
        "web": True,
        "search_providers": "searxng",
        "searxng_url": web.url,
        "demo_web": web.port,
        "trusted_domains": lists.trusted,
        "fact_check_domains": lists.fact_checkers,
        "source_credibility": lists.credibility,
        "allowed_domains": (),
        "denied_domains": (),
    }


def environment(settings: Mapping[str, Any]) -> dict[str, str]:
    """The same as variables of the environment, for a process of its own."""
    return {f"GHOST_{name.upper()}": _text(value) for name, value in settings.items()}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, dict | tuple) else str(value)
