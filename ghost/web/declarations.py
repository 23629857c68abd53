"""What is between the braces of a rule or in a ``style`` attribute: properties with their values."""

import re

from ghost.web.shorthands import matters, plain

Declared = dict[str, tuple[str, bool]]
"""Property -> value in lower case, and whether it is ``!important``."""

MOST_CHARS = 20_000
_HIDDEN_SIGNS = 0xF0000
"""Signs that are escaped or in a string are put there, out of the way, until a name is read."""
_ASIDE = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|<!--|-->)|(?P<text>\"(?:[^\"\\\n]++|\\.)*+\"?|'(?:[^'\\\n]++|\\.)*+'?)"
    r"|\\(?:(?P<code>[0-9a-fA-F]{1,6})\s?|(?P<sign>[^\n]))"
    r"|(?<![\w-])(?P<url>[uU][rR][lL]\(\s*+)(?P<address>(?![\"'\s])[^)\\]*+(?:\\.[^)\\]*+)*+)",
    re.DOTALL,
)
"""Comments, strings, escapes and addresses, whichever begins first; a string that nothing closes ends with its line."""
_IN_STRING = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))|[^\w\s\"'-]", re.DOTALL)
_PUT_AWAY = re.compile("[\U000f0000-\U000f007f]")
_NAMED_BY_PAGE = re.compile(r"(?<![\w-])--[\w-]++")
_ODD = re.compile(r"[^\S \t\n\r\f]|[\u0130\u212a]")
"""Blanks that are letters to style sheets, and letters that would become plain ones in lower case."""
_BRACKET = re.compile(r"[;()\[\]{}]")
_BRACKETS = frozenset("()[]{}")
_BLANKS = " \t\n\r\f"


def readable(css: str) -> str:
    """Style sheets without comments, and with signs put away that are escaped, in strings or in addresses."""
    css = css if _is_simple(css) else _ASIDE.sub(_set_aside, css)
    return css if css.isascii() and css.isprintable() else _ODD.sub("\ufffd", css)


def put_back(name: str) -> str:
    """A name with the signs that ``readable`` put away."""
    return _PUT_AWAY.sub(lambda m: chr(ord(m[0]) - _HIDDEN_SIGNS), name) if not name.isascii() else name


def declarations(css: str, quirks: bool = False) -> Declared:
    """``a: b; c: d`` as a mapping; the later wins."""
    return declared(readable(css[:MOST_CHARS]), quirks)


def declared(css: str, quirks: bool = False) -> Declared:
    """The same for a text that has been made readable."""
    found: Declared = {}
    if "--" in css:
        css = _NAMED_BY_PAGE.sub(lambda m: re.sub("[A-Z]", lambda a: _away(a[0]), m[0]), css)
    css = css.lower()
    for part in css.split(";") if _BRACKETS.isdisjoint(css) else _parts(css):
        name, colon, value = part.partition(":")
        name = name.strip(_BLANKS)
        if not colon or not matters(name):
            continue
        value = value.strip(_BLANKS)
        important = False
        if "!" in value:
            value, _, word = value.rpartition("!")
            important = word.strip(_BLANKS) == "important"
            value = value.strip(_BLANKS)
            if not important or "!" in value:
                continue
        for plain_name, put in plain(name, value, quirks).items():
            if important or plain_name not in found or not found[plain_name][1]:
                found[plain_name] = (put, important)
    return found


def over(under: Declared, more: Declared) -> None:
    """Put what is declared later over what was before."""
    for name, (value, important) in more.items():
        if important or not under.get(name, ("", False))[1]:
            under[name] = (value, important)


def _is_simple(css: str) -> bool:
    """Whether there is nothing to put away; most ``style`` attributes are so."""
    return not ("\\" in css or '"' in css or "'" in css or "/*" in css or "<!" in css or "->" in css or "(" in css)


def _parts(css: str) -> list[str]:
    """What is between semicolons that are in no brackets. A bracket that nothing closes takes all that follows."""
    parts: list[str] = []
    open_brackets: list[str] = []
    start = 0
    for found in _BRACKET.finditer(css):
        sign = found[0]
        if sign in "([{":
            open_brackets.append({"(": ")", "[": "]", "{": "}"}[sign])
        elif sign == ";":
            if not open_brackets:
                parts.append(css[start : found.start()])
                start = found.end()
        elif open_brackets and open_brackets[-1] == sign:
            open_brackets.pop()
    parts.append(css[start:])
    return parts


def _set_aside(found: re.Match[str]) -> str:
    if found["comment"] is not None:
        return " "
    if found["text"] is not None:
        return _IN_STRING.sub(_away_from_string, found["text"])
    if found["url"] is not None:
        return found["url"] + _IN_STRING.sub(_away_from_string, found["address"]).replace('"', "").replace("'", "")
    if found["code"] is not None:
        return _unescaped(chr(min(int(found["code"], 16), 0x10FFFF)))
    return _unescaped(found["sign"])


def _away_from_string(found: re.Match[str]) -> str:
    if found[1]:
        return _unescaped(chr(min(int(found[1], 16), 0x10FFFF)))
    return _unescaped(found[2]) if found[2] else _unescaped(found[0])


def _unescaped(sign: str) -> str:
    """What an escape stands for: a letter as itself, a sign out of the way."""
    return sign if sign.isalnum() or sign in "_-" or not sign.isascii() else _away(sign)


def _away(sign: str) -> str:
    return chr(_HIDDEN_SIGNS + ord(sign))
