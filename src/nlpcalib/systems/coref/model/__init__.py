"""The antecedent model: mentions, features, weights, exact posteriors and their recalibration."""
