"""Text out of the markup that search engines send around it."""

import html
from html.parser import HTMLParser

_UNSEEN = {"script", "style", "template", "noscript"}
_BREAKS = {"br", "p", "div", "li", "td", "tr", "h1", "h2", "h3"}


def text_of(markup: str) -> str:
    """What a reader would see, on one line. Twice escaped text (``&amp;lt;``) is unescaped twice, once parsed."""
    parser = _Text()
    try:
        parser.feed(markup)
        parser.close()
    except AssertionError:  # what the parser says to "<![x[", which is no markup of any kind
        return text_of(markup.replace("<![", " "))
    return " ".join(html.unescape("".join(parser.parts)).split())


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag in _BREAKS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _BREAKS:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)
