"""What a verdict depends on: the decision made again on what a run has stored, with something changed."""
