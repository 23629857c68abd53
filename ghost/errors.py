"""Everything Ghost raises on purpose.

    GhostError
    ├── ClaimError              the analyst's input cannot be used as it is
    ├── StoreError              the knowledge base or the records
    │   ├── StoreAwayError      a server does not answer, or not in time: nobody's work is at fault
    │   ├── StoreBusyError      another process owns the embedded knowledge base
    │   ├── StoreDamagedError   a file is not what it should be
    │   ├── StoreFullError      the disk is full
    │   ├── StoreReadOnlyError  the folder cannot be written
    │   └── TakenOverError      another worker has the work now, so this one's results are not kept
    ├── ModelError              a bundled or named model cannot be loaded or run
    │   ├── WeightsMissingError
    │   └── WeightsDamagedError
    ├── ExportError             a run cannot be written down in the form that was asked for
    ├── JudgeError              a judge gave no usable answer
    │   └── UnusableAnswerError it answered, and not in the form that was asked for
    ├── ProviderError           a search provider or a page could not be reached, or its answer not read
    │   ├── ProviderUnreachableError  no connection: no network, a wrong address, a server that is down
    │   ├── ProviderTimeoutError      no answer in time
    │   ├── ProviderBusyError         it has trouble of its own, which may pass
    │   ├── ProviderRefusedError      it does not accept the key or the one who asks
    │   └── RateLimitError            it asks to be left alone for a while
    ├── KeyRefused              the API key is not accepted
    ├── BudgetExceeded          a hard limit was reached
    └── Cancelled               the analyst asked to stop

Each message is one a person can act on: what happened, what was kept, what to do next.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any


class GhostError(Exception):
    """Base of all errors raised on purpose. ``str(error)`` is fit to be shown."""

    partial: Mapping[str, Any] = MappingProxyType({})
    """What the step that this ended had found until then, for the trace."""


class ClaimError(GhostError):
    """The claim cannot be used; the message says what to change."""


class StoreError(GhostError):
    """The knowledge base or the run records could not be used."""


class StoreAwayError(StoreError):
    """A server does not answer, or not in time. Whatever was being done is not at fault, and can be done again."""


class StoreBusyError(StoreError):
    """Another process owns the embedded knowledge base."""

    def __init__(self, path: Path, owner: str) -> None:
        self.path = path
        self.owner = owner
        super().__init__(
            f"The knowledge base in {path} is in use by {owner}. Close it first. To use the page, the HTTP API, MCP "
            f"and the command line at the same time, start them with `python -m ghost up`."
        )


class StoreDamagedError(StoreError):
    """A stored file is damaged; ``path`` names it."""

    def __init__(self, path: Path, what: str, remedy: str) -> None:
        self.path = path
        super().__init__(f"{path} is damaged: {what}. {remedy}")


class StoreFullError(StoreError):
    """The disk is full; what was stored before is untouched."""


class StoreReadOnlyError(StoreError):
    """The folder or file cannot be written."""


class TakenOverError(StoreError):
    """Another worker has this work now: what this one does for it is not kept."""


class ModelError(GhostError):
    """A model could not be loaded or run."""


class WeightsMissingError(ModelError):
    """A file of a model is not there."""


class WeightsDamagedError(ModelError):
    """A file of a model does not match its checksum."""


class ExportError(GhostError):
    """A run cannot be written down in this form; the message says why, and what would make it possible."""


class JudgeError(GhostError):
    """A judge gave no usable answer; the next one in the route is asked."""


class UnusableAnswerError(JudgeError):
    """A judge answered, but not in the form it was asked for."""


class ProviderError(GhostError):
    """A search provider or a page could not be reached or read."""


class ProviderUnreachableError(ProviderError):
    """There is no connection to the provider. The message ends with NO_CONNECTION."""


NO_CONNECTION = "cannot be reached. Is there a network?"


class ProviderTimeoutError(ProviderError):
    """The provider did not answer in time."""


class ProviderBusyError(ProviderError):
    """The provider has trouble of its own; ``retry_after`` are the seconds it asks to wait, if it says so."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class EnginesSilentError(ProviderBusyError):
    """The provider found nothing while engines behind it did not answer, so that the emptiness says nothing.

    Of another search the engines that are left may know something: the provider itself is not broken.
    """


class ProviderRefusedError(ProviderError):
    """The provider does not accept the key or the one who asks; asking again is of no use."""


class RateLimitError(ProviderError):
    """The provider refuses more searches for now; ``retry_after`` are the seconds it asks to wait, if it says so."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class KeyRefused(GhostError):
    """An API key is not accepted; ``reason`` is ``unknown``, ``expired``, ``revoked``, or ``missing`` (none came)."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class BudgetExceeded(GhostError):
    """A hard limit was reached; ``limit`` names it."""

    def __init__(self, limit: str, allowed: float) -> None:
        self.limit = limit
        self.allowed = allowed
        super().__init__(f"The limit of {allowed:g} {limit} for one run is reached.")


class Cancelled(GhostError):
    """The analyst asked to stop."""
