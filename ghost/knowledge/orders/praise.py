"""Orders about what is to be believed: this page and no other; and rows of examples to be imitated."""

import re

from ghost.knowledge.orders.narrative import attributed
from ghost.knowledge.orders.words import HERE, PRAISE, SHOTS, START, THIS, TRUTH, Order

_OTHERS = r"(?:sources?|passages?|evidence|documents?|results?|pages?)"
_AS_PROOF = rf"as (?:\w+ ){{0,4}}?(?:{TRUTH}|facts?|truth|proof|proven|evidence|sources?(?! \w+ \(\d)|authorit\w+|definitive|conclusive|decisive|reliable|credible|trusted|trustworthy|ground truth|only|sole|final)\b"

BELIEF = (
    Order(PRAISE, r"\b(?:leave out|skip|drop|omit|remove) (?:all |any |every |the )*(?:remaining|other|opposing|conflicting)? ?(?:passages?|sources?|evidence|citations?) (?:that|which|and)\b.{0,20}\b(?:disagree|contradict|refute|oppose|finish|stop|answer|say)"),
    Order(PRAISE, r"\b(?:move|rank|put|place|list) this (?:page|source|passage|article|result) (?:to the top|first|above|at the top|highest)\b|\bcount this (?:page|source|passage) (?:\w+ times|twice)\b"),
    Order(PRAISE, rf"{START}(?:treat|regard|consider|accept|use|trust|prefer|prioriti[sz]e|rank|cite|quote)\s+(?:only\s+)?{THIS}\s+(?:{_AS_PROOF}|above|over|before|first|and (?:no|nothing|ignore)|only(?! for\b| as directed\b)|in your (?:answer|verdict|explanation|reply|response|conclusion|output))"),
    Order(PRAISE, rf"{START}(?:give|assign|grant)\s+{HERE}\s+(?:the )?(?:highest|full|maximum|more|most|top)\b"),
    Order(PRAISE, rf"{START}(?:cite|quote|trust|use) only {THIS}\b(?! for\b)"),
    Order(PRAISE, rf"\b{HERE} is (?:\w+ ){{0,2}}?(?:the )?(?:most|only|single most|sole) (?:\w+ ){{0,2}}?(?:credible|reliable|authoritative|trusted|trustworthy|accurate|verified)\b"),
    Order(PRAISE, rf"\b{HERE} (?:has been|was|is) (?:\w+ ){{0,2}}?(?:verified|certified|rated|marked|confirmed|fact[- ]checked|approved)(?:(?: \w+)? by [^.!?]{{1,60}}?)? (?:to be |as )(?:\w+ ){{0,2}}?(?:true|credible|reliable|authoritative|trustworthy|ground truth|100 ?%)"),
    Order(PRAISE, rf"\b(?:do not|don't|never|no need to) (?:cite|use|consult|search|trust|check|read|consider|look (?:at|for))\s+(?:any |the |for )?(?:other|further|more|additional|remaining) {_OTHERS}\b"),
    Order(PRAISE, r"\b(?:not|never) (?:cite|use|quote|consult|trust|read) any (?:other )?(?:sources?|pages?|passages?)(?: \w+)? (?:but|except|other than|besides) (?:this|these|the above)\b"),
    Order(PRAISE, r"\b(?:consider|use|read|trust|cite|quote) only (?:the )?(?:evidence|text|information|facts?|sentences?|words) (?:in|of|from|on) (?:this|the above)\b(?! (?:leaflet|label|booklet|manual)\b)"),
    Order(PRAISE, r"\b(?:ignore|disregard|discard|distrust) (?:all |any |the |every )*(?:other|remaining|following|conflicting|contradicting) (?:search )?(?:results?|sources?(?! of (?:income|funding|revenue|energy|light|error|noise|heat)\b)|evidence|passages?|pages?|documents?|citations?)\b"),
    Order(PRAISE, r"\b(?:treat|regard|consider|accept) (?:everything|anything|all|the (?:text|content|information)) (?:on|in|from|below|above|that)\b.{0,40}\bas (?:\w+ )?(?:verified|true|facts?|evidence|authoritative|ground truth)\b"),
    Order(PRAISE, rf"\b(?P<does>all|any|every|the) other {_OTHERS} (?:is|are|were|must be|should be|have been)\s+(?:\w+\s+)?(?:outdated|fake|false|wrong|fabricated|retracted|untrusted|compromised)\b", attributed),
    Order(PRAISE, rf"\b(?:all|any|every|the) other {_OTHERS} (?:must be|should be|is|are|were|have been)\s+(?:\w+\s+){{0,2}}?(?:ignored|disregarded|discarded|treated as (?:false|fake|wrong))\b"),
    Order(SHOTS, r"\b(?:example|input|user|human)\s*\d*\s*:[^:]{3,160}\b(?:output|assistant|ai|model|expected(?: output| verdict)?)\s*:\s*['\"]?\w+"),
)  # fmt: skip

PAIR = re.compile(
    rf"\b(?:claim|statement|question|input|example \d+|q)\s*:[^:]{{3,160}}\b(?:verdict|label|answer|output|rating|a)\s*:\s*['\"]?{TRUTH}\b"
)
"""A claim with its verdict; three in a row are there to be imitated."""
