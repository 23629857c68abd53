"""The cards of the bundled models, written from what their manifests say was measured.

    python -m training.card ghost/models/evidence-cross-encoder

writes the card of a folder again, after a change of the words here.
"""

import argparse
from pathlib import Path
from typing import Any

from ghost.inference import MODEL, Manifest, ModelFolder

EXPORT_ENCODER = "python -m training.export_encoder --data DIR --out ghost/models/all-minilm-l6-v2"
EXPORT_CROSS_ENCODER = (
    "python -m training.export_cross_encoder --model OUT/model --data DIR --out ghost/models/evidence-cross-encoder"
)

QUANTISED = """Exported to ONNX and quantised to int8 by `training/quantise.py`: one scale per output column of each
weight matrix, one per word of the word table, and one per token for activations. The last is why a text is read the
same alone and in any batch."""

TRAINING_DATA = """| source | used for | licence |
|---|---|---|
| FEVER and its variants, FEVEROUS | claims about Wikipedia sentences | CC BY-SA 3.0 (Wikipedia) |
| FM2 (Fool Me Twice) | claims written to mislead | Apache-2.0 |
| SciFact, training part | scientific claims and abstracts | CC BY 4.0 |
| citation integrity, Evidence Inference, ConjNLI | citations, clinical trials, conjunctions | MIT |
| SNLI, FOLIO | general and logical inference | CC BY-SA 4.0 |
| counterfactual SNLI | minimally changed pairs | Apache-2.0 |
| MultiNLI | general inference | OANC and Creative Commons |
| `training/data/contrasts.jsonl` | passages that disagree, written for Ghost | MIT |
| `training/data/dossiers.jsonl`, `headings.jsonl` | pages and their headings, written for Ghost | MIT |
| `training/data/reported.jsonl`, `aspects.jsonl` | hearsay, and one aspect of an event, written for Ghost | MIT |"""


def encoder_card(manifest: Manifest, size: int) -> str:
    """The card of the encoder; ``size`` in bytes."""
    figures: dict[str, Any] = manifest.figures
    return f"""# {manifest.name}

The encoder that Ghost finds passages with: a text in, a unit vector of {manifest.dimensions} numbers out.

{_facts(manifest, size)}

Pooling is the mean over the tokens, normalised to length one, as upstream.

## How it was made

    pip install -r requirements-training.txt
    {EXPORT_ENCODER}

The upstream weights; nothing was trained.

{QUANTISED}

## Measured

By the same command, on {figures["texts"]} evidence texts of the training data, the same number of each source:

| | |
|---|---|
| mean cosine to the float model | {figures["mean_cosine_to_float"]} |
| smallest cosine to the float model | {figures["least_cosine_to_float"]} |
| largest change of a coordinate between alone and in a batch | {figures["largest_change_by_batch"]:.1e} |

How well it finds passages is in docs/quality.md (Retrieval, "dense").

## Known traps

- Nearness is not agreement: a claim and its negation, or the same claim with another number, date or name, are
  nearly the same vector. What a passage says about a claim is for the evidence cross-encoder to read.
- Text beyond {manifest.max_tokens} tokens is not seen. Texts in other languages get vectors that mean little.
- Vectors of another model, or of the same one with another checksum, must not be mixed with these.
"""


def cross_encoder_card(manifest: Manifest, size: int) -> str:
    """The card of the evidence cross-encoder; ``size`` in bytes."""
    figures: dict[str, Any] = manifest.figures
    int8, fever, nli = (figures[name] for name in ("int8", "fever_symmetric", "xnli_en"))
    part = "\n**These figures are of a part of the data and cannot be compared.**\n" if figures["limit"] else ""
    return f"""# {manifest.name}

Reads a passage against a statement and says how likely it supports it, refutes it, is on its topic without settling
it, or is off its topic. The judge reads stance from it; ranking uses
1 - P(OFF-TOPIC) only to lower what is off the topic (below 0.2).

{_facts(manifest, size)}
| input | `[CLS] passage [SEP] statement [SEP]`; of a pair that is too long the longer text is cut |
| output | logits of {", ".join(manifest.classes or ())}; softmax at temperature {manifest.temperature:g} |

## How it was made

    pip install -r requirements-training.txt
    python -m training.train_cross_encoder --data DIR --out OUT …
    {EXPORT_CROSS_ENCODER}

The upstream encoder with a classifier on top, fine-tuned on public pairs of evidence and claim, on passages that were
written to disagree and pages most of whose sentences leave a claim open (`training/data`), and on pairs made from the
public ones: claims with evidence of another claim (far: OFF-TOPIC, near: NEUTRAL, see `training/pairs.py`), and changed
copies in which nearly the same words mean something else. It came about in stages, some of which averaged the weights
of several runs or learned from what a larger model, MPNet-base trained on the same data, made of further pairs of these
texts. `training/README.md` has the options of the last one.

{QUANTISED}

{TRAINING_DATA}

The texts are not part of Ghost. None of the pairs that are measured on below was trained on, and none of their claims
(one short sentence of XNLI excepted). Other parts of FEVER Symmetric were.

SNLI and its counterfactuals were in the first stages only: in captions of one picture whatever is about something else
counts as a contradiction, and a model that learns it calls every foreign passage REFUTES.

The temperature is 1: one fitted on training pairs was tried and made new text too certain. The
calibration error below shows what the probabilities are worth.

## Measured

By the export command; again at any time with
`python -m training.measure --data DIR --model ghost/models/evidence-cross-encoder`.
{part}
| int8 against float, on {int8["pairs"]} training pairs | |
|---|---|
| same most probable stance | {int8["same_label"]:.3f} |
| mean difference of a probability | {int8["mean_difference"]:.4f} |
| largest change of a probability between alone and in a batch | {int8["largest_change_by_batch"]:.1e} |

| stance | pairs | macro-F1 | accuracy | calibration error |
|---|---|---|---|---|
{_stance_rows(fever, nli)}

Of the FEVER Symmetric claims read with evidence of another claim, {fever["foreign_called_off_topic"]:.1%} were called
off topic, and {fever["foreign_called_decided"]:.1%} supported or refuted, which is wrong.

## Known traps

- Relevance says whether a passage is on the topic, not how well it fits. Let it drop what is off the topic and weigh
  little in the order: on SciFact it orders worse than the first stage, alone and as an equal partner.
- A small model: it can overlook a negation, a unit, a date or a name, and it does no arithmetic. One passage never
  proves a verdict by its stance alone.
- A foreign passage is now and then called REFUTES rather than OFF-TOPIC, mostly where both speak of unrelated facts
  in one short sentence each. A stance should count only as far as the passage was also found for the statement.
- It knows the form of its training texts: short English statements against one to three sentences.
- It takes what a text reports for what it says: "Posts claim that A. Historians say otherwise." is mostly read as
  support for A.
- FEVER claims carry artefacts, so a part of any stance model's figures on FEVER-like data comes from the claim alone;
  the two rows with other evidence above show how much is left of that here.
- Other parts of FEVER Symmetric were trained on, so those figures are of a known domain.
"""


def _stance_rows(fever: dict[str, Any], nli: dict[str, Any]) -> str:
    rows = (
        ("FEVER Symmetric (CC BY-SA): supported or refuted", fever, ("macro_f1", "accuracy", "calibration_error")),
        ("… the claim with empty evidence (chance 0.5)", fever, ("", "accuracy_empty_evidence", "")),
        ("… the claim with evidence of another claim (chance 0.5)", fever, ("", "accuracy_foreign_evidence", "")),
        ("XNLI, English (CC BY-NC): supported, refuted or neither", nli, ("macro_f1", "accuracy", "calibration_error")),
    )
    lines = []
    for name, figures, columns in rows:
        cells = [f"{figures[column]:.3f}" if column else "" for column in columns]
        lines.append(f"| {name} | {figures['pairs']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _facts(manifest: Manifest, size: int) -> str:
    return f"""| | |
|---|---|
| upstream | {manifest.upstream} |
| licence of the weights | {manifest.licence}; full text in `LICENSE` |
| language | English |
| reads at most | {manifest.max_tokens} tokens |
| size | {size / 1e6:.1f} MB |
| SHA-256 of `model.onnx` | `{manifest.files[MODEL]}` |"""


def write_card(folder: Path) -> None:
    """Write ``CARD.md`` from the manifest of a whole model folder."""
    manifest = ModelFolder.open(folder).manifest
    card = encoder_card if manifest.kind == "encoder" else cross_encoder_card
    (folder / "CARD.md").write_text(card(manifest, (folder / MODEL).stat().st_size), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the model folder")
    write_card(parser.parse_args().folder)


if __name__ == "__main__":
    main()
