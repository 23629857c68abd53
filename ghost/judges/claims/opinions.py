"""Opinions as a whole: feelings, advice, commands, predictions and value judgements."""

import re

from ghost.judges.claims import lexicon
from ghost.judges.claims.taste import COPULA, DEGREE
from ghost.judges.claims.weighed import Weighed, hint_for, opinion_about
from ghost.judges.claims.wordscan import bare, content_words, first_verb

_REPORTED = re.compile(
    r"\b(?:recommend|advis|rul|decid|vot|say|said|stat|suggest|argu|propos|believ|agree|demand|requir|order|think|"
    r"warn|claim|announc|call|want|poll|survey)\w*\b.*\b(?:should|must|ought)\b|^according to\b|, (?:says?|said|"
    r"according to|claims?|tweets?|poll|survey)\b[^,]*$",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(should|shouldn't|shouldnt|ought to|ought not|had better|'d better|deserves?|deserved)\b", re.IGNORECASE
)
_DEONTIC = re.compile(
    r"^(?:(?:now|today|therefore),? )?(?:we|you|i|everyone|everybody|people|nobody|no one|the government|governments?|"
    r"politicians?|parents|society|the world|humanity|citizens|the public|americans?|europe|men|women|teachers|schools|"
    r"companies|the president|the west|someone|somebody|it|this|that|they|he|she) (?:all |really |simply |just |also |"
    r"urgently |finally )*(must|need to|needs to|have to|has to|have got to|has got to|gotta|must never)\b",
    re.IGNORECASE,
)
_REQUIREMENT = re.compile(
    r"\d|\bby law\b|\blegally\b|\bin order to\b|\bto (?:survive|live|boil|vote|enter|become|be eligible|qualify|"
    r"breathe|"
    r"drive|win|reach|get a|escape|orbit|stay alive|produce|make|grow|see)\b|\b(?:in|under|from) [A-Z]",
)
_IMPERATIVE = lexicon.words(
    "buy stop don't dont please go join subscribe follow click read wake listen avoid try ask take get give remember "
    "keep save help protect ban share watch eat drink vote support boycott donate make let's lets never always "
    "say tell "
    "think look come call visit check trust believe use leave sign retweet like love respect enjoy learn teach "
    "put turn "
    "bring send pay spend forget imagine consider choose pick add wash open close shut sit stand run wear quit resist "
    "defund free abolish reject fight do be have"
)
_IMPERATIVE_NEXT = lexicon.words(
    "the a an this that these those my your his her its our their it them him me us yourself up down out on in off to "
    "for with about more less no not all some every any at from please sure now never always ever be let eat go buy "
    "trust believe use vote listen forget miss worry waste drink watch read be take your home away back together"
)
_ALWAYS_IMPERATIVE = lexicon.words("don't dont please let's lets")
_PREDICTION = re.compile(
    r"\b(?:will|'ll|won't|(?:is|are) (?:going to|gonna))\b.*\b(?:change (?:everything|the world|our lives|your "
    r"life|lives|"
    r"history|us all)|never be the same|be (?:fine|okay|ok|alright|all right|huge|a success|a hit|unforgettable|"
    r"remembered forever|a game changer|a failure|chaos|hell|paradise)|go (?:wrong|well|badly|down in history|"
    r"smoothly)|destroy us(?: all)?|save (?:us|us all|the world|humanity)|take over (?:the world|everything|soon)|"
    r"end (?:badly|well|in tears)|turn out (?:well|fine|great|badly)|regret (?:it|this)|win in the end|love it|"
    r"hate it)\b",
    re.IGNORECASE,
)
_JUDGEMENT = re.compile(
    r"^(?:it|it's|its|it’s)(?: is| was| would be|'s)? (?:just |simply |always |so |very |morally |never |not |"
    r"really )*(wrong|"
    r"right|better|best|worse|nice|good|fun|great|sad|bad|time|high time|worth|too bad|unfair|important|"
    r"essential|a shame|"
    r"a pity|a disgrace|great fun|awesome|amazing|crazy|stupid|silly) (?:to|that|when|how|of|for|if|we)\b"
    r"|\b(morally (?:wrong|right|superior|bankrupt|reprehensible|good)|common decency|worth (?:it|seeing|visiting|"
    r"watching|reading|every \w+|living|a visit|a try|trying|the (?:money|wait|effort|hype|price))|matters? more than|"
    r"nothing beats|can't beat|second to none|to die for|"
    r"the (?:only )?right (?:thing|choice|way|decision)|the wrong (?:thing|choice|decision|way)|"
    r"none of (?:your|our|their) business|more trouble than|not worth|"
    r"a(?:n)? (?:terrible|horrible|bad|good|great|stupid|awful|brilliant|dumb|wonderful|fantastic|excellent|wise) "
    r"(?:idea|thing|mistake|decision|choice|job|way to \w+))\b",
    re.IGNORECASE,
)
_TOO = re.compile(
    r"\b(?:is|are|was|were|has become|have become|'s|'re)\s+(?:way |far |much |just |simply |all )?(too \w+)"
    r"(?=[.!]*$|,| these days| nowadays| today| now\b| in my| to be (?:worth|fun|good))|\b(too (?:many|much) "
    r"\w+)[.!]*$|"
    r"\b(?:there (?:is|are)|has|have|gets?|pays?|earns?) (?:way |far )?(too (?:many|much)) ",
    re.IGNORECASE,
)


def whole_opinion(clause: str, words: list[str]) -> Weighed | None:
    """Feelings, advice, commands and predictions: opinions as a whole, whatever facts they mention."""
    plain = clause.replace("’", "'")
    if match := lexicon.FEELING.search(plain):
        return opinion_about(
            match.group(0),
            "{} tells how somebody feels, which evidence cannot settle.",
            0.9,
            "Say what is the case, not how you feel about it, for example a number, a date or an event.",
        )
    if _is_command(words):
        return opinion_about(
            " ".join(clause.split()[:4]),
            "{} asks for something to be done; it states nothing.",
            0.88,
            "State the fact behind the request, for example what the thing does, costs or causes.",
        )
    reported = _REPORTED.search(plain)
    if not reported and (match := _ADVICE.search(plain)):
        return opinion_about(
            match.group(0),
            "It says what ought to be: {} marks advice, not a fact.",
            0.93,
            "Ask about the reason instead, for example “X reduces Y” or “the WHO recommends X”.",
        )
    if not reported and (match := _DEONTIC.match(plain)) and not _REQUIREMENT.search(plain[match.end() :]):
        return opinion_about(
            match.group(1),
            "It says what ought to be: {} marks a demand, not a fact.",
            0.85,
            "Ask about the reason instead, for example what happens when it is not done.",
        )
    if match := _PREDICTION.search(plain):
        return opinion_about(
            match.group(0),
            "It predicts the future without saying what would count: {}.",
            0.82,
            "Name what will be seen, and by when, for example “sales will pass 1 million in 2027”.",
        )
    if (
        lexicon.VAGUE_SUBJECT.match(plain)
        and re.search(r"\b(?:will|going to|gonna)\b", plain)
        and content_words(words) < 2
    ):
        return opinion_about(
            plain, "It predicts something without saying what: {}.", 0.82, "Name the event, the place and the date."
        )
    match = _JUDGEMENT.search(plain) or _TOO.search(plain) or lexicon.OPINION_TAIL.search(plain)
    if match is None and (noun := lexicon.OPINION_NOUN.search(plain)) and _predicate_noun(plain, noun.start()):
        match = noun
    if match:
        quote = next((g for g in match.groups() if g), match.group(0)) if match.re.groups else match.group(0)
        return opinion_about(
            quote, "It is a value judgement: {} cannot be checked against evidence.", 0.86, hint_for(quote)
        )
    return None


def _predicate_noun(text: str, start: int) -> bool:
    before = [bare(t) for t in text[:start].split()]
    return (
        not before
        or before[-1] in COPULA | lexicon.DETERMINER | DEGREE | {"what", "as"}
        or first_verb(before) is not None
    )


def _is_command(words: list[str]) -> bool:
    if len(words) < 2 or words[0] not in _IMPERATIVE:
        return False
    if words[0] in _ALWAYS_IMPERATIVE:
        return True
    if "and" in words and first_verb(words[words.index("and") + 1 :]) is not None:
        # "Shave your legs and the hair comes back thicker" is a condition in the shape of a command.
        return False
    if (
        words[0] in {"stop", "avoid", "get", "start", "keep", "try", "quit"}
        and words[1] in lexicon.GERUND | lexicon.PARTICIPLE
    ):
        return True
    if len(words) == 2 and words[1] in lexicon.words("now this it responsibly local green vegan today hard"):
        return True
    return words[1] in _IMPERATIVE_NEXT and words[1] not in lexicon.AUXILIARY - {"be"}
