"""A note on the data, such as "simulated", in every figure and page that a process writes."""

from contextvars import ContextVar

DATA_NOTE: ContextVar[str] = ContextVar("data_note", default="")
"""A few words, or nothing. It is set once, where the data are known, so that no figure or page can omit it."""
