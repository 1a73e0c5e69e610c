"""From event probabilities to counts, series and comparisons with intervals."""
