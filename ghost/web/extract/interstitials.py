"""Interstitials: pages that show a notice in place of their text."""

import re
from collections.abc import Sequence

from ghost.web.extract.blocks import Block

_MAX_CHARS = 900
"""A page with more text than this is not only a notice."""
_LEFT = 120
# An interstitial addresses its reader or has a button. What only mentions cookies or robots may be a short article.
_INTERSTITIALS = {
    "It asks for consent to cookies and shows nothing else.": r"""
        \bwe (?:and our .{0,40})?(?:use|set|store|value|need|respect)\b.{0,80}\b(?:cookies?|your (?:privacy|consent))
        \b(?:this|our) (?:web ?)?(?:site|page)s? (?:also )?uses? .{0,30}cookies?\b
        \byou (?:can|may|must|have to|need to) (?:accept|agree|consent|reject|manage|choose)\b.{0,60}\bcookies?
        \bby (?:clicking|continuing|using) .{0,80}(?:cookies?|consent)\b|\bbefore you continue\b
        \byour (?:cookie|privacy|consent) (?:choices|preferences|settings|options|is important)\b
        ^(?:please )?(?:accept|allow|reject|manage|agree)\b.{0,20}\b(?:all|cookies|close|continue|choices|preferences)$
        \bwir (?:und .{0,40})?(?:verwenden|nutzen|setzen|benötigen|brauchen)\b.{0,80}\b(?:cookies?|einwilligung)
        \b(?:diese|unsere) (?:web)?(?:site|seite) (?:verwendet|nutzt) .{0,30}cookies?\b
        ^(?:alle )?(?:cookies )?(?:akzeptieren|zustimmen|ablehnen)(?=.{0,30}$)
        \bwir .{0,40}\b(?:ihre|deine) (?:privatsphäre|einwilligung|zustimmung)\b
        \b(?:utilizamos|usamos|utilizziamo|usiamo|utilisons|gebruiken|używamy|använder)\b.{0,40}cookies?\b
        ^(?:aceptar|accetta|tout accepter|accepter|alles accepteren|continuer sans accepter|rechazar)\b(?=.{0,40}$)
        ^(?:tu|su|votre|la tua) (?:privacidad|vie privée|consentement|privacy)\b.{0,40}$
    """,
    "It asks whether its reader is human.": r"""
        \b(?:verify|confirm|prove|make sure|check(?:ing)?) (?:that |if |whether )?(?:you(?:['’]re| are)?|your browser)\b
        \b(?:you(?:['’]re| are)|i['’]?m|i am) not a robot\b|kein roboter|pas un robot|no (?:soy|eres) un robot
        \b(?:complete|solve|enter|fill in|pass|below is|this is) (?:the |this |a )?(?:captcha|security check)\b
        ^(?:just a moment|access denied|request blocked|are you (?:a )?(?:human|robot))\W*$|\bpress (?:and|&) hold\b
        \bchecking (?:if the site connection|the security of)|\bunusual (?:traffic|activity) from your\b
        \byou have been blocked\b|\byou (?:don['’]t|do not) have permission to access\b
        \benable .{0,30}cookies to continue\b
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
_TOPICS = r"""
    cookies?\b|your privacy|consent|accept all|partners? (?:store|process)|captcha|human|robot|cloudflare
    datenschutz|einwilligung|alle akzeptieren|privacidad|confidentialité|tout accepter
"""
"""What else an interstitial mentions: none by itself, and no article text beside one."""
_SUBSCRIBERS = r"""
    \b(?:subscribe|sign up|log in|register) (?:now |today |here )?to (?:continue|keep|read|unlock|access)
    \bbecome a (?:member|subscriber) (?:now |today )?to (?:continue|keep|read|unlock|access)
    \bthis (?:article|story|content) is (?:for|only available to|reserved for) (?:\w+ )?(?:subscribers|members)
    already a subscriber\?|to continue reading|weiterlesen mit|nur für abonnenten|jetzt abonnieren
    réservé aux abonnés|il vous reste \d+ ?% de cet article|solo para suscriptores|riservato agli abbonati
"""


def _any(lines: str) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, map(str.strip, lines.splitlines()))), re.IGNORECASE)


_COMPILED = tuple((why, _any(words)) for why, words in _INTERSTITIALS.items())
_TOPIC = _any(_TOPICS)
_PAYWALL = _any(_SUBSCRIBERS)


def interstitial(blocks: Sequence[Block]) -> str:
    """Why there is nothing to read, in one sentence; empty when there is."""
    size = sum(len(block.text) for block in blocks)
    if not size or size > _MAX_CHARS:
        return ""
    for why, words in _COMPILED:
        asks = [words.search(block.text) is not None for block in blocks]
        rest = (b.text for b, asked in zip(blocks, asks, strict=True) if not asked and not _TOPIC.search(b.text))
        if any(asks) and sum(map(len, rest)) < _LEFT:
            return why
    return ""


def behind_payment(blocks: Sequence[Block]) -> bool:
    """Whether the page says that the rest of it is for subscribers."""
    return any(_PAYWALL.search(block.text[:600]) for block in blocks)
