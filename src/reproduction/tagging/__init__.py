"""Part-of-speech taggers as producers of probabilities (paper, section 4.2)."""
