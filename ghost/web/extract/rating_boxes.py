"""Ratings that a page shows as a picture, a meter or a box of its own, in place as text for the reader of frames."""

from collections.abc import Iterable
from functools import cache
from itertools import islice, takewhile

from ghost.types import Frame, FrameKind
from ghost.web.extract.frames import MAX_SIGNS, RUN_IN_CHARS, SHARE, with_sign
from ghost.web.extract.html import (
    INLINE,
    Node,
    attribute,
    elements,
    empty,
    holders,
    in_running_text,
    names_of,
    size_of,
    text_within,
)
from ghost.web.extract.ratings import is_rating, meaning
from ghost.web.extract.vocabulary import words

_RATINGS = words("frames", "rating_names")
_VERDICTS = _RATINGS - frozenset("badge meter result stamp".split())
"""Of those, the ones that name the rating of a claim: “Verified” in a badge may be its author."""
_OTHER_PAGES = frozenset("aside article footer li nav".split())
_PICTURES = frozenset("img meter svg".split())
_LINES = INLINE | frozenset("p li td th dd dt figcaption".split())


def write_ratings(tree: Node) -> tuple[Frame, ...]:
    """Put ratings in place of the pictures that show them, each with its sign. What is hidden can still be hidden."""
    signed: list[Frame] = []
    for node in list(elements(tree)):
        if len(signed) < MAX_SIGNS and (rating := _pictured_rating(node)):
            node[:] = []
            node.tag = "span" if node.getparent().tag in _LINES else "p"
            node.text = with_sign(rating, len(signed))
            signed.append(Frame(FrameKind.CLAIM, rating))
    return tuple(signed)


def mark_rating(tree: Node, ratings: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Make the rating in an element named so a line of its own, with its sign; the main text leaves such boxes out.

    Where ratings differ, none counts, as nothing says which claim each is of. Of a box in a box, the inner one has the
    words of the rating, and the outer one, with its label, is replaced.
    """
    pages, most = holders(tree, "h1", "main"), int(size_of(tree) * SHARE)
    size = cache(size_of)

    @cache
    def of_another(box: Node) -> bool:
        return box.tag in _OTHER_PAGES or next(elements(box, "a"), None) is not None

    def within(node: Node) -> Iterable[Node]:
        return takewhile(lambda b: b not in pages and size(b) <= most, (node, *node.iterancestors()))

    named = list(islice(filter(_states_rating, elements(tree)), MAX_SIGNS))
    own = [node for node in named if node not in pages and not any(map(of_another, within(node)))]
    outer = {box for node in own for box in node.iterancestors()}
    said = {_named_text(node).casefold(): _named_text(node) for node in reversed(own) if node not in outer}
    if len(said) != 1 or len({meaning(_named_text(node)) for node in own}) != 1 or len(ratings) >= MAX_SIGNS:
        return ratings
    node, (rating,) = own[0], said.values()
    empty(node, "p")
    node.text = with_sign(rating, len(ratings))
    return (*ratings, Frame(FrameKind.CLAIM, rating))


def _pictured_rating(node: Node) -> str:
    """The rating that a picture, a meter or a badge without text stands for; empty where it is none."""
    drawn = node.tag in _PICTURES or attribute(node, "role", 20) == "img"
    if not drawn and _RATINGS.isdisjoint(word for name in names_of(node) for word in name):
        return ""
    said = next((text for name in ("alt", "title", "aria-label") if (text := attribute(node, name, 60))), "")
    above = node.getparent()
    placed = above is not None and above.tag not in ("h1", "head")
    return said if said and placed and not text_within(node, 1) and meaning(said) else ""


def _states_rating(node: Node) -> bool:
    """Whether an element is named so and all its text is a rating."""
    names = {word for name in names_of(node) for word in name}
    if _VERDICTS.isdisjoint(names) and "rating" not in attribute(node, "itemprop", 100).casefold():
        return False
    text = _named_text(node)
    return len(text) <= RUN_IN_CHARS and is_rating(text) and meaning(text) is not None and not in_running_text(node)


def _named_text(node: Node) -> str:
    return text_within(node, RUN_IN_CHARS + 1, " ")
