"""Framing that asserts nothing, taken off: hearsay, labels, asides, calls to wake up."""

import re

from ghost.judges.embedded.claims.sentences import capitalised, trim

_WHO = (
    r"(?:scientists|experts|researchers|doctors|historians|people|some people|many people|most people|some|many|"
    r"studies|research|new research|recent research|recent studies|some studies|several studies|a study|"
    r"a new study|a recent study|some scientists|some experts|everyone|everybody|they|sources|rumou?rs|rumou?r|"
    r"(?:someone|somebody|people)(?: (?:on|at|in) (?:the )?\w+)?|"
    r"the media|the internet|the news|legend|word|it|google|tiktok|facebook|"
    r"(?:my|a) (?:\w+ )?(?:friend|uncle|aunt|mom|mum|mother|dad|father|brother|sister|cousin|neighbou?r|teacher|"
    r"colleague|boss|doctor|grandma|grandmother|grandpa|grandfather|wife|husband|girlfriend|boyfriend|roommate|"
    r"dentist)(?: of mine)?)"
)
_SAY = (
    r"(?:say|says|said|claim|claims|claimed|think|thinks|thought|believe|believes|believed|tell me|tells me|told me|"
    r"told us|swears|insists|insist|reckon|reckons|keeps? (?:on )?(?:saying|claiming|telling (?:me|us)))"
)
_SHOW = (
    r"(?:know|knows|has it|shows?|showed|finds?|found|have shown|has shown|have found|has found|have proven|has proven|"
    r"have proved|has proved|proves?|proved|suggests?|suggested|confirms?|confirmed|warns?|warned|reveals?|revealed|"
    r"reports?|reported|have discovered|discovered|have confirmed|indicates?|heard|remembers?)"
)
_LABEL = (
    r"(?:breaking(?: news)?|just in|(?:new )?study|report|experts|scientists|alert|update|urgent|exclusive|news|"
    r"headline|psa|fyi|reminder|rumou?r|fact|claim|"
    r"fact check|true story|hot take|unpopular opinion|controversial opinion|question|opinion|myth|"
    r"(?:fun|interesting|random|little known|little-known|amazing|quick|true|crazy|weird|scary|sad|cool|useless|daily)"
    r" facts?(?: of the day)?)"
)
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_LABEL}(?:\s*[:!–—]+\s*|\s+-+\s+)(?=\S)",
        r"^til\b:?\s*(?:that\s+)?",
        r"^(?:so,? )?(?:did|do) (?:you|u) (?:know|realise|realize)(?: that|,)? (?=\S+ \S)",
        (
            r"^(?:did you (?:hear|see|notice|read|realise|realize)|who knew|just (?:saw|read|heard|learned|found "
            r"out)) that "
            r"(?=\S+ \S)"
        ),
        r"^i (?:can't|can’t|cannot) believe(?: that)? (?!in\b|it$|this\b|you\b|he\b|she\b|they\b)(?=\S+ \S+ \S)",
        r"^(?:have|haven't) you (?:ever )?heard that ",
        r"^(?:you know|u know),? (?:that )?(?!what\b|how\b|i\b|who\b|why\b|where\b|when\b)(?=\S+ \S+ \S)",
        (
            r"^(?:so |well |and |but |ok |okay )?i(?:'ve| have)? (?:just |once |recently |also |always |first "
            r")?(?:heard|read|"
            r"saw|seen|learned|learnt|was told|found out|discovered|noticed|been told|was taught)"
            r"(?: (?:somewhere|online|on (?:the )?\w+|in (?:the|a) \w+|from (?:my|a|the) \w+|today|recently|"
            r"yesterday|once))*"
            r"(?: that|:|,)? (?!about\b|of\b|a\b|an\b|the \w+$|it\b|him\b|her\b|them\b|my\b|from\b)(?=\S+ \S)"
        ),
        (
            r"^i(?:'m| am) (?:pretty |quite |absolutely |fairly |100% |very )?(?:sure|certain|convinced|positive|told)"
            r"(?: that)? (?=\S+ \S)"
        ),
        (
            r"^i (?:really |honestly |personally |strongly |firmly |truly |still |also |do )?(?:think|believe|"
            r"guess|suppose|"
            r"bet|swear|reckon|suspect|assume|imagine|know that|say|would say|feel that|feel like|must say|admit)"
            r"(?: that)?,? (?!in\b|about\b|of\b|so\b|not\b|it$)(?=\S+ \S)"
        ),
        r"^(?:in my (?:humble |honest |personal )?(?:opinion|view|eyes|experience)|imo|imho),?\s+",
        r"^if you ask me,?\s+",
        (
            r"^(?:according to )(?:an? |some |several |various |many |recent |new |the )*(?:study|studies|"
            r"research|experts?|"
            r"scientists?|researchers?|sources?|reports?|surveys?|rumou?rs|people|internet|news|media|legend|doctors?|"
            r"social media|facebook|tiktok|my \w+),\s+"
        ),
        (
            rf"^(?:as )?{_WHO} (?:now |always |often |once |also |all )?{_SAY}(?: that|:|,)? (?!in\b|nothing\b|"
            rf"it$|so\b|"
            rf"they\b$|about\b|of\b)(?=\S+ \S)"
        ),
        rf"^(?:as )?{_WHO} (?:now |always |often |once |also |all )?{_SHOW}(?: us)?(?: that|:) (?=\S+ \S)",
        rf"^{_WHO} (?:knows?|has it|have it),? (?:that )?(?=\S+ \S+ \S)",
        (
            r"^(?:it is|it's|its|it’s) (?:an? )?(?:well[- ]known |known |proven |scientific |simple |established "
            r"|common "
            r"|undeniable |historical |well |widely |generally |commonly |often |scientifically |even )*(?:fact|"
            r"truth|true|"
            r"said|known|believed|claimed|clear|obvious|no secret|common knowledge|proven|rumou?red|thought)(?: "
            r"that|,) "
        ),
        r"^(?:the )?(?:simple |plain |sad |hard )?(?:fact|truth|thing|reality)(?: of the matter)? is(?: that|,|:)? ",
        (
            r"^(?:turns out|it turns out|guess what|fact|believe it or not|as everyone knows|as we all know|"
            r"needless to say|"
            r"as a matter of fact|in fact|of course|to be honest|tbh|to be fair|let's be honest|let’s be honest|"
            r"let's face it|no joke|not gonna lie|ngl|you won't believe this|not many people know(?: this,? but)?|"
            r"rumou?r has it|word (?:on the street )?is|legend has it|apparently|ok so|so apparently|well actually)"
            r"(?: that)?[,:.!]*\s+(?=\S+ \S)"
        ),
        (
            r"^(?:sadly|unfortunately|fortunately|luckily|thankfully|regrettably|interestingly|surprisingly|amazingly|"
            r"ironically|frankly|honestly|seriously|obviously|clearly|basically|actually|admittedly|undoubtedly|"
            r"tragically|incredibly|shockingly|remarkably|astonishingly|understandably|rightly|personally|naturally)"
            r",?\s+(?=(?:the|a|an|it|there|[A-Z0-9]|\w+ (?:is|are|was|were|has|have|had|do|does|did|can|will)\b))"
        ),
        (
            r"^(?:sadly|unfortunately|fortunately|luckily|thankfully|regrettably|interestingly|surprisingly|amazingly|"
            r"ironically|frankly|honestly|seriously|obviously|clearly|basically|actually|tragically|incredibly|"
            r"shockingly|remarkably|astonishingly|personally),\s+"
        ),
        (
            r"^(?:omg|wow|hey(?: guys| everyone| all)?|guys|folks|listen|look|lol|lmao|btw|fyi|ok|okay|well|so|"
            r"wait|huh|"
            r"wtf|bruh|bro|dude|psst|friends|people|yes|no|yeah|yep|nope|sorry but|hi(?: all| everyone)?|hello "
            r"everyone)"
            r"[,:!.…\-–—]+\s*(?=\S+ \S)"
        ),
        r"^(?:omg|lol|lmao|wtf|bruh|btw)\s+(?=\S+ \S)",
    )
)
# Each run of marks is taken from its beginning only, so that a thousand dashes are not tried from every dash.
_TAILS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"(?<![,;.!?\-–—\s])[,;.!?\-–—\s]*+\b(?:lol|lmao|lmfao|rofl|smh|omg|wtf|tbh|imo|imho|ngl|fyi|btw|haha+|xd)"
            r"\s*[.!?]*$"
        ),
        (
            r"(?<![,;.!\-–—])[,;.!\-–—]++\s*"
            r"(?:wake up(?:,? (?:people|everyone|sheeple|folks|america|world))?|sheeple|"
            r"(?:please )?(?:share|retweet|rt|pass it on|spread the word|like and share|share (?:this|if you agree))"
            r"(?: this)?|do your (?:own )?research|think about (?:it|that)|let that sink in|mark my words|look it up|"
            r"google it|period|full stop|end of story|fact|facts|no joke|no doubt|trust me|believe me|i swear|"
            r"just saying|"
            r"true story|change my mind|prove me wrong|in my (?:humble |honest )?opinion|if you ask me|i think|i "
            r"believe|"
            r"i guess|they say|it is said|apparently|people|folks|guys|right|correct|no|yes|ok|okay|you know|"
            r"open your eyes|don't be fooled|do the math|thank me later|who knew|did you know(?: that)?|be "
            r"careful|beware|"
            r"can you believe (?:it|that)|is (?:that|this|it) (?:true|right|correct|real)|true or false|fact or "
            r"fiction|"
            r"sadly|unfortunately|luckily|fortunately|thankfully)\s*[.!?]*$"
        ),
        (
            r",\s*(?:isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|can't|won't|wouldn't|"
            r"couldn't|is|are|"
            r"was|were|does|do|did|has|have|can|will) (?:it|he|she|they|there|we|you|that)\s*\?+$"
        ),
        r"(?<!\s)\s++(?:wake up(?:,? (?:people|everyone|sheeple|folks|america|world)))\s*[.!?]*$",
    )
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
    for tail in (_TAILS[1], _TAILS[3]):
        shorter = tail.sub("", text, count=1)
        if len(shorter.split()) >= 3:
            text = shorter
    return text
