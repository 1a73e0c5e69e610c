"""Training and evaluation of the antecedent model."""
