"""Words of taste in a clause: judge the clause by them, or take them out where a fact remains."""

import re

from ghost.judges.claims import lexicon
from ghost.judges.claims.sentences import capitalised
from ghost.judges.claims.weighed import Kind, Weighed, hint_for, opinion_about
from ghost.judges.claims.wordscan import CONTRACTED, bare, content_words, first_verb, has_predicate, with_article

COPULA = lexicon.BE | lexicon.words(
    "be been being look looks looked taste tastes tasted smell smells smelled sound sounds sounded feel feels "
    "felt seem "
    "seems seemed become becomes became remain remains get gets getting stay stays it's that's he's she's they're "
    "you're we're there's i'm"
)
DEGREE = lexicon.words(
    "very so really truly absolutely simply just quite rather pretty most more less least too extremely incredibly "
    "totally completely utterly always still not also now way much far even such kinda honestly never by actually "
    "definitely certainly undoubtedly arguably literally insanely"
)
_NEGATION = lexicon.words("not no never nobody none neither nor without hardly cannot few only")
_DEFINITE = lexicon.words("the this that these those my your his her its our their")
_CHECKABLE_BEST = re.compile(
    r"\b(?:best|better|worst|good|great)[- ](?:sell\w*|known|preserved|paid|seller|sellers|documented|attested|ranked|"
    r"rated|performing|affected|hit|funded|equipped|selling)\b"
    r"|\b(?:award|awards|prize|oscar|oscars|grammy|emmy|globe|ballon d'or|title|medal)\b"
    r"|\bworst (?:\w+ ){0,3}(?:accident|accidents|disaster|disasters|recession|drought|flood|floods|famine|pandemic|"
    r"epidemic|crisis|earthquake|attack|attacks|fire|fires|defeat|inflation|massacre|shooting|outbreak|storm|year|"
    r"oil spill|crash|air quality|loss)\b"
    r"|\bgreatest (?:\w+ ){0,2}(?:number|depth|distance|area|height|population|length|share|amount|mass|density|"
    r"diversity|range|proportion|percentage|volume|biodiversity|common)\b"
    r"|\bbest (?:\w+ )?(?:conductor|insulator|time|score|record|result|mark|gdp)\b"
    r"|\b(?:better|worse) (?:conductor|insulator|source|absorber|predictor|reflector)\b",
    re.IGNORECASE,
)


def is_checkable_superlative(clause: str) -> bool:
    """ "best-selling", "worst drought", "won the award": praise and blame that a record or a list settles."""
    return _CHECKABLE_BEST.search(clause) is not None


def is_shouting(tokens: list[str], verb: int | None) -> bool:
    """Headline or all-capitals text, its verb included: capital letters then say nothing about names."""
    long = [t for t in tokens if len(t) > 3 and t[0].isalpha()]
    if len(long) < 2 or (verb is not None and not tokens[verb][:1].isupper()):
        return False
    return sum(t[0].isupper() for t in long) > 0.8 * len(long)


def taste_of(clause: str, tokens: list[str], words: list[str], shouting: bool) -> Weighed | None:
    """Words of taste: judge the whole clause by them, or take them out where a fact remains."""
    quoted = _quoted(tokens)
    checkable = is_checkable_superlative(clause)
    verb = first_verb(words)
    removed: list[int] = []
    for i, word in enumerate(words):
        strong = word in lexicon.TASTE
        if not (strong or word in lexicon.EVALUATIVE) or i in quoted or _is_name(tokens, words, i, shouting):
            continue
        if not strong and checkable:
            continue
        place = _place(words, i, verb, strong)
        if place == "predicate" or (place == "attribute" and not _droppable(tokens, words, i, verb)):
            return opinion_about(
                _phrase(tokens, i),
                "It is a matter of taste: {} cannot be checked against evidence.",
                0.92 if strong else 0.84,
                hint_for(word),
            )
        if place == "attribute":
            removed.append(i)
    if not removed:
        return None
    core = _without(tokens, words, removed)
    left = [bare(t) for t in core.split()]
    quote = _phrase(tokens, removed[0])
    if not has_predicate(left) or content_words(left) < 2:
        return opinion_about(
            quote, "It is a matter of taste: {} cannot be checked against evidence.", 0.85, hint_for(quote)
        )
    return Weighed(Kind.FACT, 0.8, "", core=core, taste=quote)


def _droppable(tokens: list[str], words: list[str], i: int, verb: int | None) -> bool:
    """Whether the clause without the word says no more than with it.

    "Not the best German city" is still German, and "beautiful women live longer" is not about all women.
    """
    if any(w in _NEGATION or w.endswith("n't") for w in words[:i]) or "than" in words[i:]:
        return (
            verb is not None and i < verb and words[0] in {"the", "only", "never", "in", "on"} and "no" not in words[:i]
        )
    if verb is None or i > verb:
        return True
    before = i - 1
    while before >= 0 and (words[before] in DEGREE or words[before] in lexicon.TASTE or words[before] == "and"):
        before -= 1
    name = i + 1 < len(tokens) and tokens[i + 1][:1].isupper()
    previous = words[before] if before >= 0 else ""
    told = previous in {"a", "an"} and words[verb] in lexicon.PAST
    return name or told or previous in _DEFINITE or previous.endswith("'s")


def _quoted(tokens: list[str]) -> set[int]:
    """Indices inside quotation marks: titles, not judgements."""
    inside: set[int] = set()
    opened: int | None = None
    for i, token in enumerate(tokens):
        if opened is None and token[:1] in '"“«':
            opened = i
        if opened is not None and token.rstrip(".,;:!?")[-1:] in '"”»' and (i > opened or len(token) > 2):
            inside.update(range(opened, i + 1))
            opened = None
    return inside


def _is_name(tokens: list[str], words: list[str], i: int, shouting: bool) -> bool:
    """ "Great Britain", "Best Picture", "Nice is a city": the word is part of a name."""
    following = words[i + 1] if i + 1 < len(words) else ""
    if words[i] in {"great", "good", "bad", "best", "sweet"} and following in lexicon.words(
        "white ape apes tit tits auk lakes barrier deal many number majority extent power powers wall fire war plague "
        "cholesterol bacteria potato potatoes corn pepper peppers peas egret circle faith conduct friday practice man "
        "grandfather grandmother friend debt loan loans weather breath practices before known western apart"
    ):
        return True
    if not tokens[i].lstrip("\"“‘'(")[:1].isupper() or shouting:
        return False
    if i == 0:
        return (i + 1 < len(tokens) and tokens[i + 1][:1].isupper()) or following in lexicon.AUXILIARY
    return True


def _place(words: list[str], i: int, verb: int | None, strong: bool) -> str:
    """Where a word of taste stands: "predicate" (it is what is said), "attribute" (it can be taken out), or ""."""
    word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
    before = i - 1
    while before >= 0 and words[before] in DEGREE:
        before -= 1
    degree = set(words[before + 1 : i])
    previous = words[before] if before >= 0 else ""
    ends = not following or following in lexicon.PREPOSITION | lexicon.AUXILIARY | lexicon.words(
        "and but or because to when if that of as who which these here there anyway ever yet together enough"
    )
    superlative = word in lexicon.SUPERLATIVE or "most" in degree or "least" in degree
    copular = previous in COPULA or CONTRACTED.match(previous) is not None
    if word == "pretty" and not ends and strong:
        return "" if following in lexicon.words("much sure well") else "predicate" if following in lexicon.TASTE else ""
    if not strong and not superlative and following in lexicon.words("for against at about") and "too" not in degree:
        return "predicate" if word in lexicon.words("great fun perfect cool cooler awesome romantic crazy") else ""
    if copular and ends and word in {"wrong", "right"}:
        # "Abortion is wrong" judges; "The tongue map is wrong" can be looked up.
        return (
            "predicate"
            if words[0] in lexicon.GERUND or ((verb or 0) < 2 and words[0] not in lexicon.DETERMINER)
            else ""
        )
    if copular and ends:
        return "predicate"
    if verb is None:
        return "predicate" if strong or superlative else ""
    if i > verb and superlative and (strong or previous in lexicon.DETERMINER or previous.endswith("'s") or not ends):
        return "attribute" if _rich_noun(words, i, before) else "predicate"
    if i > verb and _governed_by_copula(words, verb, before):
        if not strong and word not in lexicon.words("great good bad better worse perfect superior inferior important"):
            return ""
        if "than" in words[i:] and word.endswith("er"):
            return "predicate"
        return "attribute" if _rich_noun(words, i, before) or _placed_noun(words, i) else "predicate"
    if not strong:
        if word in {"better", "worse"} and previous in {"much", "far"} | COPULA:
            return "predicate"
        return "predicate" if superlative and i < verb and previous in lexicon.DETERMINER else ""
    if ends:
        return "attribute" if following == "and" and i < verb else "predicate"
    return "attribute"


def _governed_by_copula(words: list[str], verb: int, before: int) -> bool:
    """Whether the noun phrase that the word opens is what the subject is said to be ("is a beautiful city")."""
    head = before
    while head > verb and (words[head] in lexicon.DETERMINER or words[head] in DEGREE | {"one", "of"}):
        head -= 1
    return head >= verb and (words[head] in COPULA or words[head] in {"make", "makes", "made"})


def _rich_noun(words: list[str], i: int, before: int) -> bool:
    """ "best 2D game" keeps "2D game"; "best game" would keep nothing worth checking."""
    if "make" in words[:i] or "makes" in words[:i] or not _governed_by_copula(words, first_verb(words) or 0, before):
        return False
    if "than" in words[i:]:
        return False
    run = 0
    for word in words[i + 1 :]:
        stops = lexicon.PREPOSITION | lexicon.words("of and but who that which i we you ever he she they to")
        if word in stops or (word in lexicon.AUXILIARY):
            break
        if word not in lexicon.TASTE | lexicon.EVALUATIVE | DEGREE:
            run += 1
    return run >= 2


def _placed_noun(words: list[str], i: int) -> bool:
    """ "a beautiful city in France": what is left says where or when."""
    rest = words[i + 1 :]
    return len(rest) >= 3 and rest[1] in {"in", "from", "by", "on", "near", "between"} and rest[2] not in {"the", "my"}


def _without(tokens: list[str], words: list[str], removed: list[int]) -> str:
    """The clause without its words of taste and their degrees, articles put right."""
    gone = set(removed)
    articles: dict[int, str] = {}
    for i in removed:
        before = i - 1
        while before >= 0 and words[before] in DEGREE:
            gone.add(before)
            before -= 1
        superlative = words[i] in lexicon.SUPERLATIVE or "most" in words[before + 1 : i]
        if i + 1 < len(words) and words[i + 1] in {"and", "but"} and i + 2 in removed:
            gone.add(i + 1)
        if superlative and before >= 0 and words[before] == "the":
            plural = words[before - 1] in {"are", "were"} if before else False
            if before >= 2 and words[before - 1] == "of" and words[before - 2] == "one":
                gone.update({before - 1, before - 2})
                _singular(tokens, words, i)
            if plural:
                gone.add(before)
            else:
                articles[before] = "a"
    kept = [articles.get(i, token) for i, token in enumerate(tokens) if i not in gone]
    return capitalised(with_article(" ".join(kept)))


def _singular(tokens: list[str], words: list[str], i: int) -> None:
    """ "one of the best American films" becomes "an American film": the head noun goes into the singular in place."""
    last = i + 1
    stops = lexicon.PREPOSITION | lexicon.AUXILIARY | lexicon.words("of and but who that which ever")
    while last + 1 < len(words) and words[last + 1] not in stops and not tokens[last].endswith(","):
        last += 1
    word = words[last] if last < len(words) else ""
    if word in {"series", "species"} or not word.endswith("s") or word.endswith("ss"):
        return
    singular = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    at = tokens[last].lower().find(word)
    tokens[last] = tokens[last][:at] + tokens[last][at : at + 1] + singular[1:] + tokens[last][at + len(word) :]


def _phrase(tokens: list[str], i: int) -> str:
    """The word of taste as it stands, with its degree ("most beautiful")."""
    start = i
    while start > 0 and bare(tokens[start - 1]) in {"most", "more", "very", "so", "too", "really", "least", "less"}:
        start -= 1
    return " ".join(tokens[start : i + 1]).strip('"“”.,;:!?()*_')
