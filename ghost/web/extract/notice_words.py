"""The words in which pages say that they were withdrawn, corrected, or are satire.

Parts of regular expressions, matched without regard to capitals. Each language has the same few kinds of words; how
they stand together is written once, in ``notices``.
"""

from dataclasses import dataclass
from typing import Final

WORK: Final = "article|story|report|piece|paper|study|headline|column|op-ed|dispatch|preprint|manuscript|chapter|review"
"""What a page is."""
ANY_WORK: Final = rf"{WORK}|post|page|item|video|publication|interview|episode|text"
"""With what a page may also mean somebody else's: "this post was removed by the platform"."""
_OF_WORK = r"(?!(?:an?|the|another|each|every|some|is|was|that|of|in|on|and)\b)\w+"
"""What may stand between "this" and its noun: in "this week a report was withdrawn" it is another report."""
THIS: Final = rf"(?:this|our|the) (?:{_OF_WORK} ){{0,2}}?(?:{ANY_WORK})"


@dataclass(frozen=True, slots=True)
class Withdrawing:
    """How a language says that a text was withdrawn."""

    own: str
    """The text that says so: "this article"."""
    was: str
    """Auxiliaries before the verb."""
    between: str
    """What else may stand before the verb."""
    gone: str
    """The verb as a participle."""
    taking: str = ""
    """The verb before its object: "has retracted", "hemos retirado"."""


_NOT_FROM = r"(?! from (?!(?:our|the|this|its) (?:own )?(?:web ?)?(?:site|page|archive|journal|server|record|public))| together)"
_GONE = "retracted|withdrawn|rescinded|disavowed|unpublished|depublished|taken (?:down|offline)"
_ADVERB = r"(?:[\w-]+ly|since|now|later|then|today|also|therefore|already|hereby|again|just)"
_FREE = r"(?!nicht\b|nie\b|niet\b|nooit\b|inte\b|ikke\b)[\w-]+"
"""Where the participle stands at the end; a denial is not skipped."""
_WORD = r"(?!pas\b|jamais\b|no\b|non\b|não\b|nie\b|не\b)\w+"
_HERE = r"below|above|on this page|that follows|that (?:once )?appeared here|(?:previously|originally|formerly|first) (?:published|posted|found) (?:here|on this page|at this address)"

WITHDRAWING: Final = (
    Withdrawing(
        rf"(?:(?:this|our|the (?:above|following)) (?:{_OF_WORK} ){{0,2}}?(?:{WORK})|(?:the|this|a|an) (?:\w+ )?(?:{ANY_WORK}) (?:{_HERE}))",
        "(?:has|have|had|was|were|is|are|been|being|to|be|will)",
        _ADVERB,
        rf"(?:(?:{_GONE})(?! from (?:by|the (?:trial|market|race)))|(?:removed|deleted|pulled){_NOT_FROM})",
        "(?:retract(?:s|ed|ing)?|withdr(?:aws?|ew|awn|awing)|removed|removing|deleted|unpublished|rescinded|disavow(?:s|ed)?|"
        "pulled|t(?:ook|aken|aking) (?:down|offline)|pulled offline)",
    ),
    Withdrawing(rf"this (?:{ANY_WORK})", "(?:has|have|had|was|were|is|been|being)", _ADVERB, "(?:retracted|withdrawn)(?! from)"),
    Withdrawing(
        "(?:dieser?s?|diesen|unseren?|unser) (?:artikel|beitrag|text|bericht|aufsatz|studie|meldung)",
        "(?:wurde|wird|ist|haben|hat|worden)", _FREE, "(?:zurückgezogen|gelöscht|entfernt|depubliziert|offline genommen|widerrufen)",
        "(?:zurückgezogen haben wir|wir ziehen)",
    ),
    Withdrawing(
        "(?:cet article|ce texte|ce reportage|cette (?:étude|dépêche|enquête)|notre article)",
        "(?:a|est|été|vient|d['’]être)", _WORD, "(?:rétracté|retiré|supprimé|dépublié)e?",
        "(?:nous (?:avons )?(?:retiré|retirons|rétracté|supprimé|dépublié))",
    ),
    Withdrawing(
        "(?:(?:este|nuestro) (?:art[ií]culo|reportaje|texto|estudio)|esta (?:nota|noticia|informaci[oó]n))",
        "(?:ha|sido|fue|est[aá])", _WORD, "(?:retractad|retirad|eliminad)[oa]", "(?:hemos|ha) (?:retirado|retractado|eliminado)",
    ),
    Withdrawing(
        "(?:quest['’]articolo|questo (?:articolo|testo|studio)|questa (?:notizia|ricerca))",
        "(?:è|stat[oa])", _WORD, "(?:ritirat|ritrattat|rimoss)[oa]", "abbiamo (?:ritirato|rimosso|ritrattato)",
    ),
    Withdrawing(
        "(?:este (?:artigo|texto|estudo)|esta (?:matéria|reportagem|notícia))",
        "(?:foi|está)", _WORD, "(?:retirad|retratad|removid|despublicad)[oa]",
    ),
    Withdrawing("dit (?:artikel|bericht|stuk|onderzoek)", "(?:is|werd|wordt|hebben wij)", _FREE, "(?:ingetrokken|teruggetrokken|verwijderd)"),
    Withdrawing("(?:ten|niniejszy) (?:artykuł|tekst)", "(?:został|jest)", _WORD, "(?:wycofany|usunięty)"),
    Withdrawing("(?:denna artikel|den här artikeln|denne artikkelen|denne artikel)", "(?:har|er|blivit)", _FREE, "(?:dragits tillbaka|tagits bort|avpublicerats|trukket tilbake|fjernet|trukket tilbage)"),
    Withdrawing("(?:эта|данная|настоящая) статья", "(?:была)", _WORD, "(?:отозвана|удалена|снята с публикации)"),
)  # fmt: skip
RUN_TOGETHER: Final = "(?:本文|此文|该文|本論文|本記事|この記事|この論文)(?:は|已|已被|被)?(?:撤稿|撤回|撤销|删除|削除)"
"""Languages without spaces."""

DISOWNED: Final = (
    rf"(?:no longer|cannot|can ?not|do(?:es)? not|can['’]t) (?:stands?|vouch) (?:by|behind|for) {THIS}",
    rf"(?:this|our) (?:{WORK}) (?:should|must|can) ?(?:not|no longer) be (?:relied (?:up)?on|cited|trusted|used as a source)",
    rf"this is a (?:full |formal )?(?:retraction|withdrawal) of (?:this|our|the) (?:\w+ )?(?:{WORK})",
    rf"(?:this|our) (?:{WORK}) is no longer (?:available|online) (?:because|as|due to|following|after)",
    rf"(?:this|our) (?:{WORK}) (?:does|did|do) not meet (?:our|the) (?:[\w'’]+ ){{0,2}}(?:standards|guidelines|requirements)",
)
"""A page takes its text back without a word for it."""
UNTRUE_HERE: Final = (
    rf"the (?:\w+ )?(?:{WORK}|text) (?:below|above|that follows|on this page|you are about to read) "
    rf"(?:is|was|contains?|turned out to be|proved)(?: \w+)? (?:false|untrue|fabricated|made up|inaccurate|wrong|not true|a hoax|fabrications)",
    rf"(?:keeping|leaving|left|kept|preserved)(?: (?:it|(?:this|the) (?:{WORK}|original|text)))? "
    r"(?:online|up|here|available|on this page)[\w ,]{0,30} (?:for|of) (?:transparency|the (?:public )?record)",
    rf"(?:information|claims?|facts|quotes|most|much|all) (?:in|of) (?:this|our) (?:{WORK}) (?:was|were|is|are)(?: \w+)? (?:false|untrue|fabricated|invented|made up|not true)",
    rf"(?:this|our) (?:{WORK}) (?:was|is|has been)(?: \w+ly)? (?:fabricated|made up|plagiari[sz]ed|not true)",
    rf"we got (?:this|our) (?:{WORK}) wrong",
    rf"parts? of (?:this|our) (?:{WORK}) (?:was|were|is|are|has been|have been)(?: \w+)? (?:fabricated|invented|made up|plagiari[sz]ed)",
)
"""What a page says of its own text, unless it checks what others say."""

REPORTED: Final = (
    r"\b(?:said|says|saying|told|tells|wrote|writes|claim(?:s|ed)?|according|reported|reports that|argued|if|whether|unless|"
    r"why|when|once|before|until|asked|demand(?:s|ed)?|call(?:s|ed)? for|want(?:s|ed)?)\b"
    r"|\b(?:on|in|of|about|from|with|under|by|for|into|comments? to)\s$"
)
"""Before it, words of a notice are somebody else's, or nothing has happened yet, or not to the text itself."""

RETRACTION_LABELS: Final = rf"""
    retracted(?: (?:{WORK}|publication))?|withdrawn(?: (?:{WORK}|publication))?|(?:{WORK}) (?:retracted|withdrawn|removed)
    retraction(?: note| notice| statement)?|statement of retraction|withdrawal notice|removal notice
    notice of (?:retraction|withdrawal|removal)|temporary removal
    zurückgezogen(?:er (?:artikel|beitrag))?|widerrufen|(?:article )?rétracté|rétractation|(?:art[ií]culo )?retractad[oa]
    retractaci[oó]n|retirado|(?:articolo )?(?:ritirato|ritrattato)|ritrattazione|retratação|(?:artigo )?retratado
    ingetrokken|teruggetrokken|wycofan[ay]|tilbagetrukket|tillbakadragen|отозван[ао]?|ретракция|撤稿|撤回|已撤稿|已撤回|철회
"""
TITLE_LABELS: Final = "removed(?: article)?"
"""In a title these too; in a line of text they may begin a list of anything."""
TITLE_OF_ANOTHER: Final = r"(?:retraction|withdrawal|removal) (?:(?:note|notice|statement) (?:to|for|of)\b|(?:to|of|for) [“\"‘«]|for .{1,80} et al\b)"
"""A notice that has a page to itself is named after the text it is about."""
CONCERN_LABELS: Final = "(?:editorial )?(?:expression|statement|note|notice) of (?:editorial )?concern"
SATIRE_LABELS: Final = (
    "satire|satirical(?: (?:article|news|post))?|parody|spoof|news satire|parodie|sátira|satira|satyra|сатира"
)
CORRECTION_LABELS: Final = """
    corrections?(?: and clarifications?)?|corrected|correction notice|clarifications?|erratum|corrigendum
    korrektur|richtigstellung|berichtigung|korrigiert
    rectificatif|rectification|correctif|mise au point
    correcci[oó]n|rectificaci[oó]n|fe de err(?:atas|ores)
    rettifica|errata corrige|correção|erramos|errata
    rectificatie|correctie|rättelse|rettelse|sprostowanie|korekta
    исправление|поправка|更正|訂正|정정|تصحيح
"""
EDITORS_LABELS: Final = """
    (?:publisher|editor)(?:['’]s|s['’]|ial|s)? note|note from the (?:editors?|publisher)
    anmerkung der redaktion|hinweis der redaktion|note de la rédaction|ndlr
    nota (?:del editor|de la redacci[oó]n|della redazione|da redação|do editor)
    noot van de redactie|redaktionens anmärkning|od redakcji|от редакции|编者按|編集部注
"""
CONCERN_SAID: Final = (
    rf"(?:issu|publish|post|rais)\w+ (?:an|this) (?:editorial )?expression of concern (?:about|regarding|for|on|over|concerning) (?:this|our) (?:\w+ )?(?:{WORK})",
    rf"(?:this|our) (?:{WORK}) (?:is|has been|was)(?: \w+)? (?:subject to|under) (?:an )?(?:\w+ )?expression of concern",
)
CORRECTION_SAID: Final = (
    rf"{THIS} (?:has been|was|has since been)(?: \w+)? (?:corrected|amended)",
    rf"{THIS} (?:has been|was)(?: \w+)? (?:updated|changed|revised|modified) to (?:correct|clarify|reflect|remove)",
    rf"(?:an?|the) (?:earlier|previous|original|prior) (?:version|headline) (?:of|on|for) {THIS}",
    "in einer (?:früheren|vorherigen|ersten) (?:version|fassung)",
    "(?:dieser|der) (?:artikel|beitrag|text) wurde (?:nachträglich |inzwischen )?(?:korrigiert|berichtigt)",
    "(?:une|la) version (?:précédente|antérieure) de (?:cet|l['’]) ?article",
    "(?:une|la) (?:précédente|première) version de (?:cet|l['’]) ?article",
    "(?:cet article|ce texte) a été (?:corrigé|rectifié|modifié pour)",
    "(?:una|la) versi[oó]n (?:anterior|previa) de (?:este|esta) (?:art[ií]culo|nota|noticia|informaci[oó]n|texto)",
    "(?:este art[ií]culo|esta (?:nota|noticia|informaci[oó]n)) ha sido (?:corregid|rectificad)[oa]",
    "una (?:versione precedente|precedente versione) di questo articolo",
    "uma versão anterior d(?:este|esta|a|o) (?:artigo|reportagem|texto|matéria|notícia)",
    "in een eerdere versie van dit (?:artikel|bericht|stuk)",
    "i en tidigare version av (?:artikeln|texten)",
    "(?:we )?wcześniejszej wersji (?:tego )?(?:artykułu|tekstu)",
)

_SITE: Final = "site|website|web site|blog|newspaper|magazine|publication|outlet|newsletter"
_JEST: Final = "satire|satirical|parody|parodies|spoof|fictional|fictitious|made[- ]up|not real"
_MEANT: Final = (
    "a|an|only|purely|entirely|just|pure|meant|intended|as|to|be|for|work|piece|of|written|news|complete|completely"
)
SATIRE_SAID: Final = (
    rf"(?:this|our) (?:\w+ )?(?:{ANY_WORK}|{_SITE}|content) (?:is|are|was)(?: (?:{_MEANT}))* (?:{_JEST}|humou?r|fiction)(?! (?:at|of|in|on|about|with)\b)",
    rf"this is (?:an? )?(?:work of |piece of |pure )?(?:satire|parody|satirical (?:{ANY_WORK}|{_SITE}))(?=[.!,;)]|$)",
    rf"(?:all|any|the|our) (?:of (?:the|our) )?(?:articles?|stor(?:y|ies)|contents?|names|news|posts?|reports?)(?: (?:and|or|,) \w+){{0,3}} (?:(?:published |posted |contained |found )?(?:here(?:in)?|(?:on|in|by|of) (?:this|our) (?:{_SITE}|page))|we (?:publish|write|post))(?: (?:is|are)|,)(?: \w+){{0,3}} (?:{_JEST}|fiction|invented|fake|false|untrue|not true)",
    rf"(?:this|our) (?:{ANY_WORK}) is not (?:meant |intended )?to be taken (?:seriously|literally|as fact)",
    rf"we are an? (?:\w+ ){{0,2}}(?:satire|satirical|parody|spoof)(?: \w+){{0,2}} (?:{_SITE})",
    "(?:dieser|dieses|diese|unsere|alle) (?:\\w+ )?(?:beitrag|artikel|text|seite|webseite|website|meldung|meldungen|inhalte) (?:ist|sind)(?: (?:eine?|reine|frei|nur|rein))* (?:satire|satirisch|erfunden|parodie)",
    "(?:cet article|ce texte|ce site|cette page) est(?: (?:un|une|purement|totalement|article|texte|site|page))* (?:satirique|parodique|satire|parodie|fictif|fiction)",
    "(?:este (?:art[ií]culo|texto|sitio)|esta (?:noticia|p[áa]gina|nota)) es(?: (?:una?|puramente|de))* (?:s[áa]tira|sat[íi]ric[oa]|parodia|fictici[oa])",
    "(?:questo (?:articolo|sito|testo)|questa (?:notizia|pagina)) è(?: (?:un|una|di|puramente|opera))* (?:satir[ae]|satiric[oa]|parodia|inventat[oa])",
    "(?:este (?:artigo|texto|site)|esta (?:notícia|página|matéria)) é(?: (?:uma?|puramente|de))* (?:sátira|satíric[oa]|paródia|fictíci[oa])",
    "(?:dit (?:artikel|bericht|stuk)|deze (?:site|pagina|website)) is(?: (?:een|puur|pure))* (?:satire|satirisch|parodie|verzonnen)",
    "(?:ten (?:artykuł|tekst)|ta strona) (?:jest|to)(?: \\w+)? (?:satyr\\w*|parodi\\w+)",
)
SATIRE_OF_SITE: Final = (
    r"(?: (?:is|are)(?: [\w,’'-]+){0,6}? (?:satir\w+|parod\w+|spoof|humou?r|fake[- ]news)(?: \w+){0,3} "
    rf"(?:{_SITE})| (?:publishes|offers|writes|produces|is) (?:only |pure )?(?:satire|parody)\b)"
)
"""Behind the name of a site."""
SATIRE_GENRES: Final = frozenset(
    {"satire", "parody", "satirical", "news satire", "sátira", "satira", "parodie", "spoof"}
)
