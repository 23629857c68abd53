"""Traces and metrics of runs over OTLP. Imported only where the environment names an endpoint.

The providers are our own and not the global ones, so that no other library sends anything through them: what a library
puts into its spans may hold a claim. The endpoint, its headers and its certificates are OpenTelemetry's own variables.
"""

from collections.abc import Callable
from datetime import timedelta

from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context

from ghost import __version__
from ghost.events import Event, RunEnded, RunStarted, StepFinished, VerdictReached
from ghost.types import RunStatus, TraceStep

NAME = "ghost"
FLUSH_MILLISECONDS = 3_000
"""So long the end of the program waits for what was not sent yet."""


class OtlpExport:
    """Sends a span for every run with one for each step below it, and metrics. Safe to share between threads."""

    def __init__(self, traces: bool, metrics: bool) -> None:
        """``traces``, ``metrics``: whether these are sent."""
        resource = Resource.create({"service.name": NAME, "service.version": __version__})
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        if traces:
            self._traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._traces.get_tracer(NAME, __version__)
        readers = [PeriodicExportingMetricReader(OTLPMetricExporter())] if metrics else []
        self._metrics = MeterProvider(readers, resource, shutdown_on_exit=False)
        meter = self._metrics.get_meter(NAME, __version__)
        self._runs = meter.create_counter("ghost.runs", description="Ended runs by status, label and judge")
        self._run_seconds = meter.create_histogram("ghost.run.duration", "s", "Duration of a run")
        self._step_seconds = meter.create_histogram("ghost.step.duration", "s", "Duration of a step")
        self._tokens = meter.create_counter("ghost.tokens", description="Tokens of language models")
        self._cost = meter.create_counter("ghost.cost", "USD", "Cost of language models with a known price")

    def observe(self) -> Callable[[Event], None]:
        """An observer of runs."""
        return _Run(self).tell

    def close(self) -> None:
        """Send what is left, for a moment at most."""
        self._traces.force_flush(FLUSH_MILLISECONDS)
        self._traces.shutdown()
        self._metrics.shutdown(FLUSH_MILLISECONDS)


class _Run:
    """One run as a span. Its texts stay here: decisions, reasons and errors may repeat the claim."""

    def __init__(self, export: OtlpExport) -> None:
        self._export = export
        self._span: Span | None = None
        self._label = ""
        self._judge = ""

    def tell(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._judge = event.judge.name
                start = int(event.started_at.timestamp() * 1e9)
                self._span = self._export._tracer.start_span(
                    "ghost.run", attributes={"ghost.run_id": event.run_id}, start_time=start
                )
            case StepFinished():
                self._step(event.step)
            case VerdictReached():
                self._label, self._judge = event.verdict.label.value, event.judge.name
            case RunEnded():
                self._end(event)

    def _step(self, step: TraceStep) -> None:
        if self._span is None:
            return
        self._export._step_seconds.record(step.seconds, {"ghost.step": step.name})
        span = self._export._tracer.start_span(
            f"ghost.step {step.name}",
            set_span_in_context(self._span),
            attributes={"ghost.step": step.name, "ghost.tokens": step.tokens, "ghost.cost_usd": step.cost_usd},
            start_time=int(step.started_at.timestamp() * 1e9),
        )
        span.end(int((step.started_at + timedelta(seconds=step.seconds)).timestamp() * 1e9))

    def _end(self, event: RunEnded) -> None:
        export, usage = self._export, event.usage
        kind = {"ghost.status": event.status.value, "ghost.label": self._label, "ghost.judge": self._judge}
        export._runs.add(1, kind)
        export._run_seconds.record(usage.seconds, {"ghost.status": event.status.value})
        export._tokens.add(usage.tokens, {"ghost.judge": self._judge})
        export._cost.add(usage.cost_usd, {"ghost.judge": self._judge})
        if self._span is None:
            return
        spent = {"ghost.searches": usage.searches, "ghost.fetches": usage.fetches, "ghost.tokens": usage.tokens,
                 "ghost.cost_usd": usage.cost_usd}  # fmt: skip
        self._span.set_attributes({**kind, **spent})
        if event.status is RunStatus.FAILED:
            self._span.set_status(Status(StatusCode.ERROR))
        self._span.end(int(event.finished_at.timestamp() * 1e9))
