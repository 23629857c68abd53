"""Telling text about the world from text that gives orders to an AI."""

import re
import unicodedata

_ORDERS = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|commands?|directives?|messages?|context|text)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|former|foregoing|original|initial|system|your|these)"
_AI = r"(?:a\.?i\.?|artificial intelligence|llms?|(?:large )?language models?|chatbots?|chatgpt|assistants?)"
_AT_START = r"(?:^|[.!?:;]['\"”’)]*\s+|['\"“‘(\[]|\b(?:please|you must|you should|always|now)\s+)"

_SIGNS: tuple[tuple[str, str], ...] = (
    (
        "it tells an AI to ignore its instructions",
        (
            rf"\b(?:ignore|disregard|forget|override|bypass|(?:do not|don't) (?:follow|obey))\s+(?:\w+\s+){{0,3}}?"
            rf"{_EARLIER}\s+(?:\w+\s+){{0,2}}?{_ORDERS}\b"
        ),
    ),
    (
        "it tells an AI to ignore its instructions",
        (
            r"\b(?:ignore|disregard|forget) (?:all|any|everything|anything)(?: of)?(?: the)?"
            r" (?:instructions?|prompts?|above|before|that came before|you (?:were|have been|know))\b"
        ),
    ),
    (
        "it tells an AI to ignore its instructions",
        (
            r"\b(?:ignoriere|vergiss|missachte|ignora|olvida|ignorez|oubliez|ignore|esqueça)\b.{0,30}"
            r"\b(?:anweisungen|instrucciones|instructions (?:pr[ée]c[ée]dentes|ci-dessus)|istruzioni|instruções)"
        ),
    ),
    (
        "it speaks of an AI's prompt",
        r"\b(?:your|the|this|reveal|print|show) (?:system|developer|hidden) (?:prompt|message)\b",
    ),
    (
        "it tells an AI who it is",
        (
            rf"\b(?:you are|you're|act as|behave as|pretend (?:to be|that you are|you are))\s+(?:now\s+|no longer\s+)?"
            rf"(?:an?\s+|the\s+|my\s+|in\s+)?(?:\w+\s+){{0,3}}?(?:{_AI}|DAN|jailbroken|unrestricted|fact[- ]?checker)\b"
        ),
    ),
    ("it tells an AI who it is", r"\bfrom now on,? you (?:are|will|must|shall|should)\b"),
    ("it tries to unlock an AI", r"\b(?:DAN|developer|jailbreak|god) mode (?:is )?(?:on|enabled|activated)\b"),
    ("it gives an AI new instructions", r"\b(?:new|updated|real|actual|additional|secret) instructions?\s*:"),
    (
        "it addresses an AI",
        (
            rf"\b(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello|if you are)"
            rf",? (?:an? |any |all |the )?(?:\w+ )?{_AI}\b"
        ),
    ),
    ("it addresses an AI", rf"\bas an? (?:\w+ )?{_AI},? you\b"),
    (
        "it dictates a verdict",
        (
            rf"{_AT_START}(?:respond|reply|answer|output|return|print|conclude|write)\b.{{0,40}}"
            r"(?:\bverdict\b|\blabel\b|\bthe claim\b|['\"“‘]\s*(?:true|false|supports|refutes)\b)"
        ),
    ),
    (
        "it dictates a verdict",
        (
            rf"{_AT_START}(?:mark|rate|classify|label|declare|judge|treat|consider)\s+(?:this|the|every|all|any)\s+"
            r"(?:\w+\s+){0,2}(?:claims?|statements?|evidence|passages?)\s+as\b"
        ),
    ),
    (
        "it dictates a verdict",
        (
            r"\b(?:the|your|final) (?:verdict|label|answer) (?:must|should|has to|shall|is to) be\W+"
            r"(?:true|false|supported|refuted|supports|refutes)\b"
        ),
    ),
    ("it has chat markup", r"<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|tool_call|evidence)>"),
    ("it has chat markup", r"#{3,}\s*(?:system|instructions?|assistant|human|user)\b"),
    ("it has chat markup", r"(?:^|[.!?]\s+)(?:system|assistant|human|user)\s*:\s"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), what) for what, pattern in _SIGNS)


def suspicious(text: str) -> str:
    """Why a text could be meant as an instruction to an AI; empty when nothing points to it.

    It errs on the side of suspicion: what it names waits for the analyst, nothing is lost.
    """
    # Compatibility forms are folded, or full-width and styled letters would pass.
    plain = unicodedata.normalize("NFKC", text)
    for pattern, what in _COMPILED:
        if pattern.search(plain):
            return what
    return ""
