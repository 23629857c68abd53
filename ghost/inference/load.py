"""From the names in the settings to models."""

from pathlib import Path

from ghost.inference.base import Encoder, RelevanceScorer
from ghost.inference.claim_head import ClaimHead
from ghost.inference.cross_encoder import OnnxCrossEncoder
from ghost.inference.encoder import OnnxEncoder
from ghost.inference.external import SentenceTransformerEncoder, SentenceTransformerScorer

BUNDLED_ENCODER = ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")
BUNDLED_SCORER = "bundled"


def load_encoder(name: str, models: Path, threads: int = 0) -> Encoder:
    """The bundled encoder by its name, else the sentence-transformers model with that name or path.

    ``models`` is the folder of bundled models. Raises WeightsMissingError or WeightsDamagedError; models that are
    not bundled are looked for at their first use.
    """
    if name in BUNDLED_ENCODER:
        return OnnxEncoder(models / "all-minilm-l6-v2", threads)
    return SentenceTransformerEncoder(name)


def load_screener(models: Path, threads: int = 0) -> OnnxCrossEncoder:
    """The bundled reranker, small and quick; raises WeightsMissingError or WeightsDamagedError."""
    return OnnxCrossEncoder(models / "evidence-cross-encoder", threads)


def load_stance_reader(models: Path, threads: int = 0) -> OnnxCrossEncoder:
    """The bundled stance model; raises WeightsMissingError or WeightsDamagedError."""
    return OnnxCrossEncoder(models / "stance-mpnet", threads)


def load_claim_head(models: Path, encoder: Encoder, threads: int = 0) -> tuple[Encoder, ClaimHead]:
    """The bundled claim classifier with the encoder that it was fitted on: ``encoder`` itself where it is the one.

    Raises WeightsMissingError or WeightsDamagedError.
    """
    head = ClaimHead(models / "claim-types")
    own = encoder if encoder.name in BUNDLED_ENCODER else load_encoder(BUNDLED_ENCODER[0], models, threads)
    head.check_encoder(own)
    return own, head


def load_relevance_scorer(name: str, reader: OnnxCrossEncoder) -> RelevanceScorer:
    """``bundled`` is the reranker itself, else the sentence-transformers cross-encoder with that name or path."""
    return reader if name == BUNDLED_SCORER else SentenceTransformerScorer(name)
