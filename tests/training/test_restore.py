"""The committed int8 weights as float weights again: the same stances from torch as from ONNX Runtime."""

from pathlib import Path

import onnx
import pytest
from tokenizers import Tokenizer

from ghost.inference import MODEL, OnnxCrossEncoder

pytestmark = pytest.mark.models

FOLDER = Path(__file__).parents[2] / "ghost" / "models" / "evidence-cross-encoder"
PAIRS = [
    ("The bridge was opened in 1932 by the mayor.", "The bridge opened in 1935."),
    ("Tea contains caffeine.", "There is caffeine in tea."),
    ("Cats sleep for fifteen hours a day.", "Oil prices rose sharply."),
]


def test_restored_weights_read_like_the_committed_ones() -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from training.restore import restored

    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536
    )
    config.num_labels = 4
    model = transformers.BertForSequenceClassification(config).eval()
    weights = {name: torch.tensor(values) for name, values in restored(onnx.load(FOLDER / MODEL)).items()}
    model.load_state_dict(weights, strict=True)
    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokenizer.no_padding()
    found = []
    for pair in PAIRS:
        encoding = tokenizer.encode(*pair)
        ids, types = torch.tensor([encoding.ids]), torch.tensor([encoding.type_ids])
        with torch.no_grad():
            found += model(input_ids=ids, token_type_ids=types).logits.softmax(-1).tolist()
    for row, stance in zip(found, OnnxCrossEncoder(FOLDER).read(PAIRS), strict=True):
        assert row == pytest.approx([stance.supports, stance.refutes, stance.neutral, stance.off_topic], abs=0.05)
