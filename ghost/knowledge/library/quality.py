"""What is wrong with the packs in the folder, before they are used as seeds."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from ghost.knowledge.admission import admit, unreadable
from ghost.knowledge.credibility import CredibilityBook, split_address
from ghost.knowledge.library.packs import Fact, Pack, passage_of
from ghost.knowledge.near_duplicates import bands
from ghost.knowledge.similarity import ComparableText, nearly_same
from ghost.text import Period
from ghost.types import canonical

MAX_CHARS = 320
"""One or two sentences; longer ones are read less well, and what they say is harder to cite."""
_DETAILS = ("title", "publisher", "topic", "language")

Numbered = tuple[str, Fact]
"""The place of a fact (``space.jsonl:12``), and the fact."""


def pack_problems(packs: Sequence[Pack], book: CredibilityBook) -> list[str]:
    """A line for each thing that is wrong, in the order of the packs; texts that stand there twice come last."""
    facts = _numbered(packs)
    return [*(f"{where}: {problem}" for where, fact in facts for problem in _of_one(fact, book)), *_same(facts)]


def similar_facts(packs: Sequence[Pack]) -> list[str]:
    """A line for each pair of nearly one text, as the knowledge base finds it.

    It is for people to look at: such a pair counts as one origin, so the second one adds nothing, unless it is there
    for its other source.
    """
    facts = _numbered(packs)
    sharing: dict[int, list[int]] = defaultdict(list)
    for place, its in enumerate(bands([fact["text"] for _, fact in facts])):
        for band in its:
            sharing[band].append(place)
    found = []
    for one, other in sorted({pair for places in sharing.values() for pair in combinations(places, 2)}):
        (where, mine), (there, theirs) = facts[one], facts[other]
        different = mine["text"].casefold() != theirs["text"].casefold()
        if different and nearly_same(ComparableText.of(mine["text"]), ComparableText.of(theirs["text"])):
            found.append(f"{there}: it is nearly the text of {where}: {theirs['text']!r} and {mine['text']!r}")
    return found


def _numbered(packs: Sequence[Pack]) -> list[Numbered]:
    return [(f"{pack.path.name}:{number}", fact) for pack in packs for number, fact in enumerate(pack.facts, 1)]


def _of_one(fact: Fact, book: CredibilityBook) -> Iterator[str]:
    text, source, details = fact["text"], fact.get("source", ""), fact.get("details", {})
    if missing := [name for name in _DETAILS if not details.get(name)]:
        yield f"it has no {', '.join(missing)}"
    if len(text) > MAX_CHARS:
        yield f"its text has {len(text)} characters, at most {MAX_CHARS} are read well"
    if not text.rstrip("\"'”’)").endswith((".", "!", "?")):
        yield "its text does not end like a sentence"
    if not source.startswith("https://") or not canonical(source):
        yield f"its source is no address that starts with https://: {source!r}"
    elif not book.rated(source):
        yield f"nobody has rated its source: {split_address(source)[0]} (sites.toml)"
    if details.get("as_of") and str(Period.parse(details["as_of"]).year) not in text:
        yield f"its text does not say that it holds as of {details['as_of']}"
    admission = admit(passage_of(fact))
    if why := admission.reason or unreadable(text):
        yield f"it would not come in: {why}"
    elif admission.passage and admission.passage.text != text:
        yield "its text has white space or characters that are not kept"


def _same(facts: Sequence[Numbered]) -> Iterator[str]:
    first: dict[str, str] = {}
    for where, fact in facts:
        said = " ".join(fact["text"].casefold().split())
        if said in first:
            yield f"{where}: its text stands in {first[said]} too"
        first.setdefault(said, where)
