"""Why a fetch from the hub failed, in words that say what to do."""

import errno
import os
from urllib.parse import urlsplit

from ghost.errors import ModelError


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
