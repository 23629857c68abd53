"""Another judge for a workbench that is open already, so that its knowledge base and models are opened once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ghost.workbench import Workbench, make_judges


@contextmanager
def judged(bench: Workbench, url: str, **changes: object) -> Iterator[Workbench]:
    """The workbench with the language model at ``url`` as its local judge, and with these settings changed."""
    base: dict[str, object] = {"local_base_url": url, "judge": "local"}
    settings = bench.settings.model_copy(update=base | changes)
    before = bench.settings, bench._judges
    claims: Any = bench._claims
    judges = make_judges(settings, settings.judge, bench.stance_model[0], claims, bench._odds)
    bench.settings, bench._judges, bench._snapshot = settings, judges, None
    try:
        yield bench
    finally:
        judges.close()
        bench.settings, bench._judges = before
        bench._snapshot = None
