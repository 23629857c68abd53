"""What is worth another try, and when."""

import pytest

from ghost.errors import (
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
)
from ghost.web import pause_before_retry
from ghost.web.retry import PAUSE


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (ProviderBusyError("x"), PAUSE),
        (ProviderBusyError("x", 2), 2),
        (ProviderBusyError("x", 60), None),
        (RateLimitError("x", 1), 1),
        (RateLimitError("x", 0), PAUSE),
        (RateLimitError("x", 4.5), None),
        (RateLimitError("x"), None),
        (ProviderTimeoutError("x"), None),
        (ProviderUnreachableError("x"), None),
        (ProviderRefusedError("x"), None),
        (ProviderError("x"), None),
    ],
)
def test_only_what_may_pass_within_the_time_is_tried_again(error: ProviderError, pause: float | None) -> None:
    assert pause_before_retry(error, 1, 5.0) == pause
    assert pause_before_retry(error, 2, 5.0) is None
    assert pause_before_retry(error, 1, 1.0) is None
