"""Sentences that only report what others say, and verdicts on the one before: “Posts claim that A. That is wrong.”

Fact-checks are written this way, and a small model believes the first sentence whenever it reads it alone or beside
another. ``hearsay_reader.py`` says what follows for the reading.
"""

import re
from functools import lru_cache

from ghost.web.rating_words import Meaning, announced

_KNOWN = 4096
"""Sentences that are remembered: one is read for many statements."""
SAYS = (
    r"(?:(?:say|claim|alleg|assert|suggest|insist|purport|believ|think|warn|stat|predict|spread)(?:s|e|es|ed|ing)?|"
    r"said|thought|told|(?:has|have) it)"
)
_SHOWS = r"(?:(?:show|blam|nam|speak|convinc|appear)(?:s|e|es|ed|ing)?|spoke)"
_NAMES = r"(?-i:[A-Z])"
_ANSWERED_FOR = rf"(?! offices?\b|\s+{_NAMES}|\s+(?:by|from|of) (?:the )?{_NAMES})"
"""Not the Post Office, the podcaster Joe Rogan or a post by the Bank of England, who can all be asked."""
_POSTS = (
    r"(?:(?:posts?|users?|messages?|tweets?|memes?|rumou?rs?|threads?|chain (?:letter|mail)s?|reels?|"
    r"blogs?(?! posts?\b)|bloggers?|podcast(?:er)?s?|leaflets?|pamphlets?|flyers?|gossip|legends?)\b)" + _ANSWERED_FOR
)
_FOOTAGE = (
    r"(?:videos?|clips?|photos?|pictures?|images?|recordings?|footage|screenshots?|(?<!false )accounts|websites|sites)"
)
"""What may well be somebody's who can be asked: the police have videos, and archaeologists sites."""
_ONLINE = r"(?:social media|online|internet|web|facebook|instagram|tiktok|telegram|whatsapp|twitter|x|youtube)"
_PASSED_ON = rf"(?:shared|circulating|viewed|on {_ONLINE})"
_DOUBTFUL = (
    rf"(?:{_ONLINE}|viral|false|fake|anonymous|circulating|misleading|doctored|edited|unfounded|unnamed|unconfirmed|"
    r"unverified)"
)
_KIND = (
    rf"(?:(?:{_DOUBTFUL}|an?|the|this|that|these|those|such|one|another|two|three|some|several|many|most|multiple|numerous|"
    r"countless|dozens|hundreds|thousands|millions|of|recent|new|old|popular|widely|much|shared|short|certain|group|chat|"
    r"text|voice|audio|persistent|wild|urban)[\s-]+){0,6}"
)
_UP_TO = r"\b(?:[^.;:,]|,[^.;:,]{0,60},){0,90}?"
"""Between who says it and the verb: commas only in pairs, as after one a name may follow, who says it instead."""
_LEAD = r"^(?:[^,:.]{0,60}[,:]\s+)?"
_THOUGHT = r"(?:claim|rumou?r|myth|allegation|legend|belief|misconception|notion|idea|assertion|theory|story)s?"
_SOME = r"(?:some|many|most|certain|a lot of|lots of|millions of)\s+(?:of (?:us|them)\s+)?"
_PEOPLE = r"(?:people|users|voters|parents|commentators|fans)"
_BELIEVE = r"(?:say|claim|believe|think|insist|suspect|assume|predict|said|claimed|believed|thought)"
_PASSIVE = r"(?:said|claimed|alleged|rumou?red|believed|asserted|thought|whispered)"
_DISPUTED = r"(?:(?:disprov|refut|debunk|dismiss|reject)(?:e|es|ed|s)?|den(?:y|ies|ied))"
_DISTANT = (
    r"(?:(?:claim|alleg|boast|assert|insinuat)(?:s|es|ed|ing)\b(?:[^.;:]{0,40}\b)? that\b|claim(?:s|ed|ing) to\b|"
    r"(?:claimed|claims|alleged|alleges) (?:(?:he|she|it|they|we|there)\b|"
    r"(?:the|an?|in|during) (?:[\w'’-]+ ){1,6}?(?:is|are|was|were|has|have|had|will|would|can|could|did|does)\b))"
)
"""Verbs that keep their distance: who writes so does not vouch for what follows."""
_FALSELY = r"(?:falsely|wrongly|untruthfully|baselessly|incorrectly|misleadingly|mendaciously|erroneously)"
"""Before a verb of saying: whoever writes so denies what was said."""
_HEARSAY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_KIND}{_POSTS}{_UP_TO}\b{SAYS}\b",
        rf"{_LEAD}{_KIND}{_DOUBTFUL}[\s-]+{_KIND}(?:{_POSTS}|{_FOOTAGE}){_UP_TO}\b(?:{SAYS}|{_SHOWS})\b",
        rf"{_LEAD}{_KIND}{_FOOTAGE}\b[^.;:]{{0,90}}?\b(?:appear|purport|convinc|claim|alleg)(?:s|e|es|ed|ing)?\b",
        rf"{_LEAD}{_KIND}{_FOOTAGE}\s{_PASSED_ON}\b[^.;:]{{0,60}}?\b(?:{SAYS}|{_SHOWS})\b",
        rf"{_LEAD}{_SOME}(?:{_PEOPLE}\s+)?(?:\w+\s+){{0,3}}?{_BELIEVE}\b(?! (?:yes|no|hello|goodbye|farewell)\b)",
        rf"\bit (?:is|was|has been|had been) (?:\w+ )?{_PASSIVE}\b",
        r"\b(?:one|you) (?:often |sometimes )?hears? that\b|\b(?:so )?the (?:saying|story|legend) goes\b",
        r"\b(?:have|has|had) (?:long|always) (?:believed|thought|assumed)\b",
        rf"\baccording to {_KIND}(?:{_POSTS}|{_DOUBTFUL}[\s-]+{_FOOTAGE})\b",
        (
            r"\bthere (?:is|are|was|were|have been|has been) (?:\w+ ){0,2}(?:rumou?rs?|claims?|talk|gossip|speculation)"
            r"(?=,? (?:that|of|about)\b|[.,;!]|$)"
        ),
        rf"^(?:the )?(?:viral |popular )?{_THOUGHT}:\s",
        rf"{_LEAD}(?:the|an?|this|that|\w+['’]s?)\s+(?:\w+\s+){{0,2}}(?!stor){_THOUGHT}(?:,[^,]*,)? that\b",
        rf"\b{_DISPUTED}\b[^.;]{{0,40}}\b{_THOUGHT}(?= (?:that|of)\b|[.!]?$)",
        rf"\b{_FALSELY}\s+(?:\w+\s+){{0,2}}?(?:{SAYS}|tells?|telling|wr(?:ites?|ote|itten)|report(?:s|ed)?|announc(?:es?|ed)|quoted)\b",
        rf"\b{_DISTANT}(?! (?:life|lives|victory|responsibility))",
        r"\bwould have\b|\b(?:could|might) (?:\w+ ){0,2}be\b|\b(?:plan|intend|propose|hope|threaten)(?:s|ed|ned)? to\b",
    )
)
"""The last is no hearsay, but says no more of what is so: what is planned, feared or imagined."""
_TELLS = re.compile(
    r"\b(?:sa(?:y|ys|id)|t(?:ell|ells|old)|w(?:rite|rites|rote)|tweeted|posted|according to|"
    r"(?:claim|alleg|assert|insist|boast|announc|purport|believ|promis|predict|suggest|accus|blam)(?:s|e|es|ed|ing)?)\b",
    re.IGNORECASE,
)
_SAID_THAT = re.compile(rf"\b{SAYS}\b[^.;:]{{0,30}}? that\b|\bwrote that\b", re.IGNORECASE)
_KEEPS_AWAY = re.compile(
    r"\b(?:claim|alleg|assert|insist|boast|purport|believ|promis|predict|suggest|accus|blam)(?:s|e|es|ed|ing)?\b",
    re.IGNORECASE,
)
"""Who tells it so does not vouch for it."""
_SOMEBODY_SAYS = re.compile(
    r",[^,.;:]{2,60}\b(?:sa(?:ys?|id)|t(?:ells?|old)|thinks?|thought|argue[sd]?)\b", re.IGNORECASE
)
"""What follows the words of a third person: the verdict is theirs, and not that of the page."""
_BEGINS = r"^(?:(?:but|yet|and|however|in fact|in truth|in reality|actually|fact)[,:]?\s+)?"
_NAMED = r"(?:the|this|that|these|those|such)\s+(?:\w+\s+){0,2}?"
_SAID = (
    rf"(?:this|that|all (?:of )?(?:this|that)|{_NAMED}(?:claim|statement|rumou?r|allegation|assertion|accusation|"
    r"belief|idea|notion|theory|theorie|assumption)s?)"
)
"""What is said: it can be nothing but true or false."""
_THING = (
    rf"(?:{_SAID}|it|these|they|he|she|{_NAMED}(?:story|storie|report|post|figure|account|picture|photo|video|message|quote|"
    r"quotation|number|recording|footage|clip|screenshot)s?)"
)
"""Who says it or what shows it as well, and whatever the sentence before spoke of."""
_IS = r"(?:is|was|are|were|has been|have been|turned out to be|proved(?: to be)?)"
_ISNT = r"(?P<neg>(?:is|was|are|were)n['’]t)"
_HOW = (
    r"(?:\s+(?:simply|completely|entirely|totally|plainly|just|also|demonstrably|largely|mostly|clearly|utterly|quite|"
    r"indeed|however|though))*"
)
_FALSE = (
    r"false|untrue|incorrect|inaccurate|not\s+(?:true|correct|accurate|so|the case)|baseless|unfounded|groundless|"
    r"nonsense|debunked|without\s+(?:any\s+)?(?:foundation|basis)|an?\s+(?:\w+\s+)?(?:myth|hoax|lie|fabrication|misconception|"
    r"falsehood)"
)
_HALF = r"misleading|(?:partly|partially)[\s-]+(?:true|false|correct|right|wrong)"
"""No side can be taken from these."""
_WRONG = r"wrong|not\s+right|mistaken|fake|fabricated|an?\s+(?:\w+\s+)?(?:fake|forgery|scam)"
_PLAIN = rf"(?:(?P<false>{_FALSE})|(?P<true>true|correct|accurate)|(?P<misleading>{_HALF}))"
_LOOSE = rf"(?:(?P<false>{_FALSE}|{_WRONG})|(?P<true>true|correct|accurate|right|genuine)|(?P<misleading>{_HALF}))"
"""Also words that may speak of a deed or a thing: an arrest may be wrong, and a diamond a fake."""
_END = r"(?=[\s.,;:!)–—-]|$)(?!\s+(?:of|to|for|about|when|if|in|by|at|on|among|only|but|that|than)\b)"
_VERDICTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEGINS}{_SAID}\s+(?:{_IS}|{_ISNT}){_HOW}\s+{_PLAIN}{_END}",
        rf"{_BEGINS}{_SAID}\s+(?:has|have|had)\s+(?P<false>no\s+(?:\w+\s+)?(?:basis|foundation))\b",
        rf"^(?:simply\s+|completely\s+|totally\s+)?{_PLAIN}[.!]",
    )
)
_VERDICTS_ON_A_REPORT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEGINS}{_THING}\s+(?:{_IS}|{_ISNT}){_HOW}\s+{_LOOSE}{_END}",
        rf"^{_LOOSE}[.!]",
        r"\b(?P<false>ruled)\s+(?:this|that|it)\s+out\b",
    )
)
_ON_A_STATEMENT = rf"{_BEGINS}{_THING}\s+(?:{_IS}|{_ISNT}){_HOW}\s+"
_DENIED = re.compile(
    rf"\b{_DISPUTED}\s+(?:it|this|that|{_NAMED}\w+)\b|"
    rf"\b(?:{SAYS}|called?|calls|labelled|described)\s+(?:that\s+)?{_SAID}\s+(?:\w+\s+){{0,2}}?(?:{_FALSE}|{_WRONG})\b",
    re.IGNORECASE,
)
"""Somebody denies what was said: whom to believe is open."""
_VERDICT_ON_A_STATEMENT = re.compile(rf"{_ON_A_STATEMENT}{_PLAIN}{_END}", re.IGNORECASE)
"""After what somebody simply said, perhaps of a deed or a thing: “It was a forgery” is about the Vermeer."""
_MISTAKEN = re.compile(rf"{_ON_A_STATEMENT}(?P<false>wrong|mistaken){_END}", re.IGNORECASE)
"""The same after “said that ...”, which makes more of a sentence of what was said."""


@lru_cache(_KNOWN)
def hearsay(sentence: str) -> bool:
    """Whether a sentence says only what posts, rumours or unnamed people say."""
    return any(pattern.search(sentence) for pattern in _HEARSAY)


def verdict(sentence: str, before: str = "") -> Meaning | None:
    """What a sentence says of the one before it; None for all that is no verdict.

    Some words are one only on what somebody says: “It was wrong” after a deed, “It is a fake” after a purchase are not.
    """
    if means := announced(sentence):
        return means
    patterns = list(_VERDICTS)
    if hearsay(before) or _KEEPS_AWAY.search(before):
        patterns += _VERDICTS_ON_A_REPORT
    elif _TELLS.search(before) and not _SOMEBODY_SAYS.search(sentence):
        patterns += [_VERDICT_ON_A_STATEMENT, *([_MISTAKEN] if _SAID_THAT.search(before) else [])]
    found = next((match for pattern in patterns if (match := pattern.search(sentence))), None)
    if not found and _TELLS.search(before) and _DENIED.search(sentence):
        return Meaning.MIXED
    return _meant(found.groupdict()) if found else None


def _meant(words: dict[str, str | None]) -> Meaning | None:
    denied = bool(words.get("neg"))
    if words.get("misleading"):
        return None if denied else Meaning.MISLEADING
    return Meaning.FALSE if bool(words.get("false")) != denied else Meaning.TRUE
