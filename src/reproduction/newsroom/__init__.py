"""The simulated newsroom: reports and messages whose tags, trees, coreference and events are known."""
