"""A page as a PDF: plain text set in Helvetica on A4, with title, author and date, nothing else."""

import textwrap
import zlib
from collections.abc import Sequence
from datetime import date

_WIDTH, _HEIGHT, _MARGIN, _SIZE, _LEADING = 595, 842, 64, 11, 15
_COLUMN = 84
"""Characters in a line."""
_LINES = (_HEIGHT - 2 * _MARGIN) // _LEADING


def pdf(title: str, paragraphs: Sequence[str], author: str = "", published: date | None = None) -> bytes:
    """The file. Characters that Western European PDF text does not have become question marks."""
    lines: list[str] = []
    for paragraph in (title, *paragraphs):
        for line in paragraph.splitlines():
            lines += textwrap.wrap(line, _COLUMN) or [""]
        lines.append("")
    sheets = [lines[start : start + _LINES] for start in range(0, len(lines), _LINES)]
    return _file(_objects(sheets, _info(title, author, published)))


def _info(title: str, author: str, published: date | None) -> bytes:
    made = f" /CreationDate (D:{published:%Y%m%d}090000Z)".encode() if published else b""
    return b"<< /Title (" + _string(title) + b") /Author (" + _string(author) + b")" + made + b" >>"


def _objects(sheets: Sequence[Sequence[str]], info: bytes) -> list[bytes]:
    """The numbered objects: 1 catalogue, 2 pages, 3 font, 4 information, then sheet and content in turn."""
    numbers = [5 + 2 * i for i in range(len(sheets))]
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    out = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [" + kids + b"] /Count %d >>" % len(sheets),
        font,
        info,
    ]
    for number, lines in zip(numbers, sheets, strict=True):
        box = b"[0 0 %d %d]" % (_WIDTH, _HEIGHT)
        fonts = b"<< /Font << /F1 3 0 R >> >>"
        out.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox " + box + b" /Resources " + fonts
            + b" /Contents %d 0 R >>" % (number + 1)
        )  # fmt: skip
        content = zlib.compress(_content(lines))
        out.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(content) + content + b"\nendstream")
    return out


def _content(lines: Sequence[str]) -> bytes:
    start = b"BT /F1 %d Tf %d TL %d %d Td\n" % (_SIZE, _LEADING, _MARGIN, _HEIGHT - _MARGIN)
    return start + b"".join(b"(" + _string(line) + b") Tj T*\n" for line in lines) + b"ET"


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n" % (len(objects) + 1)
    return out + table + trailer + b"startxref\n%d\n%%%%EOF\n" % len(out)


def _string(text: str) -> bytes:
    """The inside of a PDF string."""
    encoded = text.encode("cp1252", "replace")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
