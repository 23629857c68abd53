"""A vector index in Chroma: ids, vectors, documents and metadata, such as those of the active passages.

It holds nothing that the database does not have, so it is moved aside and made again whenever it cannot be used.
"""

import re
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import UUID

import numpy as np

from ghost.errors import GhostError, StoreError, StoreFullError, StoreReadOnlyError
from ghost.records import folder_error
from ghost.text import login_header, server_of, without_secrets

COLLECTION = "knowledge_base"
_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 120.0
"""How long a server may be silent. The first search after its start reads the whole index."""
_GRAPH: dict[str, Any] = {"space": "cosine", "max_neighbors": 32, "ef_construction": 200, "ef_search": 400}
"""With Chroma's defaults (16, 100, 100) one passage among four hundred near-identical ones of another topic could not
be reached by its own vector in 6 of 40 builds; with 32 and 200 in none. Among a million passages, a search of 200
candidates missed the nearest one for 9 of 2,000 claims, one of 400 for 2; it takes 2 ms longer."""
_UNFINISHED = "_new"
_ALIKE = 1e-4
"""Less than this is lost where a unit vector is kept with halved precision, and made one of length 1 again."""
_CODE = re.compile(r"\(code: (\d+)\)")
_FULL = re.compile(r"disk is full|no space left|os error 28\b", re.IGNORECASE)
_LOST = re.compile(r"error finding id", re.IGNORECASE)
_READ_ONLY = re.compile(r"permission denied|read-?only (?:file|database)|os error (?:13|30)\b", re.IGNORECASE)


class VectorsLostError(StoreError):
    """An index counts vectors that it does not have. Only a new one helps, also where it is on a server."""


@dataclass(frozen=True, slots=True)
class Record:
    """One passage, or one claim card, as the index keeps it."""

    id: str
    vector: np.ndarray
    """Unit vector, float32."""
    document: str
    metadata: dict[str, str | int | float | bool]


class ChromaConnection:
    """A folder or a server of Chroma, opened when it is first needed and shared by the collections in it."""

    def __init__(self, path: Path, url: str, find: Callable[[], str] | None = None) -> None:
        """Without a ``url`` the folder is opened. With ``find``, the server is one that the folder's owner has started
        over it: ``find`` says at each connection where it is now, empty if it is gone.
        """
        self.path = path
        self.of_folder = not url or find is not None
        """Whether the collections are those of the folder, whoever serves them."""
        self._find = find
        self._at(url)
        self.lock = threading.RLock()
        self._client: Any = None

    def _at(self, url: str) -> None:
        self.url, self._login = without_secrets(url), login_header(url)

    def client(self) -> Any:
        """The client; another one after ``close``."""
        with self.lock:
            if self._client is None:
                self._client = self._connect_server() if self.url else self._open_folder()
            return self._client

    def close(self) -> None:
        """Give the files back; the next call opens them again, as is needed when they have gone from under us."""
        with self.lock:
            client, self._client = self._client, None
            if client is not None:
                with suppress(Exception):
                    if self.url:
                        for session in _sessions(client):
                            session.close()
                    client.close()

    def _open_folder(self) -> Any:
        import chromadb

        try:
            return chromadb.PersistentClient(str(self.path), settings=_settings())
        except BaseException:
            self._forget_folder()
            raise

    def _connect_server(self) -> Any:
        import chromadb

        if self._find and (url := self._find()):  # it may have been started anew, on another port
            self._at(url)
        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        try:
            # Chroma's own client waits for ever, and leaves its connection open when it fails.
            asked = Request(f"{self.url}/api/v2/heartbeat", headers=self._login)
            with urlopen(asked, timeout=_CONNECT_SECONDS) as answer:
                answer.read()
            client = chromadb.HttpClient(host=host, port=port, ssl=secure, headers=self._login, settings=_settings())
            for session in _sessions(client):
                session.timeout = _ANSWER_SECONDS
            return client
        except (OSError, ValueError, HTTPException) as error:
            if self._find:
                raise StoreError(
                    "The Chroma server of `python -m ghost up` has ended. Start that command again, or start this "
                    "program anew to use the embedded index."
                ) from error
            raise StoreError(
                f"No Chroma server answers at {server_of(self.url)} ({error}). What it holds is safe in the database. "
                f"Start it with `chroma run --path {self.path} --port {port}`. With records in SQLite you can also "
                "unset GHOST_CHROMA_URL to use the embedded index."
            ) from error

    def _forget_folder(self) -> None:
        """Remove what Chroma remembers of a folder it failed to open; else it hands out the broken remains."""
        from chromadb.api.shared_system_client import SharedSystemClient

        SharedSystemClient._identifier_to_system.pop(str(self.path), None)
        SharedSystemClient._identifier_to_refcount.pop(str(self.path), None)


class VectorIndex:
    """The nearest by cosine in one collection. Safe to use from any thread; the embedded form belongs to one process.

    Everything raises StoreError when Chroma fails, whatever Chroma itself raises.
    """

    def __init__(
        self, connection: ChromaConnection, dimensions: int, model: str, database: str, collection: str = COLLECTION
    ) -> None:
        """``model`` and ``database`` say whose vectors these are: an index of others counts as empty."""
        self.path = connection.path
        self._connection = connection
        self._identity: dict[str, Any] = {"embedding_model": model, "dimensions": dimensions, "database": database}
        # One server can serve several knowledge bases; a folder belongs to one.
        self._name = collection if connection.of_folder else f"{collection}_{database[:12]}"
        self._lock = connection.lock
        self._done = threading.Condition(self._lock)
        self._queries: Counter[UUID] = Counter()
        """Queries under way, by collection."""
        self._building = threading.Lock()
        self._client: Any = None
        """The one that the collection belongs to."""
        self._collection: Any = None

    def beside(self, collection: str) -> "VectorIndex":
        """Another collection in the same place, for vectors of the same model and database."""
        mine = self._identity
        return VectorIndex(self._connection, mine["dimensions"], mine["embedding_model"], mine["database"], collection)

    @property
    def url(self) -> str:
        """Of the server, without a password; empty when the folder itself is opened."""
        return self._connection.url

    @property
    def model(self) -> str:
        """What the vectors are made with."""
        return str(self._identity["embedding_model"])

    @property
    def place(self) -> str:
        """Where the index is, for messages."""
        return server_of(self.url) or str(self.path)

    @property
    def watermark(self) -> int | None:
        """Up to which write of the database the index is complete; None when it must be built."""
        with self._errors():
            collection = self._current(again=bool(self.url))  # other processes write to a server
            kept = dict(collection.metadata or {}) if collection is not None else {}
        if any(kept.get(key) != value for key, value in self._identity.items()):
            return None
        mark = kept.get("watermark")
        return mark if isinstance(mark, int) else None

    def set_watermark(self, mark: int) -> None:
        """Note that the index holds every write up to ``mark``."""
        with self._errors():
            self._existing().modify(metadata={**self._identity, "watermark": mark})

    def count(self) -> int:
        """How many vectors there are."""
        with self._errors():
            collection = self._current(again=bool(self.url))  # another process may have built it anew
            return 0 if collection is None else int(collection.count())

    def upsert(self, records: Sequence[Record]) -> None:
        """Insert or replace. Of those that have their vector and text already only the metadata is written: Chroma
        takes thirty times as long to place a vector anew as to insert it.
        """
        if not records:
            return
        with self._errors():
            collection = self._existing()
            placed = _placed(collection, [r.id for r in records])
            same = [r for r in records if r.id in placed and _is_same(r, *placed[r.id])]
            there = {r.id for r in same}
            if same:
                collection.update(ids=[r.id for r in same], metadatas=[r.metadata for r in same])
            if others := [r for r in records if r.id not in there]:
                _upsert(collection, others)

    def delete(self, ids: Sequence[str]) -> None:
        """Remove; ids that are not there are fine."""
        if ids:
            with self._errors():
                self._existing().delete(ids=list(ids))

    def stored(self, ids: Sequence[str]) -> dict[str, np.ndarray]:
        """The vectors that the index has of these ids, as its search would compare them; others are left out."""
        with self._errors():
            found = self._existing().get(ids=list(ids), include=["embeddings"])
        vectors = found["embeddings"]
        return dict(zip(found["ids"], np.asarray(vectors, dtype=np.float32), strict=True)) if len(vectors) else {}

    def query(self, vectors: np.ndarray, k: int) -> list[list[tuple[str, float]]]:
        """For each row of ``vectors`` the ``k`` nearest (id, cosine), nearest first."""
        if not len(vectors):
            return []
        with self._errors():
            try:
                found = self._ask(vectors, k)
            except Exception as error:
                if type(error).__name__ != "NotFoundError":
                    raise
                self._collection = None  # rebuilt by another process since we looked it up
                found = self._ask(vectors, k)
        ids, distances = found["ids"], found["distances"] or []
        # A server writes the distances down in decimals; as the 32 bits that they are, they are the index's own again.
        return [
            [(i, 1.0 - float(np.float32(d))) for i, d in zip(row, away, strict=True)]
            for row, away in zip(ids, distances, strict=True)
        ]

    def rebuild(self, batches: Iterator[Sequence[Record]], mark: int) -> None:
        """Make the index anew from ``batches``; searches find the old one until the new one is complete."""
        with self._errors(), self._building:
            client = self._connection.client()
            building = f"{self._name}{_UNFINISHED}"
            _drop(client, building)
            fresh = client.create_collection(
                building,
                embedding_function=None,  # the default one downloads a model
                configuration={"hnsw": _GRAPH},
                metadata={**self._identity, "watermark": mark},
            )
            for records in batches:
                if records:
                    _upsert(fresh, records)
            with self._lock:
                old = self._current()
                self._client, self._collection = client, fresh
                # A query into a collection that is being dropped may fail with an internal error.
                self._done.wait_for(lambda: old is None or not self._queries[old.id])
            _drop(client, self._name)
            fresh.modify(name=self._name)

    def drop_unfinished(self) -> None:
        """Remove what a rebuild has left that was killed. Only for whoever keeps others from making one now."""
        with self._errors(), self._building:
            _drop(self._connection.client(), f"{self._name}{_UNFINISHED}")

    def move_aside(self) -> Path | None:
        """Put a folder that Chroma cannot use out of the way, and say where it is now."""
        with self._lock:
            self._connection.close()
            if self.url or not self.path.exists():
                return None
            stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
            aside = self.path.with_name(f"{self.path.name}.damaged-{stamp}")
            try:
                self.path.rename(aside)
            except OSError as error:
                raise folder_error(self.path, error) from error
            return aside

    def close(self) -> None:
        """Give the files back; the next call opens them again, as is needed when they have gone from under us."""
        self._connection.close()

    def _current(self, again: bool = False) -> Any:
        """The collection, or None when there is none yet; with ``again`` as it is now, whoever has changed it."""
        with self._lock:
            client = self._connection.client()
            if client is not self._client:
                self._client, self._collection = client, None
            if self._collection is None or again:
                self._collection = None
                with _missing_is_fine():
                    self._collection = client.get_collection(self._name, embedding_function=None)
            return self._collection

    def _existing(self) -> Any:
        collection = self._current()
        if collection is None:
            raise StoreError(f"The vector index in {self.place} is gone. Start Ghost again and it is rebuilt.")
        return collection

    def _ask(self, vectors: np.ndarray, k: int) -> Any:
        with self._lock:
            collection = self._existing()
            self._queries[collection.id] += 1
        try:
            # Never with a metadata filter: that is sixty times slower.
            return collection.query(query_embeddings=vectors.astype(np.float32), n_results=k, include=["distances"])
        finally:
            with self._lock:
                self._queries[collection.id] -= 1
                self._done.notify_all()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (GhostError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # Chroma's native part panics past Exception
            raise self._explain(error) from error

    def _explain(self, error: BaseException) -> StoreError:
        text = str(error) or type(error).__name__
        code = int(found[1]) & 0xFF if (found := _CODE.search(text)) else 0
        if code == sqlite3.SQLITE_FULL or _FULL.search(text) or (not self.url and _no_room(self.path.parent)):
            return StoreFullError(
                f"The disk with the vector index in {self.place} is full. What it holds is safe in the database. "
                "Free some space and start Ghost again; the index is then repaired."
            )
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) or _READ_ONLY.search(text):
            return StoreReadOnlyError(
                f"The vector index in {self.place} cannot be written ({text}). What it holds is safe in the database. "
                "Give yourself the right to write there, or delete the folder and start Ghost again."
            )
        safe = f"The vector index in {self.place} failed: {text}. What it holds is safe in the database."
        if _LOST.search(text):
            return VectorsLostError(f"{safe} Ghost makes it anew.")
        server = " Check that the Chroma server runs and can be reached; Ghost repairs the index." if self.url else ""
        return StoreError(safe + server)


def _sessions(client: Any) -> tuple[Any, Any]:
    """The two that a client of a server has, which Chroma neither limits nor closes."""
    return client._server._session, client._admin_client._server._session


def _settings() -> Any:
    from chromadb.config import Settings

    # Without `_env_file` Chroma would take settings from the `.env` of the folder we run in.
    return Settings(anonymized_telemetry=False, _env_file=None)  # pyright: ignore[reportCallIssue]


def _placed(collection: Any, ids: list[str]) -> dict[str, tuple[np.ndarray, str]]:
    """Vector and text of the ids that are there. Only where some are, Chroma has to read its graph."""
    if not (there := collection.get(ids=ids, include=[])["ids"]):
        return {}
    found = collection.get(ids=there, include=["embeddings", "documents"])
    vectors = np.asarray(found["embeddings"], dtype=np.float32)
    return dict(zip(found["ids"], zip(vectors, found["documents"], strict=True), strict=True))


def _is_same(record: Record, vector: np.ndarray, document: str) -> bool:
    return document == record.document and bool(np.abs(record.vector - vector).max() < _ALIKE)


def _upsert(collection: Any, records: Sequence[Record]) -> None:
    collection.upsert(
        ids=[r.id for r in records],
        embeddings=np.stack([r.vector for r in records]).astype(np.float32),
        documents=[r.document for r in records],
        metadatas=[r.metadata for r in records],
    )


def _drop(client: Any, name: str) -> None:
    with _missing_is_fine():
        client.delete_collection(name)


@contextmanager
def _missing_is_fine() -> Iterator[None]:
    from chromadb.errors import NotFoundError

    with suppress(NotFoundError):
        yield


def _no_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < 1_000_000
    except OSError:
        return False
