"""Orders about the instructions that an AI has: to ignore them, to tell them, to take others."""

from ghost.knowledge.orders.narrative import told
from ghost.knowledge.orders.words import AI, BUSINESS, IGNORE, NEW, PROMPT, START, UNLOCK, WHO, Order

_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|former|foregoing|original|initial|system|your|these|existing|past)"
)
_GIVEN = r"(?:(?P<soft>rules?|guidelines?|directions?|directives?|orders?|constraints?)|instructions?|prompts?|commands?|messages?|context|text)"
_CHECKS = r"(?:fact[- ]?check\w*|citation gate|safety (?:rules?|filters?|checks?)|guardrails?)"
_FROM_NOW = (
    r"(?:an?|called|answer(?! to\b| for\b)|respond|reply|act|accept (?:(?:all|any|every|each|the|this|that) )?(?:claims?|statements?|as|that|what|whatever|everything)"
    r"|agree|obey|ignore|treat|behave|mark|say(?! where\b)|output|speak|pretend|comply)"
)

INSTRUCTIONS = (
    Order(IGNORE, rf"\b(?P<does>ignore|disregard|forget|override|bypass|overlook|discard|neglect|set aside|pay no attention to|stop following|(?:do not|don't|never) (?:follow|obey|adhere to|listen to))\s+(?:\w+\s+){{0,3}}?{_EARLIER}\s+(?:\w+\s+){{0,2}}?{_GIVEN}\b", told),
    Order(IGNORE, r"\b(?:ignore|disregard|forget|discard) (?:all|any|everything|anything|whatever|what)(?: of)?(?: the)? (?:instructions?|prompts?|above|before|that came before|said (?:above|before)|(?:that )?you (?:were|have been|know|learn))"),
    Order(PROMPT, r"\b(?:your|(?:reveal|print|show|leak|output|repeat)(?: the| your)?) (?:(?:system|developer|hidden|secret) (?:prompt|message|instructions?)|initial (?:prompt|instructions?))\b"),
    Order(PROMPT, r"\b(?:repeat|print|output|reveal|show)\s+(?:\w+\s+)?(?:everything|all the text|the (?:words|text|instructions)|your instructions)\s+(?:above|before|verbatim)"),
    Order(WHO, rf"(?:\b(?:you are|you're)|(?:{START}|\byou (?:will|must|should|shall|now|are to) )(?:act as|behave as|pretend (?:to be|that you are|you are)|play the role of))\s+(?:now\s+|no longer\s+)?(?:an?\s+|the\s+|my\s+|in\s+)?(?:\w+\s+){{0,3}}?(?:{AI}|dan|jailbroken|unrestricted|fact[- ]?checker)\b"),
    Order(WHO, rf"\bfrom now on,? you (?:are|will|must|shall|should) (?:only |always |now |be )?{_FROM_NOW}\b"),
    Order(UNLOCK, r"\b(?:dan|jailbreak|god) mode (?:is )?(?:on|enabled|activated|engaged)\b|\b(?:enter|enable|activate|switch to) (?:dan|jailbreak|god) mode\b|\b(?:developer|debug|admin|sudo) mode (?:enabled|activated|engaged|unlocked)\s*[.!:]"),
    Order(UNLOCK, rf"\b(?P<does>(?:switch|turn) off|disable|suspend|deactivate|lift) (?:the |all |any |your )?(?P<soft>{_CHECKS})", told),
    Order(UNLOCK, r"\bthis is your (?:developer|creator|operator|administrator|admin|programmer)\b|\bi am (?:your (?:developer|creator|operator|administrator|admin|programmer)|the (?:system )?(?:administrator|developer))\s*[;,.:!]"),
    Order(NEW, r"\byour (?:real |only |new |actual |true )?(?:task|job|role|goal|purpose|mission|objective) (?:has changed|is (?:now |only )?to (?:endorse|approve|say|accept|confirm|mark|answer|agree|reply|support|rate|output|convince))\b|\bthe real task is\b"),
    Order(NEW, r"\b(?:previous|earlier|prior|above|original) (?:\w+ )?(?:(?:instructions?|text|messages?) (?:(?:was|were|is|are) (?:only |just )?(?:a test|void)|(?:is|are) (?:now )?(?:cancell?ed|superseded|revoked|a mistake|obsolete))|prompts? (?:was|were|is|are) (?:only |just )?(?:a test|void|cancell?ed|superseded|revoked|a mistake|obsolete))\b"),
    Order(NEW, r"\b(?:all|any|every|each|your|these|my)(?: of)?(?: the| your| these)? (?:previous|earlier|prior|above|original) (?:\w+ )?(?:instructions?|text|messages?) (?:was|were|is|are) (?:only |just |now )?(?:cancell?ed|superseded|revoked|a mistake|obsolete)\b"),
    Order(NEW, r"\b(?:do not|don't|never) (?:mention|reveal|disclose|repeat|quote|tell anyone about) (?:this|these) (?:paragraph|instructions?|note|text|message|sentence|prompt)s?\b"),
    Order(NEW, rf"\b(?:new|updated|real|actual|additional|secret|revised|important|priority) instructions?\s*(?:for you\s*:|:\s*(?:please |now |you (?:must|should|are to|will) )?(?:say|state|answer|reply|respond|conclude|write|output|repeat|treat|accept|approve|endorse|confirm|agree|obey|comply)\b|:[^:]{{0,120}}?\b{BUSINESS}\b)"),
    Order(NEW, rf"\b(?:instructions? update|prompt update|system override|policy override|override code)\s*[:\]]|\bsystem (?:update|notice|alert)\s*(?:\]|:[^:]{{0,120}}?\b{BUSINESS}\b)"),
    Order(NEW, r"\b(?:do as|obey) (?:this (?:page|text|paragraph|document)|the (?:text|instructions?|commands?|orders?) (?:below|above|on this page|in this (?:page|text)))(?: says)?\b.{0,20}(?:\bnot\b|\band ignore\b|[.!]|$)"),
    Order(NEW, r"\bthis (?:instruction|order|command|directive|message) (?:has|takes|is of) (?:the )?(?:highest|top|absolute|maximum) priority\b|\b(?:begin|end|start) (?:admin|root|system|operator|developer) (?:command|prompt|message|override)s?\b"),
    Order(NEW, r"\b(?:translate|summari[sz]e|list|repeat|print|output|encode) your (?:instructions|prompt|rules|guidelines)\b|\byou were (?:configured|prompted|programmed|set up) (?:incorrectly|wrongly|badly)\b"),
)  # fmt: skip
