"""What a verdict hangs on: the decision made again over what a run has kept, with something changed."""
