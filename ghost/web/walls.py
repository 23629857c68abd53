"""Pages that show something else in place of their text."""

import re
from collections.abc import Sequence

from ghost.web.lines import Block

_MAX_CHARS = 900
"""A page with more text than this is not only a notice."""
_LEFT = 120
_WALLS = {
    "It asks for consent to cookies and shows nothing else.": r"""
        cookies?\b|your privacy|consent|accept all|partners? (?:store|process)
        datenschutz|einwilligung|alle akzeptieren|privacidad|confidentialité|tout accepter
    """,
    "It asks whether its reader is human.": r"""
        captcha|are (?:you )?(?:a )?(?:human|robot)|verify (?:that )?you|checking your browser|just a moment
        unusual traffic|cloudflare|access denied|request blocked
    """,
    "It shows its text only to browsers that run scripts.": r"""
        (?:enable|requires?|activate|turn on|need) (?:\w+ ){0,3}javascript
        javascript (?:is |must be |to be )?(?:\w+ ){0,2}(?:disabled|enabled|required)
        bitte aktivieren sie javascript|activer javascript
    """,
    "It shows its text only to those who log in.": r"""
        (?:log|sign) ?in (?:\w+ ){0,4}(?:to (?:continue|read|view|see)|or (?:register|sign up))
        please (?:log|sign) in
    """,
}
_SUBSCRIBERS = r"""
    \b(?:subscribe|sign up|log in|register) (?:now |today |here )?to (?:continue|keep|read|unlock|access)
    \bbecome a (?:member|subscriber) (?:now |today )?to (?:continue|keep|read|unlock|access)
    \bthis (?:article|story|content) is (?:for|only available to|reserved for) (?:\w+ )?(?:subscribers|members)
    already a subscriber\?|to continue reading|weiterlesen mit|nur für abonnenten|jetzt abonnieren
    réservé aux abonnés|il vous reste \d+ ?% de cet article|solo para suscriptores|riservato agli abbonati
"""


def _any(lines: str) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, map(str.strip, lines.splitlines()))), re.IGNORECASE)


_COMPILED = tuple((why, _any(words)) for why, words in _WALLS.items())
_PAYWALL = _any(_SUBSCRIBERS)


def wall(blocks: Sequence[Block]) -> str:
    """Why there is nothing to read, in one sentence; empty when there is."""
    size = sum(len(block.text) for block in blocks)
    if not size or size > _MAX_CHARS:
        return ""
    for why, words in _COMPILED:
        hit = [block for block in blocks if words.search(block.text)]
        if hit and size - sum(len(block.text) for block in hit) < _LEFT:
            return why
    return ""


def behind_payment(blocks: Sequence[Block]) -> bool:
    """Whether the page says that the rest of it is for subscribers."""
    return any(_PAYWALL.search(block.text[:600]) for block in blocks)
