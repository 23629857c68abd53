"""The bytes of a file as text, or why they are not text."""

from ghost.knowledge.packs.values import MAX_BYTES, PackError
from ghost.text import ENCODINGS, decode_file

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
_NULS = 0.01
"""Share of NUL bytes above which a file is not text."""
_LOST = "Some characters of the file could not be read and appear as � in the passages."
_CHECK = "Check that letters such as é, ł or ж look right below; if not, choose another encoding."
_BINARY = "The file is binary data, not text. Nothing was imported. Save the table as CSV in UTF-8."


def check_size(size: int) -> None:
    """Raise PackError for a file that is empty or larger than can be taken in at once."""
    if not size:
        raise PackError("The file is empty. Nothing was imported.")
    if size > MAX_BYTES:
        raise PackError(
            f"The file is too large: {size / 1e6:,.0f} MB, and at most {MAX_BYTES / 1e6:,.0f} MB can be imported at "
            "once. Nothing was imported. Cut it into several files."
        )


def decode(data: bytes, encoding: str = "") -> tuple[str, str]:
    """The text, and a remark on how it was read (usually empty). Raises PackError for anything but text.

    ``encoding`` is used unless the bytes prove another one.
    """
    check_size(len(data))
    for signature, what, remedy in _SIGNATURES:
        if data.startswith(signature):
            raise PackError(f"The file is {what}, not a table of passages. Nothing was imported. {remedy}.")
    try:
        found = decode_file(data, encoding)
    except ValueError as error:
        if data.count(0) > _NULS * len(data):
            raise PackError(_BINARY) from error
        raise PackError(f"{error} Nothing was imported.") from error
    if found.text.count("\0") > _NULS * len(found.text):
        raise PackError(_BINARY)
    if not found.text.strip():
        raise PackError("The file contains only white space. Nothing was imported.")
    if found.guessed:
        name = ENCODINGS.get(found.encoding, found.encoding)
        return found.text, f"The file is not UTF-8 and was read as {name}. {_CHECK}"
    return found.text, _LOST if "\ufffd" in found.text else ""
