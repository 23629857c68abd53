"""What "it" or "they" at the start of a sentence stands for: the subject of the sentence before."""

import re

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.wordscan import ADVERB, bare, first_verb, is_verb_at

SUBJECT_PRONOUN = lexicon.words("it he she they")
# "No dog barks and flies" is not "No dog barks" and "No dog flies".
QUANTIFIED = re.compile(
    r"^(?:no|none|nobody|nothing|few|some|someone|somebody|one|neither|either|half|not|hardly|any|anyone|every|each|"
    r"several|many|most|\d[\d.,]*%?(?: percent| per cent)?)\b",
    re.IGNORECASE,
)


def subject_of(sentence: str) -> str | None:
    """The words before the first verb when they are a plain name or noun phrase: what "it" may stand for next."""
    tokens = sentence.split(" ")
    verb = first_verb([bare(t) for t in tokens])
    if verb is None or not 0 < verb <= 6:
        return None
    subject = " ".join(tokens[:verb])
    if bare(tokens[0]) in lexicon.PRONOUN or "," in subject or QUANTIFIED.match(subject):
        return None
    while bare(subject.split(" ")[-1]) in ADVERB and " " in subject:
        subject = subject.rsplit(" ", 1)[0]
    return subject


def with_antecedent(sentence: str, antecedent: str) -> str:
    """ "It has no mosquitoes", "Iceland" -> "Iceland has no mosquitoes"; unchanged when the number does not fit."""
    first, _, rest = sentence.partition(" ")
    word = bare(first)
    plural = bare(antecedent).endswith("s") and not bare(antecedent).endswith(("ss", "us", "is"))
    if not rest or word not in SUBJECT_PRONOUN or (word == "they") != plural:
        return sentence
    following = bare(rest.split(" ", 1)[0])
    if not (is_verb_at(["x", following], 1) or following in ADVERB | lexicon.BASE or following.endswith("ed")):
        return sentence
    return capitalised(f"{antecedent} {rest}")
