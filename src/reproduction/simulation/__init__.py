"""Known-truth studies: estimates, intervals and bins of calibration error where the truth is known."""
