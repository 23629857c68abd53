"""A knowledge base of any size, made up quickly: for how database and index grow, not for how texts are read.

A passage that comes in through the door is screened, encoded and compared, which takes milliseconds; a million of them
would take hours. So only some passages do. The others are written straight into the tables: texts of their own, and
vectors of a stand-in for the encoder. Such a vector is that of a passage that was really encoded, moved by noise from
the hash of its text, so that vectors lie in clusters as real ones do.
"""

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from sqlalchemy import func, insert, select, update

from bench.corpus import endless_passages
from bench.results import Progress
from ghost.records import Database, batched, meta, passage_bands, passages
from ghost.types import NewPassage

STAND_IN = "stand-in encoder: vectors of really encoded passages, moved by noise from the hash of the text"
CHUNK = 5_000
STAMPED = 256
"""Passages of one stamp: what is sent to the index at a time, as after an import."""
NOISE = 0.6
"""Length of the noise beside a vector of length one: the cosine to its anchor is 0.86."""
ANCHORS = 2_000
BANDS = 16


def fill(database: Database, count: int, seed: int, progress: Progress) -> None:
    """Write so many passages into the tables. There must be some already, which came in through the door."""
    with database.read() as connection:
        rows = connection.execute(select(passages).where(passages.c.status == "active").limit(ANCHORS)).mappings()
        anchors = [dict(row) for row in rows]
        mark = int(connection.execute(select(meta.c.value).where(meta.c.key == "watermark")).scalar_one())
        first = connection.execute(select(func.max(passages.c.seq))).scalar_one()
    vectors = np.frombuffer(b"".join(row["embedding"] for row in anchors), "<f2").reshape(len(anchors), -1)
    done = 0
    for new in batched(islice(endless_passages(seed), count), CHUNK):
        stamps = [mark + 1 + (done + n) // STAMPED for n in range(len(new))]
        made = _rows(new, anchors, vectors.astype(np.float32), stamps)
        bands = _bands([row["merge_key"] for row in made], first + done)
        with database.write() as connection:
            connection.execute(insert(passages), made)
            connection.execute(insert(passage_bands), bands)
            connection.execute(update(meta).where(meta.c.key == "watermark").values(value=str(stamps[-1])))
        done += len(made)
        progress("Filling the tables", done, count)


def _rows(
    new: Sequence[NewPassage], anchors: Sequence[dict[str, Any]], vectors: np.ndarray, stamps: Sequence[int]
) -> list[dict[str, Any]]:
    found = []
    for passage, stamp in zip(new, stamps, strict=True):
        hashed = zlib.crc32(passage.text.encode())
        anchor = hashed % len(anchors)
        vector = _moved(vectors[anchor], hashed)
        key = hashlib.sha256(f"{passage.text}\0{passage.source_url}".encode()).hexdigest()
        given = {"text": passage.text, "source_url": passage.source_url, "title": passage.title, "topic": passage.topic}
        made = {"id": f"p_{key[:16]}", "merge_key": key, "domain": urlsplit(passage.source_url).hostname or ""}
        rest = {"origin": "import", "published_at": passage.published_at, "text_length": len(passage.text), "kin": ""}
        unused = {"verification_count": 0, "avg_relevance": 0.0, "access_count": 0, "last_accessed": None}
        row = anchors[anchor] | given | made | rest | unused | {"changed": stamp, "embedding": vector}
        del row["seq"]
        found.append(row)
    return found


def _moved(vector: np.ndarray, seed: int) -> bytes:
    noise = np.random.default_rng(seed).standard_normal(len(vector), dtype=np.float32)
    moved = vector + NOISE * noise / float(np.linalg.norm(noise))
    return (moved / np.linalg.norm(moved)).astype("<f2").tobytes()


def _bands(keys: Sequence[str], last: int) -> list[dict[str, int]]:
    """Bands that no other passage has, in their order, as a table without row numbers is written fastest."""

    def numbers() -> Iterator[tuple[int, int]]:
        for n, key in enumerate(keys, start=1):
            whole = hashlib.blake2b(key.encode(), digest_size=8 * 8).digest() * 2
            for i in range(BANDS):
                yield int.from_bytes(whole[i * 8 : i * 8 + 8], "big") >> 1 ^ i, last + n

    return [{"band": band, "seq": seq} for band, seq in sorted(set(numbers()))]
