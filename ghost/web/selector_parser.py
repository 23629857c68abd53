"""Selectors as they are written: read as far as they are known here."""

import re

from ghost.web.blocks import split
from ghost.web.declarations import put_back
from ghost.web.pseudo import NEVER, PSEUDO, step
from ghost.web.selectors import Attribute, Choice, Compound, Place, Selector, State

MAX_COMPOUNDS = 12
MAX_DEPTH = 6
MAX_CHOICES = 40

_NAME = r"[\w\u0080-\U0010ffff-]+"
_PART = re.compile(
    rf"(?:\*\|)?(?P<tag>\*|[a-z]{_NAME[:-1]}*)|\.(?P<class>{_NAME})|\#(?P<id>{_NAME})"
    rf"|\[\s*(?:\*\|)?(?P<name>{_NAME})\s*"
    rf"(?:(?P<how>[~|^$*]?=)\s*(?:\"(?P<one>[^\"]*)\"|'(?P<two>[^']*)'|(?P<bare>{_NAME}))\s*(?P<fold>[is])?\s*)?\]"
    r"|:(?P<pseudo>-?[a-z-]+)(?P<call>\()?",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\s*+([>+~])\s*+|(\s++)|[^\s>+~()\[\]]++|[()\[\]]")
_BETWEEN = re.compile(r"[\s>+~(\[]")
_CHOICES = frozenset({"is", "where", "not", "matches", "-webkit-any", "-moz-any", "has"})
_ROUND = re.compile(r"[()]")
_BLANKS = " \t\n\r\f"


def selector(text: str, depth: int = 0) -> Selector | None:
    """The selector read, or None where it has something that is not known here."""
    compounds: list[Compound] = []
    combinators: list[str] = []
    for piece in _pieces(text):
        if piece in (">", "+", "~"):
            combinators.append(piece)
            continue
        if len(compounds) > len(combinators):
            combinators.append(" ")
        read = _compound(piece, depth)
        if read is None:
            return None
        compounds.append(read)
    if not compounds or len(combinators) != len(compounds) - 1 or len(compounds) > MAX_COMPOUNDS:
        return None
    return Selector(tuple(compounds), tuple(combinators))


def _pieces(text: str) -> list[str]:
    """Combinators, and everything between two of them; what is in brackets stays together."""
    text = text.strip(_BLANKS)
    if not _BETWEEN.search(text):
        return [text] if text else []
    pieces = [""]
    depth = 0
    for token in _TOKEN.finditer(text):
        if depth == 0 and token[1]:
            pieces += [token[1], ""]
        elif depth == 0 and token[2]:
            pieces.append("")
        else:
            pieces[-1] += token[0]
            depth += (token[0] in "([") - (token[0] in ")]")
    return [p for p in pieces if p]


def _compound(text: str, depth: int) -> Compound | None:
    tag = ""
    ids: set[str] = set()
    names: set[str] = set()
    others: list[Attribute | State | Place | Choice] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if not part or (part["tag"] and at):
            return None
        at = part.end()
        if part["tag"]:
            tag = put_back(part["tag"]).lower() if part["tag"] != "*" else ""
        elif part["class"]:
            names.add(put_back(part["class"]))
        elif part["id"]:
            ids.add(put_back(part["id"]))
        elif part["name"]:
            others.append(_attribute(part))
        else:
            argument, at = _in_brackets(text, at) if part["call"] else ("", at)
            read = (
                _pseudo(part["pseudo"].lower(), argument.strip(_BLANKS), bool(part["call"]), depth) if at >= 0 else None
            )
            if read is None:
                return None
            others.append(read)
    return Compound(tag, frozenset(ids), frozenset(names), tuple(others))


def _attribute(part: re.Match[str]) -> Attribute:
    wanted = next((w for w in (part["one"], part["two"], part["bare"]) if w is not None), "")
    return Attribute(
        put_back(part["name"]).lower(), part["how"] or "", put_back(wanted), (part["fold"] or "").lower() == "i"
    )


def _in_brackets(text: str, at: int) -> tuple[str, int]:
    """What is behind an opened bracket, and where it goes on; -1 when nothing closes it."""
    depth = 1
    for found in _ROUND.finditer(text, at):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return text[at : found.start()], found.end()
    return "", -1


def _pseudo(name: str, argument: str, call: bool, depth: int) -> Choice | Place | State | None:
    if name in _CHOICES and call:
        return _choice(name, argument, depth + 1) if depth < MAX_DEPTH else None
    if name.startswith("nth-") and call:
        return _place(name, argument, depth + 1) if depth < MAX_DEPTH else None
    if name in NEVER and not call:
        return State("never", "")
    return State(name, argument) if name in PSEUDO and call == (name in ("lang", "dir")) else None


def _choice(kind: str, among: str, depth: int) -> Choice | None:
    """What is in the brackets; what is not known there fits nothing."""
    parts = [part.strip(_BLANKS) for part in split(among)[:MAX_CHOICES]]
    near: list[str] = []
    if kind == "has":
        near = [part[:1] if part[:1] in (">", "+", "~") else " " for part in parts]
        parts = [part.lstrip(">+~") for part in parts]
    read = [selector(part, depth) for part in parts]
    if kind in ("not", "has") and (None in read or not read):
        return None
    return Choice(tuple(s for s in read if s), kind == "not", kind != "where", tuple(near))


def _place(name: str, argument: str, depth: int) -> Place | None:
    counted, _, rest = argument.partition(" of ")
    found = step(counted.strip(_BLANKS).lower())
    among = [selector(part, depth) for part in split(rest)[:MAX_CHOICES]] if rest.strip() else []
    of_type = name.endswith("of-type")
    if found is None or None in among or (among and of_type):
        return None
    if name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"):
        return None
    return Place(found, name.startswith("nth-last"), of_type, tuple(s for s in among if s))
