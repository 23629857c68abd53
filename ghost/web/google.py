"""What Google's APIs have in common: the header for the key, and errors whose status says too little.

https://cloud.google.com/apis/docs/system-parameters and https://google.aip.dev/193
"""

from pydantic import BaseModel

from ghost.errors import ProviderError
from ghost.web.json_api import Answer, JsonApi, Rows, Text, parsed, wait_of

KEY_HEADER = "X-Goog-Api-Key"
_SPENT = {"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED"}


class Detail(BaseModel):
    """One of ``details`` or of ``errors``; only its reason is read."""

    reason: Text = ""


class Status(BaseModel):
    """What went wrong."""

    status: Text = ""
    details: Rows[Detail] = []
    errors: Rows[Detail] = []


class Failure(BaseModel):
    """The body of an error."""

    error: Status


def google_api(who: str, url: str, key: str, setting: str) -> JsonApi:
    """An API of Google's with the key in a header, so that it is in no address."""

    def explain(answer: Answer) -> ProviderError | None:
        failure = parsed(Failure, answer.body)
        if failure is None:
            return None
        reasons = {d.reason for d in (*failure.error.details, *failure.error.errors)}
        if failure.error.status == "RESOURCE_EXHAUSTED" or reasons & _SPENT:
            return api.limited(wait_of(answer.headers))  # older quotas answer with 403, as a refused key does
        if answer.status == 400 and any(r.startswith("API_KEY_") or r == "keyInvalid" for r in reasons):
            return api.refused("HTTP 400, API key not valid")
        return None

    api = JsonApi(who, url, key, setting, KEY_HEADER, explain=explain)
    return api
