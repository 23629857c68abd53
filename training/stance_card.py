"""The card of the bundled stance model, from what its manifest says was measured.

python -m training.stance_card ghost/models/stance-mpnet
"""

import argparse
from pathlib import Path
from typing import Any

from ghost.inference import MODEL, Manifest, ModelFolder

SETS = {
    "written": "pairs written for this project, other passages than it learned from",
    "contrasts": "contrast sets written for this project: one passage, near misses and far hits",
    "library": "what a search of the starter library finds for claims, labelled by hand",
    "xnli_en": "XNLI, English (CC BY-NC)",
    "fever_symmetric": "FEVER Symmetric (CC BY-SA): supported or refuted",
}


def card(manifest: Manifest, folder: Path) -> str:
    """The card; sizes are those of the files in the folder."""
    sizes = "; ".join(f"`{name}` {(folder / name).stat().st_size / 1e6:.1f} MB" for name in sorted(manifest.files))
    figures: dict[str, Any] = manifest.figures
    int8 = figures["int8"]
    return f"""# {manifest.name}

Reads a passage, or a sentence of it, against a statement and says how likely it supports it, refutes it, is on its
topic without settling it, or is about something else. It reads what the reranker has kept, and it decides:
verdicts, vetoes on citations, and whether two claims are one rest on it.

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence of the weights | {manifest.licence}; full text in `LICENSE` |
| language | English |
| reads at most | {manifest.max_tokens} tokens |
| files | {sizes} |
| SHA-256 of `model.onnx` | `{manifest.files[MODEL]}` |
| input | `<s> passage </s></s> statement </s>`; of a pair that is too long the longer text is cut |
| output | logits of SUPPORTS, REFUTES, NEUTRAL, OFF-TOPIC; softmax at temperature {manifest.temperature:g} |

## How it was made

The upstream encoder, twelve layers, with a classifier on top; word embeddings stayed as they were. Four stages on two
processor cores, each with averaged weights and smoothed labels: 59,000 pairs at a learning rate of 5e-5, 51,000 at 4e-5
with the first four layers frozen (both on a mixture like that of `training/stance_mix.py`, without the contrast sets),
29,500 that went on from the int8 weights of the second (half contrast sets and a quarter written pairs at 4e-5, then a
third contrast sets and a third the library's own candidates at 2.5e-5), and 118,800 of that mixture as it is now, in 80
minutes, the first four layers frozen. One passage in ten of the contrast sets was kept out. The same again:

    pip install -r requirements-stance.txt
    python -m training.weights UP
    python -m training.train_stance --data DIR --out STAGE1 --upstream UP/all-mpnet-base-v2 --minutes 124
    python -m training.train_stance --data DIR --out STAGE2 --upstream UP/all-mpnet-base-v2 --init STAGE1/model \\
        --minutes 104 --learning-rate 4e-5 --frozen-layers 4
    python -m training.export_stance --model STAGE2/model --data DIR --out ghost/models/stance-mpnet

`python -m training.restore` makes a float model of these files to go on from. The first and the third stage came from
other scripts, so that a run gives a model like it, not the same numbers.

Quantised to int8 by `training/quantise.py`, one scale per output column, per word and per token, the weights rounded by
`training/rounding.py`; the word table is a file of its own, since hosts refuse larger ones. On {int8["pairs"]:,}
held-back contrast pairs, where sides are closest, the int8 model takes the same side as the float one on
{int8["same_label"]:.1%}.

It learned from: FEVER and variants, FEVEROUS (CC BY-SA 3.0, Wikipedia), FM2, counterfactual SNLI, SciTail,
EntailmentBank (Apache-2.0), SciFact, WANLI, AmbiEnt (CC BY 4.0), citation integrity, Evidence Inference, ConjNLI
and others (MIT), SNLI, FOLIO, MED, MoNLI (CC BY-SA), ScoNe (CC0), MultiNLI (OANC and Creative Commons), and texts
written for Ghost (MIT). The public texts are not part of Ghost.

## Measured

Nothing here was learned from or chosen on; three-way where the set is; OFF-TOPIC counts as not settled.

| pairs | n | macro-F1 | open ones taken for a side | wrong above 0.85 | settled at 3% wrong |
|---|---|---|---|---|---|
{_rows(figures)}

*Wrong above 0.85*: of the readings of a side at least that sure. *Settled at 3% wrong*: of the pairs that settle, those
read rightly above the probability from which on 3 in 100 readings are wrong.

## Known traps

- Its probabilities are flat, seldom above 0.95. Verdicts use odds fitted on it (`ghost/judges/embedded/odds.json`).
- It does no arithmetic, and units, dates and ranges can escape it.
- It takes one sentence in fifty for a denial of itself, and a claim that a passage repeats word for word only to deny
  or report it mostly for support (`tests/data/verbatim_passages.jsonl`); `ghost/steps/rerank` knows both.
- It reads English.
"""


def _rows(figures: dict[str, Any]) -> str:
    rows = []
    for name, words in SETS.items():
        found = figures[name]
        shares = [f"{found[k]:.1%}" if k in found else "" for k in ("open_misread", "sure_wrong", "settled_at_bound")]
        rows.append(f"| {words} | {found['pairs']:,} | {found['macro_f1']:.3f} | {' | '.join(shares)} |")
    return "\n".join(rows)


def write_card(folder: Path) -> None:
    """Write ``CARD.md`` into a whole model folder."""
    (folder / "CARD.md").write_text(card(ModelFolder.open(folder).manifest, folder), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the model folder")
    write_card(parser.parse_args().folder)
