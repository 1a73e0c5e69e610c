"""The version, which stands nowhere else."""

__version__ = "1.0.0"
