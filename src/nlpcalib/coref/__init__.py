"""Coreference: the antecedent model as a producer of entity posteriors (paper, section 5)."""
