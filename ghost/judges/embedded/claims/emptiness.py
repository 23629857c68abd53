"""Clauses that say nothing which could be checked: pronouns that point nowhere, talk without content, fragments."""

import re
from dataclasses import dataclass

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.wordscan import bare, content_words, has_predicate

_IT_IS = (
    r"^(?:it|it's|its|it’s)\s+"
    r"(?:is |was |has been |had been |will be |can be |would be |may be |isn't |is not |wasn't )?"
)
_EXPLETIVE = re.compile(
    # "It is illegal to …", "It is hot in summer", but not "It was built in 1900" nor "It is the largest city in Peru".
    _IT_IS
    + r"(?!(?:the|an?|one|my|his|her)\b|(?:\w+ed|built|made|born|written|found|known|owned|sold|taken|given|won|held)"
    r" (?:in|by|on|at|from|for|during)\b)(?:[\w'’,-]+ ){0,5}?(?:that|to|because|when|where|who|in|for|on|at|from|"
    r"during)\b"
    r".*\w|" + _IT_IS + r"(?:[\w'’,-]+ ){0,10}?(?:that|who|to)\b.*\w"
    r"|^it\s+(?:\w+ly )?(?:rain|snow|hail|thunder)\w*\b|^it (?:take|takes|took|cost|costs) \S+",
    re.IGNORECASE,
)
_FACT_NOUN = re.compile(
    r"^(?:no|zero|half of|\d[\d.,]*%?|one in \w+|most|more than|over|only|fewer than|less than) \w+ \w+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Emptiness:
    """Why a clause cannot be checked."""

    confidence: float
    why: str
    """One plain sentence that names what in the text led here."""
    rephrase: str


def emptiness(clause: str, resolvable: bool) -> Emptiness | None:
    """Why nothing in one unframed clause can be checked; None where something can.

    ``resolvable``: a context or an earlier sentence can settle its pronouns.
    """
    words = [bare(t) for t in clause.split()]
    content = content_words(words)
    short = clause if len(clause) <= 40 else clause[:37] + "…"
    first = words[0] if words else ""
    head = first.split("'")[0]
    pronoun = head in {"he", "she", "it", "they"} or (
        head in {"this", "that", "these", "those"}
        and ("'" in first or (len(words) > 1 and (words[1] in lexicon.AUXILIARY or words[1] in lexicon.THIRD)))
    )
    if pronoun and not resolvable and not _anchored(clause, head, content):
        return Emptiness(
            0.9,
            f"“{head.capitalize()}” points at somebody or something that the text does not name.",
            f"Say who or what “{head}” is, and what exactly happened, or add a context.",
        )
    vague = (
        pronoun or first in {"you", "i", "we"} or (len(words) > 3 and lexicon.VAGUE_SUBJECT.match(clause) is not None)
    )
    thin = content == 0 or (content == 1 and not resolvable and vague)
    if thin and not (pronoun and resolvable and len(words) > 2):
        return Emptiness(
            0.88,
            f"“{short}” names nothing that evidence could be about.",
            "Name who or what it is about, what happened, and where or when.",
        )
    if not has_predicate(words) and not _FACT_NOUN.match(clause) and not re.search(r"\w\s*(?:[:=]|—|–)\s*\w", clause):
        if len(words) >= 6 and first not in lexicon.DETERMINER:
            return None
        return Emptiness(
            0.86 if len(words) < 4 else 0.75,
            f"“{short}” has no verb, so it does not say that anything is the case.",
            f"Make it a sentence: say what “{short}” is, does or did.",
        )
    return None


def _anchored(clause: str, head: str, content: int) -> bool:
    """Whether a sentence that opens with a pronoun can be checked all the same ("It is illegal to own … in …")."""
    if head == "it":
        return content >= 2 and _EXPLETIVE.match(clause) is not None
    if head == "they":
        return content >= 4
    return False
