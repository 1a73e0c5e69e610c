"""Events: from dated news to time series with calibrated uncertainty (paper, section 6)."""
