"""Write packs/vectors.npz, with which a first start need not encode the starter library.

``python -m scripts.library_vectors`` after each change of a pack or of the encoder. A test fails until it was run.
"""

from collections.abc import Iterator, Sequence

import seed_kb
from config import load_settings
from ghost.inference import BUNDLED_ENCODER, BUNDLED_MODELS, load_encoder
from ghost.knowledge import CredibilityBook, Pack, answers_of, embedded_text, normal_form, pack_problems, passage_of
from ghost.matching import asked


def encoded_texts(packs: Sequence[Pack]) -> Iterator[str]:
    """What a first start encodes: facts as passages, and the claims that they answer as cards and as statements."""
    for fact in (fact for pack in packs for fact in pack.facts):
        passage = normal_form(passage_of(fact))
        yield embedded_text(passage.text, passage.title)
        for claim in answers_of(fact):
            yield claim
            yield asked(claim).statement


def main() -> int:
    """Make the file; 1 when a pack has problems: nobody screens its facts again."""
    settings, packs = load_settings(), [pack for pack in seed_kb.packs() if pack.name != "yours"]  # the analyst's own
    if wrong := pack_problems(packs, CredibilityBook(settings.source_credibility, settings.fact_check_domains)):
        print("\n".join(wrong))
        return 1
    encoder = load_encoder(BUNDLED_ENCODER[0], BUNDLED_MODELS)
    seed_kb.VECTORS.write(encoder, encoded_texts(packs), [pack.digest for pack in packs])
    print(f"{seed_kb.VECTORS.path.name}: {seed_kb.VECTORS.path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
