"""Whether two claims say the same, and in which respects they differ."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How what one claim says stands to what another one says."""

    SAME = "same"
    """An answer to one is an answer to the other."""
    OPPOSITE = "opposite"
    """One is true exactly where the other is false."""
    RELATED = "related"
    """About the same matter, and another claim: an answer to one may help with the other."""
    DIFFERENT = "different"


class Category(StrEnum):
    """What kind of knowledge a claim asks for."""

    HISTORICAL = "historical"
    SCIENTIFIC = "scientific"
    STATISTICAL = "statistical"
    MEDICAL = "medical"
    POLITICAL = "political"
    QUOTATION = "quotation"
    EPISTEMOLOGICAL = "epistemological"
    INTERPRETIVE = "interpretive"
    ETHICAL = "ethical"
    INSTITUTIONAL = "institutional"
    LINGUISTIC = "linguistic"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Slot:
    """What two claims say in one respect, such as negation, numbers or names."""

    name: str
    one: str
    """In the words of the first claim; empty where it says nothing of the kind."""
    other: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class ClaimMatch:
    """How two claims stand to each other."""

    relation: Relation
    probability: float
    """That the relation is right, 0..1."""
    cosine: float
    """Of their embeddings; says what they are about, never whether they say the same."""
    slots: tuple[Slot, ...] = ()
    why: str = ""
    """What the relation rests on, in a sentence."""
    same: float = 0.0
    """The probability that they are the same; 0 where a difference in their words rules that out."""

    @property
    def differing(self) -> tuple[Slot, ...]:
        """The respects in which they differ."""
        return tuple(slot for slot in self.slots if not slot.agrees)
