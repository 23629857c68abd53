"""The generated parts of a page of the documentation, each between two marker lines that name it."""

from pathlib import Path

FIGURES = "figures"
GROWTH = "growth"
PAGES = "pages"
"""Names of the parts."""


def markers(name: str) -> tuple[str, str]:
    """The lines around a part."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


BEGIN, END = markers(FIGURES)


def has_block(page: Path, name: str = FIGURES) -> bool:
    """Whether the page is there and has a place for this part."""
    if not page.is_file():
        return False
    begin, end = markers(name)
    lines = page.read_text(encoding="utf-8").splitlines()
    return begin in lines and end in lines[lines.index(begin) :]


def put(block: str, page: Path, name: str = FIGURES) -> None:
    """Replace what is between the markers of this part; the rest of the page stays as it is."""
    begin, end = markers(name)
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{block}\n{end}{after}", encoding="utf-8")
