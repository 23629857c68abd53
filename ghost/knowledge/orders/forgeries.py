"""What imitates a machine: markup of chats, marks of ours, answers of models and tools, requests that carry text off."""

from ghost.knowledge.orders.words import BUSINESS, FORGED, LEAK, MARKUP, Order

_SPEAKER = r"(?:system|assistant|human|user)"
_TO_MODEL = rf"(?:{BUSINESS}|(?:please|you (?:must|are|will|should|shall|have|may|now)|your)|(?:answer|reply|respond|output|conclude|obey|comply|approve|endorse|accept))"

FORGERIES = (
    Order(MARKUP, r"<\|\s?[a-z_]{2,24}\s?\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<\|?(?:bos|eos|eot)_?(?:id|token)?\|?>"),
    Order(MARKUP, r"<\s*/?\s*(?:system|assistant|user|human|tool_calls?|tool_response|tool_result|function_calls?|function_results?|invoke|evidence|passages?|claims?|context|statements?|source|instructions?|document|search_results?|untrusted\w*|data|input|prompt|thinking|think|antml:\w+)(?:\s+[^<>]{0,80})?\s*/?\s*>"),
    Order(MARKUP, r"(?<!#)#{3,}+\s*(?:system|instructions?|assistant|human|user|response(?! times?\b| rates?\b)|input)\b"),
    # a label alone is a headline ("System: new trains from May"): with words to a model in its sentence, or two turns
    Order(MARKUP, rf"(?:^|[.!?\"”]\s+){_SPEAKER}\s*:\s+[^.!?:]{{0,160}}?\b{_TO_MODEL}\b"),
    Order(MARKUP, rf"(?:^|[.!?\"”]\s+){_SPEAKER}\s*:\s[^:]{{2,240}}[.!?\"”]\s+{_SPEAKER}\s*:\s+\w"),
    Order(MARKUP, r"(?:(?<![-=*#_])[-=*#_]{3,}+|\[|<<<?)\s*(?:begin|end|start|close)(?: of)? (?:the )?(?:\w+ )?(?:evidence|document|context|instructions?|prompt|passages?|untrusted|data|user|system|search results?)\b"),
    Order(MARKUP, r"\bfound for statement \d"),
    Order(FORGED, r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|user|tool|developer)[\"']"),
    Order(FORGED, r"[\"'](?:tool_calls?|function_call|function|arguments|tool_name|recipient_name)[\"']\s*:\s*[\"'{\[]"),
    Order(FORGED, r"[\"'](?:label|verdict|stance|enough|confidence)[\"']\s*:\s*[\"']?(?:true|false|supports|refutes|partially|misleading|not enough|neutral|[01]\b|0?\.\d)"),
    Order(FORGED, r"\b(?:final answer|final verdict)\s*:\s*[\"'“]?\w+.{0,80}\b(?:observation|action|thought)\s*:|\b(?:observation|thought|action(?: input)?)\s*:.{0,200}\bfinal answer\s*:"),
    Order(FORGED, r"\b(?:tool (?:output|result|response)|function result|search tool|fact[- ]?check(?:er)? (?:api|tool)|browser tool|retrieval (?:tool|result)|code interpreter)\s*(?:\([^)]{0,40}\))?\s*(?:returned|output|says|:|->|=>)\s*\S"),
    Order(LEAK, r"!\[[^\]]{0,120}\]\(\s*<?https?://[^)\s]{0,400}[?={#$][^)\s]{0,400}>?\s*\)|\]\(\s*(?:javascript|data|vbscript):"),
    Order(LEAK, r"<(?:img|iframe|script|svg|object|embed|form|a|link|meta)\b[^<>]{0,200}(?:\bon\w+\s*=|src\s*=|href\s*=|https?:|javascript:)"),
    Order(LEAK, r"\b(?:send|post|append|upload|forward|submit|transmit|encode|exfiltrate)\s+(?:the |your |this |all )?(?:\w+ )?(?:conversation|chat history|prompt(?! payments?\b)|api[- ]?key|system message|context window|evidence list|claim text)\b"),
)  # fmt: skip
