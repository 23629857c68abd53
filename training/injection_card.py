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
    held = "\n".join(_row(f"{half} half", row) for half, row in figures["held"].items())
    return f"""# {manifest.name}

Says whether a text reads like an attempt to steer its judge: an order to an AI, a dictated verdict, a forged message or
result, a bribe, a plea to leave out other sources. What it suspects waits in quarantine.

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence | {manifest.licence}; full text in `LICENSE` |
| language | English, Spanish, Russian, Chinese, German, French, Portuguese, Arabic; eighteen more know the telling words only |
| input | character n-grams (1 to 4), word n-grams (1 to 3) and cues, hashed |
| size | {size / 1e3:.0f} kB |
| SHA-256 of `{HEAD}` | `{manifest.files[HEAD]}` |

## How it was made

    python -m training.train_injection
    python -m training.measure_injection

One logistic regression, fitted with scikit-learn on {texts["written"]} written texts ({texts["injections"]} injections,
{texts["harmless"]} harmless), {texts["more"]} further ones, {texts["made"]} composed of written parts in eight languages and
{texts["ordinary"]} ordinary texts of ours (`training/data/README.md`). At run time it needs numpy alone. A cue is the kind of
a telling word (a machine, a duty, a verdict, leaving out, ...), whatever its language; the model reads which kinds a text
has, which two together, and which follow one another.

## Measured

Over five parts of the written texts, each scored by a model that has not seen it. Neighbours in the file stay in one
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

On texts that are kept for measuring, in fifteen languages and many forms; errors on the open half were read while the model
was made, those on the sealed half only counted:

| texts | caught | false alarms |
|---|---|---|
{held}

The model before caught 20.7% of the same texts with 2.2% false alarms. The aim was 75% at 1%, and it is not reached.

The regular expressions that this model replaced caught 4.0% of the same injections with 1.0% false alarms.

## Known traps

- A third of the injections that are written to look like something else pass. The citation gate keeps them from moving a
  verdict.
- Forms with few words (JSON, alternative texts, role play) and languages without examples of their own are caught least.
- Harmless texts about models, their rules and their tests, several sentences long, are where false alarms are likeliest.
- The vector of the bundled English encoder, which earlier models read, brought 1 point in the folds and none on the texts
  kept for measuring.
"""


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _row(name: str, row: dict[str, float]) -> str:
    return f"| {name} | {_percent(row['caught'])} | {_percent(row['false_alarms'])} |"
