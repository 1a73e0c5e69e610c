"""Faults of runs and commands: what each does, and whether anything is lost."""
