"""From the names in the settings to models."""

from dataclasses import dataclass
from pathlib import Path

from ghost.errors import ModelError
from ghost.inference.base import Encoder, RelevanceScorer, StanceReader
from ghost.inference.external import NliCrossEncoder, SentenceTransformerEncoder, SentenceTransformerScorer
from ghost.inference.heads import ClaimHead, InjectionHead
from ghost.inference.hub import HubModels
from ghost.inference.nli_folder import NliFolder, open_folder, runs_here
from ghost.inference.onnx_models import NliReader, OnnxCrossEncoder, OnnxEncoder
from ghost.inference.weights import MANIFEST

BUNDLED_ENCODER = ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")
BUNDLED_SCORER = "bundled"
BUNDLED_STANCE = "bundled"
BUNDLED_MODELS = Path(__file__).parents[1] / "models"
STANCE_FOLDER = "stance-mpnet"
"""Where the bundled stance model is, among the bundled models."""


@dataclass(frozen=True, slots=True)
class StanceChoice:
    """Who reads stances, and whether it is the one that the settings name."""

    reader: StanceReader
    missing: str = ""
    """Empty, or why the bundled model reads in place of the named one, and what to do."""


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


def choose_stance_reader(name: str, bundled: StanceReader, hub: HubModels, threads: int = 0) -> StanceChoice:
    """``bundled``, the model in the folder ``name``, or the model of the hub with that name.

    A model of the hub that is not on this machine is never fetched here: the bundled one reads in its place, which
    ``missing`` says. Raises ModelError when the named model is there and cannot be used, or the folder is not there.
    """
    if name == BUNDLED_STANCE:
        return StanceChoice(bundled)
    path = Path(name)
    if path.is_dir():
        if (path / MANIFEST).is_file():
            return StanceChoice(OnnxCrossEncoder(path, threads))
        return StanceChoice(_nli_reader(open_folder(path), threads))
    if path.is_absolute():
        raise ModelError(
            f"GHOST_STANCE_MODEL names the folder {path}, which is not there. Correct it, or leave it out to use the "
            "bundled model."
        )
    if found := hub.find(name):
        return StanceChoice(_nli_reader(found.open(), threads))
    return StanceChoice(
        bundled,
        f"The stance model {name} is not on this machine, so the bundled one reads in its place. Fetch it on the page "
        f"Settings, under Models, or with: python -m ghost models fetch {name}",
    )


def _nli_reader(folder: NliFolder, threads: int) -> StanceReader:
    if folder.on_onnx:
        return NliReader(folder, threads)
    if not runs_here(folder.weights.name):
        raise ModelError(
            f"{folder.name} has no ONNX file with a tokenizer.json, so it needs torch: pip install -r "
            "requirements.txt. Or choose a model with an ONNX file, or leave GHOST_STANCE_MODEL out to "
            "use the bundled one."
        )
    return NliCrossEncoder(folder)


def load_stance_reader(models: Path, threads: int = 0) -> OnnxCrossEncoder:
    """The bundled stance model; raises WeightsMissingError or WeightsDamagedError."""
    return OnnxCrossEncoder(models / STANCE_FOLDER, threads)


def load_claim_head(models: Path, encoder: Encoder, threads: int = 0) -> ClaimHead:
    """The bundled claim classifier with the encoder that it was fitted on: ``encoder`` itself where it is the one.

    Raises WeightsMissingError or WeightsDamagedError.
    """
    own = encoder if encoder.name in BUNDLED_ENCODER else load_encoder(BUNDLED_ENCODER[0], models, threads)
    return ClaimHead(models / "claim-types", own)


def load_injection_head(models: Path = BUNDLED_MODELS) -> InjectionHead:
    """The bundled injection model; raises WeightsMissingError or WeightsDamagedError."""
    return InjectionHead(models / "injection")


def load_relevance_scorer(name: str, reader: OnnxCrossEncoder) -> RelevanceScorer:
    """``bundled`` is the reranker itself, else the sentence-transformers cross-encoder with that name or path."""
    return reader if name == BUNDLED_SCORER else SentenceTransformerScorer(name)
