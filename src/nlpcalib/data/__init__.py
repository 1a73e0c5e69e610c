"""What every question is asked of: one table of predictions, read and examined once."""
