"""HTML by construction: a text is escaped unless it was made here, so that outside text can only ever be text."""

from html import escape

from ghost.reports.plain import web_address
from ghost.text import one_line


class Html(str):
    """Markup that is finished; made by ``element`` and ``joined`` only."""

    __slots__ = ()


VOID = frozenset({"br", "hr", "meta"})


def element(tag: str, /, *inside: str, **attributes: str) -> Html:
    """``<tag attributes>inside</tag>``; plain strings inside and all attributes are escaped.

    A trailing underscore of an attribute's name is dropped (``class_``), others become hyphens (``http_equiv``).
    """
    given = "".join(f' {_name(key)}="{_text(value)}"' for key, value in attributes.items() if value)
    if tag in VOID:
        return Html(f"<{tag}{given}>")
    return Html(f"<{tag}{given}>{joined(*inside)}</{tag}>")


def joined(*parts: str, between: str = "") -> Html:
    """The parts as one; plain strings among them are escaped."""
    return Html(between.join(part if isinstance(part, Html) else _text(part) for part in parts))


def anchor(url: str) -> Html:
    """An address as a link that is printed with the page; as text when it is no plain web address."""
    address = web_address(url)
    # A user name before the host makes a reader take the one for the other.
    if not address or "@" in address.split("//", 1)[1].split("/", 1)[0]:
        return element("span", url, class_="address")
    return element("a", address, href=address, class_="address", rel="noreferrer noopener nofollow")


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _text(text: str) -> str:
    """Escaped, on one line; a blank at either end stays one, since it keeps words apart."""
    inner = one_line(text)
    if not inner:
        return " " if text[:1].isspace() else ""
    return " " * text[:1].isspace() + escape(inner, quote=True) + " " * text[-1:].isspace()
