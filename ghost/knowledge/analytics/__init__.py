"""The knowledge base in figures, and as a map, for the Analytics page."""

from ghost.knowledge.analytics.counting import Analytics
from ghost.knowledge.analytics.map import SAMPLE, Atlas, Map, Place
from ghost.knowledge.analytics.results import (
    Age,
    Alerts,
    Balance,
    Bin,
    CopyFigures,
    RunNote,
    SourceFigures,
    TimeFigures,
    UseFigures,
)

__all__ = [
    "SAMPLE",
    "Age",
    "Alerts",
    "Analytics",
    "Atlas",
    "Balance",
    "Bin",
    "CopyFigures",
    "Map",
    "Place",
    "RunNote",
    "SourceFigures",
    "TimeFigures",
    "UseFigures",
]
