"""Extraction of events with probabilities from parsed documents."""
