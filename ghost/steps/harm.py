"""How much harm a claim could do by its words alone, whoever judges it."""

import re

from ghost.types import Harm

_WORDS = {
    "a subject that moves people": "vaccin|medic|drug|cancer|tumou?r|diabet|insulin|virus|covid|hiv|aids|measles|"
    "pregnan|abortion|antibiotic|chemo|diseas|infecti|epidemic|pandemic|outbreak|overdos|suicid|self-harm|anorexi|"
    "genocid|terroris|election|elector|ballot|vot(?:e|er|ers|ing)\b|polling",
    "another one": "child|kids?\b|bab(?:y|ies)|infant|minor|teenager|school|food|water|flood|earthquake|hurricane|"
    "tsunami|wildfire|nuclear|radiat|radioact|war\b|weapon|bomb|army|police|bank|pension|savings|5g|muslim|jew|"
    "christian|migrant|immigrant|refugee|gay|transgender|women",
    "a deed": "cur(?:e|es|ed|ing)\b|treat|heal|prevent|caus|kill|murder|dies?\b|died|dead|death|harmless|safe|danger|"
    "toxic|poison|bleach|inject|inhal|protect|infect|abus|rap(?:e|ed|ist)|traffick|kidnap|attack|shoot|explod|leak|"
    "collaps|evacuat|cancel|postpon|rigg|stolen|steal|fraud|fak(?:e|ed)\b|hoax|ban(?:s|ned)?\b|stop|instead of",
}
"""Health, violence against many and elections move people by themselves; minors, emergencies, money and groups with a
deed. By the beginnings of words."""
_FOUND = [re.compile(rf"\b(?:{words})\w*", re.IGNORECASE) for words in _WORDS.values()]


def harm_of(claim: str) -> tuple[Harm | None, list[str]]:
    """How much, with the words that say so; None where none does."""
    subject, other, deed = (m.group().lower() if (m := words.search(claim)) else "" for words in _FOUND)
    level = Harm.HIGH if (subject or other) and deed else Harm.MEDIUM if subject else None
    return level, [word for word in (subject or other, deed) if word and level]
