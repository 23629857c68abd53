"""Scripts that make the weights in ``ghost/models``. Nothing in ``ghost/`` imports this package."""

import ghost  # noqa: F401 (switches the telemetry of ONNX Runtime off before a script imports it)
