"""How a sentence is written, as numbers: what the claim classifier looks at beside the meaning of the sentence."""

import re

import numpy as np

from ghost.judges.claims import lexicon, loaded
from ghost.judges.claims.questions import is_open_question
from ghost.judges.claims.weigh import weigh
from ghost.judges.claims.weighed import Kind
from ghost.judges.claims.wordscan import ADVERB, bare, content_words, first_verb, has_predicate

_WORDS = 400
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
_MORE = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|longer|most|least|highest|largest|fastest|increased?|rose|"
    r"risen|fell|fallen|grew|grown|cut|raised?|dropped|lost|gained)\b",
    re.IGNORECASE,
)
_OUGHT = lexicon.words("should must ought need needs deserve deserves shouldn't had better let shall")
_MAY = lexicon.words("would could may might can can't cannot couldn't wouldn't")
_WILL = lexicon.words("will won't going gonna i'll we'll they'll he'll she'll it'll")
_NOT = lexicon.words("not no never nor none neither don't doesn't didn't isn't aren't wasn't weren't without")
_I = lexicon.words("i me my mine i'm i've i'd i'll myself")
_WE = lexicon.words("we us our ours we're we've we'd we'll ourselves")
_YOU = lexicon.words("you your yours you're you've you'll")
_THIRD = lexicon.words("he she it they him her them his their its he's she's it's they're")
_POINTING = lexicon.words("this that these those here there that's there's")
_POLITICS = lexicon.words(
    "tax taxes taxed budget deficit debt jobs unemployment wages spending insurance billion million troops war weapons "
    "nuclear oil energy crime law bill act voted vote veto signed administration congress senate president governor "
    "court health schools education percent rate rates poverty immigration border vaccine virus election trade"
)

GROUPS: dict[str, tuple[str, ...]] = {
    "shape": ("length", "short", "question", "exclamation", "lower", "shouting", "dash", "colon", "ellipsis", "tag"),
    "figures": ("number", "numbers", "share", "money", "year", "when", "more", "names"),
    "grammar": (
        "verb", "no predicate", "past", "being", "content", "thin", "passive", "adverbs", "conjunction first",
        "lone verb first",
    ),
    "persons": ("i", "we", "you", "third first", "third", "pointing first", "nobody named"),
    "modals": ("ought", "may", "will", "not"),
    "reporting": ("quoted", "reporting"),
    "taste": ("taste", "evaluative"),
    "loaded": ("loaded", "loaded more", "absolute", "turn"),
    "topics": ("public matters",),
    "rules": ("rule opinion", "rule taste", "rule empty", "rule open question", "rule greeting"),
}  # fmt: skip
"""The numbers by the rules that they come from; an ablation drops one group after the other."""
NAMES: tuple[str, ...] = tuple(name for group in GROUPS.values() for name in group)


def style(text: str) -> np.ndarray:
    """One number for each of ``NAMES``, float32, most of them 0 or 1. Takes any text."""
    tokens = text.split()[:_WORDS]
    text = " ".join(tokens)
    words = [bare(t) for t in tokens] or [""]
    plain = text.replace("’", "'")
    values = {**_shape(text, tokens), **_figures(plain, tokens), **_grammar(words), **_wording(plain, words)}
    values |= _rules(text)
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
        "ought": some(_OUGHT),
        "may": some(_MAY),
        "will": some(_WILL),
        "not": some(_NOT),
        "quoted": bool(_QUOTED.search(text)),
        "reporting": some(loaded.REPORTING),
        "taste": some(lexicon.TASTE),
        "evaluative": some(lexicon.EVALUATIVE),
        "loaded": judging > 0,
        "loaded more": judging > 1,
        "absolute": min(sum(w in loaded.ABSOLUTE for w in words), 3) / 3,
        "turn": bool(loaded.TURN.search(text)),
        "public matters": some(_POLITICS),
    }


def _rules(text: str) -> dict[str, float]:
    """What the rules of step 1 would say, as evidence among others."""
    found = weigh(text, True) if text else None
    kind = found.kind if found else Kind.EMPTY
    return {
        "rule opinion": kind is Kind.OPINION,
        "rule taste": bool(found and kind is Kind.FACT and found.taste),
        "rule empty": bool(text) and weigh(text, False).kind is Kind.EMPTY,
        "rule open question": is_open_question(text),
        "rule greeting": bool(lexicon.GREETING.match(text)),
    }
