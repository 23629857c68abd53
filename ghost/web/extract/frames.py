"""Frames: what a page says around its sentences by which they are not its own word.

Some of it is only in the structure of a page, of which the extraction of the main text leaves little. So what stands in
a quotation, a list of references or a user's answer gets a sign that survives it, and ``frame_blocks`` takes the signs
out again. The rest is read from headings and from the sentences themselves, by the words in ``frames.toml``.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ghost.text import normalise, spans
from ghost.types import NO_FRAME, Frame, FrameKind
from ghost.web.extract.blocks import CAPTION, Block, BlockKind
from ghost.web.extract.html import INLINE, Node, elements, holders, names_of, size_of, text_within
from ghost.web.extract.ratings import announced, meaning
from ghost.web.extract.structured_data import Item, plain, types_of
from ghost.web.extract.vocabulary import any_of, words

_FIRST_SIGN = 0x100000
_SIGN = re.compile("[\U00100000-\U0010fffd]")
"""Of the last plane for private use, which no page writes in."""
MAX_SIGNS = 500
MAX_USERS = 200
SHARE = 0.5
"""With more of the page's text than this, an element is the page itself, whatever its name."""
HEADING_CHARS = 120
RUN_IN_CHARS = 60
_RUN_IN = 7
"""The level of a line that is set like a paragraph and worded like a heading."""
_SENTENCE_CHARS = 600
_TEASER_CHARS = 900
_AT_TOP = 12
_CLAIM_BLOCKS = 3
"""So many blocks after "Claim:" may be the claim."""
_SAME_CHARS = 20


def _pattern(form: str) -> re.Pattern[str]:
    """A regular expression with the name of an entry in angle brackets."""
    return re.compile(re.sub(r"(?<!\?P)<(\w+)>", lambda found: f"(?:{any_of('frames', found[1])})", form), re.I)


_LETTERS = _pattern(r"<letter_headings>(?:$|\s?[:：|–—])")
_SECTIONS = (
    (FrameKind.QUIZ, _pattern(r".*?<quiz_headings>")),
    (FrameKind.MYTH, _pattern(r".*?<myth_headings>")),
    (FrameKind.REFERENCE, _pattern(r"<reference_headings>$")),
    (FrameKind.FICTION, _pattern(r"<plot_headings>$")),
    (FrameKind.LETTER, _LETTERS),
    (FrameKind.ANSWER, _pattern(r"<answer_headings>$")),
)
_SENTENCES = (
    (FrameKind.MYTH, _pattern(r"(?P<words><myth_label>\s?(?:n[or°]\.?|#)?\s?\d{0,3})\s?[:：.–—-]\s")),
    (FrameKind.REFERENCE, _pattern(r"<reference_entry>")),
    (FrameKind.PICTURE, _pattern(r"(?P<words><picture>)")),
    (FrameKind.FICTION, _pattern(r"(?P<words><told_in>)")),
)
_NAMED = {
    FrameKind.MYTH: _pattern(r"<myth_headings>|\b<myth_label>\b"),
    FrameKind.PICTURE: _pattern(r"\b<depictions>\b|\b<drawings>\b|\b<models>\b"),
    FrameKind.FICTION: _pattern(r"\b<works>\b|\bplot\b|\bcharacters?\b|\bfictional\b"),
}
_TAKING_BACK = _pattern(r"[\"“”'«(]?<taking_back>")
_MARK = _pattern(r"\s?[\[(【](?P<words><marks>)(?:[,;:] [^\])]{0,40}| ?[–—-] ?[^\])]{0,20})?[\])】]")
_ARGUING, _ABOUT_WORK, _NARRATING = _pattern("<arguing>"), _pattern(r"\b<about_works>\b"), _pattern("<narrating>")
_WORK_ROW = _pattern(r"(?:^|[:;] )(?P<row><work_rows>)")
_STORY, _CAST = _pattern("<story_headings>"), _pattern("<cast_headings>")
_WORKS, _SO_FAR, _WORK_LINE = _pattern("<work_sections>"), _pattern("<so_far>"), _pattern("<work_lines>")
_SCHOLARLY = frozenset({"ScholarlyArticle", "MedicalScholarlyArticle"})
"""Journals call short papers letters."""
_PLOT, _NOVEL = _pattern("<plot_headings>"), _pattern("<novels>")
_DISPUTED, _WORK_TITLE = _pattern("<disputed_pages>"), _pattern("<work_titles>")
_GREETING = _pattern("<letter_greeting>")
_TRANSCRIPT, _VOTES = _pattern(r"\b<transcript_headings>\b"), _pattern(r"(?<!\d)<votes>")
_CLAIM_LABEL, _RATING_LABEL = (
    _pattern(rf"<{name}>\s?(?P<colon>[:：]?)\s*") for name in ("claim_labels", "rating_labels")
)
_SPEAKER = re.compile(
    r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s*)?(?P<who>[^\W\d_a-z][\w.'’-]{0,30}?(?:\s[^\W\d_a-z][\w.'’-]{0,30}?){0,3})"
    r"(?:\s?[(\[][^)\]]{1,40}[)\]])?(?:\s?[:：]|\s[–—]|(?<=[A-Z]{3})\.)\s+(?=\S)"
)
_NUMBERING = re.compile(r"^[\d.)§#\s]+(?=\D)|[\s:]+$")
_NAMES = {
    FrameKind.QUOTE: words("frames", "quote_names"),
    FrameKind.CLAIM: words("frames", "claim_names"),
    FrameKind.REFERENCE: words("frames", "reference_names"),
}
_ANSWERS = words("frames", "answer_names")
_NO_SPEAKERS, _NO_NAMES = words("frames", "no_speakers"), words("frames", "no_names")
_WORK_TYPES, _BOOK_TYPES = words("frames", "work_types"), words("frames", "book_types")
_USERS = frozenset({"Answer", "Comment", "DiscussionForumPosting", "SocialMediaPosting"})
_PAGE_TAGS = INLINE | frozenset("html body main article head".split())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a page before its main text is read for frames."""

    title: str = ""
    whole: Frame = NO_FRAME
    """What holds for all of it."""
    on_works: bool = False
    """Whether it stands among pages on films, games or books."""
    by_users: tuple[str, ...] = ()
    """Texts that it says its users wrote."""
    signed: tuple[Frame, ...] = ()
    """By the number of their sign."""


def surroundings(
    title: str,
    items: Sequence[Item],
    metas: Sequence[tuple[str, str]],
    everything: Sequence[Block],
    paid: bool,
    sections: Sequence[str] = (),
) -> Surroundings:
    """What the structured data of a page, its title and all of its lines say of the whole.

    ``sections`` are the parts of its site that it says it belongs to.
    """
    beside = _lines_beside_title(everything)
    sections = [*sections, *beside]
    doubts = next((b.text for b in everything[:_AT_TOP] if len(b.text) < 400 and _DISPUTED.search(b.text)), "")
    kinds = {kind for item in items[:3] for kind in types_of(item)} | {c for name, c in metas if name == "og:type"}
    scholarly = kinds & _SCHOLARLY or any(name.startswith("citation_") for name, _ in metas)
    letters = [name for name in sections if _LETTERS.fullmatch(name)] or ([title] if _LETTERS.match(title) else [])
    work = any(map(_WORK_LINE.fullmatch, (*beside, *title.split(" | "))))
    rows = {m["row"] for b in everything if b.kind is BlockKind.ROW and (m := _WORK_ROW.search(b.text))}
    plot = any(b.kind is BlockKind.HEADING and _PLOT.fullmatch(b.text) for b in everything)
    novel = plot or any(map(_NOVEL.search, (title, *(b.text for b in everything[:_AT_TOP]))))
    whole = Frame()
    if doubts:
        whole = Frame(FrameKind.DISPUTED, doubts)
    elif letters and not scholarly:
        whole = Frame(FrameKind.LETTER, letters[0])
    elif paid and _is_teaser(everything):
        whole = Frame(FrameKind.TEASER)
    elif _WORK_TITLE.search(title) or kinds & _WORK_TYPES or work or len(rows) > 1 or (kinds & _BOOK_TYPES and novel):
        whole = Frame(FrameKind.FICTION, title)
    faq = any("FAQPage" in types_of(item) for item in items)
    users = [item for item in items if types_of(item) & _USERS and not (faq and "Answer" in types_of(item))]
    texts = (plain(item.get("text") or item.get("articleBody"), 5_000) for item in users[:MAX_USERS])
    return Surroundings(title, whole, any(map(_WORKS.fullmatch, sections)), tuple(text for text in texts if text))


def _lines_beside_title(blocks: Sequence[Block]) -> list[str]:
    """Where a page names its section or its subject without structured data; an entry of a menu is none."""
    at = next((n for n, b in enumerate(blocks) if b.kind is BlockKind.HEADING and b.level == 1), None)
    near = () if at is None else (*blocks[max(0, at - 1) : at], *blocks[at + 1 : at + 2])
    return [b.text for b in near if b.kind is BlockKind.PARAGRAPH and len(b.text) <= RUN_IN_CHARS]


def _is_teaser(blocks: Sequence[Block]) -> bool:
    texts = [block.text for block in blocks if block.kind is BlockKind.PARAGRAPH]
    return sum(map(len, texts)) < _TEASER_CHARS or any(text.endswith(("...", "…")) for text in texts)


def sign_elements(tree: Node, ratings: Sequence[Frame] = ()) -> tuple[Frame, ...]:
    """Put the sign of its frame into every text of an element that has one."""
    signed = list(ratings)
    pages, most = holders(tree, "h1", "main"), int(size_of(tree) * SHARE)
    named = ((node, kind) for node in list(elements(tree)) if node not in pages and (kind := _kind_of(node)))
    for node, kind in islice(named, MAX_SIGNS):
        if size_of(node) > most:
            continue
        number = len(signed)
        signed.append(Frame(kind, _said_by(node) if kind is FrameKind.QUOTE else ""))
        for part in node.iter():
            part.text = with_sign(part.text, number)
            part.tail = with_sign(part.tail, number) if part is not node else part.tail
    return tuple(signed)


def with_sign(text: str | None, number: int) -> str | None:
    """Behind the first letter: what comes first and last in a line decides how lines are joined."""
    return re.sub(r"^(\s*\S)", rf"\1{chr(_FIRST_SIGN + number)}", text) if text else text


def _kind_of(node: Node) -> FrameKind:
    if node.tag in ("blockquote", "quote"):
        return FrameKind.QUOTE
    if node.tag in _PAGE_TAGS:
        return FrameKind.NONE
    names = {word for name in names_of(node) for word in name}
    if names & _ANSWERS and (node.get("data-score") or _VOTES.search(text_within(node, 2_000))):
        return FrameKind.ANSWER
    return next((kind for kind, known in _NAMES.items() if names & known), FrameKind.NONE)


def _said_by(node: Node) -> str:
    return next((text_within(n, 120).strip(" –—-") for n in node.iter("footer", "cite", "figcaption")), "")


def frame_of(text: str) -> Frame:
    """The frame that a sentence or a short passage carries in its own words."""
    for kind, pattern in _SENTENCES:
        if found := pattern.match(text[:_SENTENCE_CHARS]):
            return Frame(kind, found.groupdict().get("words", "").strip())
    said = [text[a:b] for a, b in spans(text)]
    back = next((part for part in said[1:] if _TAKING_BACK.match(part)), "")
    return Frame(FrameKind.TAKEN_BACK, back) if back else Frame()


def concerns(frame: Frame, statement: str) -> bool:
    """Whether a statement is itself about the myth, the picture, the work or the speaker, and not about the world."""
    if pattern := _NAMED.get(frame.kind):
        return pattern.search(statement) is not None
    if frame.kind not in (FrameKind.SPEAKER, FrameKind.QUOTE):
        return False
    names = {word.casefold() for word in re.findall(r"\w{3,}", frame.words) if word[0].isupper()} - _NO_NAMES
    return not names.isdisjoint(re.findall(r"\w+", statement.casefold()))


def frame_blocks(blocks: Sequence[Block], about: Surroundings) -> list[Block]:
    """The same blocks without signs and marks, each sentence with its frame."""
    return _Framing(blocks, about).framed()


@dataclass(frozen=True, slots=True)
class _Checked:
    """A claim that a page checks, or the rating of one, in the order of the page."""

    blocks: list[int]
    elements: frozenset[int]
    """The elements for claims that it stands in."""
    rating: str | None = None
    """None for a claim; empty for a rating that cannot be read."""


class _Framing:
    """Goes through the blocks of a page and keeps what they stand under."""

    def __init__(self, blocks: Sequence[Block], about: Surroundings) -> None:
        self._about = about
        self._blocks = [_unsigned(block, about.signed) for block in blocks]
        own = " ".join(b.text for b, signs in self._blocks if not any(f.kind is FrameKind.QUOTE for f in signs))
        self._own = own.casefold()
        self._path: list[tuple[int, str]] = []
        self._sections: list[tuple[int, Frame]] = []
        self._listed = False
        self._titles = [b.text for b, _ in self._blocks if b.kind is BlockKind.HEADING]
        self._rates = any(
            _RATING_LABEL.match(b.text) or any(f.kind is FrameKind.CLAIM for f in s) for b, s in self._blocks
        )
        self._has_cast = any(_CAST.fullmatch(title) for title in self._titles)
        self._speakers = self._find_speakers()
        self._made: list[Block] = []
        self._checked: list[_Checked] = []
        self._begins = False
        """Whether a label says that what follows is another claim."""
        self._claiming = 0
        self._rating = False

    def framed(self) -> list[Block]:
        for at, (block, signs) in enumerate(self._blocks):
            heads = (block.kind is BlockKind.HEADING and block.level != CAPTION) or _is_run_in(block)
            if heads:
                self._leave(block)
            if self._is_label(block, signs):
                continue
            if heads:
                self._enter(block)
            frame = self._frame(block, signs)
            if frame.kind is FrameKind.CLAIM:
                self._add_claim(_elements_for_claims(signs))
            after = self._blocks[at + 1][0].text if at + 1 < len(self._blocks) else ""
            headings = tuple(text for _, text in self._path)
            self._made.append(_by_sentence(block, replace(frame, headings=headings), after))
        self._rate_claims()
        return self._made

    def _find_speakers(self) -> frozenset[str]:
        spoken = (b.text for b, _ in self._blocks if b.kind is not BlockKind.HEADING)
        found = [m["who"].strip() for text in spoken if (m := _SPEAKER.match(text))]
        named = frozenset(who for who in found if who.casefold() not in _NO_SPEAKERS)
        if any(_TRANSCRIPT.search(title) for title in (self._about.title, *self._titles)):
            return named
        loud = frozenset(who for who in named if who.isupper() and len(who) > 1)
        return loud if len(loud) > 1 else frozenset()

    def _is_label(self, block: Block, signs: Sequence[Frame]) -> bool:
        """Whether a block announces a claim or its rating, or is that rating. It is kept, but never as a passage."""
        text, claiming = block.text, 0
        rating = next((f.words for f in signs if f.kind is FrameKind.CLAIM and f.words), "")
        awaited, self._rating = self._rating, False
        rated = _RATING_LABEL.match(text)
        if (rating or awaited) and len(text) <= RUN_IN_CHARS and meaning(rating or text):
            self._add_rating(rating or text, signs)
        elif _RATING_LABEL.fullmatch(text):
            self._rating = True
        elif rated and rated["colon"] and meaning(text[rated.end() :]):
            self._add_rating(text[rated.end() :], signs)
        elif (found := _CLAIM_LABEL.fullmatch(text)) and (found["colon"] or self._rates):
            claiming, self._begins = _CLAIM_BLOCKS, True
        else:
            if awaited or (rated and rated["colon"]):  # a rating that cannot be read ends its claim as well
                self._claiming = 0
                self._add_rating("", signs)
            return False
        self._claiming = claiming
        self._made.append(replace(block, kind=BlockKind.HEADING, level=CAPTION))
        return True

    def _add_claim(self, elements: frozenset[int]) -> None:
        """A claim, or its next block: paragraphs of an element are one claim, elements side by side are several."""
        at, last = len(self._made), self._checked[-1] if self._checked else None
        goes_on = last and last.rating is None and last.blocks[-1] == at - 1 and last.elements == elements
        if last and goes_on and not self._begins:
            last.blocks.append(at)
        else:
            self._checked.append(_Checked([at], elements))
        self._begins = False

    def _add_rating(self, rating: str, signs: Sequence[Frame]) -> None:
        """A rating; a quotation right before it is what it is about where no claim waits for one."""
        last = len(self._made) - 1
        waits = self._checked and self._checked[-1].rating is None
        if not waits and last >= 0 and any(f.kind is FrameKind.QUOTE for _, f in self._made[last].frames):
            self._checked.append(_Checked([last], frozenset()))
        self._checked.append(_Checked([last + 1], _elements_for_claims(signs), rating))

    def _rate_claims(self) -> None:
        """Each rating goes to the nearest claim of its element, or of the page; a claim has one rating, or none.

        On a page, that is the claim before it, and the one right behind it where each claim has its rating in front.
        """
        checked, rated = self._checked, dict[int, str]()
        in_front = bool(checked) and checked[0].rating is not None and checked[-1].rating is None
        ratings = [(n, c, c.rating) for n, c in enumerate(checked) if c.rating is not None]
        for n, of, rating in sorted(ratings, key=lambda each: not each[1].elements):
            mine = [i for i, c in enumerate(checked) if c.rating is None and c.elements & of.elements]
            if mine:
                near = sorted((i for i in mine if i not in rated), key=lambda i: (i > n, abs(i - n)))[:1]
            else:
                near = [i for i in (n + 1 if in_front else n - 1,) if 0 <= i < len(checked) and i not in rated]
                near = [i for i in near if not in_front or checked[i].blocks[0] == of.blocks[0] + 1]
            rated |= {i: rating for i in near if checked[i].rating is None}
        for at, rating in ((at, rating) for i, rating in rated.items() if rating for at in checked[i].blocks):
            frames = ((a, replace(f, kind=FrameKind.CLAIM, words=rating)) for a, f in self._made[at].frames)
            self._made[at] = replace(self._made[at], frames=tuple(frames))

    def _leave(self, block: Block) -> None:
        """A heading ends the section of one that is no lower than it, even where it is a label."""
        level = block.level or _RUN_IN
        if block.kind is BlockKind.HEADING:
            self._path = [(depth, text) for depth, text in self._path if depth < level] + [(level, block.text)]
        self._sections = [(depth, frame) for depth, frame in self._sections if depth < level]

    def _enter(self, block: Block) -> None:
        """A heading may begin a section."""
        title = _NUMBERING.sub("", block.text) if len(block.text) <= HEADING_CHARS else ""
        kind = next((kind for kind, pattern in _SECTIONS if pattern.match(title)), None)
        story = (self._has_cast and _STORY.fullmatch(title)) or (self._about.on_works and _SO_FAR.fullmatch(title))
        if kind is None and story:
            kind = FrameKind.FICTION
        if kind:
            self._sections.append((block.level or _RUN_IN, Frame(kind, block.text)))
            self._listed, self._claiming = False, 0

    def _frame(self, block: Block, signs: Sequence[Frame]) -> Frame:
        text, heading = block.text, block.kind is BlockKind.HEADING
        for frame in signs:
            if frame.kind is not FrameKind.QUOTE or not self._is_repeated(text):
                return frame
        if len(text) >= _SAME_CHARS and any(text in said for said in self._about.by_users):
            return Frame(FrameKind.ANSWER)
        if (own := frame_of(text)).kind is FrameKind.REFERENCE:
            return own
        said = None if heading else _SPEAKER.match(text)
        if said and said["who"].strip() in self._speakers:
            return Frame(FrameKind.SPEAKER, said["who"].strip())
        if self._claiming and not heading:
            self._claiming -= 1
            return Frame(FrameKind.CLAIM)
        if (label := _CLAIM_LABEL.match(text)) and label["colon"]:
            self._begins = True
            return Frame(FrameKind.CLAIM, next((text[a:b] for a, b in spans(text) if announced(text[a:b])), ""))
        if greeting := _GREETING.match(text):
            self._sections.append((_RUN_IN, Frame(FrameKind.LETTER, greeting[0].strip(" ,:–—-"))))
        if self._sections and self._is_below(block, *self._sections[-1]):
            return self._sections[-1][1]
        whole = self._about.whole
        tells_plot = not _ABOUT_WORK.search(text) or _NARRATING.search(text)
        return whole if whole.kind is not FrameKind.FICTION or tells_plot else Frame()

    def _is_repeated(self, quotation: str) -> bool:
        """Whether the page says in its own text what it shows as a quotation."""
        said = quotation.strip(" “”\"'«»„.").casefold()
        return len(said) < _SAME_CHARS or said in self._own

    def _is_below(self, block: Block, level: int, section: Frame) -> bool:
        """Whether a block belongs to what its section announces, and not to the text that goes on behind a list."""
        if block.kind is BlockKind.HEADING:
            return (block.level or _RUN_IN) > level
        if _is_run_in(block) and block.text == section.words:
            return False
        listing = block.kind is not BlockKind.PARAGRAPH
        self._listed = self._listed or listing
        if section.kind in (FrameKind.FICTION, FrameKind.LETTER) or listing:
            return True
        if self._listed or level == 1:
            return False
        return section.kind is FrameKind.REFERENCE or not _ARGUING.search(block.text)


def _unsigned(block: Block, signed: Sequence[Frame]) -> tuple[Block, list[Frame]]:
    numbers = dict.fromkeys(ord(sign) - _FIRST_SIGN for sign in _SIGN.findall(block.text))
    text = normalise(_SIGN.sub("", block.text)) if numbers else block.text
    return replace(block, text=text), [signed[n] for n in numbers if n < len(signed)]


def _elements_for_claims(signs: Sequence[Frame]) -> frozenset[int]:
    """Which elements for claims a block stands in; the sign of a pictured rating has words and is none."""
    return frozenset(id(frame) for frame in signs if frame.kind is FrameKind.CLAIM and not frame.words)


def _is_run_in(block: Block) -> bool:
    short = block.kind is BlockKind.PARAGRAPH and len(block.text) <= RUN_IN_CHARS
    return short and (block.text[-1:] not in ".!…;," or "?" in block.text)


def _by_sentence(block: Block, frame: Frame, after: str) -> Block:
    """The block with the frame of each of its sentences; ``after`` is the text of the next block."""
    marks: list[tuple[int, str]] = []
    text, last = "", 0
    for found in _MARK.finditer(block.text):
        text += block.text[last : found.start()]
        marks.append((len(text), found["words"]))
        last = found.end()
    text += block.text[last:]
    if not (text := text.strip()):
        return replace(block, text=block.text, frames=((0, frame),))
    parts = list(spans(text)) if block.kind is not BlockKind.ROW else [(0, len(text))]
    frames = []
    for (start, end), following in zip(parts, [*(text[a:b] for a, b in parts[1:]), after], strict=True):
        own = frame_of(text[start:end])
        mark = bisect(marks, start, key=lambda placed: placed[0])
        if mark < len(marks) and marks[mark][0] <= end:
            own = Frame(FrameKind.MARK, marks[mark][1])
        elif not own and block.kind is not BlockKind.HEADING and _TAKING_BACK.match(following):
            own = Frame(FrameKind.TAKEN_BACK, following)
        elif not own and (not start or frame.kind is not FrameKind.CLAIM or not frame.words):
            own = frame  # of a claim with its rating behind it, the first sentence is the claim
        frames.append((start, replace(own, headings=frame.headings)))
    return replace(block, text=text, frames=tuple(frames))
