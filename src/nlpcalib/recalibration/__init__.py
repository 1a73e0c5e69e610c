"""Maps from probabilities to better ones, fitted to labels and chosen by cross-fitted loss."""
