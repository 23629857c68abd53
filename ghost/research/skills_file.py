"""A file of skills: read, checked field by field, and refused with the line of the first field that cannot be used."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ghost.text import normalise
from ghost.types import Category, Policy, Skill

MAX_BYTES = 256_000
MOST_SKILLS = 100
MOST_NESTED = 20
_OPENS = (
    yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken, yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken,
)  # fmt: skip
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
_FIRST_LINE = 1
Site = Callable[[str], str]
"""Makes a host suffix of an entry; raises ValueError."""


@dataclass(frozen=True, slots=True)
class SkillsProblem:
    """Why the analyst's file cannot be used."""

    line: int
    """1-based."""
    field: str
    """``skills[2].policy.freshness_days``; empty where the file as a whole is meant."""
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}" + (f", {self.field}" if self.field else "")
        return f"{where}: {self.message}"


class UnusableSkills(Exception):
    """The file cannot be used; ``problem`` says why."""

    def __init__(self, line: int, field: str, message: str) -> None:
        super().__init__(message)
        self.problem = SkillsProblem(line, field, message)


Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Policy(_Model):
    freshness_days: int = Field(default=180, ge=0, le=36_500)
    allow_web: bool = True
    max_sources: int = Field(default=5, ge=1, le=20)
    depth: int = Field(default=5, ge=4, le=6)
    allowed_sites: list[Line] = Field(default=[], max_length=200)
    denied_sites: list[Line] = Field(default=[], max_length=200)
    min_credibility: float = Field(default=0.0, ge=0.0, le=1.0)
    guardrails: list[Line] = Field(default=[], max_length=10)


class _Skill(_Model):
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    title: Line
    description: Line
    categories: list[Line] = []
    policy: _Policy = _Policy()
    questions: list[Line] = Field(default=[], max_length=6)


class _File(_Model):
    skills: list[_Skill] = Field(max_length=MOST_SKILLS)


def read_skills(text: str, site: Site, shipped: bool = False) -> tuple[Skill, ...]:
    """The skills in a file; none in an empty one. Raises UnusableSkills."""
    node = _composed(text)
    if node is None or (isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null")):
        return ()
    for anchored in _repeated_keys(node):
        raise anchored
    try:
        found = _File.model_validate(yaml.constructor.SafeConstructor().construct_document(node))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UnusableSkills(_line_of(node, first["loc"]), _field(first["loc"]), _message(first)) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise UnusableSkills(_FIRST_LINE, "", f"It cannot be read: {_one_line(error)}") from None
    return tuple(_skill(node, found.skills, n, site, shipped) for n in range(len(found.skills)))


def text_of(path: Path) -> str:
    """The text of a file. Raises UnusableSkills."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnusableSkills(_FIRST_LINE, "", f"It cannot be opened ({error.strerror}).") from None
    if len(data) > MAX_BYTES:
        raise UnusableSkills(_FIRST_LINE, "", f"It is larger than {MAX_BYTES:,} bytes.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnusableSkills(line, "", "It is not a text in UTF-8.") from None


def _composed(text: str) -> yaml.Node | None:
    """The file as nodes that know their lines.

    Anchors are refused, as a few of them can stand for gigabytes, and so is deep nesting, which takes minutes to read.
    """
    depth = 0
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            depth += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
            if depth > MOST_NESTED:
                raise UnusableSkills(token.start_mark.line + 1, "", "It is nested too deeply.")
            if isinstance(token, yaml.AnchorToken | yaml.AliasToken):
                raise UnusableSkills(
                    token.start_mark.line + 1, "", "Anchors and aliases (& and *) cannot be used here."
                )
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnusableSkills(
            mark.line + 1 if mark else _FIRST_LINE, "", f"This is not valid YAML: {error.problem}."
        ) from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise UnusableSkills(line, "", "It has characters that YAML does not allow.") from None


def _repeated_keys(node: yaml.Node, path: tuple[int | str, ...] = ()) -> Iterator[UnusableSkills]:
    """YAML lets the last of two equal keys win, silently."""
    if isinstance(node, yaml.SequenceNode):
        for n, child in enumerate(node.value):
            yield from _repeated_keys(child, (*path, n))
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)[:80]
            if name in seen:
                yield UnusableSkills(key.start_mark.line + 1, _field((*path, name)), "This field appears twice.")
            seen.add(name)
            yield from _repeated_keys(value, (*path, name))


def _skill(node: yaml.Node, found: Sequence[_Skill], n: int, site: Site, shipped: bool) -> Skill:
    """One skill, with what only a program can check."""
    raw = found[n]

    def wrong(message: str, *path: int | str) -> UnusableSkills:
        loc = ("skills", n, *path)
        return UnusableSkills(_line_of(node, loc), _field(loc), message)

    if raw.name in (other.name for other in found[:n]):
        raise wrong("Another skill above has this name.", "name")
    categories = []
    for at, name in enumerate(raw.categories):
        if name not in list(Category):
            raise wrong(f"There is no such category. There are {', '.join(Category)}.", "categories", at)
        categories.append(Category(name))
    for at, question in enumerate(raw.questions):
        if "{topic}" not in question or set(re.findall(r"\{[^}]*\}", question)) != {"{topic}"}:
            raise wrong("A question needs {topic} in it, and no other braces.", "questions", at)
    if raw.questions and not len(raw.questions) >= 4:
        raise wrong("Give 4 to 6 questions, or none for those that come with Ghost.", "questions")

    def sites(field: str) -> tuple[str, ...]:
        made = []
        for at, entry in enumerate(getattr(raw.policy, field)):
            try:
                made.append(site(entry))
            except ValueError as error:
                raise wrong(f"{error}.", "policy", field, at) from None
        return tuple(made)

    p = raw.policy
    policy = Policy(
        p.freshness_days, p.allow_web, p.max_sources, p.depth, sites("allowed_sites"), sites("denied_sites"),
        p.min_credibility, tuple(normalise(g) for g in p.guardrails),
    )  # fmt: skip
    texts = normalise(raw.title), normalise(raw.description)
    return Skill(raw.name, *texts, policy, tuple(categories), tuple(normalise(q) for q in raw.questions), shipped)


def _line_of(node: yaml.Node, loc: Sequence[int | str]) -> int:
    """The line of a field, or of the nearest one around it."""
    line = node.start_mark.line
    for step in loc:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if k.value == step), None)
            if found is None:
                break
            line, node = found[0].start_mark.line, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line
        else:
            break
    return line + 1


def _field(loc: Sequence[int | str]) -> str:
    """``skills[2].policy.depth``, with skills counted from 1."""
    text = ""
    for step in loc:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def _message(error: Mapping[str, Any]) -> str:
    """What Pydantic finds, in words for whoever wrote the file."""
    match error["type"]:
        case "extra_forbidden":
            return "There is no such field."
        case "missing":
            return "This field is missing."
        case "model_type" | "dict_type":
            return "Fields with their values belong here."
        case "list_type":
            return "Expected a list."
        case "string_pattern_mismatch":
            return "A name has small letters, digits and hyphens, 40 at most."
        case _:
            return f"{str(error['msg']).removeprefix('Value error, ')}."


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
