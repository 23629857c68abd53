"""What language models are asked, one file for each step. A run keeps the hashes of what it asked."""

import hashlib
import json

from ghost.judges.prompts import classify, repair, sufficiency, verdict


def hashes() -> dict[str, str]:
    """SHA-256 of each prompt with the schema of its answer."""
    asked = {
        "classify": (classify.SYSTEM, classify.SCHEMA),
        "sufficiency": (sufficiency.SYSTEM, sufficiency.SCHEMA),
        "verdict": (verdict.SYSTEM, verdict.SCHEMA),
        "repair": (repair.REPAIR, {}),
    }
    return {
        name: hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest() for name, parts in asked.items()
    }
