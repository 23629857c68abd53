"""The knowledge base: what the analyst owns, with its vector index, its sources and the door everything enters by."""
