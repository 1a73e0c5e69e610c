"""Counts of events from a few hundred documents that people read, and how often their intervals hold the truth."""
