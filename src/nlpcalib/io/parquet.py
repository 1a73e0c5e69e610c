"""Options for writing Parquet."""

PARQUET_OPTIONS = {"compression": "zstd", "write_page_checksum": True}
"""Compression, and checksums by which readers notice a changed bit."""
