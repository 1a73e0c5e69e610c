"""The tables that users bring."""
