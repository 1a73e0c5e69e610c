"""The papers' claims, each with its verdict."""
