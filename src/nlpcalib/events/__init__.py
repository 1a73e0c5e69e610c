"""Events: from dated news to time series with honest uncertainty (paper, section 6)."""
