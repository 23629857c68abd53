"""How a sentence is written, as numbers: what the claim classifier looks at beside the meaning of the sentence."""

import re

import numpy as np

from ghost.judges.embedded.claims import lexicon, loaded
from ghost.judges.embedded.claims.wordscan import ADVERB, bare, content_words, first_verb, has_predicate

_WORDS, _CHARS = 400, 2_400
"""More is not looked at: style shows early, and a pasted book must not take seconds."""
_QUOTED = re.compile(r"[\"“«][^\"”»]{3,}[\"”»]")
_MONEY = re.compile(r"[$€£]|\b(?:dollars?|euros?|pounds?|cents?|pence|yen|francs?)\b", re.IGNORECASE)
_SHARE = re.compile(r"%|\bper ?cent\b|\bpercent\b|\b(?:half|third|quarter|fifth|tenth)s? of\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_WHEN = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|"
    r"september|october|november|december|last (?:week|month|year|night)|years?|months?|decades?|century|today|"
    r"yesterday|tonight)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|"
    r"hundreds?|thousands?|millions?|billions?|trillions?|dozens?|twice|doubled|tripled|halved)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"[,:;]\s+|\s[–—-]\s|—|\s(?:and|but|yet|which|who|as)\s")
_MORE = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|longer|most|least|highest|largest|fastest|increased?|rose|"
    r"risen|fell|fallen|grew|grown|cut|raised?|dropped|lost|gained)\b",
    re.IGNORECASE,
)
_I = lexicon.words("i me my mine i'm i've i'd i'll myself")
_WE = lexicon.words("we us our ours we're we've we'd we'll ourselves")
_YOU = lexicon.words("you your yours you're you've you'll")
_THIRD = lexicon.words("he she it they him her them his their its he's she's it's they're")
_POINTING = lexicon.words("this that these those here there that's there's")
_SMALL = (
    "a about after again all almost also although always an and another any anyone are as at away be because become "
    "been before behind being best better between both but by can cannot could did do does done down each either else "
    "end enough even ever every everyone everything except far few first for from get give given go good had has have "
    "he her here his how however i if in instead into is it its itself just kind know last least less let like little "
    "made make many may me mean merely might more most much must my need neither never no nobody none nor not nothing "
    "now of off often on once one only or other others ought our out over own perhaps quite rather real really same "
    "see seem seems shall she should simply since so some somebody someone something soon still such surely than that "
    "the their them themselves then there these they thing things this those though through to together told too "
    "under until up upon us use used very was way we well were what whatever when where whether which while who whose "
    "why will with without worse would yet you your"
).split()
"""Small words tell the tone of a sentence and nothing of its topic."""

GROUPS: dict[str, tuple[str, ...]] = {
    "shape": ("length", "short", "question", "exclamation", "lower", "shouting", "dash", "colon", "ellipsis", "tag"),
    "figures": ("number", "numbers", "share", "money", "year", "when", "more", "names"),
    "grammar": (
        "verb", "no predicate", "past", "being", "content", "thin", "passive", "adverbs", "conjunction first",
        "lone verb first",
    ),
    "persons": ("i", "we", "you", "third first", "third", "pointing first", "nobody named"),
    "reporting": ("quoted", "reporting"),
    "taste": ("taste", "evaluative"),
    "loaded": ("loaded", "loaded more", "turn"),
    "parts": ("judging and telling", "judging part", "telling part", "judges here and tells there"),
    "small words": tuple(f"“{word}”" for word in _SMALL),
}  # fmt: skip
"""The numbers by the rules that they come from; an ablation drops one group after the other."""
NAMES: tuple[str, ...] = tuple(name for group in GROUPS.values() for name in group)


def style(text: str) -> np.ndarray:
    """One number for each of ``NAMES``, float32, most of them 0 or 1. Takes any text."""
    tokens = text[:_CHARS].split()[:_WORDS]
    text = " ".join(tokens)
    words = [bare(t) for t in tokens] or [""]
    plain = text.replace("’", "'")
    values = {**_shape(text, tokens), **_figures(plain, tokens), **_grammar(words), **_wording(plain, words)}
    values |= _parts(plain, values)
    values |= {f"“{word}”": 0.5 * (word in words) for word in _SMALL}
    return np.array([values[name] for name in NAMES], dtype=np.float32)


def _shape(text: str, tokens: list[str]) -> dict[str, float]:
    return {
        "length": float(np.log1p(len(tokens))) / 2,
        "short": len(tokens) < 5,
        "question": text.rstrip("\"”' ").endswith("?"),
        "exclamation": "!" in text,
        "lower": text[:1].islower(),
        "shouting": sum(t.isupper() and len(t) > 2 for t in tokens) > 2,
        "dash": bool(re.search(r"\s[–—-]\s|—", text)),
        "colon": ": " in text or "; " in text,
        "ellipsis": "…" in text or "..." in text,
        "tag": "#" in text or "@" in text,
    }


def _figures(text: str, tokens: list[str]) -> dict[str, float]:
    found = len(_NUMBER.findall(text))
    inside = [t for t in tokens[1:] if t[:1].isupper() and bare(t) not in _I]
    return {
        "number": found > 0,
        "numbers": min(found, 4) / 4,
        "share": bool(_SHARE.search(text)),
        "money": bool(_MONEY.search(text)),
        "year": bool(_YEAR.search(text)),
        "when": bool(_WHEN.search(text)),
        "more": bool(_MORE.search(text)),
        "names": min(len(inside), 4) / 4,
    }


def _grammar(words: list[str]) -> dict[str, float]:
    verb = first_verb(words)
    content = content_words(words)
    head = words[verb] if verb is not None else ""
    participle = any(
        w in lexicon.BE | {"been"} and (words[i + 1] in lexicon.PARTICIPLE or words[i + 1].endswith("ed"))
        for i, w in enumerate(words[:-1])
    )
    return {
        "verb": verb is not None,
        "no predicate": not has_predicate(words),
        "past": head in lexicon.PAST or head in {"was", "were", "had", "did"},
        "being": head in {"is", "are", "isn't", "aren't"},
        "content": min(content, 12) / 6,
        "thin": content < 2,
        "passive": participle,
        "adverbs": min(sum(w.endswith("ly") or w in ADVERB for w in words), 3) / 3,
        "conjunction first": words[0] in {"and", "but", "or", "so", "yet", "because"},
        "lone verb first": words[0] in lexicon.BASE and words[0] not in lexicon.THIRD,
    }


def _wording(text: str, words: list[str]) -> dict[str, float]:
    def some(known: frozenset[str]) -> float:
        return float(any(w in known for w in words))

    judging = sum(w in loaded.LOADED for w in words)
    third = words[0] in _THIRD
    return {
        "i": some(_I),
        "we": some(_WE),
        "you": some(_YOU),
        "third first": third,
        "third": some(_THIRD),
        "pointing first": words[0] in _POINTING,
        "nobody named": words[0] in _THIRD | _POINTING and content_words(words) < 3,
        "quoted": bool(_QUOTED.search(text)),
        "reporting": some(loaded.REPORTING),
        "taste": some(lexicon.TASTE),
        "evaluative": some(lexicon.EVALUATIVE),
        "loaded": judging > 0,
        "loaded more": judging > 1,
        "turn": bool(loaded.TURN.search(text)),
    }


def _parts(text: str, values: dict[str, float]) -> dict[str, float]:
    """Whether one part of the sentence tells and another judges, as mixed claims do."""
    judging = telling = False
    for part in _PART.split(text):
        words = [bare(t) for t in part.split()]
        if not words:
            continue
        marked = loaded.is_marked(part)
        named = any(t[:1].isupper() for t in part.split()[1:])
        told = bool(_NUMBER.search(part)) or (named and first_verb(words) is not None)
        judging, telling = judging or (marked and not told), telling or (told and not marked)
    tells = values["number"] or values["names"]
    return {
        "judging and telling": bool((values["loaded"] or values["taste"] or values["turn"]) and tells),
        "judging part": judging,
        "telling part": telling,
        "judges here and tells there": judging and telling,
    }
