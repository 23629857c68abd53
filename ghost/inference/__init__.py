"""Small models on ONNX Runtime: an encoder and a cross-encoder, bundled, or named in the settings."""

from ghost.inference.base import Encoder, RelevanceScorer, StanceReader, readable
from ghost.inference.external import NliCrossEncoder, SentenceTransformerEncoder, SentenceTransformerScorer
from ghost.inference.heads import ClaimHead, InjectionHead
from ghost.inference.hub import HubModel, HubModels
from ghost.inference.load import (
    BUNDLED_ENCODER,
    BUNDLED_MODELS,
    BUNDLED_STANCE,
    STANCE_FOLDER,
    StanceChoice,
    choose_stance_reader,
    load_claim_head,
    load_encoder,
    load_injection_head,
    load_relevance_scorer,
    load_screener,
    load_stance_reader,
)
from ghost.inference.nli_folder import choose_weights, open_folder
from ghost.inference.onnx_models import NliReader, OnnxCrossEncoder, OnnxEncoder
from ghost.inference.remembering import RememberingEncoder, RememberingReader
from ghost.inference.weights import HEAD, MANIFEST, MODEL, TOKENIZER, Manifest, ModelFolder, sha256

__all__ = [
    "BUNDLED_ENCODER",
    "BUNDLED_MODELS",
    "BUNDLED_STANCE",
    "HEAD",
    "MANIFEST",
    "MODEL",
    "STANCE_FOLDER",
    "TOKENIZER",
    "ClaimHead",
    "Encoder",
    "HubModel",
    "HubModels",
    "InjectionHead",
    "Manifest",
    "ModelFolder",
    "NliCrossEncoder",
    "NliReader",
    "OnnxCrossEncoder",
    "OnnxEncoder",
    "RelevanceScorer",
    "RememberingEncoder",
    "RememberingReader",
    "SentenceTransformerEncoder",
    "SentenceTransformerScorer",
    "StanceChoice",
    "StanceReader",
    "choose_stance_reader",
    "choose_weights",
    "load_claim_head",
    "load_encoder",
    "load_injection_head",
    "load_relevance_scorer",
    "load_screener",
    "load_stance_reader",
    "open_folder",
    "readable",
    "sha256",
]
