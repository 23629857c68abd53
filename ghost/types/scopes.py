"""The scopes of a statement: where, when and for whom it holds, and how it was measured."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Scopes:
    """The scopes that a statement names, in its own words; empty if it names none of a kind."""

    jurisdiction: tuple[str, ...] = ()
    """Places under one law or administration: countries, states, cities, unions."""
    time: tuple[str, ...] = ()
    """Years, periods, and days: "2020 to 2023", "since the reform"."""
    population: tuple[str, ...] = ()
    """For whom it holds: "women over 50", "nurses"."""
    method: tuple[str, ...] = ()
    """How it was measured: "adjusted for inflation", "in randomised trials"."""

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))

    @property
    def words(self) -> tuple[str, ...]:
        """All of them, in the order of the kinds."""
        return (*self.jurisdiction, *self.time, *self.population, *self.method)


NO_SCOPES = Scopes()
