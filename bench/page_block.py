"""The generated part of a page of the documentation, between two marker lines."""

from pathlib import Path

BEGIN = "<!-- figures: begin -->"
END = "<!-- figures: end -->"


def has_block(page: Path) -> bool:
    """Whether the page is there and has a place for figures."""
    if not page.is_file():
        return False
    lines = page.read_text(encoding="utf-8").splitlines()
    return BEGIN in lines and END in lines[lines.index(BEGIN) :]


def put(block: str, page: Path) -> None:
    """Replace what is between the markers; the rest of the page stays as it is."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{block}\n{END}{after}", encoding="utf-8")
