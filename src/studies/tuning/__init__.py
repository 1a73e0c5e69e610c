"""What hyperparameters do to calibration."""
