"""Small models on ONNX Runtime: an encoder and a cross-encoder, bundled, or named in the settings."""
