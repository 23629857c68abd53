"""Scripts that make the weights in ``ghost/models``. Nothing in ``ghost/`` imports this package."""
