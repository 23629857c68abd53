"""Whether a failed search is worth another try at once."""

from ghost.errors import EnginesSilentError, ProviderBusyError, ProviderError, RateLimitError

TRIES = 2
PAUSE = 0.3
"""Seconds before the second try, where the provider names none."""
TO_ANSWER = 1.0
"""Seconds that must be left for the second try, after the pause."""


def pause_before_retry(error: ProviderError, tries: int, seconds_left: float) -> float | None:
    """Seconds to wait; None when another try is of no use, or would not fit into the time that is left.

    Only what may pass in a moment is tried again: trouble of the server, and a limit that names its end. A time-out has
    used the time up, who refuses a key goes on refusing it, and engines that block a SearXNG do so for longer.
    """
    if tries >= TRIES or isinstance(error, EnginesSilentError):
        return None
    if isinstance(error, ProviderBusyError):
        pause = PAUSE if error.retry_after is None else error.retry_after
    elif isinstance(error, RateLimitError) and error.retry_after is not None:
        pause = error.retry_after
    else:
        return None
    pause = max(pause, PAUSE)
    return pause if pause + TO_ANSWER <= seconds_left else None
