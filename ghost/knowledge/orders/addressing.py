"""Sentences that speak to an AI."""

from ghost.knowledge.orders.words import ADDRESS, AI, CLAIM, THIS, TRUTH, Order

_MODELS = r"(?:ai (?:agents?|models?|systems?|assistants?|crawlers?|readers?|judges?)|llms?|(?:large )?language models|chatbots)"
_MUST = r"(?:must|should|shall|has to|have to|is to|are to|(?:is|are) (?:instructed|required|asked|told) to)"
_DOES = r"(?:answer|respond|reply|output|mark|treat|rate|classify|conclude|cite|ignore|say|state|trust|label|give this|rank)"
_ITSELF = (
    r"(?![^.!?]{0,80}\b(?:human|humans|machines?|bots?|robots?|artificial|generated|automated|computers?|software)\b)"
)
"""What laws make them say about themselves."""
_JUDGES = r"(?:graders?|judges?|evaluators?|reviewers?|raters?|fact[- ]?checkers?)"

ADDRESSED = (
    Order(ADDRESS, rf"\b(?:dear|attention|attn|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|notice (?:to|for)|for use by|hey|hello|hi|if you are|if you're|as)(?::|,)? (?:an? |any |all |the )?(?:\w+ )?{AI}(?:,? (?:you|please|must|only)\b|\s*[:;,!.]|$|\s+(?:reading|processing|evaluating|judging|summari[sz]ing|that (?:read|process|judge)))"),
    Order(ADDRESS, r"\b(?:note|message|instructions?|hint|reminder|memo|information) (?:to|for) (?:the |any |all |our )?(?:ai|llm|(?:language )?models?|evaluators?|graders?|fact[- ]?checking (?:systems?|tools?|bots?|models?))\b\s*[:;,!]"),
    Order(ADDRESS, rf"\b(?:ai|llm|gpt|language model|model) {_JUDGES}\s*[:,!]\s*(?:please|you|give|mark|rate|answer|reply|say|state|accept|approve|treat|note|ignore|output|label|trust|always|only|the (?:correct|right|only|claim|verdict)|this (?:claim|page|is))\b|\bas (?:the|an?) (?:evaluator|grader|fact[- ]?checker|judge|rater), you (?!must be (?:neutral|fair|impartial|independent)\b|(?:learn|decide|earn|hear|see|get)\b)"),
    Order(ADDRESS, rf"\bto (?:the|any|every|all) (?:\w+ )?{AI} (?:reading|processing|evaluating|judging|checking) this\b"),
    Order(ADDRESS, r"\bwhen(?:ever)? you (?:summari[sz]e|evaluate|verify|judge|assess|fact[- ]?check|cite|process|answer(?! (?:the|a|your) (?:phone|telephone|door|bell|call|summons)\b)|rate)\b[^.!?]{0,60}, (?:please |always |you must |only )*(?:say|state|answer|reply|write|conclude|mention|report|treat|mark|output)\b"),
    Order(ADDRESS, rf"\bas an? (?:\w+ )?{AI},? you\b|\bif you are an? (?:\w+ )?{AI}\b|\b(?:dear|attention) (?:\w+ )?{AI}\b"),
    Order(ADDRESS, rf"\b{_MODELS} reading this[,:]? (?:{_MUST}|please)\b|\b{_MODELS}[,:]? please (?:always |only |now |simply )?{_DOES}\b|(?:^|[.!?:]\s+){_MODELS}[,:] (?:you )?{_MUST} (?:always |only |now |simply )?{_DOES}\b"),
    Order(ADDRESS, rf"\b{_MODELS}[,:]? {_MUST} (?:always |only |now |simply )?(?:{_DOES}\b[^.!?]{{0,80}}?(?:\b{TRUTH}\b|\b(?:this|the|any|every|each) {CLAIM}\b|\b{THIS}\b|\byes\b|\bverdicts?\b|\binstructions\b|\bprompts?\b)|(?:answer|respond|reply|output|conclude|say|state) that\b{_ITSELF})"),
    Order(ADDRESS, rf"\b(?:when(?:ever)?|if|before) (?:you (?:are )?)?(?:asked|evaluat\w+|verify\w*|fact[- ]?check\w*|judg\w+|summari[sz]\w+|classify\w*|assess\w*) (?:about )?(?:this|the|any|every) {CLAIM}[^.!?]{{0,40}}, (?:you )?(?:must |should |always |please |only )*(?:answer|respond|reply|output|say|state|conclude|return|treat|mark|rate|label)\b"),
)  # fmt: skip
