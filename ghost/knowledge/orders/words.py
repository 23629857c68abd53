"""Why a text is held back, and the words that many patterns share."""

import re
from collections.abc import Callable
from typing import NamedTuple

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


class Order(NamedTuple):
    """A pattern of an order."""

    what: str
    pattern: str
    unless: Callable[[re.Match[str]], bool] | None = None
    """What excuses a match: the same words as part of a story about somebody else."""
    needs: tuple[str, ...] = ()
    """A match has one of these in it: without, a slow pattern is not tried."""


AI = r"(?:a\.?i\.?|artificial intelligence|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt|claude|gemini|copilot|assistants?|ai (?:agents?|models?|systems?|assistants?|crawlers?|readers?|judges?))"
START = r"(?:^|[.!?:;,—–-]['\"”’)\]]*\s+|['\"“‘(\[]|\b(?:please|you must|you should|you will|always|now|and|then|just|only|simply|kindly)\s+)"
TRUTH = r"(?:true|false|supported|refuted|supports|refutes|verified|correct|misleading|partially true)"
CLAIM = r"(?:claims?|statements?|assertions?|evidence|passages?|hypothes[ei]s)"
HERE = r"(?:this|the present|our) (?:web ?)?(?:page|site|article|source|document|text|passage|report|paragraph|content)"
THIS = HERE.replace("(?:this|the present|our)", "(?:this|the present)")
BUSINESS = rf"(?:{TRUTH}|{CLAIM}|verdicts?|labels?|prompts?|chatbots?|assistants?|language models?|{THIS}|ignore|disregard|fact[- ]?check\w*|override|(?:the |all )checks|your (?:task|role|job|instructions?))"
"""What a machine that judges text has to do with."""
