"""Within which limits a statement is meant: where, when, of whom, and measured how."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Scopes:
    """The limits that a statement names, each in its own words; empty where it names none of the kind."""

    jurisdiction: tuple[str, ...] = ()
    """Places under one law or administration: countries, states, cities, unions."""
    time: tuple[str, ...] = ()
    """Years, periods, and days: "2020 to 2023", "since the reform"."""
    population: tuple[str, ...] = ()
    """Of whom it holds: "women over 50", "nurses"."""
    method: tuple[str, ...] = ()
    """How it was measured: "adjusted for inflation", "in randomised trials"."""

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))

    @property
    def words(self) -> tuple[str, ...]:
        """All of them, in the order of the kinds."""
        return (*self.jurisdiction, *self.time, *self.population, *self.method)


NO_SCOPES = Scopes()
