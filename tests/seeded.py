"""Data folders that are seeded once for a whole run of the tests: a new knowledge base begins as a copy of one."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from config import PROJECT, Settings

BASICS = "basics"
"""The pack that the knowledge bases of the tests have: reading all of them would take each new one ten seconds."""
PACKS_OFF = ",".join(sorted(p.stem for p in (PROJECT / "packs").glob("*.jsonl") if p.stem != BASICS))


class Seeded:
    """One folder for each choice of packs, in a place that the processes of one run of the tests share.

    The place is new for each run, so what other code or other packs have made is never found there.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self.seeding = False
        """Whether this process is making one, which begins as a copy of nothing."""

    def copy(self, target: Path, packs_off: str = PACKS_OFF) -> None:
        """Put a seeded knowledge base into a data folder that has none."""
        made = self._made(packs_off)
        shutil.copytree(made, target, ignore=shutil.ignore_patterns("*.lock*"), dirs_exist_ok=True)

    def _made(self, packs_off: str) -> Path:
        made = self._place / f"seeded-{hashlib.sha256(packs_off.encode()).hexdigest()[:12]}"
        with FileLock(f"{made}.lock"):
            if not made.exists():
                part = made.with_suffix(".part")
                shutil.rmtree(part, ignore_errors=True)  # of a process that was stopped
                self._seed(part, packs_off)
                part.rename(made)
        return made

    def _seed(self, folder: Path, packs_off: str) -> None:
        from ghost.workbench import build

        self.seeding = True
        try:
            with pytest.MonkeyPatch.context() as patch:
                for name in [name for name in os.environ if name.startswith("GHOST_")]:
                    patch.delenv(name)
                settings = Settings(data_dir=folder, packs_off=packs_off, web=False, _env_file=None)
                with build(settings, judge="embedded"):
                    pass
        finally:
            self.seeding = False
