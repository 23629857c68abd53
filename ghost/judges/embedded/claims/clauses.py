"""Cutting a compound sentence into the statements it makes, and saying what "it" stands for in the next one.

Where a cut is not safe, the sentence stays whole.
"""

import re

from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.words import (
    ADVERB,
    AUXILIARY,
    BASE,
    BE,
    HAVE,
    INTRANSITIVE_PAST,
    ONLY_VERBS,
    PAST,
    PREPOSITION,
    PRONOUN,
    THIRD,
    first_verb,
    is_plural,
    is_verb_at,
    words,
)
from ghost.text import PARTICIPLES, bare

_SUBJECT_PRONOUN = words("it he she they")
# "No dog barks and flies" is not "No dog barks" and "No dog flies".
_QUANTIFIED = re.compile(
    r"^(?:no|none|nobody|nothing|few|some|someone|somebody|one|neither|either|half|not|hardly|any|anyone|every|each|"
    r"several|many|most|\d[\d.,]*%?(?: percent| per cent)?)\b",
    re.IGNORECASE,
)
# With one of these before the "and", what follows may hang on it: conditions, causes, speech, comparisons, questions.
_BLOCKERS = words(
    "if because unless whether although though when while until since whereas who whom whose which where that than "
    "either neither both between whoever whatever before after as so says said say claims claimed believes found finds "
    "show shows showed reported reports according like compared instead let suggest suggests suggested indicate "
    "indicates argues argued warns warned thinks thought knows means proves proved confirmed denies denied "
    "hopes revealed"
)
_CONTRAST = words("while whereas yet")
"""Between two clauses these only set them side by side, but "while" without a comma speaks of time."""
_AWARD = words("won received earned wrote published composed painted directed released invented discovered")
_YEAR_END = re.compile(r"^(.+) in ((?:1\d|20)\d\d)$")
_TOLD = words("said says announced announces states stated adds added told wrote writes reported insisted")
_NOTHING_ELSE = words("not too so neither either also")
_FRONTED = re.compile(
    r"^(?:In|On|At|During|By|Before|After|Since|Until|From|Under|For|Among|Within|Outside|As of|Today|Historically|"
    r"Worldwide|Globally|According to)\b[^,]{0,60}, (?=\S)"
)
_TIME_END = re.compile(
    r"\b(?:in|by|since|during|until|before|after|on|from) (?:the )?(?:early |late |mid-?)?(?:\w+ )?(?:\d{3,4}s?|"
    r"\d+(?:st|nd|rd|th) century)\b|\b(?:last|this|next) (?:year|month|week|century|decade)\b|\byesterday\b",
    re.IGNORECASE,
)
# "won two of them": what follows leans on words that the cut would take away.
_BACK_REFERENCE = words("them it one ones those this he she they former latter him her there respectively")
_TOO_LONG = 80
"""Words; a longer sentence is no plain coordination, and cutting it word by word would take long."""
_OPENERS = words("the a an it he she they its his her their there this these those my our your")


def clauses(sentence: str) -> list[str]:
    """The sentence, or the parts of it that each make a statement of their own, subjects filled in."""
    fronted = _FRONTED.match(sentence)
    lead = fronted.group(0) if fronted else ""
    end = "." if sentence.endswith(".") else ""
    tokens = sentence[len(lead) :].rstrip(". ").split(" ")
    if len(tokens) > _TOO_LONG:
        return [sentence]
    for i in range(2, len(tokens) - 1):
        parts = _parts(tokens, i)
        if parts is None:
            continue
        texts = [f"{lead}{' '.join(part).rstrip(',')}{end}" for part in parts]
        first, rest = (t if lead else capitalised(t) for t in texts)
        return [*([first] if lead else _spliced(first)), *clauses(rest)]
    return [sentence]


def subject_of(sentence: str) -> str | None:
    """The words before the first verb when they are a plain name or noun phrase: what "it" may stand for next."""
    tokens = sentence.split(" ")
    verb = first_verb([bare(t) for t in tokens])
    if verb is None or not 0 < verb <= 6:
        return None
    subject = " ".join(_without_adverbs(tokens[:verb]))
    return None if bare(tokens[0]) in PRONOUN or "," in subject or _QUANTIFIED.match(subject) else subject


def with_antecedent(sentence: str, antecedent: str) -> str:
    """ "It has no mosquitoes", "Iceland" -> "Iceland has no mosquitoes"; unchanged when the number does not fit."""
    first, _, rest = sentence.partition(" ")
    word = bare(first)
    if not rest or word not in _SUBJECT_PRONOUN or (word == "they") != is_plural(bare(antecedent)):
        return sentence
    following = bare(rest.split(" ", 1)[0])
    if not (is_verb_at(["x", following], 1) or following in ADVERB | BASE or following.endswith("ed")):
        return sentence
    return capitalised(f"{antecedent} {rest}")


def _parts(tokens: list[str], i: int) -> tuple[list[str], list[str]] | None:
    """The two sides of the conjunction at ``i``, each able to stand alone; None: no conjunction, or no safe cut."""
    word, left, right = bare(tokens[i]), tokens[:i], tokens[i + 1 :]
    if word not in _CONTRAST | {"and", "but"} or _unfinished(left):
        return None
    if word in _CONTRAST:
        return (left, right) if left[-1].endswith(",") and _independent(left, right) else None
    cut = _cut(left, right)
    if cut is None:
        again = _same_deed(left, right)
        return (left, again) if again else None
    filled, subject = cut
    return left, subject + right[filled:]


def _unfinished(left: list[str]) -> bool:
    """Whether a quotation is still open, or what follows may hang on a colon or on "In cities …" without a comma."""
    text = " ".join(left)
    opened = sum(t[0] == "'" for t in left if t) - sum(t.rstrip(".,;:!?")[-1:] == "'" for t in left)
    quoted = text.count('"') % 2 or text.count("“") > text.count("”") or text.count("‘") > text.count("’") or opened > 0
    return bool(quoted) or bare(left[0]) in PREPOSITION or any(t.endswith(":") for t in left)


def _spliced(text: str) -> list[str]:
    """ "Oslo is rich, Rome is old": what stood before an "and" in a row of clauses, cut at its commas too."""
    tokens = text.split(" ")
    for i in range(2, len(tokens) - 1):
        if tokens[i].endswith(",") and _independent(tokens[: i + 1], tokens[i + 1 :]):
            end = "." if text.endswith(".") else ""
            left = " ".join(tokens[: i + 1]).rstrip(",")
            return [left + end, *_spliced(capitalised(" ".join(tokens[i + 1 :])))]
    return [text]


def _independent(left: list[str], right: list[str]) -> bool:
    """Whether both sides have a subject and a verb of their own and neither leans on the other."""
    return right[0].lower() not in _SUBJECT_PRONOUN and _cut(left, right) == (0, [])


def _same_deed(left: list[str], right: list[str]) -> list[str] | None:
    """ "won the 100 metres in 2008 and the 200 metres in 2012": the second deed with subject and verb repeated.

    Only where the second part cannot be another subject ("Finland joined in 1995 and the Czech Republic in 2004").
    """
    before, after = _YEAR_END.match(" ".join(left)), _YEAR_END.match(" ".join(right))
    lefts, rights = [bare(t) for t in left], [bare(t) for t in right]
    verb = first_verb(lefts)
    if not before or not after or verb is None or not 0 < verb <= 5 or set(lefts) & _BLOCKERS:
        return None
    if rights[0] != "the" or lefts[verb] not in _AWARD or first_verb(rights) is not None or "," in before.group(1):
        return None
    return [*left[: verb + 1], *right]


def _cut(left: list[str], right: list[str]) -> tuple[int, list[str]] | None:
    """How many words of ``right`` to replace, and by what, so that both sides stand alone; None: do not cut."""
    lefts, rights = [bare(t) for t in left], [bare(t) for t in right]
    verb = first_verb(lefts)
    if verb is None or verb == 0 or set(lefts) & _BLOCKERS or rights[0] in _BLOCKERS | {"not", "then"}:
        return None
    if set(rights[1:]) & _BACK_REFERENCE or _loses_time(left, right, lefts[verb], rights):
        return None
    subject = _without_adverbs(left[:verb])
    own = first_verb(rights)
    after_adverb = rights[1] if rights[0] in ADVERB and len(rights) > 2 else rights[0]
    if own == 0 or _second_predicate(after_adverb, lefts, verb):
        return (0, subject) if _may_be_shared(subject, lefts, verb, after_adverb) else None
    if own is None or own > 8 or len(rights) <= own + (rights[own] in AUXILIARY):
        return None
    if rights[0] in _SUBJECT_PRONOUN:
        # "The storm hit Florida, and it …" may go on about either; after "is" nothing else can be meant.
        plain = len(subject) <= 6 and bare(subject[0]) not in PRONOUN and not _QUANTIFIED.match(" ".join(subject))
        return (1, subject) if plain and lefts[verb] in BE | HAVE else None
    return (0, []) if _own_clause(left, right, verb, rights, own) else None


def _own_clause(left: list[str], right: list[str], verb: int, rights: list[str], own: int) -> bool:
    """Whether ``right`` is a clause and not the rest of a list of nouns."""
    word, following = rights[own], rights[own + 1] if own + 1 < len(rights) else ""
    before = set(rights[:own])
    if before & _BLOCKERS or (before & (PREPOSITION - {"of"}) and rights[0] not in _OPENERS):
        return False
    # "known ever to have lived" is no verb of its own, and "…, the firm announced" says who said it.
    if any(t[-1:] in ",:" for t in right[:own]) or rights[own - 1] in HAVE | {"be", "been"}:
        return False
    if word in _TOLD and "," in " ".join(left):
        return False
    if word in AUXILIARY:
        return bool(set(rights[own + 1 :]) - _NOTHING_ELSE)
    if word in PAST - PARTICIPLES:
        return True
    named = right[0][:1].isupper() or rights[0] in _OPENERS
    apart = left[-1].endswith(",") and not any(t.endswith(",") for t in left[verb:-1])
    if word in PAST:
        # "guns and cars parked outside": a past that is a participle too may only describe the noun before it.
        return named or apart
    # "heart attacks in men", "phone covers": plural nouns look like verbs; with an object or an adverb they are verbs.
    objective = bool(following) and following not in PREPOSITION | {"and", "or"}
    plural = rights[own - 1].endswith("s") and word in BASE
    return (objective or (apart and bool(following))) and (plural or named or apart or word in ONLY_VERBS)


def _may_be_shared(subject: list[str], lefts: list[str], verb: int, second: str) -> bool:
    """Whether the subject of the first predicate can be said again before the second."""
    text = " ".join(subject)
    if len(subject) > 7 or "," in text or _QUANTIFIED.match(text) or lefts[0] in _SUBJECT_PRONOUN | {"there"}:
        return False
    # "A man was bitten and died" tells of one man; cut in two, it could be two men.
    if lefts[0] in {"a", "an"} and (lefts[verb] in PAST or lefts[verb] in {"was", "were"}):
        return False
    return _second_predicate(second, lefts, verb)


def _second_predicate(word: str, lefts: list[str], verb: int) -> bool:
    """Whether ``word`` right after "and" starts a second predicate and is nothing else."""
    head = lefts[verb]
    if word in AUXILIARY:
        return True
    if word in THIRD:
        plural = head in {"are", "were", "have", "do"} or head in BASE
        return not plural and head not in PAST - AUXILIARY
    if word in INTRANSITIVE_PAST:
        return head in PAST or head in {"was", "were"}
    return word in PAST - BASE and head in PAST - BE - HAVE


def _loses_time(left: list[str], right: list[str], left_verb: str, rights: list[str]) -> bool:
    """Whether a time at the end may belong to both halves ("sales rose and profits fell in 2019")."""
    if not _TIME_END.search(" ".join(right)) or _TIME_END.search(" ".join(left)):
        return False
    own = first_verb(rights)
    if left_verb in THIRD | {"is", "are", "has", "have"} and own is not None and rights[own] in PAST | {"was", "were"}:
        return False
    # "was short and died on Saint Helena in 1821": being and happening do not share a date.
    return not (rights[0] in {"died", "became"} or (left_verb in {"was", "were"} and rights[0] in INTRANSITIVE_PAST))


def _without_adverbs(subject: list[str]) -> list[str]:
    while len(subject) > 1 and bare(subject[-1]) in ADVERB:
        subject = subject[:-1]
    return subject
