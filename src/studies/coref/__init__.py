"""Numbers of different people in documents."""
