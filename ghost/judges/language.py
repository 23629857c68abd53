"""Whether a claim is English, judged by its script and its smallest words."""

import re
import unicodedata
from collections.abc import Sequence

from ghost.judges.embedded.claims.words import BASE, PAST, THIRD, words
from ghost.web import probabilities

# Only words that English does not have: shared ones ("in", "die", "is", "a", "was") would count for both sides.
_PROFILES: dict[str, frozenset[str]] = {
    "German": words(
        "der das und ist nicht ein eine einen einem einer den dem des mit von für auf im zu zum zur sich auch "
        "sind wird "
        "wurde werden wurden hat haben hatte nach bei aus über kann als wie oder aber wenn dass es ich wir sie er mehr "
        "keine kein nur vor durch war waren"
    ),
    "French": words(
        "le les des une est et dans du qui que pour pas sur avec sont au aux ce cette il elle nous vous ils elles plus "
        "par ont été être était la l'eau n'est c'est d'un d'une mais ou où leur se sa son ses"
    ),
    "Spanish": words(
        "el los las una es y en del que por con para se su al lo más pero fue son está están como no la un ha han muy "
        "también entre sobre desde hay cuando ser"
    ),
    "Italian": words(
        "il gli una è di che per con del della dei delle nel nella non sono si alla al più anche ma come ha hanno la "
        "le un fu stato stata essere questo dal dalla"
    ),
    "Portuguese": words(
        "os as uma é do da dos das em no na que por com para se não mais foi são ao à um e o também pelo pela seu sua "
        "está como ser tem"
    ),
    "Dutch": words(
        "het een van en dat niet zijn met voor op ook aan er maar bij wordt werd worden naar uit door over heeft "
        "hebben "
        "de ik je deze die nog meer dan als geen"
    ),
    "Swedish": words("och att det som är på för av inte med den en ett till har var från kan"),
    "Polish": words("jest nie się na że w z do i to są był była przez jak od dla oraz"),
    "Turkish": words("ve bir bu için ile değil çok daha olarak olan en gibi ne"),
}
_ENGLISH = words(
    "the of and is are was were in to that it he she they this these those has have had not with for on at by from as "
    "an be been can will than more who which there their its his her you we i but or if all no does did do my "
    "your only "
    "never about into over between causes made most"
)
_ONLY_ENGLISH = _ENGLISH - words(
    "a an i in is was on of at by for as do has had be can over all no we he but or more her"
)
"""Small words that no other language has."""
_VERBS = (THIRD | PAST | BASE) - words("is was had")
"""Only English has these."""
_FEWEST_WORDS = 3
_MANY_HITS = 3
_UNLIKELY = ((0.02, 0.01), (0.001, 0.03))
"""Pairs of bounds: a text is not English where the probability of English is below both, for the whole text and for its
words in small letters, which are no names. None of 3,940 English sentences and headlines is, nor of sixty with foreign
names; of seventy short claims in sixteen other languages all but a few are."""
_UNLIKELY_WITH_SMALL_WORDS = (0.005, 0.04)
"""The same for a text with a small word of another language."""
_UNLIKELY_WITH_A_NAME, _UNLIKELY_PAIR = (0.011, 0.03), (0.0005, 0.0005)
"""The same for a text that is called by its language, and for two words."""
_NAMED = 0.5
"""Probability from which a language is called by its name."""
_SCRIPTS = {
    "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "THAI": "Thai", "GREEK": "Greek",
    "HEBREW": "Hebrew", "CJK": "Chinese",
}  # fmt: skip
_NAMES = {
    "af": "Afrikaans", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "la": "Latin",
    "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay", "nb": "Norwegian", "nl": "Dutch", "nn": "Norwegian",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "sk": "Slovak", "sl": "Slovene",
    "sq": "Albanian", "sv": "Swedish", "sw": "Swahili", "tl": "Tagalog", "tr": "Turkish", "vi": "Vietnamese",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def foreign_language(text: str) -> str | None:
    """Name of the language when the text is clearly not English ("another script" for non-Latin ones), else None."""
    letters = [c for c in text if c.isalpha()]
    if not letters:
        return None
    latin = sum(1 for c in letters if c.isascii() or unicodedata.name(c, "").startswith("LATIN"))
    if latin * 2 < len(letters):
        return "another script"
    tokens = _tokens(text)
    best, hits = _nearest(text, tokens)
    english = sum(1 for w in tokens if w in _ENGLISH)
    accents = sum(1 for c in letters if not c.isascii())
    if hits >= 2 and hits > english * 1.5 and (hits >= _MANY_HITS or hits * 5 >= len(tokens) or accents):
        return best
    if hits >= 1 and english == 0 and accents and len(tokens) <= 12:
        return best
    return None


def unreadable_language(text: str) -> str:
    """Name of the language of a claim that a model for English cannot read; empty where that is not sure.

    In doubt it is English: a short claim may be made of names only.
    """
    known = foreign_language(text)
    if known == "another script":
        return _script_of(text)
    tokens, unnamed = _tokens(text), [w for w in _WORD.findall(text) if w[0].islower()]
    hits = _nearest(text, tokens)[1]
    if known and hits >= _MANY_HITS:
        return known
    # "Die Antwoord split", "La Liga banned VAR": the small word belongs to a name.
    english_verb = any(w in _VERBS or (w.endswith("ed") and len(w) > 4) for w in unnamed)
    foreign = any(not w.isascii() or w in profile for profile in _PROFILES.values() for w in unnamed)
    if len(set(tokens)) < 2 or any(w in _ONLY_ENGLISH for w in tokens) or (english_verb and not foreign):
        return ""
    found = probabilities(text)
    whole, plain = (odds.get("en", 0.0) for odds in (found, probabilities(" ".join(unnamed))))
    code, sure = next(iter(found.items()))
    bounds = [*_UNLIKELY, *[_UNLIKELY_WITH_SMALL_WORDS] * bool(hits)]
    bounds += [_UNLIKELY_WITH_A_NAME] if sure >= _NAMED and code in _NAMES else []
    bounds = bounds if len(tokens) >= _FEWEST_WORDS else [_UNLIKELY_PAIR]
    if not unnamed or not any(whole < one and plain < other for one, other in bounds):
        return ""
    return (_NAMES.get(code, "") if sure >= _NAMED else "") or known or "another language than English"


def _tokens(text: str) -> list[str]:
    return [w.lower().replace("’", "'") for w in _WORD.findall(text)]


def _nearest(text: str, tokens: Sequence[str]) -> tuple[str, int]:
    """The language with most of the small words of a text, and how many they are."""
    # A capitalised word inside a sentence is mostly a name ("Los Angeles", "La Paz", "Las Vegas", "Den Haag").
    plain = {w.lower().replace("’", "'") for i, w in enumerate(_WORD.findall(text)) if i == 0 or w.islower()}
    best, hits = "", 0
    for language, profile in _PROFILES.items():
        count = sum(1 for w in tokens if w in profile and w in plain)
        if count > hits:
            best, hits = language, count
    return best, hits


def _script_of(text: str) -> str:
    """Who writes in the first letters that are not Latin: a language, or the name of the alphabet."""
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha()}
    named = next((_SCRIPTS[name] for name in _SCRIPTS if name in scripts), "")
    others = sorted(name for name in scripts if name and name != "LATIN")
    return named or (f"{others[0].capitalize()} letters" if others else "another script")
