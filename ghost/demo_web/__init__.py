"""A small made-up web on this machine, to watch and to test live investigations on. docs/demo.md shows it.

Everything in it is invented: country, towns, people, companies, events. The content lies in ``sites/``, one folder for
each host and one file for each page; the labelled claims in ``claims.jsonl`` were written before the first run."""

from ghost.demo_web.library import DemoClaim, Library, claims_to_try, demo_claims
from ghost.demo_web.page import DemoError
from ghost.demo_web.server import DemoWeb
from ghost.demo_web.surroundings import DAY, Opening, environment, values

__all__ = [
    "DAY",
    "DemoClaim",
    "DemoError",
    "DemoWeb",
    "Library",
    "Opening",
    "claims_to_try",
    "demo_claims",
    "environment",
    "values",
]
