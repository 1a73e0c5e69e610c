"""Tables in Parquet that the stages of the workflow hand on, read without trust."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from nlpcalib.errors import InputError

WRITING = {"compression": "zstd", "write_page_checksum": True}
"""How tables are written: a bit that changes afterwards is found when they are read."""


def read_table(path: str | Path, schema: pa.Schema, *, nullable: tuple[str, ...] = ()) -> pa.Table:
    """Return a table whose columns are exactly those of `schema`, which may be absent altogether where `nullable`.

    Values are whole: texts are UTF-8, lists stay inside of their column, and only `nullable` columns have missing ones.

    Raises `InputError`, naming the file, if the file is damaged or not Parquet, or has other columns or types.
    """
    try:
        with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
            found = file.schema_arrow
            wanted = [field for field in schema if field.name in found.names or field.name not in nullable]
            if [(field.name, field.type) for field in found] != [(field.name, field.type) for field in wanted]:
                columns, expected = (
                    ", ".join(f"{field.name} {field.type}" for field in fields) for fields in (found, schema)
                )
                raise InputError(f"{path}: found columns {columns}; expected {expected}")
            table = file.read()
        table.validate(full=True)
    except (InputError, FileNotFoundError):
        raise
    # Arrow also raises OSError for damaged pages and UnicodeDecodeError for damaged names.
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}; expected a whole Parquet file") from error
    for field in schema:
        if field.name in table.column_names and field.name not in nullable and table[field.name].null_count:
            raise InputError(f"{path}: found rows without {field.name}, expected it in all")
    return table
