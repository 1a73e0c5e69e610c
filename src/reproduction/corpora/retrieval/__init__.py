"""Corpora of the registry: downloaded or found in a mirror, verified, kept in one archive each."""
