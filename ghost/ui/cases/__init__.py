"""The Cases page: checks kept together under a name."""
