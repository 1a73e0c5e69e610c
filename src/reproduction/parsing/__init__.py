"""Training and evaluation of the packaged parser."""
