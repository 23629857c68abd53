"""The card of the claim classifier, written from what its manifest says was measured."""

from typing import Any

from ghost.inference import HEAD, Manifest

COLUMNS = ("macro_f1", "log_loss", "calibration_error", "worth_auc")


def card(manifest: Manifest, size: int) -> str:
    """The card; ``size`` of the weights in bytes."""
    figures: dict[str, Any] = manifest.figures
    counts = figures["examples"]
    each = ", ".join(f"{name} {value:.2f}" for name, value in figures["held_back_f1"].items())
    return f"""# {manifest.name}

Says what type of claim a text is ({", ".join(manifest.classes or ())}) and how much a check of it is worth. The
embedded judge asks it about every clause that says something.

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence | {manifest.licence}; full text in `LICENSE` |
| language | English |
| input | the vector of the bundled encoder, and the words of the text in runs of up to three |
| size | {size / 1e3:.0f} kB |
| SHA-256 of `{HEAD}` | `{manifest.files[HEAD]}` |

## How it was made

    python -m training.train_claim_types
    python -m training.measure_claim_types --claims DIR --write

Two multinomial logistic regressions, fitted with scikit-learn on {counts["fitted"]} examples (`training/data`), all
written by hand for Ghost. Scales and penalty were chosen by log loss on folds that keep topics together.
The temperature ({manifest.temperature:g}) was set on {counts["calibration"]} of the
examples, of topics that the weights of that moment had not seen; then the weights were fitted again on all of them.
Check-worthiness is P(worth checking) + P(checkable but unimportant) / 2.

## Measured

| | macro-F1 | log loss | calibration error | AUC |
|---|---|---|---|---|
| all examples, each by a fit that has not seen its topic | {_cells(figures["crossed"])} |
| {counts["calibration"]} examples of the calibration part | {_cells(figures["calibration_part"])} |
| {counts["held_back"]} held-back examples: own topics, own sentence patterns | {_cells(figures["held_back"])} |

F1 on the held-back part: {each}.
{_public(figures.get("public"))}
## Known traps

- It reads one text without its surroundings: irony, quotation without marks and "he did it again" are hard.
- Loaded words lean it towards OPINION and figures towards FACTUAL, also where that is wrong.
- Check-worthiness was learnt from politics, health, economy and the like; it knows nothing of what is true.
"""


def _cells(row: dict[str, float]) -> str:
    return " | ".join(f"{row[name]:.3f}" for name in COLUMNS)


def _public(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    check, films = found["checkthat25"], found["panglee"]
    return f"""
Public sets, never fitted on (`training/measure_claim_types.py`). Subjectivity is measured on the whole of step 1, rules
included: FACTUAL is objective, OPINION and MIXED are subjective, and for AMBIGUOUS the classifier's probabilities
decide (a pronoun without its noun says nothing about subjectivity).

| set | texts | figure |
|---|---|---|
| CheckThat! 2025 subjectivity, English | {check["texts"]} | accuracy {check["accuracy"]:.3f}, macro-F1 \
{check["macro_f1"]:.3f} (the classifier alone: accuracy {check["classifier_alone"]:.3f}; always the larger class: \
{check["larger_class"]:.3f}) |
| Pang and Lee subjectivity (film reviews and plots) | {films["texts"]} | accuracy {films["accuracy"]:.3f}, macro-F1 \
{films["macro_f1"]:.3f} |
| ClaimBuster (US debates) | {found["claimbuster"]["texts"]} | AUC of the check-worthiness \
{found["claimbuster"]["auc"]:.3f} |
"""
