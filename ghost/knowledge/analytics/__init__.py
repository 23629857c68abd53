"""The knowledge base in figures, and as a map, for the Analytics page."""
