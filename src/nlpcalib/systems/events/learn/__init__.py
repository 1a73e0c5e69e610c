"""Models of events that learn from labels, and pages that ask for labels."""
