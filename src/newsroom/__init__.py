"""News whose truth is known: reports with tags, trees, coreference and events, and messages with their probability."""

from newsroom.messages import SimulatedMessage, simulate_messages
from newsroom.reports import Event, Newsroom, Report

__all__ = ["Event", "Newsroom", "Report", "SimulatedMessage", "simulate_messages"]
