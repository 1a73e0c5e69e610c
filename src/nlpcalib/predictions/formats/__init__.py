"""Outputs of other tools, a module for each; `registry` has them all."""
