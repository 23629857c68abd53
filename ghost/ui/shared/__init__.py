"""What several pages draw with."""
