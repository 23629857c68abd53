"""Where a run has looked for evidence, so that whoever reads that nothing was found knows where."""

from dataclasses import dataclass

from ghost.steps.hits import LISTS
from ghost.types import Reason, ReasonCode
from ghost.web.search import Stage

HOME = "the knowledge base"


@dataclass(frozen=True, slots=True)
class Looked:
    """The knowledge base, and the stages of the search in which somebody answered; failed searches do not count."""

    stages: tuple[Stage, ...] = ()

    @property
    def sentence(self) -> str:
        """Where was looked, as a sentence."""
        if not self.stages:
            return f"Only {HOME} was looked at."
        return f"{HOME.capitalize()} was looked at, and the web was searched ({self._lists})."

    @property
    def nothing(self) -> str:
        """That nothing relevant was found, and where."""
        if not self.stages:
            return f"Nothing relevant was found in {HOME}, the only place that was looked at."
        return f"Nothing relevant was found, neither in {HOME} nor on the web (searched: {self._lists})."

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
    def _lists(self) -> str:
        names = [LISTS[stage] for stage in self.stages]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


HOME_ONLY = Looked()
"""A run that has searched nothing, or has not done so yet."""
