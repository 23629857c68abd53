"""Cutting a compound sentence into the statements it makes; where a cut is not safe, the sentence stays whole."""

import re

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.antecedents import QUANTIFIED, SUBJECT_PRONOUN
from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.wordscan import ADVERB, bare, first_verb

# With one of these before the "and", what follows may hang on it: conditions, causes, speech, comparisons, questions.
_BLOCKERS = lexicon.words(
    "if because unless whether although though when while until since whereas who whom whose which where that than "
    "either neither both between whoever whatever before after as so says said say claims claimed believes found finds "
    "show shows showed reported reports according like compared instead let suggest suggests suggested indicate "
    "indicates argues argued warns warned thinks thought knows means proves proved confirmed denies denied "
    "hopes revealed"
)
_CONJUNCTION = lexicon.words("and but yet")
_CONTRAST = lexicon.words("while whereas")
"""Between two clauses these only set them side by side, but "while" without a comma speaks of time."""
_AWARD = lexicon.words("won received earned wrote published composed painted directed released invented discovered")
_YEAR_END = re.compile(r"^(.+) in ((?:1\d|20)\d\d)$")
_SINGULAR = lexicon.words("is was has does isn't wasn't hasn't doesn't")
_WHEN_OR_WHERE = lexicon.words("in on from during for since by")
"""Not "into" or "at": what "it crashed into" may be what "it" stands for next."""
_TOLD = lexicon.words("said says announced announces states stated adds added told wrote writes reported insisted")
""" "…, the firm and the union announced": who said it is no claim of its own."""
_NOTHING_ELSE = lexicon.words("not too so neither either also")
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
_BACK_REFERENCE = lexicon.words("them it one ones those this he she they former latter him her there respectively")
_TOO_LONG = 80
"""Words; a longer sentence is no plain coordination, and cutting it word by word would take long."""
_OPENERS = lexicon.words("the a an it he she they its his her their there this these those my our your")


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


def _parts(tokens: list[str], i: int) -> tuple[list[str], list[str]] | None:
    """The two sides of the conjunction at ``i``, each able to stand alone; None: no conjunction, or no safe cut."""
    word, left, right = bare(tokens[i]), tokens[:i], tokens[i + 1 :]
    if word not in _CONJUNCTION | _CONTRAST or _unfinished(left):
        return None
    if word in _CONTRAST or word == "yet":
        apart = left[-1].endswith(",") and _independent(left, right) and not _in_progress(right)
        return (left, right) if apart else None
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
    return bool(quoted) or bare(left[0]) in lexicon.PREPOSITION or any(t.endswith(":") for t in left)


def _spliced(text: str) -> list[str]:
    """ "Oslo is rich, Rome is old": what stood before an "and" in a row of clauses, cut at its commas too."""
    tokens = text.split(" ")
    for i in range(2, len(tokens) - 1):
        if tokens[i].endswith(","):
            left, right = tokens[: i + 1], tokens[i + 1 :]
            if _independent(left, right):
                end = "." if text.endswith(".") else ""
                return [" ".join(left).rstrip(",") + end, *_spliced(capitalised(" ".join(right)))]
    return [text]


def _independent(left: list[str], right: list[str]) -> bool:
    """Whether both sides have a subject and a verb of their own and neither leans on the other."""
    return right[0].lower() not in SUBJECT_PRONOUN and _cut(left, right) == (0, [])


def _in_progress(right: list[str]) -> bool:
    """ "while the band was playing" says when."""
    words = [bare(t) for t in right]
    return any(w in lexicon.BE and words[i + 1].endswith("ing") for i, w in enumerate(words[:-1]))


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
    if verb is None or verb == 0 or set(lefts) & _BLOCKERS or rights[0] in _BLOCKERS or rights[0] in {"not", "then"}:
        return None
    if set(rights[1:]) & _BACK_REFERENCE:
        return None
    if _loses_time(left, right, lefts[verb], rights):
        return None
    subject = left[:verb]
    while len(subject) > 1 and bare(subject[-1]) in ADVERB:
        subject = subject[:-1]
    own = first_verb(rights)
    if own == 0 or (rights[0] in ADVERB and len(rights) > 2 and _cutting(rights[1], lefts, verb)):
        return _shared(subject, lefts, verb, rights)
    if _cutting(rights[0], lefts, verb):
        return _shared(subject, lefts, verb, rights)
    if own is None or own > 8 or len(rights) <= own + (0 if rights[own] not in lexicon.AUXILIARY else 1):
        return None
    if rights[0] in SUBJECT_PRONOUN:
        return (1, subject) if _means_the_subject(subject, left, lefts, verb) else None
    if set(rights[:own]) & (_BLOCKERS | lexicon.PREPOSITION - {"of"}) and rights[0] not in _OPENERS:
        return None
    return (0, []) if _own_clause(left, right, lefts, verb, rights, own) else None


def _means_the_subject(subject: list[str], left: list[str], lefts: list[str], verb: int) -> bool:
    """Whether a pronoun that begins the next clause can only stand for the subject of this one.

    "The storm hit Florida, and it …" may go on about either; after "is", or where the verb has no object ("came from
    Oxford"), nothing else stands where the pronoun would look for it first.
    """
    if len(subject) > 6 or bare(subject[0]) in lexicon.PRONOUN or QUANTIFIED.match(" ".join(subject)):
        return False
    if lefts[verb] in lexicon.BE | lexicon.HAVE:
        return True
    return left[-1].endswith(",") and lefts[verb + 1 : verb + 2] != [] and lefts[verb + 1] in _WHEN_OR_WHERE


def _own_clause(left: list[str], right: list[str], lefts: list[str], verb: int, rights: list[str], own: int) -> bool:
    """Whether ``right`` is a clause and not the rest of a list of nouns."""
    word, following = rights[own], rights[own + 1] if own + 1 < len(rights) else ""
    if any(t[-1:] in ",:" for t in right[:own]) or rights[:2] == ["a", "half"]:
        return False
    last = rights[own - 1]
    if (
        word in _SINGULAR
        and own > 1
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is", "'s"))
        and "of" not in rights[:own]
    ):
        # "the retreat of the glacier and its neighbours is": the verb has its subject further left.
        return False
    if last in lexicon.HAVE | {"be", "been"}:
        # "known ever to have lived" is no verb of its own.
        return False
    if word in _TOLD and "," in " ".join(left):
        return False
    if verb >= len(lefts) - 1 and lefts[verb] in lexicon.AUXILIARY:
        return False
    if word in lexicon.AUXILIARY:
        return bool(set(rights[own + 1 :]) - _NOTHING_ELSE)
    named = right[0][:1].isupper() or rights[0] in _OPENERS
    apart = left[-1].endswith(",") and not any(t.endswith(",") for t in left[verb:-1])
    if word in lexicon.CUTTING_THIRD or (word in lexicon.PAST and word not in lexicon.PARTICIPLE):
        return True
    if word in lexicon.PAST:
        # "guns and cars parked outside": a past that is a participle too may only describe the noun before it.
        return named or apart or lefts[-1] in lexicon.ADJECTIVE
    # "heart attacks in men", "phone covers": plural nouns look like verbs; with an object or an adverb they are verbs.
    objective = bool(following) and following not in lexicon.PREPOSITION | {"and", "or"}
    plural = own > 0 and rights[own - 1].endswith("s") and word in lexicon.BASE
    return (objective or (apart and bool(following))) and (plural or named or apart or word in lexicon.ONLY_VERBS)


def _shared(subject: list[str], lefts: list[str], verb: int, rights: list[str]) -> tuple[int, list[str]] | None:
    text = " ".join(subject)
    if len(subject) > 7 or "," in text or QUANTIFIED.match(text):
        return None
    past = lefts[verb] in lexicon.PAST or lefts[verb] in {"was", "were"}
    if lefts[0] in {"a", "an"} and past:
        # "A man was bitten and died" tells of one man; cut in two, it could be two men.
        return None
    if lefts[0] in SUBJECT_PRONOUN | {"there"} or any(w in lexicon.MODAL for w in lefts[verb:]):
        return None
    first = rights[1] if rights[0] in ADVERB else rights[0]
    return (0, subject) if _cutting(first, lefts, verb) else None


def _cutting(word: str, lefts: list[str], verb: int) -> bool:
    """Whether ``word`` right after "and" starts a second predicate and is nothing else."""
    head = lefts[verb]
    plural = head in {"are", "were", "have", "do"} or head in lexicon.BASE
    if word in lexicon.BE | lexicon.HAVE | lexicon.DO | lexicon.MODAL:
        return True
    if word in lexicon.CUTTING_THIRD:
        return not plural and head not in lexicon.PAST - lexicon.AUXILIARY
    if word in lexicon.INTRANSITIVE_PAST:
        return head in lexicon.PAST or head in {"was", "were"}
    if word in lexicon.PAST and head not in lexicon.BE | lexicon.HAVE:
        return head in lexicon.PAST and word not in lexicon.BASE
    return False


def _loses_time(left: list[str], right: list[str], left_verb: str, rights: list[str]) -> bool:
    """Whether a time at the end may belong to both halves ("sales rose and profits fell in 2019")."""
    if not _TIME_END.search(" ".join(right)) or _TIME_END.search(" ".join(left)):
        return False
    present = left_verb in {"is", "are", "has", "have"} or left_verb in lexicon.THIRD
    own = first_verb(rights)
    if own is not None and present and rights[own] in lexicon.PAST | {"was", "were", "had", "did"}:
        return False
    # "was short and died on Saint Helena in 1821": being and happening do not share a date.
    if rights[0] in {"died", "became"}:
        return False
    return not (left_verb in {"was", "were"} and rights[0] in lexicon.INTRANSITIVE_PAST)
