"""Days in the elements of a page that are made for them, and the words that tell a change from a publication."""

import re
from collections.abc import Iterable
from datetime import date

from ghost.web.days import day_in
from ghost.web.tree import Node, attribute, elements, text_within

PUBLISHED_WORD = re.compile(
    r"\b(?:publish(?:ed)?|posted|first published|veröffentlicht|erstellt|stand|publi[ée]e?|publicad[oa]"
    r"|pubblicato|gepubliceerd|geplaatst|publicerad|publiceret|udgivet|publisert|opublikowano|опубликовано|julkaistu"
    r"|publikováno|zveřejněno|yayınlan\w*|yayımlan\w*|yayın tarihi)\b"
    r"|発行|公開|掲載|配信|发布|發布|发表|發表|게시|등록|입력",  # written without blanks, these have no ends of words
    re.I,
)
MODIFIED_WORD = re.compile(
    r"\b(?:updated?|modified|last (?:change|edit)\w*|revised|aktualisiert|geändert|mis à jour|modifi[ée]|actualizad[oa]"
    r"|aggiornato|atualizad[oa]|bijgewerkt|uppdaterad|opdateret|ændret|oppdatert|endret|zaktualizowano|обновлено"
    r"|päivitetty|muokattu|aktualizov\w+|upraveno|güncelle\w*)\b"
    r"|更新|修改|修订|修訂|수정|업데이트|갱신",
    re.I,
)
_OUTSIDE = re.compile(r"\b(?:comments?|related|sidebar|footer|teaser|recommended)\b", re.I)
_LABEL = 40


def times_of(tree: Node, latest: date) -> Iterable[tuple[date, bool]]:
    """Days of time elements and whether they tell of a change; those that say what they are come first."""
    found: list[tuple[int, date, bool]] = []
    for number, node in enumerate(elements(tree, "time", "abbr", "span", "p", "div", "relative-time")):
        if number > 5_000 or len(found) >= 20:
            break
        named = f"{attribute(node, 'itemprop', 60)} {attribute(node, 'class', 200)}".lower()
        says = "datepublished" in named or "published" in named.split() or node.get("pubdate") is not None
        if node.tag != "time" and node.tag != "relative-time" and not (says or "datemodified" in named):
            continue
        written = attribute(node, "datetime", 60) or attribute(node, "content", 60) or attribute(node, "title", 60)
        day = day_in(written, latest) or day_in(text_within(node, 100), latest)
        if day and not _outside(node):
            new = "datemodified" in named or MODIFIED_WORD.search(_before(node)) is not None
            # "published updated" is what WordPress calls a day after which nothing was changed.
            new = new or (not says and ("modified" in named or "updated" in named))
            found.append((0 if says else 1, day, new))
    ranked = sorted(found, key=lambda f: f[0])
    top = [f for f in ranked if f[0] == ranked[0][0]] if ranked else []
    # Many days that do not say which they are belong to a list, a timeline or a discussion.
    unsaid = bool(top) and top[0][0] == 1 and len({f[1] for f in top if not f[2]}) > 3
    return [(day, new) for _, day, new in ranked if new or not unsaid]


def _before(node: Node) -> str:
    """The words right before an element, in which "Updated" would stand: in its line, or as a label before it."""
    for place in (node, node.getparent()):  # <dt>Updated</dt><dd><time>
        if place is None:
            break
        previous = place.getprevious()
        if previous is not None and not _written(previous.tail) and not text_within(previous, 1):  # an icon
            place, previous = previous, previous.getprevious()
        if previous is not None:
            return _written(previous.tail) or _label(previous)
        parent = place.getparent()
        if parent is not None and (written := _written(parent.text)):
            return written
    return ""


def _label(node: Node) -> str:
    """A few words; a headline, a sentence, and what has a day of its own say nothing of the next day."""
    words = text_within(node, 2 * _LABEL)
    return "" if node.tag == "h1" or len(words) > _LABEL or re.search(r"\d", words) else words


def _written(text: str | None) -> str:
    return (text or "").strip(" \t\n\r\xa0:|·•–—-")[-_LABEL:]


def _outside(node: Node) -> bool:
    for above in (node, *node.iterancestors()):
        if above.tag in ("aside", "footer", "nav") or _OUTSIDE.search(
            f"{attribute(above, 'class', 200)} {attribute(above, 'id', 60)}".replace("-", " ").replace("_", " ")
        ):
            return True
    return False
