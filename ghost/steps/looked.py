"""Where a run has looked for evidence, so that whoever reads that nothing was found knows where."""

from dataclasses import dataclass

from ghost.steps.hits import LISTS
from ghost.types import Reason, ReasonCode
from ghost.web import Stage

HOME = "the knowledge base"


@dataclass(frozen=True, slots=True)
class Looked:
    """The knowledge base, the pages that the analyst named, and the stages of the search in which somebody answered.

    Failed searches do not count.
    """

    stages: tuple[Stage, ...] = ()
    links: int = 0
    """Pages that the analyst named and that were read."""

    @property
    def sentence(self) -> str:
        """Where was looked, as a sentence."""
        if self.stages:
            return f"{self._home.capitalize()} {self._were} looked at, and the web was searched ({self._lists})."
        return f"Only {self._home} {self._were} looked at."

    @property
    def nothing(self) -> str:
        """That nothing relevant was found, and where."""
        if self.stages:
            neither = "neither in" if not self.links else "in"
            return f"Nothing relevant was found, {neither} {self._home} nor on the web (searched: {self._lists})."
        only = "the only places that were" if self.links else "the only place that was"
        return f"Nothing relevant was found in {self._home}, {only} looked at."

    @property
    def remedy(self) -> str:
        """What to do when nothing was found there."""
        if not self.stages:
            return f"Add a source about it to {HOME} and verify the claim again."
        return (
            "Put the claim in the words, names and numbers that a page about it would use, or add a source about it "
            f"to {HOME}, and verify it again."
        )

    def about(self, reason: Reason) -> Reason:
        """A judge's reason, which knows nothing of searches, with the place where was looked."""
        if reason.code is ReasonCode.NO_SOURCES:
            return Reason(reason.code, self.nothing, self.remedy)
        return Reason(reason.code, f"{reason.text} {self.sentence}", reason.remedy)

    @property
    def _home(self) -> str:
        named = "the page" if self.links == 1 else f"{self.links} pages"
        return f"{HOME} and {named} that you named" if self.links else HOME

    @property
    def _were(self) -> str:
        return "were" if self.links else "was"

    @property
    def _lists(self) -> str:
        names = [LISTS[stage] for stage in self.stages]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


HOME_ONLY = Looked()
"""A run that has searched nothing, or has not done so yet."""
