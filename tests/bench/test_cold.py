"""Reading what Python says it imported."""

import subprocess
import sys

from bench.cold import imported


def test_a_real_report_is_read() -> None:
    command = [sys.executable, "-X", "importtime", "-c", "import json.decoder"]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    modules = imported(report)
    assert {"json", "json.decoder"} <= modules
    assert "torch" not in modules


def test_other_lines_are_passed_over() -> None:
    report = (
        "hello\nimport time: self [us] | cumulative | imported package\nimport time:  10 |  20 |   torch.nn\n| a | b"
    )
    assert imported(report) == {"imported package", "torch.nn"}
