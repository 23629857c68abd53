"""Negation by words: whether two texts say the same with opposite signs, and the content words they are compared by.

"A, not B, is C" is read as "A is C" about A, and as a denial about B.

``opposed`` guesses from most of the words and helps a model; ``repeats`` needs all of them and overrules it.
"""

import re
from collections.abc import Set

from ghost.judges.embedded.readers import bare, denied

SAME_WORDS = 0.65
"""Share of the statement's content words that one clause of the passage must have."""

_CLAUSE = re.compile(
    r"(?<=[.!?])\s+|;\s+|,? (?:because|although|but|while|since(?! (?:\d|then\b))|so that)\b|"
    r", and (?=(?:it|he|she|they|we|this|that|there|the|an?)\b)"
)
_CONTRAST = re.compile(r"(?:,(?: and| but)?|\band) not (?P<b>[^,;.]+)(?:,|$|(?=[;.]))|\brather than (?P<c>[^,;.]+)")
_UNTIL = r"\b(?![^.;:]{0,60}\buntil\b)"
"""What was not so until 1971 has been so since."""
_NEGATION = re.compile(
    rf"\b(?:not{_UNTIL}|never(?! before\b)|no(?! to\b)|nobody|none|nothing(?! but\b)|cannot|neither|nor|without)\b|"
    rf"n['’]t{_UNTIL}",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\b(?:stop(?:s|ped)?|ceas(?:e|es|ed)|quit) \w+ing\b", re.IGNORECASE)
"""What has stopped working does not work; what has not stopped working does."""
OVER = re.compile(r"\bno longer\b|(?:\bnot|\bnever|n['’]t)\b[^.;]{0,60}\bany ?(?:more|longer)\b", re.IGNORECASE)
"""What was and is not."""
_PAST = re.compile(r"\b(?:was|were|had|used to)\b", re.IGNORECASE)
"""What is no longer so was so."""
_OUTDONE = re.compile(
    r"\b(?:no|nothing|nobody|none|never)\b[^.;:]{0,80}?\b(?:\w{2,20}er|more|less|worse)\b[^.;:]{0,80}?\bthan\b",
    re.IGNORECASE,
)
"""A denial that says the most of something: no university is older than the oldest."""
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|could|do|does|did|will|would|never)\b", re.IGNORECASE)
"""Ends the subject of a plain statement."""
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    "the and that this with from for are was were is be been being has have had does did do can could will would may "
    "might its it they them their there than then which who whom whose what when where into onto over under about also "
    "any all some such very more most much many an in on of to by at as or if you your our his her not never no nobody "
    "none nothing cannot neither nor without true isn aren wasn weren "
    "don doesn didn won wouldn couldn hasn haven real really actually ever stop stops stopped cease ceases ceased quit "
    "longer anymore".split()
)


def opposed(passage: str, statement: str) -> bool | None:
    """True: the same words with the opposite sign. False: the same words, both denied, or a contrast on its right side.

    None: the words differ too much, or neither is a denial, so that the model has to tell.
    """
    wanted = content(statement)
    if len(wanted) < 2:
        return None
    clause = _nearest(passage, wanted, _subject(statement))
    kept, denied = _without_contrast(clause)
    # A statement of several clauses may deny in one of them only: the sign is that of the clause both texts share.
    asked, refused = _without_contrast(_nearest(statement, content(clause)))
    if (elsewhere := denied & wanted) and not denied & content(kept):
        return False if elsewhere <= refused else not denies(asked)
    if len(wanted & content(kept)) < SAME_WORDS * len(wanted):
        return None
    if bool(_OUTDONE.search(kept)) != bool(_OUTDONE.search(asked)):
        return None
    if any(OVER.search(one) and _PAST.search(other) for one, other in ((kept, asked), (asked, kept))):
        return None
    says_no = denies(kept)
    if refused & content(kept) and not refused & content(asked):
        return not says_no
    if says_no != denies(asked):
        return True
    return False if says_no or denied else None


def denies(clause: str) -> bool:
    """Whether a clause denies something."""
    return bool(_NEGATION.search(clause)) != bool(_ENDED.search(clause))


def _nearest(text: str, words: set[str], subject: Set[str] = frozenset()) -> str:
    """The clause that shares most of ``words``; among equals one about ``subject``, then the one that says least."""

    def nearness(clause: str) -> tuple[int, int, int]:
        have = content(clause)
        return len(words & have), len(subject & have), -len(have)

    return max(_CLAUSE.split(text), key=nearness)


def _subject(statement: str) -> set[str]:
    return content(_VERB.split(statement, maxsplit=1)[0])


def content(text: str) -> set[str]:
    """The content words of a text, without endings."""
    return {_stem(word) for word in _telling(text)}


def _telling(text: str) -> list[str]:
    return [w for w in _WORD.findall(text.casefold()) if w not in _STOP and (len(w) > 2 or w.isdigit())]


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _without_contrast(clause: str) -> tuple[str, set[str]]:
    """The clause without its ", not B" or "rather than B", and the words of B."""
    denied: set[str] = set()
    for found in _CONTRAST.finditer(clause):
        denied |= content(found["b"] or found["c"] or "")
    return _CONTRAST.sub(" ", clause), denied


_TOKEN = re.compile(r"[-−]?\d+(?:[.,]\d+)*|[^\W\d_]+|[%‰$€£¥°]")
_GROUPED = re.compile(r"(?<=\d)[, \u00a0\u202f](?=\d{3}\b)")
_SHORT = {"ca n't": "can not", "wo n't": "will not", "cannot": "can not"}
_EMPTY = frozenset("the a an also indeed actually really".split())
"""Words that a sentence may have or lack and say the same."""
_SIGNS = frozenset("not never no".split())
_HELPERS = frozenset("do does did".split())
"""Verbs that a denial may need: “causes”, “does not cause”."""


def repeats(sentence: str, statement: str) -> bool | None:
    """True: the sentence is the statement in its own words. False: it is that with one denial more or less.

    None: it has other words, or the same ones in another order; names, numbers and tenses are words too.
    """
    (said, turned), (asked, against) = denied(bare(sentence)), denied(bare(statement))
    mine, wanted = _tokens(said), _tokens(asked)
    if mine == wanted:
        return turned == against if len(wanted) > 1 else None
    signs = [sum(word in _SIGNS for word in words) for words in (mine, wanted)]
    plain = [[_stem(word) for word in words if word not in _SIGNS | _HELPERS] for words in (mine, wanted)]
    if sorted(signs) == [0, 1] and plain[0] == plain[1]:
        return turned != against
    return None


def _tokens(text: str) -> list[str]:
    """The words and numbers of a text in order, without those that say nothing; contracted denials are written out."""
    text = re.sub(r"n['’]t\b", " n't", text.casefold())
    for short, full in _SHORT.items():
        text = text.replace(short, full)
    text = _GROUPED.sub("", text.replace("n't", "not"))
    return [word for word in _TOKEN.findall(text) if word not in _EMPTY]
