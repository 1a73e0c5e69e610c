"""Figures: reliability diagrams, intervals and series in one house style."""
