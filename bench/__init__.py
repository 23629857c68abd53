"""The benchmark: measures what Ghost promises, on real parts, and says which promises hold."""

import ghost  # noqa: F401 (switches the telemetry of ONNX Runtime off before anything imports it)
