"""A tiny corpus with claims about it, as files."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DOCUMENTS: list[dict[str, Any]] = [
    {
        "doc_id": "bridge",
        "title": "The bridge of Aldermoor",
        "abstract": [
            "The stone bridge of Aldermoor was built in 1832.",
            "It has seven arches and crosses the river Lunde.",
            "The architect was Marta Quill.",
            "In 1910 the bridge was widened for the tram.",
            "Trams crossed the bridge of Aldermoor until 1958.",
        ],
    },
    {"doc_id": "tea", "title": "Tea", "text": "Black tea contains caffeine. A cup of black tea has about 47 mg."},
    {"doc_id": "salt", "title": "Salt", "text": "Salt dissolves in water. Salt does not dissolve in cooking oil."},
    {"doc_id": "tea:2", "title": "Tea", "text": "Green tea is made from leaves that were not fermented."},
    {"doc_id": "moss", "title": "", "text": "Moss grows on the shaded side of old stone walls in damp forests."},
]

CLAIMS: list[dict[str, Any]] = [
    {
        "id": "1",
        "claim": "The stone bridge of Aldermoor was built in 1832.",
        "label": "SUPPORTS",
        "gold": [{"doc_id": "bridge", "label": "SUPPORTS"}],
    },
    {
        "id": "2",
        "claim": "Salt dissolves in cooking oil.",
        "label": "REFUTES",
        "gold": [{"doc_id": "salt", "label": "REFUTES"}],
    },
    {"id": "3", "claim": "The mayor of Aldermoor owns a yellow bicycle.", "label": "NEI", "gold": []},
    {
        "id": "4",
        "claim": "Black tea contains caffeine.",
        "label": "SUPPORTS",
        "gold": [{"doc_id": "tea", "label": "SUPPORTS"}],
    },
]

PAIRS: list[dict[str, Any]] = [
    {"claim": "Black tea contains caffeine.", "evidence": "There is caffeine in black tea.", "label": "SUPPORTS"},
    {"claim": "Salt dissolves in oil.", "evidence": "Salt does not dissolve in oil.", "label": "REFUTES"},
    {"claim": "Marta Quill built the bridge.", "evidence": "The bridge was built by Marta Quill.", "label": "SUPPORTS"},
    {"claim": "The bridge has nine arches.", "evidence": "The bridge has seven arches.", "label": "REFUTES"},
]


def write(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Rows as JSON lines."""
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file
