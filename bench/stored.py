"""Results of the benchmark that ship with Ghost, for the Quality page: kept small, read with care.

``python -m ghost bench store OUT …`` puts results written with ``--json`` here. What belongs to single claims is left
out; what tells how a figure came about (command, seed, versions, checksums) stays.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bench.result_types import (
    Asking,
    Demo,
    Everyday,
    Matching,
    Model,
    NearMisses,
    Reading,
    Result,
    Retrieval,
    Speed,
    Stance,
    Verdicts,
)
from bench.results import write_json
from bench.rows import DataError

RESULTS = Path(__file__).parent / "data" / "results"
"""Where the stored results lie."""
_PER_CLAIM = ("failed", "claims")
"""Lists with an entry for each of some claims; stored is only how many there were."""
_NAME = re.compile(r"[^a-z0-9]+")
_KINDS: dict[str, type[Result]] = {
    "everyday": Everyday,
    "near_misses": NearMisses,
    "verdicts": Verdicts,
    "stance": Stance,
    "retrieval": Retrieval,
    "matching": Matching,
    "asking": Asking,
    "speed": Speed,
    "demo": Demo,
    "reading": Reading,
}


@dataclass(frozen=True, slots=True)
class Stored:
    """All results there are, in the order of their names."""

    everyday: tuple[Everyday, ...] = ()
    near_misses: tuple[NearMisses, ...] = ()
    verdicts: tuple[Verdicts, ...] = ()
    stance: tuple[Stance, ...] = ()
    retrieval: tuple[Retrieval, ...] = ()
    matching: tuple[Matching, ...] = ()
    asking: tuple[Asking, ...] = ()
    speed: tuple[Speed, ...] = ()
    demo: tuple[Demo, ...] = ()
    reading: tuple[Reading, ...] = ()
    problems: tuple[str, ...] = ()
    """Files that could not be read, and why."""

    @property
    def all(self) -> tuple[Result, ...]:
        """Every one of them."""
        return tuple(result for name in _KINDS for result in getattr(self, name))


def load(folder: Path = RESULTS) -> Stored:
    """Read the stored results; a file that cannot be read is named and left out."""
    found: list[Result] = []
    problems: list[str] = []
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            found.append(_read(file))
        except DataError as error:
            problems.append(str(error))
    by_name: dict[str, Any] = {name: tuple(r for r in found if type(r) is kind) for name, kind in _KINDS.items()}
    return Stored(**by_name, problems=tuple(problems))


def store(files: Sequence[Path], folder: Path = RESULTS) -> list[Path]:
    """Put results written with ``--json`` among the stored ones, each in the place of an earlier one of its kind.

    Raises DataError on a file that is no result; then nothing is stored.
    """
    made = []
    for file in files:
        result = _read(file)
        if isinstance(result, Everyday) and (result.half != "both" or result.limit):
            raise DataError(f"{file.name} is of a part of the everyday claims; measure all of them.")
        made.append((_slim(json.loads(file.read_text(encoding="utf-8"))), folder / f"{place(result)}.json"))
    folder.mkdir(parents=True, exist_ok=True)
    for data, target in made:
        write_json(data, target)
    return [target for _, target in made]


def place(result: Result) -> str:
    """The name of its file: what was measured on what, by which judge."""
    parts = [result.benchmark]
    match result:
        case Everyday():
            parts.append(result.judge.name)
        case Verdicts():
            parts += [result.claims.name, result.judge.name]
        case Stance():
            parts.append(result.pairs.name)
        case Retrieval():
            parts.append(result.claims.name)
    return "-".join(_NAME.sub("_", part.lower()).strip("_") or "unnamed" for part in parts)


def strangers(result: Result, now: dict[str, Model]) -> list[str]:
    """The models of a result that are not those that run now; which of them, by what they do.

    Pairs and queries are not classified, so another claim classifier changes nothing there.
    """
    idle = {"claim_types"} if result.benchmark in ("stance", "retrieval", "matching") else set()
    used = [(role, model) for role, model in result.models.items() if role in now and role not in idle]
    return [role for role, model in used if model.sha256 != now[role].sha256]


def _read(file: Path) -> Result:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return _KINDS[data["benchmark"]].model_validate(data)
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror or error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DataError(f"{file.name} is not a result of the benchmark: {where}: {first['msg']}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{file.name} is not a result of the benchmark ({error!r}).") from error


def _slim(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: len(value) if name in _PER_CLAIM and isinstance(value, list) else value for name, value in data.items()
    }
