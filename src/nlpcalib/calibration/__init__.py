"""The instrument: everything that is measured on prediction-label pairs."""
