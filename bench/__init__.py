"""The benchmark: measures what Ghost promises, on real parts, and says which promises hold."""
