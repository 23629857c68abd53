"""The Analytics page: the knowledge base in charts."""
