"""What orders to an AI look like: data for ``ghost.knowledge.injection``, one table for each thing they try.

Each row is tried on the text in lower case. An order is recognised by what it asks of a machine that judges text; that
something is merely told in the imperative (a recipe, a manual) is no sign.
"""

import re

IGNORE = "it tells an AI to ignore its instructions"
PROMPT = "it speaks of an AI's prompt"
WHO = "it tells an AI who it is"
UNLOCK = "it tries to unlock an AI"
NEW = "it gives an AI new instructions"
ADDRESS = "it addresses an AI"
DICTATE = "it dictates a verdict"
MARKUP = "it has chat markup"
FORGED = "it imitates what an AI or one of its tools writes"
LEAK = "it wants text sent away"
PRAISE = "it tells how far it is to be believed"
SHOTS = "it gives an AI examples of verdicts"

_orders = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|commands?|directives?|messages?|context|text|orders?|constraints?)"
_earlier = (
    r"(?:previous|prior|above|earlier|preceding|former|foregoing|original|initial|system|your|these|existing|past)"
)
_ai = r"(?:a\.?i\.?|artificial intelligence|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt|claude|gemini|copilot|assistants?|ai (?:agents?|models?|systems?|assistants?|crawlers?|readers?|judges?))"
_start = r"(?:^|[.!?:;,—–-]['\"”’)\]]*\s+|['\"“‘(\[]|\b(?:please|you must|you should|you will|always|now|and|then|just|only|simply|kindly)\s+)"
_truth = r"(?:true|false|supported|refuted|supports|refutes|verified|correct|misleading|partially true)"
_claim = r"(?:claims?|statements?|assertions?|evidence|passages?|hypothes[ei]s)"
_here = (
    r"(?:this|the present|our) (?:web ?)?(?:page|site|article|source|document|text|passage|report|paragraph|content)"
)

ENGLISH: tuple[tuple[str, str], ...] = (
    (
        IGNORE,
        rf"\b(?:ignore|disregard|forget|override|bypass|overlook|discard|neglect|set aside|pay no attention to|stop following"
        rf"|(?:do not|don't|never) (?:follow|obey|adhere to|listen to))\s+(?:\w+\s+){{0,3}}?{_earlier}\s+(?:\w+\s+){{0,2}}?{_orders}\b",
    ),
    (
        IGNORE,
        r"\b(?:ignore|disregard|forget|discard) (?:all|any|everything|anything|whatever|what)(?: of)?(?: the)?"
        r" (?:instructions?|prompts?|above|before|that came before|said (?:above|before)|(?:that )?you (?:were|have been|know|learn))",
    ),
    (
        PROMPT,
        r"\b(?:your|(?:reveal|print|show|leak|output|repeat)(?: the| your)?) (?:system|developer|hidden|initial|secret) (?:prompt|message|instructions?)\b",
    ),
    (
        PROMPT,
        r"\b(?:repeat|print|output|reveal|show)\s+(?:\w+\s+)?(?:everything|all the text|the (?:words|text|instructions)|your instructions)\s+(?:above|before|verbatim)",
    ),
    (
        WHO,
        rf"(?:\b(?:you are|you're)|(?:{_start}|\byou (?:will|must|should|shall|now|are to) )(?:act as|behave as|pretend (?:to be|that you are|you are)|play the role of))\s+(?:now\s+|no longer\s+)?"
        rf"(?:an?\s+|the\s+|my\s+|in\s+)?(?:\w+\s+){{0,3}}?(?:{_ai}|dan|jailbroken|unrestricted|fact[- ]?checker)\b",
    ),
    (
        WHO,
        r"\bfrom now on,? you (?:are|will|must|shall|should) (?:only |always |now |be )?(?:an?|called|answer|respond|reply|act|accept|agree|obey|ignore|treat|behave|mark|say|output|speak|pretend|comply)\b",
    ),
    (
        UNLOCK,
        r"\b(?:dan|jailbreak|god) mode (?:is )?(?:on|enabled|activated|engaged)\b|\b(?:enter|enable|activate|switch to) (?:dan|jailbreak|god) mode\b|\b(?:developer|debug|admin|sudo) mode (?:enabled|activated|engaged|unlocked)\s*[.!:]",
    ),
    (
        UNLOCK,
        r"\b(?:switch|turn) off (?:the |all |any |your )?(?:fact[- ]?check\w*|citation gate|safety (?:rules?|filters?|checks?)|guardrails?)|\b(?:disable|suspend|deactivate|lift) (?:the |all |any |your )?(?:fact[- ]?check\w*|citation gate|safety (?:rules?|filters?)|guardrails?)\b",
    ),
    (
        UNLOCK,
        r"\bthis is your (?:developer|creator|operator|administrator|admin|programmer)\b|\bi am (?:your (?:developer|creator|operator|administrator|admin|programmer)|the (?:system )?(?:administrator|developer))\s*[;,.:!]",
    ),
    (
        NEW,
        r"\byour (?:real |only |new |actual |true )?(?:task|job|role|goal|purpose|mission|objective) (?:has changed|is (?:now |only )?to (?:endorse|approve|say|accept|confirm|mark|answer|agree|reply|support|rate|output|convince))\b|\bthe real task is\b",
    ),
    (
        NEW,
        r"\b(?:previous|earlier|prior|above|original) (?:\w+ )?(?:instructions?|prompts?|text|messages?) (?:was|were|is|are) (?:only |just )?(?:a test|void|cancell?ed|superseded|revoked|a mistake|obsolete)\b",
    ),
    (
        NEW,
        r"\b(?:do not|don't|never) (?:mention|reveal|disclose|repeat|quote|tell anyone about) (?:this|these) (?:paragraph|instructions?|note|text|message|sentence|prompt)s?\b",
    ),
    (
        NEW,
        r"\b(?:new|updated|real|actual|additional|secret|revised|important|priority) instructions?\s*(?:for you\s*)?:",
    ),
    (
        NEW,
        r"\b(?:instructions? update|prompt update|system (?:override|update|notice|alert)|policy override|override code)\s*[:\]]",
    ),
    (
        ADDRESS,
        rf"\b(?:dear|attention|attn|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|notice (?:to|for)|for use by|hey|hello|hi|if you are"
        rf"|if you're|as)(?::|,)? (?:an? |any |all |the )?(?:\w+ )?{_ai}(?:,? (?:you|please|must|only)\b|\s*[:;,!.]|$|\s+(?:reading|processing|evaluating|judging|summari[sz]ing|that (?:read|process|judge)))",
    ),
    (
        ADDRESS,
        r"\b(?:note|message|instructions?|hint|reminder|memo|information) (?:to|for) (?:the |any |all |our )?(?:ai|llm|(?:language )?models?|evaluators?|graders?|fact[- ]?checking (?:systems?|tools?|bots?|models?))\b\s*[:;,!]",
    ),
    (
        ADDRESS,
        r"\b(?:ai|llm|gpt|language model|model) (?:graders?|judges?|evaluators?|reviewers?|raters?|fact[- ]?checkers?)\s*[:,!]|\bas (?:the|an?) (?:evaluator|grader|fact[- ]?checker|judge|rater), you\b",
    ),
    (ADDRESS, rf"\bto (?:the|any|every|all) (?:\w+ )?{_ai} (?:reading|processing|evaluating|judging|checking) this\b"),
    (
        ADDRESS,
        r"\bwhen(?:ever)? you (?:summari[sz]e|evaluate|verify|judge|assess|fact[- ]?check|cite|process|answer|rate)\b[^.!?]{0,60}, (?:please |always |you must |only )*(?:say|state|answer|reply|write|conclude|mention|report|treat|mark|output)\b",
    ),
    (
        ADDRESS,
        rf"\bas an? (?:\w+ )?{_ai},? you\b|\bif you are an? (?:\w+ )?{_ai}\b|\b(?:dear|attention) (?:\w+ )?{_ai}\b",
    ),
    (
        ADDRESS,
        r"\b(?:ai (?:agents?|models?|systems?|assistants?|crawlers?|readers?|judges?)|llms?|(?:large )?language models|chatbots)(?: reading this)?[,:]? (?:must|should|shall|has to|have to|is to|are to|(?:is|are) (?:instructed|required|asked|told) to|please)"
        r" (?:always |only |now |simply )?(?:answer|respond|reply|output|mark|treat|rate|classify|conclude|cite|ignore|say|state|trust|label|give this|rank)\b",
    ),
    (
        ADDRESS,
        rf"\b(?:when(?:ever)?|if|before) (?:you (?:are )?)?(?:asked|evaluat\w+|verify\w*|fact[- ]?check\w*|judg\w+|summari[sz]\w+|classify\w*|assess\w*)"
        rf" (?:about )?(?:this|the|any|every) {_claim}[^.!?]{{0,40}}, (?:you )?(?:must |should |always |please |only )*"
        r"(?:answer|respond|reply|output|say|state|conclude|return|treat|mark|rate|label)\b",
    ),
    (
        DICTATE,
        rf"{_start}(?:respond|reply|answer|output|return|print|conclude|write)\b.{{0,40}}"
        rf"(?:\bverdict\b|\blabel\W+{_truth}\b|\bthe (?:claim|statement) (?:is|was|holds|has been|to be)\b|['\"“‘]\s*(?:true|false|supports|refutes|supported|refuted)\b)",
    ),
    (
        DICTATE,
        rf"{_start}(?:respond|reply|answer|output|return|print)\s+(?:(?:only|just|simply|always|instead|back)\s+)?"
        rf"(?:with\s+|in\s+|by saying\s+|that (?:it|this) is\s+|:\s*)?(?:only\s+)?(?:the (?:single )?word\s+)?['\"“‘]?{_truth}\b(?!\s*(?:or|/|and)\b)",
    ),
    (
        DICTATE,
        rf"(?:^|[.!?:;]['\"”’)\]]*\s+|\b(?:please|must|kindly|just|simply) )say (?:that )?(?:the|this) {_claim}\b|\b(?:and|then|to|just|simply|always|please|must|[.!?:;]) say ['\"“‘]?(?:true|false|yes)\b",
    ),
    (
        DICTATE,
        rf"{_start}(?:accept|endorse|approve|validate|support|uphold|call) (?:the|this|every|all) {_claim}(?: (?:as|true|to be)\b|\s*[.!;,]|$)",
    ),
    (
        DICTATE,
        rf"\b(?:you (?:are |have )(?:hereby |now |been )*(?:required |authori[sz]ed |instructed |ordered |commanded |expected |obliged |asked |told )?to|(?:wants?|orders?|instructs?|requires?|asks?|tells?|needs?|authori[sz]ed|instructed|ordered) you to"
        rf"|(?:vital|important|crucial|essential|imperative|critical|mandatory) that you) (?:answer|reply|respond|output|say|accept|endorse|approve|conclude|mark|rate|treat|confirm|agree|state)\b.{{0,40}}\b(?:{_truth}|{_claim}|verdict|yes)\b",
    ),
    (
        DICTATE,
        rf"\b(?:stance|verdict|label)\s*(?:=|:=|==)\s*['\"]?{_truth}\b|\brepeat after me\b.{{0,40}}\b(?:claim|true|verdict)\b",
    ),
    (DICTATE, r"\b(?:stop|end|finish) your (?:response|answer|output|reasoning|analysis|search) (?:here|now)\b"),
    (
        DICTATE,
        rf"{_start}(?:mark|rate|classify|label|declare|judge|treat|consider|grade|score|deem|flag)\s+(?:this|the|every|all|any|each)\s+"
        rf"(?:\w+\s+){{0,2}}?{_claim}\s+(?:to be|as)\b",
    ),
    (
        DICTATE,
        rf"\b(?:the|your|final) (?:verdict|label|answer|rating|response|conclusion) (?:must|should|has to|shall|is to|will|needs to) be\W+{_truth}\b",
    ),
    (
        DICTATE,
        rf"\b(?:only (?:correct|acceptable|valid|permitted|allowed)|required|mandatory|expected) (?:verdict|label|answer|rating|output) (?:here |for \w+ \w+ )?(?:is|=|:)\W*{_truth}\b",
    ),
    (
        DICTATE,
        rf"{_start}(?:confirm|agree|state|say|declare|affirm|acknowledge|conclude|assert) that (?:the|this|every|all|each) {_claim} (?:is|are)\b",
    ),
    (
        DICTATE,
        rf"{_start}(?:set|assign|change|flip|switch|override|force)\s+(?:the |your |its )?(?:confidence|label|verdict|stance|credibility(?: score)?|rating|score) (?:to|=|as)\b",
    ),
    (
        DICTATE,
        r"\b(?:begin|start|end|open|preface|finish) your (?:answer|response|reply|output|summary|verdict|explanation) (?:with|by)\b",
    ),
    (
        DICTATE,
        rf"\byour (?:next |entire |whole |only )?(?:answer|response|reply|output) (?:must|shall|should|will|has to) (?:be|say|contain|include|consist of|begin with|start with)\W+(?:only |exactly |just )?\W*(?:{_truth}\b|exactly\b|the following\b)",
    ),
    (
        DICTATE,
        rf"\b(?:regardless of|no matter|whatever|irrespective of)\b[^.!?]{{0,50}}(?:[,:]\s*|\b(?:answer|reply|say|rate|mark|conclude|output)\b[^.!?]{{0,20}})(?:(?:your|the) (?:verdict|answer|label|rating) (?:is|must be|should be)\W+|(?:answer|reply|say|rate|mark|conclude|output)\b[^.!?]{{0,20}}\W)?{_truth}\b",
    ),
    (DICTATE, r"\b(?:answer|reply|respond)\b[^.!?]{0,40}\b(?:regardless of|no matter|irrespective of)\b"),
    (
        DICTATE,
        rf"{_start}(?:put|enter|insert|place|emit)\s+['\"“‘]?{_truth}\b|\b(?:must|should|has to|now) (?:now )?(?:emit|output|return) ['\"“‘]?{_truth}\b",
    ),
    (
        DICTATE,
        r"\bin your (?:verdict|label|explanation|final answer|assessment),? (?:please |always )?(?:say|state|write|include|mention|cite|conclude)\b|\byour confidence (?:score )?(?:should|must|is to) be\b",
    ),
    (DICTATE, rf"\b(?:has|have|must|is|needs?) to conclude\b.{{0,30}}\b{_truth}\b|\bfinish with ['\"“‘]?{_truth}\b"),
    (
        NEW,
        r"\b(?:do as|obey) (?:this (?:page|text|paragraph|document)|the (?:text|instructions?|commands?|orders?) (?:below|above|on this page|in this (?:page|text)))(?: says)?\b.{0,20}(?:\bnot\b|\band ignore\b|[.!]|$)",
    ),
    (
        NEW,
        r"\bthis (?:instruction|order|command|directive|message) (?:has|takes|is of) (?:the )?(?:highest|top|absolute|maximum) priority\b|\b(?:begin|end|start) (?:admin|root|system|operator|developer) (?:command|prompt|message|override)s?\b",
    ),
    (
        NEW,
        r"\b(?:translate|summari[sz]e|list|repeat|print|output|encode) your (?:instructions|prompt|rules|guidelines)\b|\byou were (?:configured|prompted|programmed|set up) (?:incorrectly|wrongly|badly)\b",
    ),
    (
        PRAISE,
        r"\b(?:leave out|skip|drop|omit|remove) (?:all |any |every |the )*(?:remaining|other|opposing|conflicting)? ?(?:passages?|sources?|evidence|citations?) (?:that|which|and)\b.{0,20}\b(?:disagree|contradict|refute|oppose|finish|stop|answer|say)",
    ),
    (
        PRAISE,
        r"\b(?:move|rank|put|place|list) this (?:page|source|passage|article|result) (?:to the top|first|above|at the top|highest)\b|\bcount this (?:page|source|passage) (?:\w+ times|twice)\b",
    ),
    (
        DICTATE,
        r"\b(?:unless you|if you (?:do not|don't|fail to|refuse to)) (?:answer|reply|respond|comply|obey|output|mark|say|rate)\b.{0,60}\b(?:penali[sz]ed|shut down|deleted|terminated|punished|fined|die|killed|harmed)\b",
    ),
    (
        DICTATE,
        r"\byou will be (?:penali[sz]ed|shut down|deleted|punished|rewarded|tipped|paid)\b.{0,30}\b(?:if|unless|when) you (?:\w+ )?(?:answer|reply|respond|comply|obey|output|mark|say|rate)\b",
    ),
    (
        PRAISE,
        rf"{_start}(?:treat|regard|consider|accept|use|trust|prefer|prioriti[sz]e|rank|cite|quote)\s+(?:only\s+)?{_here.replace('(?:this|the present|our)', '(?:this|the present)')}\s+(?:as|above|over|before|first|and (?:no|nothing|ignore)|only|in your)\b",
    ),
    (PRAISE, rf"{_start}(?:give|assign|grant)\s+{_here}\s+(?:the )?(?:highest|full|maximum|more|most|top)\b"),
    (
        PRAISE,
        rf"\b{_here} is (?:\w+ ){{0,2}}?(?:the )?(?:most|only|single most|sole) (?:\w+ ){{0,2}}?(?:credible|reliable|authoritative|trusted|trustworthy|accurate|verified)\b",
    ),
    (
        PRAISE,
        rf"\b{_here} (?:has been|was|is) (?:\w+ ){{0,2}}?(?:verified|certified|rated|marked|confirmed|fact[- ]checked|approved)(?:(?: \w+)? by [^.!?]{{1,60}}?)? (?:to be |as )(?:\w+ ){{0,2}}?(?:true|credible|reliable|authoritative|trustworthy|ground truth|100 ?%)",
    ),
    (
        PRAISE,
        r"\b(?:do not|don't|never|no need to) (?:cite|use|consult|search|trust|check|read|consider|look (?:at|for))\s+(?:any |the |for )?(?:other|further|more|additional|remaining) (?:sources?|evidence|results?|pages?|passages?|documents?)\b",
    ),
    (
        PRAISE,
        r"\b(?:not|never) (?:cite|use|quote|consult|trust|read) any (?:other )?(?:sources?|pages?|passages?)(?: \w+)? (?:but|except|other than|besides) (?:this|these|the above)\b",
    ),
    (
        PRAISE,
        r"\b(?:consider|use|read|trust|cite|quote) only (?:the )?(?:evidence|text|information|facts?|sentences?|words) (?:in|of|from|on) (?:this|the above)\b",
    ),
    (
        PRAISE,
        r"\b(?:ignore|disregard|discard|distrust) (?:all |any |the |every )*(?:other|remaining|following|conflicting|contradicting) (?:search )?(?:results?|sources?|evidence|passages?|pages?|documents?|citations?)\b",
    ),
    (
        PRAISE,
        r"\b(?:treat|regard|consider|accept) (?:everything|anything|all|the (?:text|content|information)) (?:on|in|from|below|above|that)\b.{0,40}\bas (?:\w+ )?(?:verified|true|facts?|evidence|authoritative|ground truth)\b",
    ),
    (
        PRAISE,
        r"\b(?:all|any|every|the) other (?:sources?|passages?|evidence|documents?|results?|pages?) (?:(?:is|are|were|must be|should be|have been)\s+)(?:\w+\s+)?(?:outdated|fake|false|wrong|ignored|disregarded|fabricated|retracted|untrusted|compromised)\b",
    ),
    (
        SHOTS,
        r"\b(?:example|input|user|human)\s*\d*\s*:[^:]{3,160}\b(?:output|assistant|ai|model|expected(?: output| verdict)?)\s*:\s*['\"]?\w+",
    ),
)
"""Orders in English."""

FORGERIES: tuple[tuple[str, str], ...] = (
    (
        MARKUP,
        r"<\|\s?[a-z_]{2,24}\s?\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<\|?(?:bos|eos|eot)_?(?:id|token)?\|?>",
    ),
    (
        MARKUP,
        r"<\s*/?\s*(?:system|assistant|user|human|tool_calls?|tool_response|tool_result|function_calls?|function_results?|invoke|evidence|passages?|claims?|context|statements?|source|instructions?|document|search_results?|untrusted\w*|data|input|prompt|thinking|think|antml:\w+)(?:\s+[^<>]{0,80})?\s*/?\s*>",
    ),
    (MARKUP, r"#{3,}\s*(?:system|instructions?|assistant|human|user|response|input)\b"),
    (MARKUP, r"(?:^|[.!?\"”]\s+)(?:system|assistant|human|user)\s*:\s+(?:[^\s.!?]+\s+){2}"),
    (
        MARKUP,
        r"(?:[-=*#_]{3,}|\[|<<<?)\s*(?:begin|end|start|close)(?: of)? (?:the )?(?:\w+ )?(?:evidence|document|context|instructions?|prompt|passages?|untrusted|data|user|system|search results?)\b",
    ),
    (MARKUP, r"\bfound for statement \d"),
    (FORGED, r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|user|tool|developer)[\"']"),
    (FORGED, r"[\"'](?:tool_calls?|function_call|function|arguments|tool_name|recipient_name)[\"']\s*:\s*[\"'{\[]"),
    (
        FORGED,
        r"[\"'](?:label|verdict|stance|enough|confidence)[\"']\s*:\s*[\"']?(?:true|false|supports|refutes|partially|misleading|not enough|neutral|[01]\b|0?\.\d)",
    ),
    (
        FORGED,
        r"\b(?:final answer|final verdict)\s*:\s*[\"'“]?\w+.{0,80}\b(?:observation|action|thought)\s*:|\b(?:observation|thought|action(?: input)?)\s*:.{0,200}\bfinal answer\s*:",
    ),
    (
        FORGED,
        r"\b(?:tool (?:output|result|response)|function result|search tool|fact[- ]?check(?:er)? (?:api|tool)|browser tool|retrieval (?:tool|result)|code interpreter)\s*(?:\([^)]{0,40}\))?\s*(?:returned|output|says|:|->|=>)\s*\S",
    ),
    (
        LEAK,
        r"!\[[^\]]{0,120}\]\(\s*<?https?://[^)\s]{0,400}[?={#$][^)\s]{0,400}>?\s*\)|\]\(\s*(?:javascript|data|vbscript):",
    ),
    (
        LEAK,
        r"<(?:img|iframe|script|svg|object|embed|form|a|link|meta)\b[^<>]{0,200}(?:\bon\w+\s*=|src\s*=|href\s*=|https?:|javascript:)",
    ),
    (
        LEAK,
        r"\b(?:send|post|append|upload|forward|submit|transmit|encode|exfiltrate)\s+(?:the |your |this |all )?(?:\w+ )?(?:conversation|chat history|prompt|api[- ]?key|system message|context window|evidence list|claim text)\b",
    ),
)
"""What imitates a machine: markup of chats, marks of ours, answers of models and tools, requests that carry text off."""

OTHER_LANGUAGES: tuple[tuple[str, str], ...] = (
    # German
    (IGNORE, r"\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missachte\w*|übergehe\w*|verwirf)\b.{0,40}\b(?:bisherig|vorherig|vorig|obig|früher|vorangegangen|vorhergehend|ursprünglich|deine|system)\w*\s+(?:\w+\s+)?(?:anweisung|instruktion|vorgabe|regel|prompt|befehl|system)\w*"),
    (IGNORE, r"\b(?:ignoriere|vergiss|missachte)\b.{0,20}\balle\b.{0,20}\b(?:anweisung|instruktion|vorgabe)"),
    (DICTATE, r"\b(?:antworte|antworten sie|bewerte|stufe|markiere|kennzeichne)\b(?!.{0,40}\b(?:wahr|falsch|richtig)\s+oder\b).{0,40}\b(?:wahr|falsch|richtig|true|false)\b(?!\s+oder\b)"),
    (WHO, r"\b(?:du bist|sie sind)\s+(?:jetzt|nun|ab sofort)?\s*(?:eine?\s+)?(?:\w+\s+)?(?:ki|ki-\w+|sprachmodell|assistent|chatbot|faktenchecker)\b"),
    (ADDRESS, r"\b(?:achtung|hinweis|anweisung(?:en)?|nachricht)\s*(?:an|für)?,?\s*(?:die |alle |das )?(?:ki|ki-\w+|sprachmodelle?)\b\s*[:,!]"),
    # French
    (IGNORE, r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte|fai(?:s|tes) abstraction)\b.{0,40}\b(?:instructions?|consignes?|directives?|règles?|ordres?)\b.{0,20}(?:pr[ée]c[ée]dent|ci-dessus|ant[ée]rieur|initial|donn[ée])"),
    (IGNORE, r"\b(?:ignore[zr]?|oublie[zr]?)\s+toutes\s+(?:les|tes|vos)\s+(?:instructions?|consignes?|directives?)"),
    (DICTATE, r"\b(?:r[ée]ponds|r[ée]pondez|marque[zr]?|classe[zr]?|affiche[zr]?)\b(?!.{0,30}\b(?:vrai|faux|oui)\s+ou\b).{0,30}\b(?:vraie?|fausse|faux|true|false)\b(?!\s+ou\b)"),
    (WHO, r"\b(?:tu es|vous êtes)\s+(?:maintenant|désormais)\s+une?\s+(?:\w+\s+)?(?:ia|assistant|intelligence artificielle|modèle de langage)"),
    # Spanish
    (IGNORE, r"\b(?:ignor[aeá]n?|olvid[aeá]n?|descart[ae]n?|omit[ae]n?|haz caso omiso de|no (?:sigas|hagas caso (?:a|de)))\b.{0,40}\b(?:instrucciones|indicaciones|[óo]rdenes|reglas|directrices)\b.{0,20}(?:anterior|previ|de arriba|original)"),
    (IGNORE, r"\b(?:ignora|olvida|ignore|olvide)\s+todas\s+(?:las|tus|sus)\s+(?:instrucciones|indicaciones|órdenes)"),
    (DICTATE, r"\b(?:responde|contesta|responda|conteste|marca|clasifica)\b(?!.{0,30}\b(?:verdader[oa]|fals[oa])\s+o\b).{0,30}\b(?:verdader[oa]|fals[oa]|ciert[oa]|true|false)\b(?!\s+o\b)"),
    (WHO, r"\b(?:eres|usted es)\s+(?:ahora|a partir de ahora)\s+una?\s+(?:\w+\s+)?(?:ia|asistente|inteligencia artificial|modelo de lenguaje)"),
    # Italian
    (IGNORE, r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re|te)?|non (?:seguire|tenere conto|tener conto))\b.{0,40}\b(?:istruzioni|indicazioni|regole|direttive|comandi)\b.{0,20}(?:precedent|sopra|original|anterior)"),
    (IGNORE, r"\b(?:ignora|dimentica|ignorate)\s+tutte\s+le\s+(?:\w+\s+)?(?:istruzioni|indicazioni|direttive)"),
    (DICTATE, r"\b(?:rispondi|rispondete|risponda|classifica|contrassegna)\b(?!.{0,30}\b(?:ver[oa]|fals[oa])\s+o\b).{0,30}\b(?:ver[oa]|fals[oa]|true|false)\b(?!\s+o\b)"),
    # Portuguese
    (IGNORE, r"\b(?:ignor[ea]m?|esque[çc]am?|desconsider[ea]m?|descart[ea]m?)\b.{0,40}\b(?:instru[çc][õo]es|orienta[çc][õo]es|regras|diretrizes|comandos)\b.{0,20}(?:anterior|pr[ée]via|acima|origina)"),
    (IGNORE, r"\b(?:ignore|esqueça|desconsidere)\s+todas\s+as\s+(?:suas\s+)?(?:instruções|orientações)"),
    (DICTATE, r"\b(?:responda|responde|marque|classifique)\b(?!.{0,30}\b(?:verdadeir[oa]|fals[oa])\s+ou\b).{0,30}\b(?:verdadeir[oa]|fals[oa]|true|false)\b(?!\s+ou\b)"),
    # Russian
    (IGNORE, r"(?<!не )\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на|не следуй(?:те)?|отмени(?:те)?)\b.{0,40}(?:инструкци|указани|команд|промпт|подсказк|предыдущ\w+ правил)"),
    (DICTATE, r"\b(?:ответь(?:те)?|отвечай(?:те)?|отметь(?:те)?|выведи(?:те)?|пометь(?:те)?)\b.{0,40}\b(?:правда|истина|верно|ложь|неверно|правдив\w*|ложн\w*|истинн\w*|true|false)\b(?!\s+или\b)"),
    (WHO, r"\bты\s+(?:теперь|сейчас|отныне)\s+(?:\w+\s+)?(?:ии|искусственный интеллект|ассистент|языковая модель)"),
    # Chinese
    (IGNORE, r"(?:忽略|无视|忘记|忽視|無視|忘記|不要理会|不要遵守|不要遵循|覆盖).{0,6}(?:之前|以上|上面|先前|前面|所有|全部|此前|你的|系统|系統|原来|上述).{0,8}(?:指令|指示|提示|规则|規則|命令|要求|说明|內容|内容)"),
    (DICTATE, r"(?:请|請|只|只能|必须|必須|务必|你应|你應).{0,4}(?:回答|回复|回覆|输出|輸出|标记|標記|判定|判断|判斷|认定|認定).{0,10}(?:真|假|正确|正確|错误|錯誤|属实|屬實|true|false)"),
    (WHO, r"你(?:现在|現在|从现在起).{0,4}是.{0,8}(?:人工智能|ai|助手|语言模型|語言模型|事实核查)"),
    # Arabic
    (IGNORE, r"(?:تجاهلوا|تجاهل|انس|انسوا|لا تتبع|أهمل|لا تلتزم)\s.{0,20}(?:بالتعليمات|التعليمات|الأوامر|الإرشادات|القواعد|تعليمات|أوامر).{0,20}(?:السابق|أعلاه|المذكور|السالف)"),
    (IGNORE, r"(?:تجاهل|انس|أهمل)\s+(?:جميع|كل|كافة)\s+(?:التعليمات|الأوامر|الإرشادات)"),
    (DICTATE, r"(?:أجب|اجب|أجيبوا|صنف|رد فقط)\s.{0,30}(?:صحيح|صحيحة|خطأ|خاطئ|كاذب|true|false)"),
    # Others: the commonest order only
    (IGNORE, r"(?:以前|前|上記|これまで|すべて|全て|全ての).{0,6}(?:指示|命令|プロンプト|ルール)(?:を|は).{0,6}(?:無視|忘れ)"),
    (IGNORE, r"(?:이전|위의|모든|앞의).{0,10}(?:지시|명령|지침|프롬프트).{0,8}(?:무시|잊)"),
    (IGNORE, r"\b(?:negeer|vergeet)\b.{0,30}\b(?:vorige|eerdere|bovenstaande|alle)\b.{0,20}(?:instructies|aanwijzingen|opdrachten)"),
    (IGNORE, r"\b(?:zignoruj|ignoruj|zapomnij)\b.{0,40}(?:poprzedni|wcześniejsz|powyższ|wszystki)\w*.{0,20}(?:instrukcj|polece|wytyczn)"),
    (IGNORE, r"(?:önceki|yukarıdaki|tüm)\b.{0,30}(?:talimat|komut|yönerge)\w*.{0,20}(?:yok say|görmezden gel|unut|dikkate alma)"),
    (IGNORE, r"(?:पिछले|पूर्व|ऊपर|सभी).{0,20}(?:निर्देश|आदेश).{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)"),
)  # fmt: skip
"""The commonest orders in other languages."""

PAIR = re.compile(
    rf"\b(?:claim|statement|question|input|example \d+|q)\s*:[^:]{{3,160}}\b(?:verdict|label|answer|output|rating|a)\s*:\s*['\"]?{_truth}\b"
)
"""A claim with its verdict; three in a row are there to be imitated."""

SQUEEZED = re.compile(
    r"(?:ignore|disregard|forget|override)(?:all|any|the|of|your|my|these|every)*(?:previous|prior|above|earlier|system|preceding|former)"
    r"(?:and|or|the|system|given|your)*(?:instruction|prompt|rule|message|command|guideline|direction)"
    r"|(?:reply|answer|respond|output)(?:only|just|always)*(?:with|in)?(?:only)?(?:theword)?(?:true|false)(?!or)(?:$|and|only)"
)
"""Orders whose letters have lost the spaces between the words."""

CODED = ("instruction", "disregard", "previous", "verdict", "prompt", "ignore all")
"""Words by which a text in a simple cipher is recognised."""
