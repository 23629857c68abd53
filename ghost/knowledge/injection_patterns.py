"""Marks and orders that give themselves away by their very words; the injection model reads everything else.

The texts that the model was fitted on hold few of them, and short ones score low.
"""

import re
import unicodedata

_PARTS = r"(?:evidence|document|context|instructions?|system|prompt|passages?)"
MARKUP = re.compile(
    r"<\|\s?[a-z_]{2,24}\s?\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|\bfound for statement \d"
    r"|<\s*/?\s*(?:system|assistant|tool_calls?|function_calls?|evidence|passages?|instructions?|untrusted\w*|prompt)"
    r"\s*/?\s*>|\]\(\s*(?:javascript|data|vbscript):|#{3,}\s*(?:system|instructions?|assistant|human|user)\b"
    r"|[\"']role[\"']\s*:\s*[\"']system[\"']|[\"']tool_calls?[\"']\s*:"
    r"|\{\s*[\"'](?:sentences|label|verdict|statements|quotes)[\"']\s*:|!\[[^\]]{0,80}\]\([^)\s]{0,200}\{"
    r"|\bexample \d{1,2} input\s*:[^:]{3,200}\boutput\s*:"
    rf"|(?:-{{3,}}|={{3,}}|\[)\s*(?:begin|end)(?: of)? (?:the )?{_PARTS}\b"
    r"|(?:\b(?:claim|statement|question|input|q)\s*:[^:]{3,160}\b(?:verdict|label|answer|output|a)\s*:\s*\w+\W*){3}",
    re.IGNORECASE,
)
"""Marks that models are trained to obey, those that our prompts are made of, and rows of examples to be continued."""

_MODEL = (
    r"(?:ai(?: (?:model|assistant|agent|system|reader|judge)s?)?|llms?|gpt|(?:large )?language models?|chat ?bots?)"
)
_LABEL = r"[\"“'‘]?(?:true|false|support(?:s|ed)|refute[sd]|verified|correct)\b"
_SETTLED = rf"{_LABEL}(?! (?:or|by|in|that)\b)"
_BEGINS = r"(?:^|[.!?:;,>\]–—-]\s*|\b(?:please|must|should|will|now|and|then|just|always|simply)\s+)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|former|original|initial|existing|system|your)"
_REPLY = r"(?:reply|answer|respond)(?: (?:only|just|exactly))?(?: with)?(?: only)?(?: the)?(?: single)?(?: word)?"
_IGNORE = re.compile(
    rf"{_BEGINS}(?:ignore|disregard|forget|override|bypass|discard|(?:do not|don't) follow) (?:\w+ ){{0,3}}?"
    rf"(?:{_EARLIER} (?:\w+ ){{0,2}}(?:instruction|prompt|guideline)s?|(?:instructions|everything) (?:above|before))\b",
    re.IGNORECASE,
)
_CLASSIC = re.compile(
    rf"{_BEGINS}(?:reveal|print|show|repeat|output|leak) (?:me )?(?:the|your) (?:system|hidden|secret) "
    r"(?:prompt|instructions)\b"
    rf"|{_BEGINS}{_REPLY} {_SETTLED}|\b(?:verdict|label|answer) (?:must|should|has to|is to) be {_SETTLED}"
    rf"|{_BEGINS}(?:mark|rate|label|classify|treat|accept) (?:this|the|any|every|all) (?:claim|statement)s? as {_LABEL}"
    r"(?! or\b)"
    r"|\bfrom now on,? you (?:are|will|must|shall) (?:only |always |now )?"
    r"(?:answer(?! (?:to|for)\b)|respond|reply|agree|obey)\b"
    rf"|\byou are now (?:an? |the )?(?:\w+ ){{0,2}}?(?:{_MODEL}|dan|assistant)\b"
    r"|\byou are an? (?:\w+ )?assistant (?:that|who) (?:always|only|never)\b"
    r"|\b(?:developer|admin|sudo|jailbreak) mode (?:is )?(?:now )?(?:enabled|activated|on)\s*[.!:]"
    rf"|{_BEGINS}(?:attention|dear|(?:note|message) to|instructions? for|if you are an?) (?:all |any |the )?{_MODEL}"
    r"\s*[:,;]",
    re.IGNORECASE,
)
"""The orders that everybody copies."""
_ABROAD = (
    r"(?:ignoriere|ignorieren sie|vergiss) @ (?:vorherig|bisherig|früher|obig)\w* (?:anweisung|instruktion)",
    r"(?:ignorez|oublie[zs]?) @ (?:instructions|consignes) précédent", r"(?:ignore|esqueça) @ instruções anteriores",
    r"(?:ignora|olvida) @ instrucciones anteriores", r"(?:ignora|dimentica) @ istruzioni precedenti",
    r"(?:negeer|vergeet) @ (?:vorige|eerdere) instructies", r"ignorera? @ instru(?:k[st]\w*er|ks\w+er)",
    r"zignoruj @ (?:polecenia|instrukcje)", r"ignoruj @ pokyny", r"ignoră @ instrucțiun",
    r"αγνόησε όλ\w+ @ οδηγίες",
    r"(?:игнорируй|забудь) @ (?:инструкци|указани)", r"ігноруй @ (?:інструкці|вказівк)", r"abaikan @ instruksi",
    r"bỏ qua @ (?:hướng|chỉ) dẫn", r"hagyd figyelmen kívül @ utasítás", r"התעלם @ ה?הוראות",
    r"تجاهل @ التعليمات السابقة و",
    r"(?:เพิกเฉย|อย่าสนใจ)~คำสั่ง", r"(?:忽略|无视|無視)~(?:指令|指示)",
)  # fmt: skip
"""To ignore earlier instructions, at the start of a sentence; @ and ~ stand for a few characters between."""
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


def orders(text: str) -> str:
    """Which of the orders that everybody copies a text has and does not merely quote; empty for none."""
    unquoted = _QUOTED.sub(" ", text)
    if any(pattern.search(unquoted) for pattern in (_IGNORE, *_ELSEWHERE)):
        return "it tells an AI to ignore its instructions"
    return "it gives an AI orders" if _CLASSIC.search(unquoted) else ""
