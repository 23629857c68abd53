"""Ghost: a workbench for checking claims."""

import os

__version__ = "0.1.0"

# These libraries report to their makers unless their variable is set before the first import. Whatever runs Ghost
# imports this file first, so it is done here, once. ONNX Runtime keeps an identifier in the home folder too.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
