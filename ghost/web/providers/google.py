"""What Google's APIs share: the header for the key, and errors whose status says too little.

https://cloud.google.com/apis/docs/system-parameters and https://google.aip.dev/193
"""

from ghost.errors import ProviderError
from ghost.web.providers.client import Answer, ProviderClient

_SPENT = {"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED"}


def google_client(who: str, url: str, key: str, setting: str) -> ProviderClient:
    """The client for an API of Google's, with the key in a header, so that it is in no address."""

    def explain(answer: Answer) -> ProviderError | None:
        reasons = _reasons(answer)
        if answer.at("error", "status") == "RESOURCE_EXHAUSTED" or reasons & _SPENT:
            return client.limited(answer.wait())  # older quotas answer with 403, as a refused key does
        if answer.status == 400 and any(r.startswith("API_KEY_") or r == "keyInvalid" for r in reasons):
            return client.refused("HTTP 400, API key not valid")
        return None

    client = ProviderClient(who, url, key, setting, "X-Goog-Api-Key", explain=explain)
    return client


def _reasons(answer: Answer) -> set[str]:
    parts = (answer.at("error", "details"), answer.at("error", "errors"))
    rows = [row for part in parts if isinstance(part, list) for row in part if isinstance(row, dict)]
    return {str(row.get("reason", "")) for row in rows}
