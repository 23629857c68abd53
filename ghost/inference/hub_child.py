"""Fetches one stance model from the hub. Run by ``hub.py`` as a process of its own, told what on standard input.

Small files come first, so that a model of the wrong kind is refused before anything large is fetched.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from ghost.errors import ModelError
from ghost.inference.nli_folder import (
    BESIDE,
    CONFIG,
    TOKENIZER,
    choose_weights,
    is_onnx,
    read_config,
    runs_here,
)
from ghost.inference.weights import sha256

if TYPE_CHECKING:
    from huggingface_hub.hf_api import ModelInfo, RepoSibling

CHUNK = 256 * 1024
"""Bytes that are read at once: a wish to stop is heard after so many at the latest."""
ASK_SECONDS = 15.0
MARGIN = 50_000_000
"""Bytes that must stay free on the disk."""
_COMMIT = re.compile(r"[0-9a-f]{40}")

Tell = Callable[[str, int, int], None]


def main() -> int:
    """Read what to fetch, say how far it is, and say at the end what came of it."""
    signal.signal(signal.SIGTERM, _stop)
    request = json.loads(sys.stdin.buffer.read())
    name = str(request["name"])
    try:
        model = fetch(name, str(request["file"]), str(request["revision"]), _say_progress)
    except Exception as error:
        _say({"error": reason(error, name)})
        return 1
    _say({"model": model})
    return 0


def fetch(name: str, file: str, revision: str, tell: Tell) -> dict[str, Any]:
    """The model's record for ``hub.py``; raises ModelError, and whatever the library raises."""
    import huggingface_hub
    from huggingface_hub import HfApi, constants

    constants.DOWNLOAD_CHUNK_SIZE = CHUNK  # 10 MB otherwise; nothing but this fetch runs in this process
    tell("Asking the hub", 0, 0)
    info = HfApi().model_info(name, revision=revision or None, files_metadata=True, timeout=ASK_SECONDS)
    if not _COMMIT.fullmatch(info.sha or ""):
        raise ModelError("The hub did not say which version it has, so nothing can be pinned. Try again later.")
    there = {sibling.rfilename: sibling for sibling in info.siblings or []}
    weights = _weights(name, file, there)
    wanted = [f for f in (CONFIG, *_tokenizer_files(weights), weights) if f in there]
    if CONFIG not in wanted:
        raise ModelError(f"{name} has no {CONFIG}, so it is no model that can be used here. Choose another one.")
    sizes = {f: there[f].size or 0 for f in wanted}
    _check_room(Path(constants.HF_HUB_CACHE), sum(sizes.values()))
    bar = _Bar(tell, sum(sizes.values()))
    files = {}
    for wanted_file in wanted:
        bar.begin(wanted_file)
        path = _fetched(huggingface_hub.hf_hub_download, name, str(info.sha), there[wanted_file], bar)
        bar.end(sizes[wanted_file])
        if wanted_file == CONFIG:
            folder = path.parent
            read_config(path, name, "Choose another model.").columns(name)
        files[wanted_file] = sha256(path, "Try again.")
    return {
        "name": name,
        "revision": info.sha,
        "folder": str(folder),
        "weights": weights,
        "licence": _licence(info),
        "bytes": sum((folder / f).stat().st_size for f in files),
        "files": files,
    }


def _weights(name: str, file: str, there: Mapping[str, "RepoSibling"]) -> str:
    if file and not (is_onnx(file) and file in there):
        onnx = ", ".join(sorted(f for f in there if is_onnx(f))[:12]) or "none"
        raise ModelError(f"{name} has no ONNX file {file}. It has: {onnx}.")
    weights = file or choose_weights(there, name)
    if not runs_here(weights):
        raise ModelError(
            f"{name} has no ONNX file with a {TOKENIZER}, so it needs torch, which is not installed: pip install -r "
            "requirements.txt. Or choose a model with an ONNX file. Nothing was fetched."
        )
    return weights


def _tokenizer_files(weights: str) -> tuple[str, ...]:
    return (TOKENIZER, "tokenizer_config.json") if is_onnx(weights) else (TOKENIZER, *BESIDE)


def _check_room(cache: Path, size: int) -> None:
    for folder in (cache, *cache.parents):
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            continue
        if free < size + MARGIN:
            raise ModelError(
                f"The model needs {size / 1e6:,.0f} MB, and only {free / 1e6:,.0f} MB are free on the disk with "
                f"{cache}. Make room, or set HF_HOME to a folder on another disk. Nothing was fetched."
            )
        return


def _fetched(download: Callable[..., Any], name: str, revision: str, sibling: "RepoSibling", bar: "_Bar") -> Path:
    """A file of the model, compared with what the hub says of it; one that differs is brought once more."""
    for again in (False, True):
        path = Path(download(name, sibling.rfilename, revision=revision, tqdm_class=bar, force_download=again))
        if _is_whole(path, sibling):
            return path
    blob = path.resolve()
    path.unlink(missing_ok=True)
    blob.unlink(missing_ok=True)
    raise ModelError(
        f"{sibling.rfilename} of {name} arrived with another content than the hub says it has (its checksum differs), "
        "twice. It was thrown away. Something between here and the hub changes it; try another network or mirror."
    )


def _is_whole(path: Path, sibling: "RepoSibling") -> bool:
    """Whether the file is what the hub lists: by SHA-256 where it is large, else by its id in git."""
    if sibling.lfs:
        return sha256(path) == sibling.lfs.sha256
    if not sibling.blob_id:
        return sibling.size in (None, path.stat().st_size)
    content = path.read_bytes()
    digest = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return digest.hexdigest() == sibling.blob_id


def _licence(info: "ModelInfo") -> str:
    card = info.card_data
    licence = (card.get("license_name") or card.get("license")) if card else None
    return ", ".join(map(str, licence))[:80] if isinstance(licence, list) else str(licence or "")[:80]


@dataclass
class _Bar:
    """What the library calls to show how far a file is; it takes it for the class of such a thing."""

    tell: Tell
    total: int
    done: int = 0
    current: int = 0
    what: str = ""

    def __call__(self, *_: object, **__: object) -> Self:
        self.current = 0  # begun anew, or at the next file
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def begin(self, file: str) -> None:
        """A file is next."""
        self.what, self.current = f"Fetching {file}", 0
        self.tell(self.what, self.done, self.total)

    def update(self, count: float = 1) -> None:
        """So many bytes more have come."""
        self.current += int(count)
        self.tell(self.what, min(self.total, self.done + self.current), self.total)

    def end(self, size: int) -> None:
        """The file is there, whether it was fetched or not."""
        self.done += size
        self.current = 0
        self.tell(self.what, self.done, self.total)


def _say_progress(what: str, done: int, total: int) -> None:
    _say({"what": what, "done": done, "total": total})


def _say(line: dict[str, Any]) -> None:
    try:
        print(json.dumps(line), flush=True)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more


def _stop(*_: object) -> None:
    raise SystemExit(1)  # so that the library clears away what it has half fetched


def reason(error: Exception, name: str) -> str:
    """What went wrong while the model ``name`` was fetched."""
    from huggingface_hub import errors as hub

    host = _host()
    cause = _cause(error)
    if isinstance(error, ModelError):
        return str(error)
    if isinstance(cause, hub.OfflineModeIsEnabled):
        return (
            f"{name} was not fetched: offline mode is on (HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE). Unset it for the "
            "fetch, or copy the model's files to this machine and name their folder in GHOST_STANCE_MODEL."
        )
    if isinstance(error, hub.HFValidationError):
        return f"{name} cannot be the name of a model: it is written OWNER/NAME, as on the model's page."
    if isinstance(error, hub.GatedRepoError):
        return (
            f"{name} is given to those only who have accepted its terms. Accept them on its page, make a token in your "
            "account there, set HF_TOKEN to it, and fetch again."
        )
    # A 401 is what the hub answers for a name that it does not have; over plain HTTP the library takes it for another.
    if (
        isinstance(error, hub.RepositoryNotFoundError)
        or getattr(getattr(error, "response", None), "status_code", 0) == 401
    ):
        return (
            f"{host} has no model {name}, or does not show it to everybody. Check the name (OWNER/NAME, as on the "
            "model's page); for a private one set HF_TOKEN."
        )
    if isinstance(error, hub.RevisionNotFoundError):
        return f"{name} has no such revision at {host}. Leave it out to fetch the newest."
    if isinstance(error, hub.EntryNotFoundError) and isinstance(error, hub.HfHubHTTPError):
        return f"{host} lists a file of {name} that it does not have. Try again later."
    if isinstance(cause, hub.HfHubHTTPError):
        return _refused(cause.response.status_code, host)
    if isinstance(cause, hub.FileMetadataError):
        return f"{host} does not answer as a model hub does. Check HF_ENDPOINT, and what stands between here and there."
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "The disk is full; what was half fetched was thrown away. Make room, or set HF_HOME to another disk."
    if isinstance(cause, OSError) and cause.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{cause.filename or 'The cache'} cannot be written. Set HF_HOME to a folder of your own."
    if type(cause).__module__.startswith("httpx"):
        return _unreachable(cause, host)
    if isinstance(error, OSError) and "Consistency check failed" in str(error):
        return f"The connection to {host} ended before the file did. Fetch again: files that are whole are kept."
    if isinstance(error, ImportError):
        return f"{error.name or error} is not installed: pip install -r requirements-light.txt"
    if isinstance(error, ValueError):
        return f"{host} does not answer as a model hub does. Check HF_ENDPOINT, and what stands between here and there."
    first_line = str(error).strip().partition("\n")[0]
    return f"{name} could not be fetched: {type(error).__name__}: {first_line[:300]}"


def _cause(error: BaseException) -> BaseException:
    """What the library says only in passing: it calls a lost connection a file that is not there."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    return error.__cause__ if isinstance(error, LocalEntryNotFoundError) and error.__cause__ else error


def _unreachable(error: BaseException, host: str) -> str:
    if "Timeout" in type(error).__name__:
        return f"{host} did not answer in time. Try again later; files that are whole are kept."
    return (
        f"{host} cannot be reached ({str(error)[:200] or type(error).__name__}). Is there a network? Behind a proxy "
        "set HTTPS_PROXY; to use a mirror set HF_ENDPOINT."
    )


def _refused(status: int, host: str) -> str:
    if status == 403:
        return f"{host} refuses the request (HTTP {status}). Check HF_TOKEN, or unset it for a public model."
    if status == 429:
        return f"{host} refuses more requests for now (HTTP 429). Wait some minutes."
    if status >= 500:
        return f"{host} has trouble of its own (HTTP {status}). Try again later; files that are whole are kept."
    return f"{host} refused the request (HTTP {status})."


def _host() -> str:
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    return urlsplit(endpoint).hostname or "The hub"


if __name__ == "__main__":
    sys.exit(main())
