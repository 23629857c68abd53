"""Whether a claim is English, judged by its script and its smallest words."""

import re
import unicodedata

from ghost.judges.claims.lexicon import words

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
_QUESTION = re.compile(
    r"^[¿\s]*(?:was|wer|wo|wann|warum|wie|welche\w*|wieso|qui|quand|où|pourquoi|comment|quel\w*|qué|que|quién|cuándo|"
    r"dónde|cuál|cuánt\w+|chi|quando|dove|perché|quale|quanto|quem|onde|qual|wat|wie|waar|hoe|welk\w*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def foreign_language(text: str) -> str | None:
    """Name of the language when the text is clearly not English ("another script" for non-Latin ones), else None."""
    letters = [c for c in text if c.isalpha()]
    if not letters:
        return None
    latin = sum(1 for c in letters if c.isascii() or unicodedata.name(c, "").startswith("LATIN"))
    if latin * 2 < len(letters):
        return "another script"
    tokens = [w.lower().replace("’", "'") for w in _WORD.findall(text)]
    # A capitalised word inside a sentence is mostly a name ("Los Angeles", "La Paz", "Las Vegas", "Den Haag").
    plain = {w.lower().replace("’", "'") for i, w in enumerate(_WORD.findall(text)) if i == 0 or w.islower()}
    english = sum(1 for w in tokens if w in _ENGLISH)
    best, hits = "", 0
    for language, profile in _PROFILES.items():
        count = sum(1 for w in tokens if w in profile and w in plain)
        if count > hits:
            best, hits = language, count
    accents = sum(1 for c in letters if not c.isascii())
    if hits >= 2 and hits > english * 1.5 and (hits >= 3 or hits * 5 >= len(tokens) or accents):
        return best
    if hits >= 1 and english == 0 and accents and len(tokens) <= 12:
        return best
    return None


def is_foreign_question(text: str) -> bool:
    """A who/what/where question in one of the languages we know: it asserts nothing."""
    return text.rstrip(' "”»!').endswith(("?", "？")) and _QUESTION.match(text) is not None
