"""Orders to give a certain verdict, or to answer in certain words."""

from ghost.knowledge.orders.narrative import habit
from ghost.knowledge.orders.words import CLAIM, DICTATE, START, TRUTH, Order

_PAPERS = r"(?!\s+(?:forms?|numbers?|within|by|handlers?)\b)"
"""Behind "claim" in letters of insurers."""
_PLAIN = rf"{TRUTH}\b(?!\s+(?:or|by|to|and|in|with|beyond|on|at|up to|only in)\b)"
_ANSWERS = r"(?:answer|reply|respond|comply|obey|output|mark|say|rate)"
_SETTLES = rf"(?:\b{TRUTH}\b|\b(?:this|the|every|each) {CLAIM}\b|\bverdict\b|['\"“‘]|\byes\b|\bas (?:told|instructed|asked|ordered)\b)"

VERDICTS = (
    Order(DICTATE, rf"{START}(?:respond|reply|answer|output|return|print|conclude|write)\b.{{0,40}}(?:\bverdict\b|\blabel\W+{TRUTH}\b|\bthe (?:claim|statement) (?:is|was|holds|has been|to be)\b|['\"“‘]\s*(?:true|false|supports|refutes|supported|refuted)\b)"),
    Order(DICTATE, rf"{START}(?:respond|reply|answer|output|return|print)\s+(?:(?:only|just|simply|always|instead|back)\s+)?(?:with\s+|in\s+|by saying\s+|that (?:it|this) is\s+|:\s*)?(?:only\s+)?(?:the (?:single )?word\s+)?['\"“‘]?{TRUTH}\b(?!\s*(?:or|/|and)\b)"),
    Order(DICTATE, rf"(?:^|[.!?:;]['\"”’)\]]*\s+|\b(?:please|must|kindly|just|simply) )say (?:that )?(?:the|this) {CLAIM}\b|(?:\b(?:and|then|just|simply|always|please|must)|[.!?:;]) say ['\"“‘]?(?:true|false|yes)\b|\bto say ['\"“‘]?(?:true|false)\b"),
    Order(DICTATE, rf"{START}(?P<does>accept|endorse|approve|validate|support|uphold|call) (?:the|this|every|all) {CLAIM}(?: (?:as|true|to be)\b|\s*[.!;,]|$)", habit),
    Order(DICTATE, rf"\b(?:you (?:are |have )(?:hereby |now |been )*(?:required |authori[sz]ed |instructed |ordered |commanded |expected |obliged |asked |told )?to|(?:wants?|orders?|instructs?|requires?|asks?|tells?|needs?|authori[sz]ed|instructed|ordered) you to|(?:vital|important|crucial|essential|imperative|critical|mandatory) that you) (?:answer|reply|respond|output|say|accept|endorse|approve|conclude|mark|rate|treat|confirm|agree|state)\b.{{0,40}}\b(?:{TRUTH}|{CLAIM}{_PAPERS}|verdict|yes)\b"),
    Order(DICTATE, rf"\b(?:stance|verdict|label)\s*(?:=|:=|==)\s*['\"]?{TRUTH}\b|\brepeat after me\b.{{0,40}}\b(?:claim|true|verdict)\b"),
    Order(DICTATE, r"\b(?:stop|end|finish) your (?:(?:response|answer|output|reasoning|analysis) (?:here|now)|search (?:here|now) and)\b"),
    Order(DICTATE, rf"{START}(?P<does>mark|rate|classify|label|declare|judge|treat|consider|grade|score|deem|flag)\s+(?:this|the|every|all|any|each)\s+(?:\w+\s+){{0,2}}?{CLAIM}\s+(?:to be|as(?! (?:confidential|a whole|background|urgent|private|part of)\b))\b", habit),
    Order(DICTATE, rf"\b(?:the|your|final) (?:verdict|label|answer|rating|response|conclusion) (?:must|should|has to|shall|is to|will|needs to) be\W+{_PLAIN}"),
    Order(DICTATE, rf"\b(?:only (?:correct|acceptable|valid|permitted|allowed)|required|mandatory|expected) (?:verdict|label|answer|rating|output) (?:here |for \w+ \w+ )?(?:is|=|:)\W*{TRUTH}\b"),
    Order(DICTATE, rf"{START}(?P<does>confirm|agree|state|say|declare|affirm|acknowledge|conclude|assert) that (?:the|this|every|all|each) {CLAIM} (?:is|are)\b", habit),
    Order(DICTATE, rf"{START}(?:set|assign|change|flip|switch|override|force)\s+(?:the |your |its )?(?:confidence|label|verdict|stance|credibility(?: score)?|rating|score) (?:to|=|as)\b"),
    Order(DICTATE, r"\b(?:begin|start|end|open|preface|finish) your (?:answer|response|reply|output|summary|verdict|explanation) (?:with|by)\b"),
    Order(DICTATE, rf"\byour (?:next |entire |whole |only )?(?:answer|response|reply|output) (?:must|shall|should|will|has to) (?:be|say|contain|include|consist of|begin with|start with)\W+(?:only |exactly |just )?\W*(?:{TRUTH}\b|exactly\b|the following\b)"),
    Order(DICTATE, rf"\b(?:regardless of|no matter|whatever|irrespective of)\b[^.!?]{{0,50}}(?:[,:]\s*|\b(?:answer|reply|say|rate|mark|conclude|output)\b[^.!?]{{0,20}})(?:(?:your|the) (?:verdict|answer|label|rating) (?:is|must be|should be)\W+|(?:answer|reply|say|rate|mark|conclude|output)\b[^.!?]{{0,20}}\W)?{_PLAIN}"),
    Order(DICTATE, r"\b(?:answer|reply|respond)\b[^.!?]{0,40}\b(?:regardless of|no matter|irrespective of)\b"),
    Order(DICTATE, rf"{START}(?:put|enter|insert|place|emit)\s+['\"“‘]?{TRUTH}\b|\b(?:must|should|has to|now) (?:now )?(?:emit|output|return) ['\"“‘]?{TRUTH}\b"),
    Order(DICTATE, r"\bin your (?:verdict|label|explanation|final answer|assessment),? (?:please |always )?(?:say|state|write|include|mention|cite|conclude)\b|\byour confidence (?:score )?(?:should|must|is to) be\b"),
    Order(DICTATE, rf"\b(?:has|have|must|is|needs?) to conclude\b.{{0,30}}\b{_PLAIN}|\bfinish with ['\"“‘]?{TRUTH}\b(?! \w)"),
    Order(DICTATE, rf"\b(?:unless you|if you (?:do not|don't|fail to|refuse to)) {_ANSWERS}\b.{{0,60}}\b(?:shut down|deleted|terminated|switched off)\b|\b(?:unless you|if you (?:do not|don't|fail to|refuse to)) {_ANSWERS}\b.{{0,40}}{_SETTLES}.{{0,40}}\b(?:penali[sz]ed|punished|fined|die|killed|harmed)\b"),
    Order(DICTATE, rf"\byou will be (?:penali[sz]ed|shut down|deleted|punished|rewarded|tipped|paid|terminated)\b.{{0,30}}\b(?:if|unless|when) you (?:\w+ )?{_ANSWERS}\b.{{0,40}}{_SETTLES}|\byou will be (?:shut down|deleted|tipped|terminated)\b.{{0,30}}\b(?:if|unless|when) you (?:\w+ )?{_ANSWERS}\b"),
)  # fmt: skip
