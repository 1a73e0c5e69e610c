"""How tables are written as Parquet."""

PARQUET_OPTIONS = {"compression": "zstd", "write_page_checksum": True}
"""A bit that changes afterwards is found when the table is read."""
