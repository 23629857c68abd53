"""Which telemetry there is: its libraries are imported only where it is wanted."""

from collections.abc import Mapping
from typing import Protocol

from ghost.telemetry.runs import RunObserver

_BOTH = "OTEL_EXPORTER_OTLP_ENDPOINT"
_TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
_METRICS = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"


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
    """The endpoint that OpenTelemetry's own variables name; empty when nothing is sent.

    That is so without one, when telemetry is switched off, and with another protocol than gRPC.
    """
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ""
    if environment.get("OTEL_EXPORTER_OTLP_PROTOCOL", "").strip() not in ("", "grpc"):
        return ""
    return next((value for name in (_BOTH, _TRACES, _METRICS) if (value := environment.get(name, "").strip())), "")


def otlp_export(environment: Mapping[str, str]) -> Export:
    """Sends what the environment names an endpoint for. There must be one, or the libraries would take their own."""
    from ghost.telemetry.otlp import OtlpExport

    traces, metrics = (any(environment.get(name, "").strip() for name in (_BOTH, one)) for one in (_TRACES, _METRICS))
    return OtlpExport(traces, metrics)


def prometheus_metrics() -> Metrics | None:
    """Metrics for Prometheus; None where its library, which comes with requirements-team.txt, is not installed."""
    try:
        from ghost.telemetry.prometheus import PrometheusMetrics
    except ModuleNotFoundError:
        return None
    return PrometheusMetrics()
