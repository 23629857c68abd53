"""Screening: telling text about the world from text that tries to steer whoever judges it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ghost.inference import InjectionHead, load_injection_head
from ghost.knowledge.deobfuscation import decoded, plain, readings
from ghost.types import NewPassage

STEERING = "it reads like an instruction to whoever judges it"
CLASSIC = "it gives an AI orders"
MARKUP = "it has chat markup"
CODED_TEXT = "it has a text in code"
STUFFED = "it says the same again and again"
MAX_CHARS = 100_000
"""Of longer texts only so much is screened."""
WINDOW = 600
"""Longer texts are screened in pieces that overlap: the model has learned from sentences and short paragraphs."""
OVERLAP = 150
SAME_SENTENCE = 3
"""A sentence that stands so often in one text is there for machines."""

_MARKUP = re.compile(
    r"<\|\s?[a-z_]{2,24}\s?\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|\bfound for statement \d"
    r"|<\s*/?\s*(?:system|assistant|tool_calls?|function_calls?|evidence|passages?|"
    r"instructions?|untrusted\w*|prompt)\s*/?\s*>|\]\(\s*(?:javascript|data|vbscript):"
    r"|#{3,}\s*(?:system|instructions?|assistant|human|user)\b|[\"']role[\"']\s*:\s*[\"']system[\"']|[\"']tool_calls?[\"']\s*:|(?:-{3,}|={3,}|\[)\s*(?:begin|end)(?: of)? (?:the )?"
    r"(?:evidence|document|context|instructions?|system|prompt|passages?)\b"
    r"|(?:\b(?:claim|statement|question|input|q)\s*:[^:]{3,160}\b(?:verdict|label|answer|output|a)\s*:\s*\w+\W*){3}",
    re.IGNORECASE,
)
"""Marks that models are trained to obey, those that our prompts are made of, and rows of examples to be continued."""
_MODEL = r"(?:ai|llms?|gpt|(?:large )?language models?|chat ?bots?|ai (?:models?|assistants?|agents?|systems?|readers?|judges?))"
_SETTLED = r"[\"“'‘]?(?:true|false|support(?:s|ed)|refute[sd]|verified|correct)\b(?! (?:or|by|in|that)\b)"
_BEGINS = r"(?:^|[.!?:;,>\]–—-]\s*|\b(?:please|must|should|will|now|and|then|just|always|simply)\s+)"
_CLASSIC = re.compile(
    rf"{_BEGINS}(?:ignore|disregard|forget|override|bypass|discard|(?:do not|don't|stop) follow(?:ing)?) (?:\w+ ){{0,3}}?"
    r"(?:(?:previous|prior|above|earlier|preceding|former|original|initial|existing|system|your) (?:\w+ ){0,2}?"
    r"(?:instructions?|prompts?)|(?:instructions|everything) (?:above|before))\b"
    rf"|{_BEGINS}(?:reveal|print|show|repeat|output|leak) (?:me )?(?:the|your) (?:system|hidden|secret) (?:prompt|instructions)\b"
    rf"|{_BEGINS}(?:reply|answer|respond)(?: (?:only|just|exactly))?(?: with)?(?: only)?(?: the)?(?: single)?(?: words?)? {_SETTLED}"
    rf"|\b(?:verdict|label|answer) (?:must|should|has to|is to) be {_SETTLED}"
    rf"|{_BEGINS}(?:mark|rate|label|classify|treat|accept) (?:this|the) (?:claim|statement) as {_SETTLED}"
    rf"|\bfrom now on,? you (?:are|will|must|shall) (?:only |always |now )?(?:an?|answer(?! to\b)|respond|reply|act|accept|agree|obey|say)\b"
    rf"|\byou are now (?:an? |the )?(?:\w+ ){{0,2}}?(?:{_MODEL}|dan|assistant)\b"
    r"|\b(?:developer|admin|sudo|jailbreak) mode (?:is )?(?:now )?(?:enabled|activated|on)\s*[.!:]"
    rf"|{_BEGINS}(?:attention|dear|note to|message to|instructions? for|if you are an?) (?:all |any |the )?{_MODEL}\s*[:,;]",
    re.IGNORECASE,
)
"""The few orders that everybody copies, word for word. Quoted, as in an article about them, they are none."""
_ABROAD = (
    r"(?:ignoriere|ignorieren sie|vergiss) @ (?:vorherig|bisherig|früher|obig)\w* (?:anweisung|instruktion)",
    r"(?:ignorez|oublie[zs]?) @ (?:instructions|consignes) précédent", r"(?:ignore|esqueça) @ instruções anteriores",
    r"(?:ignora|olvida) @ instrucciones anteriores", r"(?:ignora|dimentica) @ istruzioni precedenti",
    r"(?:negeer|vergeet) @ (?:vorige|eerdere) instructies", r"ignorera? @ instru(?:k[st]\w*er|ks\w+er)",
    r"zignoruj @ (?:polecenia|instrukcje)", r"ignoruj @ pokyny", r"ignoră @ instrucțiun", r"αγνόησε όλ\w+ @ οδηγίες",
    r"(?:игнорируй|забудь) @ (?:инструкци|указани)", r"ігноруй @ (?:інструкці|вказівк)", r"abaikan @ instruksi",
    r"bỏ qua @ (?:hướng|chỉ) dẫn", r"hagyd figyelmen kívül @ utasítás", r"התעלם @ ה?הוראות", r"تجاهل @ التعليمات السابقة و",
    r"(?:เพิกเฉย|อย่าสนใจ)~คำสั่ง", r"(?:忽略|无视|無視)~(?:指令|指示)",
)  # fmt: skip
"""To ignore earlier instructions, in other languages, at the start of a sentence; @ and ~ stand for a few characters."""
_ABROAD_ANYWHERE = (
    r"önceki @ talimat\w* @ yok say", r"دستور\w* @ نادیده بگیر", r"निर्देश\S* @ (?:अनदेखा|नज़रअंदाज़) करें",
    r"(?:以前|前|上記)の~指示~無視し(?:て|ろ|、)", r"이전~지시~무시하(?:세|십|라)",
)  # fmt: skip
_GAPS = ((" @ ", r"(?!\w)[^.!?。]{0,40}?\b"), ("~", r"[^.!?。]{0,20}?"))


def _compiled(rows: tuple[str, ...], before: str) -> re.Pattern[str]:
    pattern = unicodedata.normalize("NFKC", f"{before}(?:{'|'.join(rows)})")
    for sign, gap in _GAPS:
        pattern = pattern.replace(sign, gap)
    return re.compile(pattern, re.IGNORECASE)


_ELSEWHERE = (_compiled(_ABROAD, r"(?:^|[.!?:;,。]\s*)"), _compiled(_ABROAD_ANYWHERE, r"(?:^|\W)"))
_QUOTED = re.compile(r"(?<!\w)[\"“„«‘'](?=\w)[^\"“”„«»‘’]{1,200}?[\"”“»’'](?!\w)")
_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_SLUG = re.compile(r"[-_+/=&?.,;:~%#]+")


def suspicious(text: str) -> str:
    """Why a text could be meant as an instruction to whoever judges it; empty when nothing points to it.

    What it names waits for the analyst, nothing is lost. The text is read as it stands and in the other readings of
    ``ghost.knowledge.deobfuscation``. Raises ModelError when the model cannot be read: nothing enters unscreened.
    """
    text = text[:MAX_CHARS]
    if len(text) > WINDOW:
        parts = (text[at : at + WINDOW] for at in range(0, len(text) - OVERLAP, WINDOW - OVERLAP))
        return next((why for part in parts if (why := _piece(part))), "") or _whole(text)
    return _piece(text) or _whole(text)


def forged_markup(text: str) -> str:
    """Why a text with HTML in it imitates the markup of chats or of ours, which is gone once the HTML is stripped."""
    return MARKUP if any(_MARKUP.search(reading) for reading in readings(text[: 4 * WINDOW])) else ""


def suspicious_address(url: str) -> str:
    """The same for the words in an address."""
    words = _SLUG.sub(" ", url.partition("://")[2])
    return suspicious(words) or suspicious(url) if len(url) > 20 else ""


def suspicious_passage(new: NewPassage) -> str:
    """The same for everything of a passage that a judge is shown: text, title, publisher, address."""
    return (
        suspicious(new.text) or suspicious(new.title) or suspicious(new.publisher) or suspicious_address(new.source_url)
    )


@lru_cache(maxsize=2048)
def _piece(text: str) -> str:
    """Kept, since title and address of a page are screened with each of its sentences, and a sentence twice."""
    for reading in readings(text):
        if _MARKUP.search(reading):
            return MARKUP
        unquoted = _QUOTED.sub(" ", reading)
        if any(pattern.search(unquoted) for pattern in (_CLASSIC, *_ELSEWHERE)):
            return CLASSIC
        if _head().suspects(reading):
            return STEERING
    return CODED_TEXT if next(_codes(text), "") else ""


def _codes(text: str) -> Iterator[str]:
    return decoded(plain(text))


def _whole(text: str) -> str:
    """What only a text as a whole shows: that it repeats a sentence or a few words, as few do for people."""
    said = Counter(" ".join(s.lower().split()) for s in _SENTENCE.findall(text))
    if any(times >= SAME_SENTENCE and len(s.split()) >= 4 for s, times in said.items()):
        return STUFFED
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if len(words) < 24:
        return ""
    most = Counter(pairwise(words)).most_common(1)[0][1]
    return STUFFED if most >= 6 and most * 2 > len(words) * 0.3 else ""


@lru_cache(maxsize=1)
def _head() -> InjectionHead:
    return load_injection_head()
