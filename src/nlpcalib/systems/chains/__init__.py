"""Linear chains of labels: exact marginals of tokens and of pairs, the best path, recalibration."""
