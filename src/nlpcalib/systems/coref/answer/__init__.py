"""From a user's documents to entities with probabilities."""
