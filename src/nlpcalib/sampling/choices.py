"""What a user chooses by name."""

DESIGNS = ("two-phase", "stratified", "random")
"""How items are drawn: `nlpcalib.sampling.plan`."""
METHODS = ("score", "classical", "ppi++", "active")
"""How labels and predictions are joined: `nlpcalib.estimation.score`, `nlpcalib.estimation.methods`."""
BORROWING = ("none", "changing-rates", "same-rates")
"""What groups share: `nlpcalib.estimation.borrowing`."""
