"""Classifiers of emoticon-labelled short messages as producers of probabilities (paper, section 4.1)."""
