"""What others may watch of this program: runs as log lines, as Prometheus metrics, and as OpenTelemetry traces.

Nothing here holds the text of a claim. Nothing is sent anywhere unless the environment names an OTLP endpoint.
"""

from ghost.telemetry.exports import Export, Metrics, otlp_endpoint, otlp_export, prometheus_metrics
from ghost.telemetry.runs import RunObserver, log_run, observed

__all__ = [
    "Export", "Metrics", "RunObserver", "log_run", "observed", "otlp_endpoint", "otlp_export", "prometheus_metrics",
]  # fmt: skip
