"""Skills: how to research a kind of topic. Some come with Ghost; the analyst adds more in a file of their own.

A file that cannot be used is named by line and field, and the skills that it last had stay in force.
"""

import threading
from functools import cached_property
from pathlib import Path
from typing import Protocol

from ghost.errors import ClaimError, StoreError
from ghost.research.skills_file import Site, SkillsProblem, UnusableSkills, read_skills, text_of
from ghost.types import Skill

SHIPPED = Path(__file__).with_name("skills.yaml")


class KeepsText(Protocol):
    """Keeps the text of the last file that could be used."""

    def last_skills(self) -> str:
        """The text; empty when there was none."""
        ...

    def keep_skills(self, text: str) -> None:
        """Keep it. Raises StoreError."""
        ...


class Skills:
    """The skills that come with Ghost and those of the analyst. Safe to use from any thread."""

    def __init__(self, path: Path, site: Site, kept: KeepsText | None = None) -> None:
        """``path``: the analyst's file, which need not be there. ``site`` makes a host suffix of a site that it names.
        ``kept`` outlives this process.
        """
        self.path = path
        self._site = site
        self._kept = kept
        self._lock = threading.Lock()
        self._seen: tuple[int, int] | None = (-1, -1)
        """Time and size of the file when it was last read; None when there was none."""
        self._mine: tuple[Skill, ...] = ()
        self._problem: SkillsProblem | None = None

    def all(self) -> tuple[Skill, ...]:
        """All skills; one of the analyst's takes the place of the shipped one of its name."""
        self._refresh()
        mine = {skill.name: skill for skill in self._mine}
        shipped = tuple(mine.pop(skill.name, skill) for skill in self._shipped)
        return (*shipped, *mine.values())

    @property
    def problem(self) -> SkillsProblem | None:
        """What is wrong with the analyst's file; None when nothing is."""
        self._refresh()
        return self._problem

    def named(self, name: str) -> Skill:
        """The skill of this name. Raises ClaimError with the names that there are."""
        found = next((skill for skill in self.all() if skill.name == name), None)
        if found is None:
            raise ClaimError(f"There is no skill of this name. There are {', '.join(s.name for s in self.all())}.")
        return found

    def _refresh(self) -> None:
        """Read the file again where it has changed since the last time."""
        with self._lock:
            try:
                state = self.path.stat()
                seen: tuple[int, int] | None = (state.st_mtime_ns, state.st_size)
            except OSError:
                seen = None
            if seen == self._seen:
                return
            self._seen = seen
            if seen is None:
                self._mine, self._problem = (), None
                return
            try:
                text = text_of(self.path)
                self._mine, self._problem = read_skills(text, self._site), None
                self._keep(text)
            except UnusableSkills as bad:
                self._problem = bad.problem
                self._mine = self._mine or self._last()

    def _last(self) -> tuple[Skill, ...]:
        """The skills of the last usable file, from before this process began."""
        try:
            return read_skills(self._kept.last_skills(), self._site) if self._kept else ()
        except (StoreError, UnusableSkills):
            return ()

    def _keep(self, text: str) -> None:
        try:
            if self._kept and self._kept.last_skills() != text:
                self._kept.keep_skills(text)
        except StoreError:
            pass  # they are in force all the same

    @cached_property
    def _shipped(self) -> tuple[Skill, ...]:
        return read_skills(SHIPPED.read_text(encoding="utf-8"), self._site, shipped=True)
