"""The workflow on a real Slurm of one node."""
