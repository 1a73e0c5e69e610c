"""From parsed documents to events with probabilities."""
