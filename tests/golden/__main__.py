"""Print what differs from what is stored: ``python -m tests.golden``. ``--renew`` stores what is found instead."""

import argparse

from tests.golden.differences import differences
from tests.golden.pages import read_page, shown_pages, write_page
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims, write_rows


def main() -> int:
    """0 when nothing differs or all was renewed, 1 when something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("all", "runs", "pages"), default="all", help="default: all")
    parser.add_argument("--renew", action="store_true", help="store what is found")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only claims whose ids begin so")
    args = parser.parse_args()
    changed = _runs(args.only, args.renew) if args.what != "pages" else ""
    changed += _pages(args.renew) if args.what != "runs" and not args.only else ""
    print(changed or "Nothing differs.")
    return 1 if changed and not args.renew else 0


def _runs(only: list[str], renew: bool) -> str:
    claims = read_rows(CLAIMS)
    chosen = [claim for claim in claims if not only or claim["id"].startswith(tuple(only))]
    stored = {row["id"]: row for row in (read_rows(EXPECTED) if EXPECTED.exists() else [])}
    found = {row["id"]: row for row in run_claims(chosen)}
    if renew:
        kept = stored | found
        write_rows(EXPECTED, [kept[claim["id"]] for claim in claims if claim["id"] in kept])
    return differences({name: row for name, row in stored.items() if not only or name in found}, found)


def _pages(renew: bool) -> str:
    changed = ""
    for page, shown in shown_pages():
        if found := differences(read_page(page), shown):
            changed += f"\n{page}\n{found}"
        if renew:
            write_page(page, shown)
    return changed


if __name__ == "__main__":
    raise SystemExit(main())
