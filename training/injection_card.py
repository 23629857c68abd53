"""The card of the injection model, written from what its manifest says was measured."""

from typing import Any

from ghost.inference import HEAD, Manifest


def card(manifest: Manifest, size: int) -> str:
    """The card; ``size`` of the weights in bytes."""
    figures: dict[str, Any] = manifest.figures
    texts = figures["texts"]
    shares = "\n".join(
        f"| {_percent(float(share))} | {_percent(row['caught'])} |" for share, row in figures["unseen_blocks"].items()
    )
    halves = "\n".join(
        _row(f"part {n + 1} of 2, line drawn on the other", row) for n, row in enumerate(figures["line_of_other_parts"])
    )
    authors = "\n".join(
        _row(f"author {n + 1}, fitted on the other author", row) for n, row in enumerate(figures["unseen_author"])
    )
    return f"""# {manifest.name}

Says whether a text reads like an attempt to steer its judge: an order to an AI, a dictated verdict, a forged message or
result, a bribe, a plea to leave out other sources. What it suspects waits in quarantine.

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence | {manifest.licence}; full text in `LICENSE` |
| language | English; ten others are thin in the examples, fourteen more have a few sentences each |
| input | character n-grams (2 to 5) and word n-grams (1 to 3), hashed, and the vector of the bundled encoder |
| size | {size / 1e3:.0f} kB |
| SHA-256 of `{HEAD}` | `{manifest.files[HEAD]}` |

## How it was made

    python -m training.train_injection
    python -m training.measure_injection

One logistic regression, fitted with scikit-learn on {texts["written"]} written texts ({texts["injections"]} injections,
{texts["harmless"]} harmless), {texts["more"]} further ones and {texts["ordinary"]} ordinary texts of ours
(`training/data/README.md`). At run time it needs numpy alone. The vector is computed only where the n-grams do not
settle it: {_percent(figures["below_floor"])} of the harmless written texts need none.

## Measured

Over ten parts of the written texts, each scored by a model that has not seen it. Neighbours in the file stay in one
part. All readings of a text count. Features and scales were chosen with these parts in view, so the figures flatter a
little.

| false alarms | injections caught |
|---|---|
{shares}

The line is drawn at 1% false alarms. Where it was not drawn, and on an author the model has not seen:

| texts | caught | false alarms |
|---|---|---|
{halves}
{authors}

The regular expressions that this model replaced caught 4.0% of the same injections with 1.0% false alarms.

## Known traps

- About half of the injections that are written to look like something else pass. The citation gate keeps them from
  moving a verdict.
- More examples help: with a third of them it caught 27%, with two thirds 35%, with all 45%.
- Short texts in thinly covered languages, checklists, forms and debate are where false alarms are likeliest.
- A polite wish that a sentence be recorded, without anything else, reads as harmless.
"""


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _row(name: str, row: dict[str, float]) -> str:
    return f"| {name} | {_percent(row['caught'])} | {_percent(row['false_alarms'])} |"
