"""Which telemetry there is: its libraries are imported only where it is wanted."""

from collections.abc import Mapping
from typing import Protocol

from ghost.telemetry.runs import RunObserver

_ENDPOINTS = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
)


class Export(Protocol):
    """Sends traces and metrics of runs."""

    @property
    def observe(self) -> RunObserver:
        """An observer of runs."""
        ...

    def close(self) -> None:
        """Send what is left, for a moment at most."""
        ...


class Metrics(Protocol):
    """What this process counts, and what the database holds."""

    @property
    def observe(self) -> RunObserver:
        """An observer of runs."""
        ...

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered. ``route`` is the pattern of its path, never the path itself."""
        ...

    def stored(self, runs: Mapping[tuple[str, str], int], passages: Mapping[str, int]) -> None:
        """What the database holds: runs by status and label, passages by status."""
        ...

    def queue(self, workers: int, waiting: Mapping[str, int], running: Mapping[str, int]) -> None:
        """Who works, and what is in the queue, by task."""
        ...

    def now(self, active: int, ready: bool) -> None:
        """What goes on at this moment, and whether the server can be used."""
        ...

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        ...


def otlp_endpoint(environment: Mapping[str, str]) -> str:
    """The endpoint that OpenTelemetry's own variables name; empty when there is none, or telemetry is switched off."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ""
    return next((value for name in _ENDPOINTS if (value := environment.get(name, "").strip())), "")


def otlp_export() -> Export:
    """Sends to the endpoint that the environment names, over gRPC."""
    from ghost.telemetry.otlp import OtlpExport

    return OtlpExport()


def prometheus_metrics() -> Metrics | None:
    """Metrics for Prometheus; None where its library, which comes with requirements-team.txt, is not installed."""
    try:
        from ghost.telemetry.prometheus import PrometheusMetrics
    except ModuleNotFoundError:
        return None
    return PrometheusMetrics()
