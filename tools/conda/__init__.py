"""Every conda environment, solved and installed for real."""
