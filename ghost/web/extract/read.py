"""Reading a fetched page: bytes in, text with everything known about it out. Goes to no network."""

import logging
import re
from copy import deepcopy
from dataclasses import replace
from datetime import date, datetime, timedelta

from ghost.errors import GhostError
from ghost.types import host_of
from ghost.web.extract.blocks import Block, blocks_of
from ghost.web.extract.boilerplate import behind_payment, interstitial, leave_out_what_others_say
from ghost.web.extract.claim_review import reviews_of
from ghost.web.extract.dates import DateSure, Dating, Sureness, date_page
from ghost.web.extract.decoding import declared_language, decode, language_of
from ghost.web.extract.frames import Surroundings, frame_blocks, sign_elements, surroundings
from ghost.web.extract.hidden import hide
from ghost.web.extract.html import Node, elements, parse
from ghost.web.extract.inline import settle_marks, settle_signs, unite_sentences, write_quotation_marks
from ghost.web.extract.main_text import Extraction, MainText, main_text, text_blocks, title_of
from ghost.web.extract.notices import Notice, notices_of, sections_of, stated_notices, titles_of
from ghost.web.extract.page import MAX_TEXT, ReadPage, Unreadable, WhyUnreadable, lay_out
from ghost.web.extract.page_metadata import PageMetadata, metas_of, page_metadata_of, syndication_of
from ghost.web.extract.pdf import SECONDS, read_pdf
from ghost.web.extract.rating_boxes import mark_rating, write_ratings
from ghost.web.extract.structured_data import items_of, plain
from ghost.web.extract.tables import settle_tables

_log = logging.getLogger(__name__)

MAX_HTML = 1_500_000
_HTML = re.compile(r"<(?:!doctype html|html|head|body|div|p|meta|title|article|h1|table|script|span)\b", re.IGNORECASE)
_SNIFFED = 2_000
_TEXT_TYPES = ("text/", "application/xhtml", "application/xml", "application/octet-stream", "application/pdf")


def read(
    body: bytes, content_type: str, url: str, charset: str = "", today: date | None = None, seconds: float = SECONDS
) -> ReadPage | Unreadable:
    """A page as its readers see it, or why it cannot be read. Never raises for what is in the page.

    No publication date is later than ``today``. A PDF may take ``seconds``.
    """
    today = today or datetime.now().astimezone().date()
    try:
        return _read(body, content_type, url, charset, today, seconds)
    except GhostError:  # a limit or a wish to stop, which belongs to the run
        raise
    except Exception as error:  # a page that trips the reader is a page less, never the end of a run
        _log.warning("A page could not be read: %s", type(error).__name__)
        return Unreadable(url, WhyUnreadable.DAMAGED, f"The page could not be read ({type(error).__name__}).")


def _read(body: bytes, content_type: str, url: str, charset: str, today: date, seconds: float) -> ReadPage | Unreadable:
    kind = content_type.partition(";")[0].strip().lower()
    if b"%PDF-" in body[:1024] and "html" not in kind:
        return _read_pdf(body, url, today, seconds)
    if kind == "application/pdf":
        return Unreadable(url, WhyUnreadable.DAMAGED, "It says that it is a PDF and is none.")
    if kind and not kind.startswith(_TEXT_TYPES) and not kind.endswith("+xml"):
        return Unreadable(
            url, WhyUnreadable.NOT_TEXT, f"It is neither a page nor a text nor a PDF but {plain(kind, 60)}."
        )
    decoded = decode(body, content_type, charset)
    if _is_binary(decoded.text):
        return Unreadable(url, WhyUnreadable.NOT_TEXT, "It says that it is text and is not.")
    notes = (decoded.note,) if decoded.note else ()
    if kind == "text/plain" or not _HTML.search(decoded.text[:_SNIFFED]):
        return _read_text(decoded.text, kind, url, today, notes)
    return _read_html(decoded.text, url, today, notes)


def _read_html(html: str, url: str, today: date, notes: tuple[str, ...]) -> ReadPage | Unreadable:
    if len(html) > MAX_HTML:
        html, notes = html[:MAX_HTML], (*notes, "The page is very long; only its beginning was read.")
    root = parse(html)
    items, broken = items_of(root)
    if broken:
        notes = (*notes, "Its structured data (JSON-LD) is broken and could not be read.")
    reviews = reviews_of(items, url, today + timedelta(days=1))
    tree = deepcopy(root)
    ratings = write_ratings(tree)
    removed = hide(tree) + leave_out_what_others_say(tree)
    ratings = mark_rating(tree, ratings)
    settle_marks(tree)
    write_quotation_marks(tree)
    body = tree.find("body")
    everything = blocks_of(body) if body is not None else []
    metas = metas_of(root)
    about = page_metadata_of(root, tree, items, metas, url)
    dating = date_page(items, metas, tree, url, everything, today, about.title)
    titles = titles_of(root, tree, items, metas, url, about.title)
    unite_sentences(tree)  # here, because days are looked for in elements that it takes for plain text
    if settle_tables(tree):
        notes = (*notes, "A table of it is very large; only its beginning was read.")
    paid = about.paid or behind_payment(everything)
    sections = sections_of(items, metas, url, about.title)
    around = surroundings(about.title, items, metas, everything, paid, sections)
    around = replace(around, signed=sign_elements(tree, ratings))
    visible = blocks_of(body, drop_boilerplate=True) if body is not None else []
    if nothing := _nothing(root, visible or everything, url):
        return replace(nothing, claim_reviews=reviews)
    main = main_text(tree, visible or everything)  # last: the extraction may change the tree
    if paid:
        notes = (*notes, "The page says that the whole text is for subscribers.")
    stated = stated_notices(items, sections, url, about.title)
    notices = notices_of(everything, titles, stated, (about.site, host_of(url)), checks=bool(reviews))
    page = _page(url, about, dating, main, notes, notices, around)
    return replace(page, claim_reviews=reviews, hidden=removed)


def _page(
    url: str,
    about: PageMetadata,
    dating: Dating,
    main: MainText,
    notes: tuple[str, ...],
    notices: tuple[Notice, ...] | None = None,
    around: Surroundings | None = None,
) -> ReadPage:
    settled = (replace(block, text=settle_signs(block.text).strip()) for block in main.blocks)
    blocks = frame_blocks([block for block in settled if block.text], around or Surroundings(about.title))
    text, passages, cut = lay_out(blocks)
    notes += (main.note,) if main.note else ()
    notes += (f"Only the first {MAX_TEXT:,} characters of the text were kept.",) if cut else ()
    return ReadPage(
        url=url,
        title=settle_signs(about.title),
        site=about.site,
        author=about.author,
        published_at=dating.published,
        date_sure=dating.sure,
        modified_at=dating.modified,
        language=language_of(text, about.language),
        text=text,
        passages=passages,
        claim_reviews=(),
        notices=notices_of(blocks, (about.title,)) if notices is None else notices,
        syndication=syndication_of(blocks, about.author, host_of(url), about.elsewhere),
        canonical=about.canonical,
        extraction=main.extraction,
        notes=notes,
    )


def _nothing(root: Node, blocks: list[Block], url: str) -> Unreadable | None:
    if why := interstitial(blocks):
        kind = WhyUnreadable.NEEDS_SCRIPTS if "scripts" in why else WhyUnreadable.WALL
        return Unreadable(url, kind, why)
    if any(block.text for block in blocks):
        return None
    if next(elements(root, "frameset", "frame", "iframe"), None) is not None:
        return Unreadable(url, WhyUnreadable.FRAMES, "It is put together from frames; its text is at other addresses.")
    if next(elements(root, "script"), None) is not None:
        return Unreadable(url, WhyUnreadable.NEEDS_SCRIPTS, "It shows its text only to browsers that run scripts.")
    return Unreadable(url, WhyUnreadable.EMPTY, "It has no text.")


def _read_text(text: str, kind: str, url: str, today: date, notes: tuple[str, ...]) -> ReadPage | Unreadable:
    if kind not in ("", "text/plain", "text/html", "text/markdown", "application/octet-stream"):
        return Unreadable(
            url, WhyUnreadable.NOT_TEXT, f"It is neither a page nor a text nor a PDF but {plain(kind, 60)}."
        )
    blocks = text_blocks(text[: 2 * MAX_TEXT])
    if not blocks:
        return Unreadable(url, WhyUnreadable.EMPTY, "It has no text.")
    about = PageMetadata(title=title_of(blocks))
    dating = date_page((), (), parse(""), url, blocks, today)
    return _page(url, about, dating, MainText(blocks, Extraction.MAIN), notes)


def _read_pdf(body: bytes, url: str, today: date, seconds: float) -> ReadPage | Unreadable:
    found = read_pdf(body, url, today + timedelta(days=1), seconds)
    if isinstance(found, Unreadable):
        return found
    blocks = list(found.blocks)
    about = PageMetadata(
        title=plain(found.title, 300) or title_of(blocks),
        author=plain(found.author),
        language=declared_language(found.language),
    )
    dating = date_page((), (), parse(""), url, blocks, today)
    if dating.published is None and found.created:
        # When the file was made: often long after what it says was first published.
        sure = DateSure(Sureness.GUESS, "properties", "It is the day the file was made.")
        dating = Dating(found.created, sure, found.modified)
    return _page(url, about, dating, MainText(blocks, Extraction.MAIN), found.notes)


def _is_binary(text: str) -> bool:
    sample = text[:_SNIFFED]
    odd = sum(c == "\x00" or c == "\ufffd" or (c < " " and c not in "\t\n\r\f\x1b") for c in sample)
    return odd > 2 + len(sample) * 0.05
