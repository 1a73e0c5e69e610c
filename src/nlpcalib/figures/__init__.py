"""The house style of every figure."""
