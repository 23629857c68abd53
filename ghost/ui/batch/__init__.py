"""The Batch page: many claims at once."""
