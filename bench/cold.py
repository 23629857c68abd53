"""Cold verification: ``python -m ghost verify`` as a process of its own, and what it imports."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import TimeoutExpired

from bench.figures import NotMeasured, Part
from bench.machine import installed
from bench.processes import completed, environment
from bench.timing import percentile, seconds

RUNS = 5
TIMEOUT = 120.0
HEAVY = ("torch", "sentence_transformers", "transformers")
EXPECTED = "onnxruntime"
"""What a verification certainly imports: a report without it is not one."""


def cold(data_dir: Path, claim: str, progress: Callable[[str, int, int], None]) -> Part:
    """Wall seconds from start to exit, and modules of torch and its like that were imported (in one more run)."""
    command = ["-m", "ghost", "verify", claim, "--judge", "embedded", "--no-web", "--json"]
    times: list[float] = []
    for number in range(1, RUNS + 1):
        times.append(seconds(lambda: _verify([sys.executable, *command], data_dir)))
        progress("Verifying in a new process", number, RUNS)
    report = _verify([sys.executable, "-X", "importtime", *command], data_dir)
    modules = imported(report)
    if EXPECTED not in modules:
        raise NotMeasured(f"the report of what was imported does not even have {EXPECTED}")
    heavy = sorted(name for name in modules if name.partition(".")[0] in HEAVY)
    return {
        "median_seconds": round(percentile(times, 50), 3),
        "least_seconds": round(min(times), 3),
        "seconds": [round(t, 3) for t in times],
        "modules_imported": len(modules),
        "torch_modules": len(heavy),
        "torch_modules_named": heavy[:10],
        "torch_installed": installed("torch"),
        "notes": {
            "median_seconds": f"least {min(times):.2f} s",
            "torch_modules": "torch is installed here" if installed("torch") else "torch is not installed here",
        },
    }


def imported(report: str) -> set[str]:
    """The modules in what ``python -X importtime`` writes: ``import time: self | cumulative | name``."""
    lines = (line.split("|") for line in report.splitlines() if line.startswith("import time:"))
    return {parts[2].strip() for parts in lines if len(parts) == 3}


def _verify(command: list[str], data_dir: Path) -> str:
    """Run it and return what it wrote to standard error; raises NotMeasured when there was no verdict."""
    try:
        process = completed(command, environment(data_dir), TIMEOUT)
    except TimeoutExpired:
        raise NotMeasured(f"a verification had not ended after {TIMEOUT:g} seconds") from None
    if process.returncode != 0:
        last = (process.stderr.strip() or process.stdout.strip() or "no message").splitlines()[-1]
        raise NotMeasured(f"a verification ended with exit code {process.returncode}: {last}")
    if not json.loads(process.stdout).get("verdict"):
        raise NotMeasured("a verification ended without a verdict")
    return process.stderr
