"""Notices in a page that it was retracted or corrected."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ghost.sentences import spans
from ghost.web.lines import Block

NOTICE_CHARS = 400
MAX_NOTICES = 10
_BLOCK_CHARS = 5_000


class NoticeKind(StrEnum):
    """What a page says happened to it."""

    RETRACTION = "retraction"
    CORRECTION = "correction"
    EDITORS_NOTE = "editor's note"


@dataclass(frozen=True, slots=True)
class Notice:
    """What the page says of itself, in its own words: outside text."""

    kind: NoticeKind
    text: str


_WORK = r"(?:\w+ ){0,2}?(?:article|story|report|post|page|piece|paper|study|item|headline)"
_THIS = rf"(?:this|the|our) {_WORK}"
# A page that checks a study tells that "the study was retracted", and is none the worse for it.
_OURS = rf"(?:this|our) {_WORK}"
_LABELS = {
    NoticeKind.RETRACTION: """
        retracted(?: article| paper| study)?|withdrawn(?: article| paper| study)?|retraction(?: note| notice)?
        withdrawal notice|notice of (?:retraction|withdrawal)
        zurückgezogen|rétractation|retractaci[oó]n|retirado|ritrattazione|retratação|撤稿|撤回
    """,
    NoticeKind.CORRECTION: """
        corrections?(?: and clarifications?)?|corrected|correction notice|clarifications?|erratum|corrigendum
        korrektur|richtigstellung|berichtigung|korrigiert
        rectificatif|rectification|correctif|mise au point
        correcci[oó]n|rectificaci[oó]n|fe de err(?:atas|ores)
        rettifica|errata corrige|correção|erramos|errata
        rectificatie|correctie|rättelse|rettelse|sprostowanie|korekta
        исправление|поправка|更正|訂正|정정|تصحيح
    """,
    NoticeKind.EDITORS_NOTE: """
        editor(?:['’]s|s['’]|ial|s)? note|note from the editors?
        anmerkung der redaktion|hinweis der redaktion|note de la rédaction|ndlr
        nota (?:del editor|de la redacci[oó]n|della redazione|da redação|do editor)
        noot van de redactie|redaktionens anmärkning|od redakcji|от редакции|编者按|編集部注
    """,
}
_SAYS = {
    NoticeKind.RETRACTION: rf"""
        {_OURS} (?:has been|was|is|have been)(?: \w+)? (?:retracted|withdrawn)
        we (?:have )?(?:retracted|withdrawn) {_THIS}
        (?:dieser|unser) (?:artikel|beitrag|text) wurde zurückgezogen
    """,
    NoticeKind.CORRECTION: rf"""
        {_THIS} (?:has been|was|has since been)(?: \w+)? (?:corrected|amended)
        {_THIS} (?:has been|was)(?: \w+)? (?:updated|changed|revised|modified) to (?:correct|clarify|reflect|remove)
        (?:an?|the) (?:earlier|previous|original|prior) (?:version|headline) (?:of|on|for) {_THIS}
        in einer (?:früheren|vorherigen|ersten) (?:version|fassung)
        (?:dieser|der) (?:artikel|beitrag|text) wurde (?:nachträglich |inzwischen )?(?:korrigiert|berichtigt)
        (?:une|la) version (?:précédente|antérieure) de (?:cet|l['’]) ?article
        (?:une|la) (?:précédente|première) version de (?:cet|l['’]) ?article
        (?:cet article|ce texte) a été (?:corrigé|rectifié|modifié pour)
        (?:una|la) versi[oó]n (?:anterior|previa) de (?:este|esta) (?:art[ií]culo|nota|noticia|informaci[oó]n|texto)
        (?:este art[ií]culo|esta (?:nota|noticia|informaci[oó]n)) ha sido (?:corregid|rectificad)[oa]
        una (?:versione precedente|precedente versione) di questo articolo
        uma versão anterior d(?:este|esta|a|o) (?:artigo|reportagem|texto|matéria|notícia)
        in een eerdere versie van dit (?:artikel|bericht|stuk)
        i en tidigare version av (?:artikeln|texten)
        (?:we )?wcześniejszej wersji (?:tego )?(?:artykułu|tekstu)
    """,
}


def _any(lines: str) -> str:
    return "|".join(filter(None, map(str.strip, lines.splitlines())))


# A label stands at the beginning of its line, with a colon, a dash or a date behind it ("Correction, March 3:").
# A hyphen without white space makes another word ("Correction-fluid sales").
_BEHIND = r"(?:\s?[:：]|\s[–—-]\s|\s?[,(][^:：]{0,40}[:：)]|\s\w+ \d[^:：]{0,20}[:：])"
_LABEL = tuple((kind, re.compile(rf"\W{{0,4}}(?:{_any(w)})\b{_BEHIND}", re.I)) for kind, w in _LABELS.items())
_TITLE = re.compile(rf"\W{{0,4}}(?:{_any(_LABELS[NoticeKind.RETRACTION])})\b\s?[:：]", re.I)
_SENTENCE = tuple((kind, re.compile(rf"\b(?:{_any(w)})\b", re.I)) for kind, w in _SAYS.items())


def notices_of(blocks: Iterable[Block], title: str = "", stated: Iterable[str] = ()) -> tuple[Notice, ...]:
    """The notices among the lines of a page, in its title, and ``stated`` in its structured data; each once."""
    found: dict[str, Notice] = {}
    if _TITLE.match(title[:200]):
        found[title] = Notice(NoticeKind.RETRACTION, title[:NOTICE_CHARS])
    for text in stated:
        found.setdefault(text, Notice(NoticeKind.CORRECTION, text[:NOTICE_CHARS]))
    for block in blocks:
        if len(found) >= MAX_NOTICES:
            break
        if notice := _notice(block.text[:_BLOCK_CHARS]):
            found.setdefault(notice.text, notice)
    return tuple(found.values())


def _notice(text: str) -> Notice | None:
    kind = _labelled(text)
    said = [(k, m.start()) for k, pattern in _SENTENCE if (m := pattern.search(text))]
    if kind:  # an editor's note that tells of a correction is a correction
        stronger = [k for k, at in said if at < NOTICE_CHARS]
        kind = stronger[0] if stronger and kind is NoticeKind.EDITORS_NOTE else kind
        return Notice(kind, _beginning(text)) if len(text) > 25 else None
    if not said:
        return None
    kind, at = said[0]
    return Notice(kind, next(text[a:b] for a, b in spans(text) if b > at)[:NOTICE_CHARS])


def _labelled(text: str) -> NoticeKind | None:
    return next((kind for kind, pattern in _LABEL if pattern.match(text[:200])), None)


def _beginning(text: str) -> str:
    """Whole sentences from the beginning, as many as fit."""
    ends = [b for _, b in spans(text) if b <= NOTICE_CHARS]
    return text[: ends[-1]] if ends else text[:NOTICE_CHARS]
