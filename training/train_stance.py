"""Train the stance model: MPNet-base, four classes, in stages of a fixed length.

    python -m training.train_stance --data DIR --out STAGE1 --upstream FOLDER --minutes 150
    python -m training.train_stance --data DIR --out STAGE2 --upstream FOLDER --init STAGE1/model --minutes 150

Each stage has its own learning-rate schedule over the minutes it is given, so that it ends as a finished model on a
machine of any speed. The same command resumes a stage that was interrupted. ``training.export_stance`` turns the result
into ``ghost/models/stance-mpnet``.
"""

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training.pairs import CLASSES, Pair
from training.stance_mix import Mix, read_mix
from training.train_cross_encoder import AVERAGE_EVERY, AVERAGING, MAX_TOKENS, PAD, SMOOTHING, freeze, save

WARMUP_STEPS = 100
BLOCK = 64
"""Batches drawn and sorted by length together, so that little is spent on padding."""


def open_model(folder: Path) -> torch.nn.Module:
    """A four-class model in or upon the weights of a folder, without dropout: a run this short does not overfit."""
    return AutoModelForSequenceClassification.from_pretrained(
        folder,
        num_labels=len(CLASSES),
        id2label=dict(enumerate(CLASSES)),
        label2id={name: i for i, name in enumerate(CLASSES)},
        attn_implementation="eager",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def batches(mix: Mix, size: int, seed: int, start: int) -> Iterator[list[Pair]]:
    """Batches of pairs of similar length without end, from step ``start`` on; the same for the same seed."""
    for block in mix.blocks(size * BLOCK, seed):
        block.sort(key=lambda p: len(p.evidence) + len(p.claim))
        rows = [block[i : i + size] for i in range(0, len(block), size)]
        random.Random(f"{seed}/{len(block)}/{block[0].claim}").shuffle(rows)
        if start >= len(rows):
            start -= len(rows)
            continue
        yield from rows[start:]
        start = 0


def rate(step: int, progress: float) -> float:
    """Part of the full learning rate: a short rise by steps, then half a cosine over the time."""
    return min(1.0, step / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


def train(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads or torch.get_num_threads())
    mix = read_mix(args.data, args.out / "pool.json", args.seed, args.off_topic_claims)
    print(json.dumps({name: len(pairs) for name, pairs in mix.groups.items()}), flush=True)
    tokenizer = AutoTokenizer.from_pretrained(args.upstream)
    model = open_model(args.init or args.upstream)
    freeze(model, args.frozen_layers)
    average = {k: v.detach().clone() for k, v in model.state_dict().items()}
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=args.learning_rate, weight_decay=0.01, fused=True)
    step, spent = 0, 0.0
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        average, step, spent = kept["average"], kept["step"], kept["spent"]
        print(f"resumed at step {step}, {spent / 60:.0f} minutes", flush=True)
    model.train()
    began, losses, seen = time.monotonic() - spent, [], Counter()
    for batch in batches(mix, args.batch, args.seed, step):
        progress = (time.monotonic() - began) / (60 * args.minutes)
        for group in optimiser.param_groups:
            group["lr"] = args.learning_rate * rate(step, progress)
        losses.append(_learn(model, tokenizer, optimiser, learned, batch))
        seen.update(p.source.split(".")[0] for p in batch)
        step += 1
        if step % AVERAGE_EVERY == 0:
            decay = min(AVERAGING, step / (step + 10 * AVERAGE_EVERY))
            for key, value in model.named_parameters():
                if value.requires_grad:
                    average[key].mul_(decay).add_(value.detach(), alpha=1 - decay)
        if step % 50 == 0:
            minutes = progress * args.minutes
            print(f"step {step} loss {np.mean(losses[-50:]):.4f} {minutes:.1f} of {args.minutes} minutes", flush=True)
        if progress >= 1 or step % args.save_every == 0:
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "average": average}
            torch.save(state | {"step": step, "spent": progress * args.minutes * 60}, checkpoint.with_suffix(".tmp"))
            checkpoint.with_suffix(".tmp").replace(checkpoint)
            save(model, average, tokenizer, args.out / "model")
        if progress >= 1:
            break
    print(f"done: {step * args.batch} pairs", dict(seen.most_common()), flush=True)


def _learn(
    model: torch.nn.Module, tokenizer, optimiser: torch.optim.Optimizer, learned: list, batch: list[Pair]
) -> float:
    """One step; the loss before it."""
    inputs = tokenizer(
        [p.evidence for p in batch],
        [p.claim for p in batch],
        truncation="longest_first",
        max_length=MAX_TOKENS,
        padding=True,
        pad_to_multiple_of=PAD,
        return_tensors="pt",
    )
    wanted = torch.full((len(batch), len(CLASSES)), SMOOTHING / len(CLASSES))
    for row, pair in enumerate(batch):
        wanted[row, CLASSES.index(pair.label)] += 1 - SMOOTHING
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(**inputs).logits
    loss = torch.nn.functional.cross_entropy(logits.float(), wanted)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(learned, 1.0)
    optimiser.step()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train/stance*.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="checkpoints and the finished model")
    parser.add_argument("--upstream", type=Path, required=True, help="folder with all-mpnet-base-v2")
    parser.add_argument("--init", type=Path, help="go on from this model folder")
    parser.add_argument("--minutes", type=float, required=True, help="length of the stage")
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--batch", type=int, default=32, help="pairs a step")
    parser.add_argument("--frozen-layers", type=int, default=0, help="leave so many of the first layers as they are")
    parser.add_argument("--off-topic-claims", type=int, default=6000)
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are cores")
    parser.add_argument("--save-every", type=int, default=200)
    parser.add_argument("--seed", type=int, default=11)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
