"""Stance models of the Hugging Face hub: which of them are on this machine, and fetching one when a person asks.

Nothing here goes to the network but ``fetch``, and that happens in a process of its own (``hub_child.py``): it can be
stopped at any moment, and the library with its HTTP client never enters the process of the page.
"""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ghost.errors import ModelError
from ghost.inference.nli_folder import CONFIG, TOKENIZER, NliFolder, choose_weights, open_folder, runs_here
from ghost.inference.weights import Sha256, sha256
from ghost.text import write_whole

ROOT = Path(__file__).parents[2]
POLL_SECONDS = 0.1
GRACE_SECONDS = 3.0
"""What a process that is told to stop may take to clear away what it has half fetched."""

Progress = Callable[[str, int, int], None]
"""Told what is being fetched, how many bytes of it are there, and of how many; raises to stop."""


class HubModel(BaseModel):
    """A model of the hub as it was fetched: pinned to a revision, with the checksum of each file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    revision: str = Field(pattern=r"^[0-9a-f]{40}$")
    folder: str
    weights: str
    licence: str = ""
    bytes: int = 0
    files: dict[str, Sha256]
    fetched_at: str = ""

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self.files[self.weights]

    @property
    def there(self) -> bool:
        """Whether all its files still are where they were put."""
        return all((Path(self.folder) / name).is_file() for name in self.files)

    def open(self) -> NliFolder:
        """Its files; raises ModelError when they cannot be used."""
        remedy = f"Fetch it again: python -m ghost models fetch {self.name}"
        return open_folder(Path(self.folder), self.name, remedy, self.weights, self.files)


class HubModels:
    """What was fetched, as one small file in the data folder remembers it."""

    def __init__(self, file: Path) -> None:
        """``file`` need not exist."""
        self._file = file

    def all(self) -> dict[str, HubModel]:
        """By name; what cannot be read is as good as not there, and is fetched again."""
        try:
            stored = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        found = {}
        for entry in stored.get("models", []) if isinstance(stored, dict) else []:
            with suppress(ValidationError):
                model = HubModel.model_validate(entry)
                if model.weights in model.files:
                    found[model.name] = model
        return found

    def find(self, name: str) -> HubModel | None:
        """The model where it is on this machine whole: fetched by Ghost, or by another program into the hub's cache.

        One that another program fetched is pinned now, so that it stays the same when that program renews it.
        """
        known = self.all().get(name)
        if known and known.there:
            return known
        found = _in_cache(name)
        if found:
            self._keep(found)
        return found

    def fetch(self, name: str, progress: Progress, file: str = "", revision: str = "") -> HubModel:
        """Bring a model and remember it; ``file`` chooses the weights, ``revision`` the version (default: the newest).

        Raises ModelError with the reason, and whatever ``progress`` raises, soon after it did.
        """
        if _offline() and not file and not revision and (there := self.find(name)):
            return there
        request = {"name": name, "file": file, "revision": revision}
        found = _from_child(request, progress).model_copy(update={"fetched_at": datetime.now(UTC).isoformat()})
        found.open()  # what cannot be used is not remembered
        self._keep(found, must=True)
        return found

    def _keep(self, model: HubModel, must: bool = False) -> None:
        entries = {**self.all(), model.name: model}
        content = {"models": [entry.model_dump() for entry in entries.values()]}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, [json.dumps(content, indent=2).encode()])
        except OSError as error:
            if must:
                raise ModelError(
                    f"The model was fetched, but {self._file} cannot be written ({error.strerror or error}). Make "
                    "room, or give yourself the right to write there, and fetch it again: nothing is downloaded twice."
                ) from error


def _in_cache(name: str) -> HubModel | None:
    """The newest version that the hub's own cache has whole; reads all its files for their checksums."""
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    try:
        config = try_to_load_from_cache(name, CONFIG)
    except (OSError, ValueError):  # no such name can be
        return None
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    names = [f.relative_to(folder).as_posix() for f in (*folder.glob("*"), *folder.glob("onnx/*")) if f.is_file()]
    try:
        weights = choose_weights(names, name)
        if not runs_here(weights):
            return None  # the hub may have an ONNX file beside
        files = {file: sha256(folder / file) for file in dict.fromkeys((CONFIG, TOKENIZER, weights)) if file in names}
        return HubModel(
            name=name, revision=folder.name, folder=str(folder), weights=weights, files=files,
            bytes=sum((folder / file).stat().st_size for file in files),
        )  # fmt: skip
    except (ModelError, ValidationError, OSError):
        return None  # begun by another program, or a kind of model that is refused: fetching it says which


class _Line(BaseModel):
    """What the process says, one line at a time."""

    what: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    model: HubModel | None = None


def _from_child(request: dict[str, str], progress: Progress) -> HubModel:
    with tempfile.TemporaryFile() as complaints:
        with _child(request, complaints) as lines:
            what, done, total = "Asking the hub", 0, 0
            while True:
                progress(what, done, total)
                try:
                    line = lines.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    continue
                if line is None:
                    break
                if line.error:
                    raise ModelError(line.error)
                if line.model:
                    return line.model
                what, done, total = line.what, line.done, line.total
        complaints.seek(0)
        last = complaints.read()[-2000:].decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ModelError(f"The process that fetches the model ended too soon ({last or 'it said nothing'}). Try again.")


@contextmanager
def _child(request: dict[str, str], complaints: IO[bytes]) -> "Iterator[queue.Queue[_Line | None]]":
    """The lines of a process that fetches, None at their end; on leaving it is stopped if it has not ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ghost.inference.hub_child"],
        cwd=ROOT, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    lines: queue.Queue[_Line | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), name="ghost-hub", daemon=True)
    try:
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(json.dumps(request).encode())
        reader.start()
        yield lines
    finally:
        process.terminate()
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader.ident:
            reader.join(GRACE_SECONDS)
        process.stdout.close()


def _read(stream: IO[bytes], lines: "queue.Queue[_Line | None]") -> None:
    with suppress(ValueError):  # the stream was closed
        for raw in stream:
            with suppress(ValidationError):  # a library that prints
                lines.put(_Line.model_validate_json(raw))
    lines.put(None)


def _offline() -> bool:
    """Whether the hub's own variables forbid the network, as its library reads them."""
    said = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return said.upper() in {"1", "ON", "YES", "TRUE"}


def _environment() -> dict[str, str]:
    """That of this process, with the hub's own variables (HF_HOME, HF_ENDPOINT, HF_TOKEN …), without Ghost's keys."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("GHOST_", "OPENAI_"))}
    # Plain HTTP: it can be stopped and checked, and goes to the hub or the mirror that was named and nowhere else.
    return {**mine, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "PYTHONIOENCODING": "utf-8"}
