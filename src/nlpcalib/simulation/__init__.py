"""Text and predictions whose truth is known."""
