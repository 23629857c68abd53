"""The bytes of a file as text: which encoding, and what is no text at all."""

import codecs

from ghost.knowledge.packs.values import MAX_BYTES, PackError

_SIGNATURES = (
    (
        b"PK\x03\x04",
        "a ZIP archive (an Excel or LibreOffice workbook is one too)",
        "Unpack it, or save the table as CSV",
    ),
    (b"PK\x05\x06", "an empty ZIP archive", "Choose a CSV, JSON or JSON Lines file"),
    (b"\x1f\x8b", "compressed with gzip", "Unpack it first"),
    (b"BZh", "compressed with bzip2", "Unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it first"),
    (b"Rar!", "a RAR archive", "Unpack it first"),
    (b"%PDF", "a PDF document", "Copy its text into a CSV file, or add it under Browse"),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "Save the table as CSV"),
    (b"SQLite format 3", "a SQLite database", "Export a table of it as CSV"),
    (b"\x89PNG", "a picture", "Choose a CSV, JSON or JSON Lines file"),
    (b"\xff\xd8\xff", "a picture", "Choose a CSV, JSON or JSON Lines file"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NULS = 0.01
"""Share of NUL bytes from which a file is no text."""
_LOST = "Some characters of the file could not be read and stand as � in the passages."


def check_size(size: int) -> None:
    """Raise PackError for a file that is empty or larger than can be taken in at once."""
    if not size:
        raise PackError("The file is empty. Nothing was imported.")
    if size > MAX_BYTES:
        raise PackError(
            f"The file is too large: {size / 1e6:,.0f} MB, and at most {MAX_BYTES / 1e6:,.0f} MB can be imported at "
            "once. Nothing was imported. Cut it into several files."
        )


def decode(data: bytes) -> tuple[str, str]:
    """The text, and what is to be said about how it was read (usually nothing). Raises PackError when it is no text."""
    check_size(len(data))
    for signature, what, remedy in _SIGNATURES:
        if data.startswith(signature):
            raise PackError(f"The file is {what}, not a table of passages. Nothing was imported. {remedy}.")
    for mark, codec in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(codec, "replace")
            return _whole(text), _LOST if "\ufffd" in text else ""
    if wide := _wide(data):
        return _whole(data.decode(wide, "replace")), "The file does not say so, but it is UTF-16 and was read as that."
    if data.count(0) > _NULS * len(data):
        raise PackError("The file is binary data, not text. Nothing was imported. Save the table as CSV in UTF-8.")
    try:
        return _whole(data.decode("utf-8")), ""
    except UnicodeDecodeError:
        return _whole(data.decode("cp1252", "replace")), (
            "The file is not UTF-8 and was read as Latin-1 (Windows-1252). Look whether é, ü or ’ are right in the "
            "rows below; if not, save the file as UTF-8 and choose it again."
        )


def _whole(text: str) -> str:
    if not text.strip():
        raise PackError("The file has only white space in it. Nothing was imported.")
    return text


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: of plain text, every other byte is nought."""
    head = data[:2_000]
    if len(head) < 8 or head.count(0) < len(head) // 4:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 8 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 8 * odd else ""
