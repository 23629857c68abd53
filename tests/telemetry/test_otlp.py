"""Traces and metrics over OTLP: sent to the endpoint that is named, and only then; received by a real collector."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import (
    MetricsServiceServicer,
    add_MetricsServiceServicer_to_server,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)

from config import PROJECT, Settings
from ghost.events import Event, RunEnded, RunStarted, StepFinished
from ghost.telemetry import observed, otlp_endpoint, otlp_export
from ghost.types import Claim, JudgeInfo, RunStatus, TraceStep, Usage
from ghost.workbench import build

SECRET = "xylophone"
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass
class Collector(MetricsServiceServicer, TraceServiceServicer):
    """Keeps what it is sent."""

    port: int = 0
    spans: list[Any] = field(default_factory=list)
    metrics: dict[str, Any] = field(default_factory=dict)
    sent: str = ""

    def Export(self, request: Any, _context: Any) -> Any:
        self.sent += str(request)
        for resource in getattr(request, "resource_spans", ()):
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        for resource in getattr(request, "resource_metrics", ()):
            self.metrics |= {metric.name: metric for scope in resource.scope_metrics for metric in scope.metrics}
        return ExportTraceServiceResponse() if hasattr(request, "resource_spans") else ExportMetricsServiceResponse()


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    found, server = Collector(), grpc.server(ThreadPoolExecutor(2))
    add_MetricsServiceServicer_to_server(found, server)  # type: ignore[no-untyped-call]
    add_TraceServiceServicer_to_server(found, server)  # type: ignore[no-untyped-call]
    found.port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{found.port}")
    yield found
    server.stop(None).wait()


def events(status: RunStatus) -> Iterator[Event]:
    """A run of one step that says in every text what it is about."""
    yield RunStarted("r1", Claim(f"There is a {SECRET}."), START, JudgeInfo("embedded", SECRET), {"text": SECRET})
    yield StepFinished(2, TraceStep("retrieve", START, 0.5, SECRET, SECRET, {"query": SECRET}, {"found": SECRET}))
    usage = Usage(searches=2, fetches=1, tokens=7, cost_usd=0.5, seconds=1.5)
    yield RunEnded("r1", status, START + timedelta(seconds=2), usage, f"no {SECRET}")


def test_a_run_is_a_span_with_one_for_each_step_and_no_text_is_in_them(collector: Collector) -> None:
    export = otlp_export(os.environ)
    assert len(list(observed(events(RunStatus.FAILED), [export.observe]))) == 3
    export.close()
    run, step = sorted(collector.spans, key=lambda span: span.name)
    assert (run.name, step.name) == ("ghost.run", "ghost.step retrieve")
    assert step.parent_span_id == run.span_id
    assert (run.end_time_unix_nano - run.start_time_unix_nano, run.status.code) == (2_000_000_000, 2)
    assert step.end_time_unix_nano - step.start_time_unix_nano == 500_000_000
    kept = {a.key: a.value.string_value or a.value.int_value or a.value.double_value for a in run.attributes}
    assert {name: value for name, value in kept.items() if value} == {
        "ghost.run_id": "r1", "ghost.status": "failed", "ghost.judge": "embedded",
        "ghost.searches": 2, "ghost.fetches": 1, "ghost.tokens": 7, "ghost.cost_usd": 0.5,
    }  # fmt: skip
    (runs,) = collector.metrics["ghost.runs"].sum.data_points
    assert runs.as_int == 1
    assert collector.metrics["ghost.step.duration"].histogram.data_points[0].sum == 0.5
    assert SECRET not in collector.sent


@pytest.mark.parametrize("signal", ["TRACES", "METRICS"])
def test_what_has_no_endpoint_is_not_sent(collector: Collector, monkeypatch: pytest.MonkeyPatch, signal: str) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    monkeypatch.setenv(f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT", f"http://127.0.0.1:{collector.port}")
    export = otlp_export(os.environ)
    list(observed(events(RunStatus.FINISHED), [export.observe]))
    export.close()
    assert (bool(collector.spans), bool(collector.metrics)) == (signal == "TRACES", signal == "METRICS")


def test_a_collector_that_is_away_keeps_no_run_from_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    export = otlp_export(os.environ)
    assert [type(e) for e in observed(events(RunStatus.FINISHED), [export.observe])][-1] is RunEnded
    export.close()


def test_an_observer_that_fails_keeps_no_run_from_its_end() -> None:
    def broken() -> Any:
        def tell(_: Event) -> None:
            raise RuntimeError(SECRET)

        return tell

    assert len(list(observed(events(RunStatus.FINISHED), [broken]))) == 3


@pytest.mark.parametrize(
    ("environment", "endpoint"),
    [
        ({}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317"}, "http://c:4317"),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://m:4317"}, "http://m:4317"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_SDK_DISABLED": "TRUE"}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, ""),
    ],
)
def test_the_endpoint_is_named_by_the_usual_variables(environment: dict[str, str], endpoint: str) -> None:
    assert otlp_endpoint(environment) == endpoint


PROGRAM = """
import sys
from ghost.workbench import build
from config import Settings
from pathlib import Path
build(Settings(data_dir=Path(sys.argv[1]), web=False, _env_file=None), judge="embedded").close()
wanted = ["ghost.telemetry.otlp", "ghost.telemetry.prometheus", "prometheus_client"]
wanted += ["opentelemetry.exporter.otlp.proto.grpc.metric_exporter"]
print([name for name in wanted if name in sys.modules])
"""


def test_nothing_of_it_is_imported_unless_it_is_wanted(tmp_path: Path, seeded: Any) -> None:
    """What chromadb imports of OpenTelemetry for itself is not ours to say."""
    seeded.copy(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=PROJECT, capture_output=True, text=True, check=True,
        timeout=120,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_a_workbench_sends_where_an_endpoint_is_named(collector: Collector, tmp_path: Path, seeded: Any) -> None:
    seeded.copy(tmp_path)
    with build(Settings(data_dir=tmp_path, web=False, _env_file=None), judge="embedded") as workbench:
        list(workbench.verify(Claim(f"The capital of Australia is {SECRET}.")))
    assert {span.name for span in collector.spans} >= {"ghost.run", "ghost.step classify", "ghost.step verdict"}
    assert SECRET not in collector.sent
