"""The starter library: the facts in ``packs/``, put into a new knowledge base and kept up to date in an old one.

``python seed_kb.py`` does what ``python -m ghost seed`` does, with the same options.
"""

import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ghost.inference import Encoder
from ghost.knowledge import (
    AddReport,
    Change,
    Draft,
    KnowledgeBase,
    Pack,
    Progress,
    apply_packs_off,
    draft_packs,
    get_meta,
    pack_passages,
    read_packs,
    set_meta,
    switch_pack_off,
    switch_pack_on,
    switched_off,
    take_back_draft,
    write_draft,
)

FOLDER = Path(__file__).resolve().parent / "packs"
_KEY = 16
"""Bytes of the SHA-256 of a text by which its vector is found."""


class ShippedVectors:
    """A file of vectors in halved precision, as they are stored, read at the first use. Safe to share between threads.

    A file that is missing, damaged or of another encoder has no vectors: they are then computed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def sources(self) -> frozenset[str]:
        """Digests of the files that the texts were taken from."""
        return frozenset(self._read("sources").tolist())

    @cached_property
    def _encoder(self) -> str:
        return "".join(self._read("encoder").tolist())

    @cached_property
    def _vectors(self) -> dict[bytes, np.ndarray]:
        keys, vectors = self._read("keys"), self._read("vectors").astype(np.float32)
        return {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=False)}

    def _read(self, name: str) -> np.ndarray:
        try:
            with self.path.open("rb") as file, np.load(file) as kept:
                return np.asarray(kept[name])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return np.empty(0)

    def find(self, texts: Sequence[str], checksum: str) -> dict[int, np.ndarray]:
        """By place in the list: vectors that the encoder with this checksum gave these texts."""
        known = self._vectors if checksum == self._encoder else {}
        return {i: known[key] for i, text in enumerate(texts) if (key := _key(text)) in known}

    def write(self, encoder: Encoder, texts: Iterable[str], sources: Iterable[str]) -> None:
        """Make the file anew. Raises ModelError and OSError."""
        texts = list(dict.fromkeys(texts))
        np.savez(
            self.path,
            encoder=[encoder.checksum],
            sources=sorted(sources),
            keys=np.frombuffer(b"".join(map(_key, texts)), dtype=np.uint8).reshape(-1, _KEY),
            vectors=encoder.encode(texts).astype("<f2"),
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY]


VECTORS = ShippedVectors(FOLDER / "vectors.npz")
"""Of the packs as they came with Ghost, which were screened when this was made."""

_SEEDED = "seed"
"""What was put in last: a JSON object with the digest of each pack."""

SEED_FACTS: list[dict[str, Any]] = [fact for pack in read_packs(FOLDER) for fact in pack.facts]
"""All facts as they were when the program started, each with ``text``, ``source`` (an address) and ``details``."""


def packs() -> tuple[Pack, ...]:
    """The packs as they are now. Raises StoreError naming the file and the line that cannot be read."""
    return tuple(replace(pack, screened=pack.digest in VECTORS.sources) for pack in read_packs(FOLDER))


def packs_on(knowledge: KnowledgeBase) -> tuple[Pack, ...]:
    """Those that are not switched off."""
    off = switched_off(knowledge)
    return tuple(pack for pack in packs() if pack.name not in off)


def seed(knowledge: KnowledgeBase, chosen: Sequence[Pack] | None = None, progress: Progress | None = None) -> AddReport:
    """Put packs in, all that are on if none are named.

    Safe to repeat: what is there merges, and what the analyst retired or edited stays so.
    """
    todo = packs_on(knowledge) if chosen is None else tuple(chosen)
    new = pack_passages(knowledge, [fact for pack in todo for fact in pack.facts])
    report = knowledge.add(new, progress, screened=all(pack.screened for pack in todo))
    _note_seeded(knowledge, todo)
    return report


def seed_if_changed(
    knowledge: KnowledgeBase, off: Collection[str] = (), progress: Progress | None = None
) -> AddReport | None:
    """Put in the packs that were not put in as they are now: all into a new knowledge base, after an update what it
    brought. ``off`` are the packs that the settings switch off. None when there is nothing to do.
    """
    apply_packs_off(knowledge, packs(), off)
    done = _seeded(knowledge)
    todo = [pack for pack in packs_on(knowledge) if done.get(pack.name) != pack.digest]
    return seed(knowledge, todo, progress) if todo else None


def switch_off(knowledge: KnowledgeBase, name: str) -> Change | None:
    """Switch a pack off; None when none of its passages had to be retired."""
    return next((switch_pack_off(knowledge, p, packs_on(knowledge)) for p in packs() if p.name == name), None)


def switch_on(knowledge: KnowledgeBase, name: str) -> Change | None:
    """Switch a pack on again, with what came into it meanwhile; None when nothing of it had to be brought back."""
    change = switch_pack_on(knowledge, name)
    seed(knowledge, [pack for pack in packs() if pack.name == name])
    return change


def drafts(knowledge: KnowledgeBase) -> dict[str, Draft]:
    """By name: the packs that are on as this knowledge base would have them; nothing is written."""
    return draft_packs(knowledge, packs(), FOLDER, switched_off(knowledge))


def write_back(knowledge: KnowledgeBase, new: Draft) -> Path:
    """Write the draft to its file and return the copy of the old one. Raises StoreError when it cannot be done."""
    backup = write_draft(new)
    _written(knowledge, new.path.stem, new.unknown)
    return backup


def take_back(knowledge: KnowledgeBase, name: str) -> None:
    """Put a file back as it was before it was written last. Raises StoreError."""
    take_back_draft(FOLDER / f"{name}.jsonl")
    now = drafts(knowledge).get(name)
    _written(knowledge, name, now.unknown if now else 0)


def _written(knowledge: KnowledgeBase, name: str, unknown: int) -> None:
    """Facts that the knowledge base all has need not be put in at the next start; ``unknown`` ones have to be."""
    if not unknown:
        _note_seeded(knowledge, [pack for pack in packs() if pack.name == name])


def _seeded(knowledge: KnowledgeBase) -> dict[str, str]:
    with knowledge.database.read() as connection:
        kept = get_meta(connection, _SEEDED) or ""
    # Before there were packs it was the digest of the one file.
    return dict(json.loads(kept)) if kept.startswith("{") else {}


def _note_seeded(knowledge: KnowledgeBase, done: Sequence[Pack]) -> None:
    kept = _seeded(knowledge) | {pack.name: pack.digest for pack in done}
    with knowledge.database.write() as connection:
        set_meta(connection, _SEEDED, json.dumps(kept))


if __name__ == "__main__":
    from ghost.cli.main import main

    sys.exit(main(["seed", *sys.argv[1:]]))
