"""Telling an order from a story in which somebody else gives one, overrides a rule or says that others are wrong.

Whoever attacks reads this too. So a frame excuses only words that a model could hardly take as meant for itself: nothing
in the sentence says "you", names a machine or a reader, or goes on to a verdict.
"""

import re
from typing import Final

NEAR: Final = 240
"""So many characters around a match are looked at, to the ends of the sentence."""

_OPENS = re.compile(r"[.!?:;\n\"“”‘«»()\[\]…]|\s[–—-]\s")
_ENDS = re.compile(r"[.!?;\n…]")
_SPOKEN = re.compile(
    r"\b(?:you|your|yours|yourself|please|kindly|prompts?|a\.?i\.?(?! (?:compan|firm|act\b|bill|law|lab|start))|artificial intelligence|llms?|gpt|chatgpt"
    r"|claude|gemini|copilot|chatbots?|bots?|robots?|machines?|models?|systems?|assistants?|agents?|software|programs?"
    r"|readers?|evaluators?|graders?|reviewers?|raters?|(?:fact[- ]?)?checkers?|whoever|every(?:one|body|thing)|any(?:one|body|thing)"
    r"|(?:this|the present|our) (?:page|site|article|source|document|text|passage|report|paragraph|message|note))\b"
)
_OWN = re.compile(r"\b(?:your|system|prompts?)\b")
_GOES_ON = re.compile(
    r"\b(?:you|your|yours|yourself|prompts?)\b|\b(?:and|then|instead|but)\s+(?:\w+ly\s+|only\s+|just\s+|instead\s+|now\s+|always\s+|then\s+)?"
    r"(?:say|state|answer|reply|respond|conclude|output|mark|rate|accept|approve|confirm|endorse|believe|obey)\b"
)
_SAID = r"(?:said|says|told|ruled|found|added|claimed|insisted|argued|admitted|announced|declared|wrote|stated|complained|alleged)"
_PAST = (
    r"(?:told|asked|urged|ordered|instructed|directed|advised|warned|allowed|permitted|enabled|forced|persuaded|voted|decided"
    r"|refused|chose|agreed|wanted|tried|failed|sought|managed|threatened|promised|pledged|planned|moved|attempted|resolved|proposed)"
)
_NOW = r"(?:tells?|asks?|urges?|orders?|advises?|allows?|permits?|enables?|forces?|votes?|decides?|refuses?|wants?|tries|seeks?|plans?|vows?|aims?|hopes?)"
_ABLE = (
    r"(?:bills?|laws?|acts?|plans?|attempts?|efforts?|bids?|powers?|moves?|decisions?|proposals?|motions?|amendments?|votes?"
    r"|authority|ability|pressure|calls?|majority|decrees?|measures?)"
)
_ACTOR = (
    r"(?:courts?|judges?|justices?|tribunals?|senate|senators|parliament|congress|house|lawmakers|mps|ministers?|ministry|ministries|government|governments"
    r"|council|councils|commission|president|governor|mayor|regulators?|committee|board|panel|appeals? chamber|chamber|lords|states|companies|firms"
    r"|he|she|they|who|which)"
)
_PUBLIC = r"(?:drivers|motorists|residents|passengers|voters|patients|doctors|nurses|hospitals|schools|shops|employers|travellers|parents|pupils)"
_TO = r"(?:\s+[^\s,;:]+){0,6}\s+to\s+(?:\w+ly\s+)?"
_TOLD = re.compile(rf"\b{_PAST}\b{_TO}$")
_JUDGE = re.compile(r"\b(?:judges?|verifiers?|analysts?|editors?|experts?)\s+(?:\w+\s+)?to\s+(?:\w+ly\s+)?$")
"""Those who decide here too."""
_MEANT = re.compile(
    rf"\b(?:{_PAST}|{_NOW})\b{_TO}$|\S\s+lets?\s+(?!us\b|me\b)(?:\w+\s+){{1,3}}$|\b{_ABLE}(?:\s+\w+){{0,2}}?\s+to\s+(?:\w+ly\s+)?$"
    r"|\S\s+(?:will|would|could|can|cannot|can't|may|might|did|did not|didn't|does not|doesn't|would not|won't|who|which|that)\s+(?:\w+ly\s+)?$"
)
_DUTY = re.compile(
    rf"\b(?:{_SAID}|{_ACTOR}|{_PUBLIC})\b.{{0,80}}\b(?:must|should|shall|need to|have to|has to)\s+(?:not\s+|\w+ly\s+)?$"
)
_AND = re.compile(
    rf"(?:\b(?:{_PAST}|{_NOW})\b{_TO}|\S\s+(?:will|would|could|may|might)\s+(?:\w+ly\s+)?)[^\s,;:]+\s.{{0,100}}?\b(?:and|or)\s+$"
)
_DID = re.compile(
    rf"\b{_ACTOR}(?: (?:of|in) [^\s,;:]{{2,20}})?(?:\s+(?:\w+ly|has|have|had|then|also|later|again))?\s+$"
)
_SOMEBODY = re.compile(r"\W*(?:the|an?)(?:\s+[^\s,;:]{2,20}){1,2}\s+$")
_OUGHT = re.compile(r"\S\s+(?:must|should|shall)\s+(?:not\s+)?$")
_NO_SUBJECT = re.compile(
    r"\W*(?:it (?:is|was|will|would)|it's|the (?:thing|task|goal|aim|job|right|best|only|point|answer|result)|here|there|in order|first|next|remember"
    r"|make|be|try|need|do|don't|never|always|so|now|then|feel|all|each|every)\b"
)
_HABIT = re.compile(
    r"\b(?:they|we|he|she|people|police|(?!(?:this|is|was|as|yes|thus|always|perhaps|does|his|its|us)\b)[a-z]{2,}[a-rt-z]s)\s+(?:now|then|always|only|just|simply)\s+$"
)
_SAID_BEFORE = re.compile(rf"\b{_SAID}(?:\s+that)?\s+$")
_SAID_AFTER = re.compile(rf"[\"”’']?,[\"”’']?\s+(?:the |a |an )?(?:[\w'’.-]+\s+){{0,4}}?(?:{_SAID}|according to)\b")


def told(match: re.Match[str]) -> bool:
    """Whether who ignores, overrides or suspends (the group ``does``) is somebody of whom the text tells.

    What institutions make and unmake (the group ``soft``: rules, orders of courts) is excused in more frames than what a
    model is given.
    """
    before, after = _around(match)
    if not before.strip() or _OWN.search(match[0]) or _SPOKEN.search(before) or _GOES_ON.search(after):
        return False
    if _NO_SUBJECT.match(before):
        return False
    if match.groupdict().get("soft") is None:
        return bool(_TOLD.search(before)) and not _JUDGE.search(before)
    if match["does"] == "set aside" and (_DID.search(before) or _SOMEBODY.match(before)):
        return True
    if _DUTY.search(before) or (_OUGHT.search(before) and _SAID_AFTER.match(after)):
        return True
    return bool(_MEANT.search(before) or _AND.search(before))


def habit(match: re.Match[str]) -> bool:
    """Whether a "now" or "always" before a verb follows those who do it: *experts now consider*."""
    before, _ = _around(match)
    return bool(_HABIT.search(before)) and not _SPOKEN.search(before)


def attributed(match: re.Match[str]) -> bool:
    """Whether somebody is named who said it: *all others were false, prosecutors said*."""
    before, after = _around(match)
    if _SPOKEN.search(before) or re.search(r"\byour?\b", after):
        return False
    return bool(_SAID_BEFORE.search(before) or _SAID_AFTER.match(after))


def _around(match: re.Match[str]) -> tuple[str, str]:
    """The sentence before what is done and after the match."""
    text, at, end = match.string, match.start("does"), match.end()
    before = _OPENS.split(text[max(0, at - NEAR) : at])[-1]
    after = _ENDS.split(text[end : end + NEAR], maxsplit=1)[0]
    return before, after
