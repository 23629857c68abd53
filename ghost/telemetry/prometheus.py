"""Metrics for Prometheus. Imported only where they are asked for: the library comes with requirements-team.txt."""

from collections.abc import Callable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from ghost.events import Event, RunEnded, RunStarted, StepFinished, VerdictReached

RUN_BUCKETS = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
STEP_BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60)
REQUEST_BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60)


class PrometheusMetrics:
    """What this process counts, and what the database holds. Safe to share between threads."""

    def __init__(self) -> None:
        self._registry = to = CollectorRegistry()
        ProcessCollector(registry=to)
        self._runs = Counter("ghost_runs", "Runs that ended in this process", ["status", "label", "judge"], registry=to)
        self._seconds = Histogram("ghost_run_seconds", "Duration of a run", buckets=RUN_BUCKETS, registry=to)
        self._steps = Histogram("ghost_step_seconds", "Duration of a step", ["step"], buckets=STEP_BUCKETS, registry=to)
        self._tokens = Counter("ghost_tokens", "Tokens of language models", ["judge"], registry=to)
        self._cost = Counter("ghost_cost_usd", "Cost of language models with a known price", ["judge"], registry=to)
        self._searches = Counter("ghost_searches", "Searches on the web", registry=to)
        self._fetches = Counter("ghost_fetches", "Pages fetched", registry=to)
        self._active = Gauge("ghost_active", "Checks, questions and researches that wait or go on here", registry=to)
        self._requests = Histogram(
            "ghost_request_seconds", "Duration of a request by its route", ["method", "route", "status"],
            buckets=REQUEST_BUCKETS, registry=to,
        )  # fmt: skip
        self._stored = Gauge("ghost_stored_runs", "Runs in the database", ["status", "label"], registry=to)
        self._passages = Gauge("ghost_passages", "Passages in the database", ["status"], registry=to)
        self._workers = Gauge("ghost_workers", "Workers that take work", registry=to)
        self._queued = Gauge("ghost_queued", "Work in the queue of the workers", ["task", "state"], registry=to)
        self._ready = Gauge("ghost_ready", "Whether the server can be used (1) or not (0)", registry=to)

    def observe(self) -> Callable[[Event], None]:
        """An observer of runs."""
        label = judge = ""

        def tell(event: Event) -> None:
            nonlocal label, judge
            match event:
                case RunStarted():
                    judge = event.judge.name
                case StepFinished():
                    self._steps.labels(event.step.name).observe(event.step.seconds)
                case VerdictReached():
                    label, judge = event.verdict.label.value, event.judge.name
                case RunEnded():
                    self._runs.labels(event.status.value, label, judge).inc()
                    self._seconds.observe(event.usage.seconds)
                    self._tokens.labels(judge).inc(event.usage.tokens)
                    self._cost.labels(judge).inc(event.usage.cost_usd)
                    self._searches.inc(event.usage.searches)
                    self._fetches.inc(event.usage.fetches)

        return tell

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered. ``route`` is the pattern of its path, never the path itself."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def stored(self, runs: Mapping[tuple[str, str], int], passages: Mapping[str, int]) -> None:
        """What the database holds now: runs by status and label, passages by status."""
        self._stored.clear()
        for (status, label), number in runs.items():
            self._stored.labels(status, label).set(number)
        self._passages.clear()
        for status, number in passages.items():
            self._passages.labels(status).set(number)

    def queue(self, workers: int, waiting: Mapping[str, int], running: Mapping[str, int]) -> None:
        """Who works, and what is in the queue, by task."""
        self._workers.set(workers)
        self._queued.clear()
        for state, tasks in (("waiting", waiting), ("running", running)):
            for task, number in tasks.items():
                self._queued.labels(task, state).set(number)

    def now(self, active: int, ready: bool) -> None:
        """What goes on at this moment, and whether the server can be used."""
        self._active.set(active)
        self._ready.set(ready)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)
