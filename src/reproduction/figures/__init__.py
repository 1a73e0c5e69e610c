"""Figures of the papers' topics."""
