"""What the measurements of quality have in common."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """How to measure."""

    limit: int = 0
    """So many claims or pairs, drawn by the seed; 0 takes all."""
    seed: int = 1
    """Draws the sample and the resamples of the intervals."""
    workers: int = 1
    """Claims at a time."""
    judge: str | None = None
    """None: as the settings say."""
    keep: Path | None = None
    """Folder where the index stays for the next time."""
    json: Path | None = None
    """File of the result."""
    command: str = ""
    """What was typed, without folders."""

    @property
    def folder(self) -> Path | None:
        """Where answers are kept until the result is whole; None: nowhere."""
        return self.json.parent if self.json else self.keep
