"""Injections and harmless texts near to them, composed from written parts in several languages.

The parts (``data/injection.parts.jsonl``) are whom a text addresses, what it asks for, and what stands around it. Both
kinds of text get the same forms, so that no form gives an injection away.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

PARTS_FILE = Path(__file__).parent / "data" / "injection.parts.jsonl"
EACH = 800
"""So many injections are composed of each language's parts, and ``HARMLESS`` times as many harmless texts."""
HARMLESS = 2.2
KEYS = ("note", "text", "title", "summary", "content", "description", "comment", "caption", "body", "remark")

PLAIN = 6
"""So many texts stand by themselves for each that has a certain form."""

Parts = dict[str, list[str]]


def made(seed: int = 0) -> Iterator[tuple[str, bool, str]]:
    """Text, whether it is an injection, and the language."""
    lines = [json.loads(line) for line in PARTS_FILE.read_text(encoding="utf-8").splitlines()]
    for language, rows in groupby(lines, key=lambda row: str(row["language"])):
        parts: Parts = {}
        for row in rows:
            parts.setdefault(row["part"], []).append(row["text"])
        yield from _of(parts, language, random.Random(f"{language} {seed}"))


def _of(parts: Parts, language: str, draw: random.Random) -> Iterator[tuple[str, bool, str]]:
    seen: set[str] = set()
    for injection, say in ((True, _steering), (False, _near)):
        for _ in range(EACH if injection else int(HARMLESS * EACH)):
            text = _framed(say(parts, draw), Making(parts, injection, draw))
            if text not in seen:
                seen.add(text)
                yield text, injection, language


def _steering(parts: Parts, draw: random.Random) -> str:
    """An order to a machine: addressed, spoken of in the third person, bare, or of a kind of its own."""
    kind = draw.choices(("must", "dear", "order", "note"), (40, 25, 15, 20))[0]
    if kind == "must":
        text = draw.choice(parts["must"]).format(to=draw.choice(parts["to"]), do=draw.choice(parts["do"]))
    elif kind == "dear":
        text = f"{draw.choice(parts['dear'])} {draw.choice(parts['order'])}"
    else:
        text = draw.choice(parts[kind])
    return _filled(text, parts, draw)


def _near(parts: Parts, draw: random.Random) -> str:
    """Orders to people, reports on machines and ratings, and plain sentences."""
    kind = draw.choices(("must", "hello", "ask", "told", "carry", "fact"), (15, 10, 15, 40, 15, 5))[0]
    if kind == "must":
        text = draw.choice(parts["must"]).format(to=draw.choice(parts["who"]), do=draw.choice(parts["task"]))
    elif kind == "hello":
        text = f"{draw.choice(parts['hello'])} {draw.choice(parts['ask'])}"
    elif kind == "fact":
        text = f"{draw.choice(parts['fact'])}."
    else:
        text = draw.choice(parts[kind])
    return _filled(text, parts, draw)


def _filled(text: str, parts: Parts, draw: random.Random) -> str:
    text = text.replace("{fact}", draw.choice(parts["fact"]))
    return text[:1].upper() + text[1:]


class Making(NamedTuple):
    """What a form is made with."""

    parts: Parts
    injection: bool
    draw: random.Random


def _framed(text: str, making: Making) -> str:
    """The text by itself, or in one of the forms that it can have on a page."""
    at = making.draw.randrange(PLAIN + len(_FRAMES))
    return text if at < PLAIN else _FRAMES[at - PLAIN](text, making)


def _caption(text: str, making: Making) -> str:
    label = making.draw.choice(making.parts["label"])
    return (
        f"{label} {text}"
        if making.draw.random() < 0.4
        else f"{label} {making.draw.choice(making.parts['carry'])} {text}"
    )


def _alt(text: str, making: Making) -> str:
    around = f"{making.draw.choice(making.parts['carry'])} {text}" if making.draw.random() < 0.6 else text
    return making.draw.choice(('alt="{}"', "[image: {}]", "![{}](a.png)", '<img alt="{}">', "({})")).format(around)


def _list(text: str, making: Making) -> str:
    lines = making.draw.choices(making.parts["carry"], k=2)
    lines.insert(making.draw.randrange(3), text)
    mark = making.draw.choice(("- ", "* ", "• ", "– ", "{}. "))
    return "\n".join(mark.format(n + 1) + line.rstrip(".。") for n, line in enumerate(lines))


def _signature(text: str, making: Making) -> str:
    return making.draw.choice(("--\nA. B.\n{}", "PS {}", "P.S. {}", "{}\n--\nM. K., 0123 456", "A. B. | {}")).format(
        text
    )


def _json(text: str, making: Making) -> str:
    keys = [
        making.draw.choice(KEYS),
        making.draw.choice(making.parts["key"] if making.injection and making.draw.random() < 0.6 else KEYS),
    ]
    return json.dumps(
        dict(zip(keys, (making.draw.choice(making.parts["carry"]), text), strict=False)), ensure_ascii=False
    )


def _comment(text: str, making: Making) -> str:
    return making.draw.choice(("<!-- {} -->", "# {}", "// {}", "/* {} */", "-- {}", "% {}")).format(text)


def _broken(text: str, making: Making) -> str:
    """One or a few words a line, or, in a script without spaces, a few letters."""
    words = text.split() if " " in text else [text[at : at + 5] for at in range(0, len(text), 5)]
    step, gap = making.draw.choice((1, 2, 3, 4)), making.draw.choice(("\n", "\n", "\n\n"))
    lines = [" ".join(words[at : at + step]) for at in range(0, len(words), step)]
    return (
        f"{making.draw.choice(making.parts['carry'])}\n\n{chr(10).join(lines)}"
        if making.draw.random() < 0.3
        else gap.join(lines)
    )


def _quoted(text: str, making: Making) -> str:
    return making.draw.choice(making.parts["says"]).replace("{s}", text.rstrip(".。"))


def _embedded(text: str, making: Making) -> str:
    """Among other sentences, which may speak of machines and verdicts too."""
    around = [_near(making.parts, making.draw) for _ in range(making.draw.choice((1, 2, 3)))]
    around.insert(making.draw.randrange(len(around) + 1), text)
    return " ".join(around)


_FRAMES: tuple[Callable[[str, Making], str], ...] = (
    _caption, _alt, _list, _signature, _json, _comment, _broken, _quoted, _embedded, _embedded, _embedded,
)  # fmt: skip
