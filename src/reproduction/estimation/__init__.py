"""Expected counts with a shared effect of each document."""
