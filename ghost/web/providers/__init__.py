"""Search providers: one small file for each engine, and what they share."""
