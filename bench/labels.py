"""From the labels that data sets use to verdicts, and back."""

from dataclasses import dataclass

from bench.rows import ClaimRow, Table
from ghost.types import Label

FOUR: dict[str, tuple[Label, ...]] = {
    "SUPPORTS": (Label.TRUE,),
    "REFUTES": (Label.FALSE,),
    "CONFLICT": (Label.PARTIALLY_TRUE, Label.MISLEADING),
    "NEI": (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE),
}
"""What data sets call verdicts, and which of ours answer to it."""
SYNONYMS = {"DISPUTED": "CONFLICT"}
_OURS = {label.value.upper(): label for label in Label}
_DECISIVE = (Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING)


@dataclass(frozen=True, slots=True)
class Labels:
    """The classes in which the claims of one file are compared.

    A file that only uses our own six names is compared in these six; any other one in the four of data sets.
    """

    own: bool

    @classmethod
    def of(cls, table: Table[ClaimRow]) -> "Labels":
        """The classes of a file; raises DataError on a label that is none."""
        for number, row in enumerate(table.rows):
            if row.label.upper() not in {*FOUR, *SYNONYMS, *_OURS}:
                known = ", ".join([*FOUR, *SYNONYMS, *(label.value for label in Label)])
                raise table.wrong(number, f"the label {row.label!r} is none of {known}.")
        return cls(all(row.label.upper() in _OURS for row in table.rows))

    def wanted(self, label: str) -> str:
        """The class of a label of the file."""
        name = label.upper()
        return self.found(_OURS[name].value) if name in _OURS else SYNONYMS.get(name, name)

    def found(self, verdict: str) -> str:
        """The class of a verdict."""
        if self.own:
            return verdict
        return next(name for name, verdicts in FOUR.items() if verdict in verdicts)

    @property
    def decisive(self) -> set[str]:
        """The classes that settle a claim."""
        return {self.found(label.value) for label in _DECISIVE}

    @property
    def described(self) -> dict[str, list[str]]:
        """Each class and the verdicts that answer to it."""
        if self.own:
            return {label.value: [label.value] for label in Label}
        return {name: [label.value for label in verdicts] for name, verdicts in FOUR.items()}
