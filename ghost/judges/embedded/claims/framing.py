"""Framing that asserts nothing, taken off: hearsay, labels, asides, calls to wake up.

What is no longer taken off was in no claim of the tables that the rules are measured on (training/measure_rules.py).
"""

import re

from ghost.judges.embedded.claims.attribution import unattributed
from ghost.judges.embedded.claims.sentences import capitalised, trim

_MORE = r"(?=\S+ \S)"
_WHO = (
    r"(?:scientists|experts|researchers|doctors|historians|(?:some |many |most )?people|some|many|most|studies|"
    r"(?:new |recent )?research|(?:recent|some|several) studies|a (?:new |recent )?study|some (?:scientists|experts)|"
    r"everyone|everybody|they|sources|rumou?rs?|(?:someone|somebody|people)(?: (?:on|at|in) (?:the )?\w+)?|"
    r"the (?:media|internet|news)|legend|word|it|google|tiktok|facebook|"
    r"(?:my|a) (?:\w+ )?(?:friend|uncle|aunt|mom|mum|mother|dad|father|brother|sister|cousin|neighbou?r|teacher|"
    r"colleague|boss|doctor|dentist|grand(?:ma|mother|pa|father)|wife|husband|roommate)(?: of mine)?)"
)
_SAY = (
    r"(?:says?|said|claim(?:s|ed)?|thinks?|thought|believe[sd]?|(?:tells?|told) (?:me|us)|swears|insists?|reckons?|"
    r"keeps? (?:on )?(?:saying|claiming|telling (?:me|us)))"
)
_SHOW = (
    r"(?:knows?|has it|heard|remembers?|(?:ha(?:ve|s) )?(?:shown?|found|proven|proved|discovered|confirmed)|"
    r"(?:show|find|prove|suggest|confirm|warn|reveal|report|indicate)s?|(?:show|suggest|warn|reveal|report)ed)"
)
_LABEL = (
    r"(?:breaking(?: news)?|just in|(?:new )?study|report|experts|scientists|alert|update|urgent|exclusive|news|"
    r"headline|psa|fyi|reminder|rumou?r|fact|claim|fact check|true story|hot take|"
    r"(?:unpopular |controversial )?opinion|question|myth|"
    r"(?:fun|interesting|random|little[ -]known|amazing|quick|true|crazy|weird|scary|sad|cool|useless|daily) "
    r"facts?(?: of the day)?)"
)
_SADLY = (
    r"(?:sadly|unfortunately|fortunately|luckily|thankfully|regrettably|interestingly|surprisingly|amazingly|"
    r"ironically|frankly|honestly|seriously|obviously|clearly|basically|actually|tragically|incredibly|shockingly|"
    r"remarkably|astonishingly|personally)"
)
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_LABEL}(?:\s*[:!–—]+\s*|\s+-+\s+)(?=\S)",
        r"^til\b:?\s*(?:that\s+)?",
        rf"^(?:so,? )?(?:did|do) (?:you|u) (?:know|reali[sz]e)(?: that|,)? {_MORE}",
        rf"^(?:did you (?:hear|see|read)|who knew|just (?:saw|read|heard|learned)) that {_MORE}",
        (
            r"^(?:so |well |and |but |ok |okay )?i(?:'ve| have)? (?:just |once |recently |also |always )?"
            r"(?:heard|read|saw|seen|learned|learnt|was told|found out|discovered|noticed|been told|was taught)"
            r"(?: (?:somewhere|online|on (?:the )?\w+|in (?:the|a) \w+|from (?:my|a|the) \w+|today|recently|yesterday|"
            rf"once))*(?: that|:|,)? (?!about\b|of\b|a\b|an\b|the \w+$|it\b|him\b|her\b|them\b|my\b|from\b){_MORE}"
        ),
        r"^i(?:'m| am) (?:pretty |quite |absolutely |very )?(?:sure|certain|convinced)(?: that)? " + _MORE,
        (
            r"^i (?:really |honestly |personally |strongly |firmly |still |also )?(?:think|believe|guess|suppose|bet|"
            r"swear|reckon|suspect|assume|imagine|know that|say|would say|feel (?:that|like)|must say|admit)"
            rf"(?: that)?,? (?!in\b|about\b|of\b|so\b|not\b|it$){_MORE}"
        ),
        r"^(?:in my (?:humble |honest )?(?:opinion|view)|imo|imho),?\s+",
        (
            r"^according to (?:an? |some |several |various |many |recent |new |the )*(?:study|studies|research|"
            r"experts?|scientists?|researchers?|sources?|reports?|surveys?|rumou?rs|people|internet|news|media|legend|doctors?|"
            r"social media|facebook|tiktok|my \w+),\s+"
        ),
        (
            rf"^(?:as )?{_WHO} (?:now |always |often |once |also |all )?{_SAY}(?: that|:|,)? "
            rf"(?!in\b|nothing\b|it$|so\b|they\b$|about\b|of\b){_MORE}"
        ),
        rf"^(?:as )?{_WHO} (?:now |always |often |once |also |all )?{_SHOW}(?: us)?(?: that|:) {_MORE}",
        (
            r"^(?:it is|it['’]s|its) (?:an? )?(?:well[- ]known |known |proven |scientific |simple |common |well |"
            r"widely |generally |commonly |often |scientifically )*(?:fact|truth|true|said|known|believed|claimed|"
            r"clear|obvious|no secret|common knowledge|proven|rumou?red|thought)(?: that|,) "
        ),
        r"^(?:the )?(?:simple |plain |sad |hard )?(?:fact|truth|reality)(?: of the matter)? is(?: that|,|:) ",
        (
            r"^(?:(?:it )?turns out|guess what|believe it or not|as (?:everyone knows|we all know|a matter of fact)|"
            r"needless to say|in fact|of course|to be (?:honest|fair)|tbh|let['’]s (?:be honest|face it)|no joke|"
            r"not gonna lie|ngl|rumou?r has it|word (?:on the street )?is|legend has it|(?:so )?apparently|ok so|"
            rf"well actually)(?: that)?[,:.!]*\s+{_MORE}"
        ),
        rf"^{_SADLY},\s+",
        (
            r"^(?:omg|wow|hey(?: guys| everyone| all)?|guys|folks|listen|look|lol|lmao|btw|fyi|ok|okay|well|so|wait|"
            rf"huh|wtf|bro|dude|friends|people|yes|no|yeah|yep|nope|sorry but|hi(?: all| everyone)?)"
            rf"[,:!.…–—-]+\s*{_MORE}"
        ),
        r"^(?:omg|lol|lmao|wtf|btw)\s+" + _MORE,
    )
)
_WAKE_UP = r"wake up(?:,? (?:people|everyone|sheeple|folks|america|world))?"
# Each run of marks is taken from its beginning only, so that a thousand dashes are not tried from every dash.
_EXHORTATION = re.compile(
    rf"(?<![,;.!\-–—])[,;.!\-–—]++\s*(?:{_WAKE_UP}|sheeple|(?:please )?(?:share|retweet|rt|pass it on|spread the word|"
    r"like and share|share (?:this|if you agree))(?: this)?|do your (?:own )?research|think about (?:it|that)|"
    r"let that sink in|mark my words|look it up|google it|period|full stop|end of story|facts?|no joke|no doubt|"
    r"trust me|believe me|i swear|just saying|true story|change my mind|prove me wrong|"
    r"in my (?:humble |honest )?opinion|if you ask me|i (?:think|believe|guess)|they say|it is said|apparently|people|"
    r"folks|guys|right|correct|no|yes|ok|okay|you know|open your eyes|who knew|did you know(?: that)?|be careful|"
    r"beware|can you believe (?:it|that)|is (?:that|this|it) (?:true|right|correct|real)|true or false|"
    r"fact or fiction|sadly|unfortunately|luckily|fortunately|thankfully)\s*[.!?]*$"
    rf"|(?<!\s)\s++{_WAKE_UP}\s*[.!?]*$",
    re.IGNORECASE,
)
_TAILS = (
    re.compile(
        r"(?<![,;.!?\-–—\s])[,;.!?\-–—\s]*+\b(?:lol|lmao|lmfao|rofl|smh|omg|wtf|tbh|imo|imho|ngl|fyi|btw|haha+|xd)"
        r"\s*[.!?]*$",
        re.IGNORECASE,
    ),
    _EXHORTATION,
    re.compile(
        r",\s*(?:(?:is|are|was|were|does|do|did|has|have|wo|would|could|ca)n't|is|are|was|were|does|do|did|has|have|"
        r"can|will) (?:it|he|she|they|there|we|you|that)\s*\?+$",
        re.IGNORECASE,
    ),
)


def unframe(sentence: str) -> str:
    """The assertion without hearsay, labels and asides around it; a named source ("According to NASA, …") stays."""
    text = trim(sentence)
    asked = text.endswith("?")
    for _ in range(6):
        before = text
        for frame in _FRAMES:
            shorter = frame.sub("", text, count=1)
            if shorter != text and len(shorter.split()) >= 2:
                # "Did you know that …?" asks nothing about what follows.
                text, asked = shorter, False
                break
        shorter = unattributed(text)
        if shorter != text:
            # “Critics ask whether …” asks nothing either; “is it true, as they say, that …?” still does.
            asked = asked and shorter.endswith("?")
            text = shorter
        for tail in _TAILS:
            shorter = tail.sub("", text, count=1).rstrip(" ,;–—-")
            if shorter != text and len(shorter.split()) >= 2:
                asked = asked and shorter.endswith("?")
                text = shorter
        text = trim(text)
        if text == before:
            break
    if text.endswith("?") and not asked:
        text = text.rstrip("?! ")
    return capitalised(text)


def without_exhortation(text: str) -> str:
    """The text without a closing "wake up people!" or "let that sink in", which asserts nothing."""
    shorter = _EXHORTATION.sub("", text, count=1)
    return shorter if len(shorter.split()) >= 3 else text
