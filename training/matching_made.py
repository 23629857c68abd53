"""Pairs made by rule from the facts of the library: written pairs seldom exchange two names of a long sentence.

Two names or two years of a fact change places, or one gives way to that of another fact: another claim. What stands
before its first comma moves to the end, or the fact is asked: the same claim.
"""

import random
import re
from collections.abc import Sequence
from typing import Any

from seed_kb import SEED_FACTS

_RUN = re.compile(
    r"(?<![\w’'-])(?!(?:The|A|An|In|On|At|By|Of|It|He|She|They|No|Not|As|All|Most|Since|About|After)\b)"
    r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*"
)
"""A name, also at the beginning."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_LIST = re.compile(r"[\s,]*(?:and|or|,|&|to|than|with|the|a|of)?(?: the| a)?[\s,]*")
"""Names with no more than this between them are a list, a pair or one name: their order may mean nothing."""
_LAST = re.compile(
    r"(?P<rest>(?:The|A|An|It|He) [^,]+?) (?P<when>(?:in|during|on|since|after|before|until) [^,]*\d{4})\."
)
_FIRST = re.compile(
    r"(?P<when>(?:In|During|Since|Until|After|Before|By|At|On) [^,]{3,40}), (?P<rest>(?:the|a|an|it|he) .+)\.$"
)
_LONGEST = 220
_ASKED = ("Is it true that {}?", "is it right that {}", "I read that {}, is that so?", "{} - true?")


_THINGS = (
    ("The harbour of Sundvik", "the harbour of Orla"), ("Copper", "zinc"), ("The red kite", "the buzzard"),
    ("The old library", "the town hall"), ("Rye bread", "white bread"), ("The tram", "the bus"), ("Oslo", "Bergen"),
    ("The east tower", "the west tower"), ("Lake Torne", "Lake Siljan"), ("The novel", "the film"),
    ("A diesel engine", "a petrol engine"), ("The lynx", "the wolf"), ("Mars", "Venus"), ("The choir", "the orchestra"),
    ("The first edition", "the second edition"), ("The clinic in Vessa", "the clinic in Brandal"), ("Oak", "pine"),
    ("The morning train", "the evening train"), ("Butter", "margarine"), ("The senate", "the council"),
)  # fmt: skip
_COMPARED = (
    ("larger", "smaller"), ("older", "younger"), ("heavier", "lighter"), ("faster", "slower"), ("cheaper", "dearer"),
    ("higher", "lower"), ("longer", "shorter"), ("warmer", "colder"), ("stronger", "weaker"), ("better", "worse"),
    ("richer", "poorer"), ("louder", "quieter"), ("more popular", "less popular"), ("more expensive", "less expensive"),
)  # fmt: skip
_AMONG = (
    ("{what} were higher in {a} than in {b}.", "{what} were lower in {b} than in {a}.",
     "{what} were lower in {a} than in {b}.", "{what} were higher in {b} than in {a}."),
    ("There are more {what} in {a} than in {b}.", "There are fewer {what} in {b} than in {a}.",
     "There are fewer {what} in {a} than in {b}.", "There are more {what} in {b} than in {a}."),
)  # fmt: skip
_COUNTED = ("rents", "taxes on wine", "complaints about noise", "burglaries", "school fees", "births", "sales of books")
_PLACES = (("Norway", "Sweden"), ("2004", "2019"), ("the north", "the south"), ("Lisbon", "Porto"), ("May", "July"))
_ORDERED = (
    ("{a} opened before {b} closed.", "{b} closed after {a} opened.", "{a} opened after {b} closed.",
     "{b} closed before {a} opened."),
)  # fmt: skip
_EVENTS = (
    ("The mill", "the mine"),
    ("The museum", "the theatre"),
    ("The airport", "the station"),
    ("The shop", "the bank"),
)


def compared(seed: int = 0, each: int = 60) -> list[dict[str, Any]]:
    """Comparisons turned round: by their word, by their sides, and by both, which says the same again."""
    draw = random.Random(seed)
    found: list[tuple[str, str, str, str]] = []
    for one, other in _THINGS:
        for more, less in draw.sample(_COMPARED, 5):
            a, b = one, other[0].upper() + other[1:]
            sides = (one[0].lower() + one[1:] if one.startswith(("The ", "A ")) else one, other)
            found.append(
                (f"{a} is {more} than {sides[1]}.", f"{b} is {less} than {sides[0]}.",
                 f"{a} is {less} than {sides[1]}.",
                 f"{b} is {more} than {sides[0]}.")
            )  # fmt: skip
    for shapes, things in ((_AMONG, _PLACES), (_ORDERED, _EVENTS)):
        for shape in shapes:
            for a, b in things:
                for what in _COUNTED:
                    texts = [text.format(what=what, a=a, b=b) for text in shape]
                    found.append(tuple(text[0].upper() + text[1:] for text in texts))  # type: ignore[arg-type]
    rows = []
    for kind, at, relation in (
        ("converse", 1, "same"),
        ("turned word", 2, "opposite"),
        ("turned sides", 3, "opposite"),
    ):
        for texts in draw.sample(found, each):
            asked = draw.choice((texts[at], texts[at], f"Is it true that {texts[at][0].lower()}{texts[at][1:-1]}?"))
            rows.append({"card": texts[0], "question": asked, "relation": relation, "kind": kind, "source": "made"})
    return rows


def made(seed: int = 0, each: int = 150) -> list[dict[str, Any]]:
    """Rows like those that are written, at most so many of each kind."""
    facts = [_sentence(fact["text"]) for fact in SEED_FACTS if len(fact["text"]) <= _LONGEST]
    random.Random(seed).shuffle(facts)
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for kind, make in (
        ("exchanged names", lambda text: _exchanged(text, _RUN)),
        ("exchanged years", lambda text: _exchanged(text, _YEAR)),
        ("another name", lambda text: _replaced(text, _RUN, facts, draw)),
        ("another year", lambda text: _replaced(text, _YEAR, facts, draw)),
        ("reordered", _reordered),
        ("asked", lambda text: draw.choice(_ASKED).format(text[0].lower() + text[1:].rstrip("."))),
    ):
        found = [(text, other) for text in facts if (other := make(text)) and other != text]
        relation = "same" if kind in ("reordered", "asked") else "related"
        rows += [
            {"card": text, "question": other, "relation": relation, "kind": kind, "source": "made"}
            for text, other in draw.sample(found, min(each, len(found)))
        ]
    return rows + compared(seed) + near_copies(facts, draw)


_AGENTS = (
    "Denmark",
    "Sweden",
    "the mayor",
    "the bank",
    "Rossi",
    "the union",
    "the army",
    "Klein",
    "the council",
    "dogs",
)
_DEEDS = (("sued", "sued"), ("defeated", "defeated"), ("warned", "warned"), ("paid", "paid"), ("founded", "founded"),
          ("attacked", "attacked"), ("influenced", "influenced"), ("invited", "invited"))  # fmt: skip
_WHERE = (" in 2012", " in court", " during the war", " at the summit in May", "", "")
_WEAKER = (
    (re.compile(r"\b(is|are)\b"), "may be"), (re.compile(r"\b(was|were)\b"), "may have been"),
    (re.compile(r"\b(all|every|each|most|many)\b"), "some"), (re.compile(r"\bsome\b"), "all"),
    (re.compile(r"\b(is|are|was|were)\b"), r"\1 reportedly"), (re.compile(r"\bfirst\b"), "last"),
    (re.compile(r"\b(is|are|was|were)\b"), r"\1 said to be"), (re.compile(r"\b(more|less) than\b"), "about"),
)  # fmt: skip


def near_copies(facts: Sequence[str], draw: random.Random, each: int = 100) -> list[dict[str, Any]]:
    """Claims that differ in a word that counts, and who did what to whom, in the active and the passive."""
    rows: list[dict[str, Any]] = []

    def add(card: str, question: str, relation: str, kind: str) -> None:
        rows.append({"card": card, "question": question, "relation": relation, "kind": kind, "source": "made"})

    weaker = [(fact, found[0].sub(found[1], fact, count=1)) for fact in facts for found in (draw.choice(_WEAKER),)]
    for fact, other in draw.sample([pair for pair in weaker if pair[0] != pair[1]], each):
        add(fact, other, "related", "weaker")
    for fact in draw.sample(facts, each // 4):
        add(fact, f"{draw.choice(('A report', 'The ministry', 'The Herald'))} said that {fact}", "related", "reported")
    for _ in range(each // 2):
        one, other = draw.sample(_AGENTS, 2)
        did, done = draw.choice(_DEEDS)
        where = draw.choice(_WHERE)
        active, passive = f"{one} {did} {other}{where}.", f"{other} was {done} by {one}{where}."
        turned, turned_passive = f"{other} {did} {one}{where}.", f"{one} was {done} by {other}{where}."
        card, same = draw.choice(((active, passive), (passive, active)))
        for text, relation, kind in (
            (same, "same", "passive"),
            (draw.choice((turned, turned_passive)), "related", "turned roles"),
        ):
            add(card[0].upper() + card[1:], text[0].upper() + text[1:], relation, kind)
    return rows


def _exchanged(text: str, what: re.Pattern[str]) -> str:
    """The text with the first two of these exchanged that are no list; empty where there are none."""
    found = list(what.finditer(text))
    for n, one in enumerate(found):
        for other in found[n + 1 :]:
            between = text[one.end() : other.start()]
            if one[0] != other[0] and not _LIST.fullmatch(between) and not set(one[0].split()) & set(other[0].split()):
                return text[: one.start()] + other[0] + between + one[0] + text[other.end() :]
    return ""


def _replaced(text: str, what: re.Pattern[str], facts: Sequence[str], draw: random.Random) -> str:
    """The text with one of these replaced by that of another fact; empty where there is none."""
    found = list(what.finditer(text))
    others = what.findall(draw.choice(facts))
    if not found or not others or others[0] in text:
        return ""
    one = draw.choice(found)
    return text[: one.start()] + str(others[0]) + text[one.end() :]


def _sentence(text: str) -> str:
    """The first sentence."""
    return re.split(r"(?<=[a-z\d)]\.) (?=[A-Z])", text)[0]


def _reordered(text: str) -> str:
    """“In 1990, the mill closed.” as “The mill closed in 1990.”, and the other way round."""
    if found := _LAST.fullmatch(text):
        rest, when = found["rest"], found["when"]
        return f"{when[0].upper()}{when[1:]}, {rest[0].lower()}{rest[1:]}."
    if not (found := _FIRST.fullmatch(text)):
        return ""
    rest, when = found["rest"], found["when"]
    return f"{rest[0].upper()}{rest[1:]} {when[0].lower()}{when[1:]}."
