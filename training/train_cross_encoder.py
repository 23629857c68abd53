"""Fine-tune the packaged MiniLM-L6 weights into the evidence cross-encoder.

    python -m training.train_cross_encoder --data DIR --out DIR

Writes checkpoints while it runs; the same command resumes. The result is a Hugging Face model folder, which
``training.export_cross_encoder`` turns into ``ghost/models/evidence-cross-encoder``.
"""

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training.dossiers import Dossier, crossed_dossier_pairs, dossier_pairs, plain_pairs, read_dossiers
from training.headings import heading_pairs, read_headings
from training.pairs import CLASSES, Pair, balance, evened, foreign_pairs, off_topic_pairs, read_pairs
from training.passages import ASPECTS, REPORTED, passage_pairs, read_passages
from training.unseen import unseen
from training.weights import packaged_minilm
from training.written import contrast_pairs, crossed_pairs, read_contrasts

MAX_TOKENS = 160
PAD = 8
"""Tokens that a batch's length is a multiple of: each new length costs half a second of preparing kernels for it."""
WARMUP = 0.06
SMOOTHING = 0.05
CROSSED = 0.4
"""Off-topic pairs for each claim of the written contrasts."""
HEADING_OPEN = 3
"""Claims a heading is paired with of those it leaves open."""
AVERAGING = 0.98
"""Decay of the exponential moving average of the weights, which is what is kept."""
AVERAGE_EVERY = 10
"""Steps between two updates of the average."""


def build(data: Path, cache: Path, seed: int, claims: int) -> list[Pair]:
    """The public and the off-topic pairs in a fixed order; cached, since it encodes tens of thousands of texts."""
    if cache.exists():
        return [Pair(*row) for row in json.loads(cache.read_text())]
    rng = random.Random(seed)
    pairs = read_pairs(data)
    encoder = SentenceTransformer(str(packaged_minilm()), device="cpu")
    encoder.max_seq_length = 64

    def encode(texts: list[str]) -> np.ndarray:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors = encoder.encode(texts, batch_size=128, convert_to_numpy=False, convert_to_tensor=True)
        return torch.nn.functional.normalize(vectors.float(), dim=1).numpy()

    kept = balance(pairs, rng)
    made = off_topic_pairs(pairs, encode, rng, claims) + foreign_pairs(kept, rng, claims)
    mix = kept + made
    rng.shuffle(mix)
    print("mix", Counter(p.label for p in mix), Counter(p.source for p in made), flush=True)
    cache.write_text(json.dumps([[p.evidence, p.claim, p.label, p.source] for p in mix]))
    return mix


def batches(pairs: list[Pair], size: int, seed: int, epoch: int) -> list[list[Pair]]:
    """Shuffled batches of ``size`` texts of similar length, so that little is spent on padding."""
    rng = random.Random(f"{seed}/{epoch}")
    order = list(pairs)
    rng.shuffle(order)
    out = []
    for start in range(0, len(order), size * 64):
        block = sorted(order[start : start + size * 64], key=lambda p: len(p.evidence) + len(p.claim))
        out += [block[i : i + size] for i in range(0, len(block), size)]
    rng.shuffle(out)
    return out


def schedule(step: int, steps: int) -> float:
    """Part of the full learning rate at a step: a short rise, then half a cosine."""
    if step < WARMUP * steps:
        return step / (WARMUP * steps)
    progress = (step - WARMUP * steps) / ((1 - WARMUP) * steps)
    return 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))


def chosen(args: argparse.Namespace) -> list[Pair]:
    """What is trained on, as the arguments choose it."""
    pairs = build(args.data, args.out / "pairs.json", args.seed, args.off_topic_claims)
    rng = random.Random(args.seed)
    pairs = [p for p in pairs if p.source.split(".")[0] not in args.without]
    if args.base:
        pairs = rng.sample(pairs, min(args.base, len(pairs)))
    if args.written:
        contrasts = unseen([c for c in read_contrasts() if not c.held_back])
        written = list(contrast_pairs(contrasts)) + list(crossed_pairs(contrasts, rng, CROSSED))
        times, part = divmod(args.written, 1)
        pairs = pairs + written * int(times) + rng.sample(written, int(part * len(written)))
    for sort, times in ((REPORTED, args.reported), (ASPECTS, args.aspects)):
        passages = unseen([p for p in read_passages(sort) if not p.held_back]) if times else []
        pairs = pairs + list(passage_pairs(sort, passages)) * times
    if args.dossiers:
        pages = page_pairs(read_dossiers(), args.dossiers, rng)
        pairs = pairs + rng.sample(pages, int(args.pages_part * len(pages)))
    return pairs


def page_pairs(dossiers: Sequence[Dossier], left_open: int, rng: random.Random) -> list[Pair]:
    """What is learned from written pages, those apart that are held back."""
    rows = unseen([d for d in dossiers if not d.held_back])
    sided = [
        *dossier_pairs(rows, rng, left_open),
        *plain_pairs(rows, rng),
        *heading_pairs(rows, read_headings(), rng, HEADING_OPEN),
    ]
    return evened(sided, rng) + list(crossed_dossier_pairs(rows, rng))


def target(pair: Pair) -> list[float]:
    """The probabilities to be learned, in the order of CLASSES."""
    return [SMOOTHING / len(CLASSES) + (1 - SMOOTHING) * (name == pair.label) for name in CLASSES]


def freeze(model: torch.nn.Module, layers: int) -> None:
    """Keep the word embeddings as they are, and the first ``layers`` layers with all that comes before them.

    The word embeddings are half of MiniLM's parameters; the optimiser is freed from them, and rare words keep their
    upstream meaning. Nothing is computed backwards through frozen layers: with four of MPNet's twelve a step takes two
    thirds of the time.
    """
    model.get_input_embeddings().weight.requires_grad_(False)
    if layers:
        early = ("embeddings", "relative_attention_bias", *(f"layer.{i}" for i in range(layers)))
        for name, parameter in model.named_parameters():
            if any(f".{part}." in f".{name}" for part in early):
                parameter.requires_grad_(False)


def train(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    pairs = chosen(args)
    print("pairs", len(pairs), Counter(p.label for p in pairs), flush=True)
    torch.manual_seed(args.seed)
    upstream = args.upstream or packaged_minilm()
    tokenizer = AutoTokenizer.from_pretrained(upstream)
    model = AutoModelForSequenceClassification.from_pretrained(
        args.init or upstream,
        num_labels=len(CLASSES),
        id2label=dict(enumerate(CLASSES)),
        label2id={name: i for i, name in enumerate(CLASSES)},
        attn_implementation="eager",
        # On two cores dropout costs a quarter of a step, and a run this short does not overfit without it.
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    freeze(model, args.frozen_layers)
    average = {k: v.detach().clone() for k, v in model.state_dict().items()}
    optimiser = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=args.learning_rate, weight_decay=0.01, fused=True
    )
    plan = [b for epoch in range(math.ceil(args.epochs)) for b in batches(pairs, args.batch, args.seed, epoch)]
    steps = int(len(pairs) * args.epochs / args.batch)
    plan = plan[:steps]
    step = 0
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        average, step = saved["average"], saved["step"]
        print(f"resumed at step {step}", flush=True)
    model.train()
    started, seen, losses = time.monotonic(), 0, []
    while step < steps:
        batch = plan[step]
        for group in optimiser.param_groups:
            group["lr"] = args.learning_rate * schedule(step, steps)
        inputs = tokenizer(
            [p.evidence for p in batch],
            [p.claim for p in batch],
            truncation="longest_first",
            max_length=MAX_TOKENS,
            padding=True,
            pad_to_multiple_of=PAD,
            return_tensors="pt",
        )
        wanted = torch.tensor([target(p) for p in batch])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(**inputs).logits
        loss = torch.nn.functional.cross_entropy(logits.float(), wanted)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        seen += len(batch)
        losses.append(loss.item())
        if step % AVERAGE_EVERY == 0:
            decay = min(AVERAGING, step / (step + 10 * AVERAGE_EVERY))
            for key, value in model.named_parameters():
                if value.requires_grad:
                    average[key].mul_(decay).add_(value.detach(), alpha=1 - decay)
        if step % 100 == 0:
            rate = seen / (time.monotonic() - started)
            left = (steps - step) * args.batch / rate / 60
            print(f"step {step}/{steps} loss {np.mean(losses[-100:]):.4f} {rate:.1f}/s {left:.0f} min left", flush=True)
        if step % args.save_every == 0 or step == steps:
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "average": average, "step": step}
            torch.save(state, checkpoint.with_suffix(".tmp"))
            checkpoint.with_suffix(".tmp").replace(checkpoint)
            save(model, average, tokenizer, args.out / "model")
    print("done", flush=True)


def save(model: torch.nn.Module, average: dict[str, torch.Tensor], tokenizer, folder: Path) -> None:
    """Write the averaged weights as a model folder, leaving the running weights untouched."""
    running = {k: v.clone() for k, v in model.state_dict().items()}
    model.load_state_dict(average)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    model.load_state_dict(running)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train/stance.train.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="checkpoints and the finished model")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--upstream", type=Path, help="another encoder to start from, such as a larger one")
    parser.add_argument("--init", type=Path, help="start from this model folder instead of the upstream weights")
    parser.add_argument("--without", nargs="*", default=[], help="sources to leave out, such as snli conjnli")
    parser.add_argument("--base", type=int, default=0, help="take so many of the public and off-topic pairs; 0: all")
    parser.add_argument("--reported", type=int, default=0, help="how often each passage that reports something is seen")
    parser.add_argument(
        "--aspects", type=int, default=0, help="how often each passage on one aspect of an event is seen"
    )
    parser.add_argument("--written", type=float, default=0, help="how often each of the written contrasts is seen")
    parser.add_argument(
        "--dossiers", type=int, default=0, help="learn from the written pages, with so many open sentences a claim"
    )
    parser.add_argument("--pages-part", type=float, default=1.0, help="part of the written pages' pairs")
    parser.add_argument("--batch", type=int, default=32, help="pairs a step")
    parser.add_argument("--frozen-layers", type=int, default=0, help="leave so many of the first layers as they are")
    parser.add_argument("--off-topic-claims", type=int, default=11000)
    parser.add_argument("--save-every", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
