"""Studies of events with known truth, and the registry's country dictionaries."""
