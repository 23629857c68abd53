"""The Verify page: a claim is entered, watched and read as a report."""
