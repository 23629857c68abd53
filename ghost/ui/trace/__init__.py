"""The Trace page: every run, step by step."""
