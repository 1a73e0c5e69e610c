"""Coverage of intervals in regimes that are drawn at random."""
