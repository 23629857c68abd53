"""The Quality page: what the benchmark measured."""
