"""``python -m tests.golden``: print what differs from what is stored; ``--renew`` stores what is found instead."""

import argparse

from tests.golden.differences import differences
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims, write_rows


def main() -> int:
    """0 when nothing differs or all was renewed, 1 when something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--renew", action="store_true", help="store what is found")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only claims whose ids begin so")
    args = parser.parse_args()
    claims = [c for c in read_rows(CLAIMS) if not args.only or c["id"].startswith(tuple(args.only))]
    stored = {row["id"]: row for row in (read_rows(EXPECTED) if EXPECTED.exists() else [])}
    found = {row["id"]: row for row in run_claims(claims)}
    changed = differences({name: row for name, row in stored.items() if not args.only or name in found}, found)
    print(changed or "Nothing differs.")
    if args.renew:
        order = [claim["id"] for claim in read_rows(CLAIMS)]
        kept = stored | found
        write_rows(EXPECTED, [kept[name] for name in order if name in kept])
    return 1 if changed and not args.renew else 0


if __name__ == "__main__":
    raise SystemExit(main())
