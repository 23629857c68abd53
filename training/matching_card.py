"""The card of the claim match, written from what its manifest says was measured."""

from typing import Any

from ghost.inference import HEAD, Manifest


def card(manifest: Manifest, size: int) -> str:
    """The card; ``size`` of the weights in bytes."""
    figures: dict[str, Any] = manifest.figures
    unseen, bounds = figures["unseen_cards"], figures["bounds"]
    return f"""# {manifest.name}

Says how two claims or questions stand to each other (same, opposite, related, different) from {figures["features"]}
features: the stance model read both ways, cosines of the bundled encoder, and the slots that agree or differ. A second
head names the category of a claim ({", ".join(manifest.classes or ())}).

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence | {manifest.licence}; full text in `LICENSE` |
| language | English |
| input | features from `ghost/matching`; the vector of the bundled encoder for the category |
| size | {size / 1e3:.0f} kB |
| SHA-256 of `{HEAD}` | `{manifest.files[HEAD]}` |

## How it was made

    python -m training.train_matching
    python -m ghost bench matching

Boosted trees, four models averaged, fitted with scikit-learn on {unseen["pairs"]:,} pairs over
{figures["cards"]} claims, all written for Ghost. At run time it needs numpy alone. A pair is called the same from
{bounds["same"]:.3f} on and the opposite from {bounds["opposite"]:.3f} on. The bounds were drawn on folds that keep the
pairs of a claim together, for 0.7% of the other pairs called the same and 1% called the opposite.

## Measured

Each pair by a model that has not seen its claim. Features and bounds were chosen with these pairs in view, so the
figures flatter a little; those on held-back claims are in `docs/matching.md`.

| | |
|---|---|
| likeliest relation is right | {_percent(unseen["likeliest_right"])} |
| pairs that are the same, called so | {_percent(unseen["same_found"])} |
| other pairs called the same | {_percent(unseen["false_same"])} |
| opposite pairs called so | {_percent(unseen["opposite_found"])} |
| other pairs called opposite | {_percent(unseen["false_opposite"])} |
| log loss | {unseen["log_loss"]:.3f} |
| category right, on claims not seen | {_percent(figures["categories_right"])} |

## Known traps

- Two claims that differ in one rare word (a court, a metal, an event) may be called the same.
- Bad spelling, abbreviations and long talk around a question make it call the same claim related.
- The figures above are of the weights alone. The code calls claims of more than 13 content words the same only in the
  same words, and follows its strict path only where neither claim has a word that the other lacks; `docs/matching.md`
  has figures with both.
- It was fitted on single sentences in English; anything else is rarely called the same.
"""


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
