"""The knowledge base page: browse, curate, import, export and rate."""
