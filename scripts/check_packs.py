"""Look over the packs before they are committed: ``python -m scripts.check_packs``; 1 when something is wrong."""

import seed_kb
from config import load_settings
from ghost.knowledge import CredibilityBook, pack_problems, similar_facts


def main() -> int:
    """Print what is wrong, and what is for a person to look at."""
    settings, packs = load_settings(), seed_kb.packs()
    wrong = pack_problems(packs, CredibilityBook(settings.source_credibility, settings.fact_check_domains))
    near = similar_facts(packs)
    for line in wrong:
        print(line)
    for line in near:
        print(f"(look) {line}")
    facts = sum(len(pack.facts) for pack in packs)
    print(f"{len(packs)} packs, {facts:,} facts, {len(wrong)} problems, {len(near)} pairs of nearly one text")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
