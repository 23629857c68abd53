"""The confidence of a verdict: how many verdicts like it were right when they were measured.

For each judge, and for each basis of a verdict, the judge's own probability is mapped to the measured share, in steps
that only rise. ``python -m ghost calibrate`` measures them. The bundled stance model's come with Ghost
(``shares.json``), those of other judges are kept in the data folder, and each belongs to one model by its checksum.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ghost.errors import ModelError
from ghost.text import write_whole
from ghost.types import Basis, JudgeInfo, Label

SHIPPED = Path(__file__).parent / "embedded" / "shares.json"
FEWEST = 50
"""A basis with fewer measured verdicts is mapped as all verdicts together; with fewer of those nothing is known."""
FEWEST_OF_LABEL = 20
"""With fewer measured verdicts nothing can be said of a label."""
LEAST_SHARE = 0.75
"""A label of which fewer were right is not given."""


class Count(BaseModel):
    """How many verdicts there were, and how many of them were right."""

    model_config = ConfigDict(frozen=True)

    n: int = 0
    right: int = 0


class Step(Count):
    """The verdicts that the share is taken from, and those of claims that nothing was fitted on."""

    low: float
    """The judge's own probability from which on this share holds."""
    sealed: Count = Count()

    @property
    def share(self) -> float:
        """Whole per cent by Laplace's rule, and never a certainty."""
        return min(0.99, round((self.right + 1) / (self.n + 2), 2))


class Shares(BaseModel):
    """The measured shares of one judge."""

    model_config = ConfigDict(frozen=True)

    judge: str
    model: str
    reader: str
    """SHA-256 of the stance model that the evidence was read with."""
    bases: dict[Basis, tuple[Step, ...]]
    pooled: tuple[Step, ...]
    labels: dict[Label, Count]

    def steps(self, basis: Basis) -> tuple[Step, ...]:
        """The map that verdicts of a basis go by; empty where too little was measured."""
        own = self.bases.get(basis, ())
        found = own if sum(step.n for step in own) >= FEWEST else self.pooled
        return found if sum(step.n for step in found) >= FEWEST else ()

    def confidence(self, label: Label, basis: Basis, probability: float) -> float | None:
        """The measured share of verdicts like this one that were right; None where too little was measured."""
        steps = () if self.share_of(label) is None else self.steps(basis)
        return max((s.share for s in steps if s.low <= probability), default=steps[0].share) if steps else None

    def share_of(self, label: Label) -> float | None:
        """The share of all verdicts with this label that were right; None where too few were measured."""
        count = self.labels.get(label, Count())
        return Step(low=0.0, n=count.n, right=count.right).share if count.n >= FEWEST_OF_LABEL else None

    @property
    def withheld(self) -> frozenset[Label]:
        """Labels that are too often wrong to be given."""
        return frozenset(
            label for label, c in self.labels.items() if c.n >= FEWEST_OF_LABEL and c.right < LEAST_SHARE * c.n
        )


def keep_shares(shares: Shares, folder: Path) -> Path:
    """Keep the shares of a judge in the folder, whole or not at all; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    whose = hashlib.sha256(f"{shares.judge}\n{shares.model}".encode()).hexdigest()[:8]
    file = folder / f"{shares.reader[:16]}.{whose}.shares.json"
    write_whole(file, [(shares.model_dump_json(indent=2) + "\n").encode()])
    return file


@cache
def shipped_shares() -> Shares:
    """The shares of the embedded judge with the bundled stance model."""
    return Shares.model_validate_json(SHIPPED.read_bytes())


def known_shares(reader: str, folder: Path | None = None) -> tuple[Shares, ...]:
    """What was measured with a stance model, by its checksum: what the folder keeps before what comes with Ghost.

    Raises ModelError when a file in the folder cannot be read.
    """
    found = [*_kept(reader, folder), shipped_shares()]
    return tuple(shares for shares in found if reader and shares.reader == reader)


def _kept(reader: str, folder: Path | None) -> Iterator[Shares]:
    for file in sorted(folder.glob(f"{reader[:16]}.*.shares.json")) if folder else ():
        try:
            yield Shares.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise ModelError(
                f"The measured shares {file} cannot be read. Delete the file, or run `python -m ghost calibrate` again."
            ) from error


def shares_of(judge: JudgeInfo, known: Sequence[Shares]) -> Shares | None:
    """The shares of a judge; the embedded one is known by its stance model, whatever that is called."""
    fitting = (s for s in known if s.judge == judge.name and (s.judge == "embedded" or s.model == judge.model))
    return next(fitting, None)


def kept_shares(settings: dict[str, object]) -> tuple[Shares, ...]:
    """The shares that a run was decided with, from what it keeps of its settings; empty for runs that kept none."""
    try:
        return TypeAdapter(tuple[Shares, ...]).validate_python(settings.get("shares") or ())
    except ValidationError:
        return ()
