"""Tables from anybody."""

from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.parquet import PARQUET_OPTIONS
from reproduction.workflow.parquet import read_table

SCHEMA = pa.schema([("id", pa.string()), ("y", pa.bool_()), ("p", pa.float64())])
WHOLE = {"id": pa.array(["a", "é"]), "y": pa.array([True, False]), "p": pa.array([0.5, None])}


def written(path, columns):
    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


def test_nullable_columns_may_have_gaps_or_be_absent(tmp_path):
    whole = read_table(written(tmp_path / "a", WHOLE), SCHEMA, nullable=("p",))
    assert whole["p"].to_pylist() == [0.5, None]
    two = {name: WHOLE[name] for name in ("id", "y")}
    assert read_table(written(tmp_path / "a", two), SCHEMA, nullable=("p",)).column_names == ["id", "y"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (WHOLE | {"z": pa.array([1, 2])}, "found columns id string, y bool, p double, z int64; expected id string, y"),
        (WHOLE | {"y": pa.array([1, 0])}, "found columns id string, y int64"),
        ({"id": WHOLE["id"]}, "found columns id string; expected id string, y bool, p double"),
        (WHOLE | {"id": pa.array(["a", None])}, "found rows without id, expected it in all"),
        (
            WHOLE | {"id": pa.array([b"a", b"\xff"]).view(pa.string())},
            "[Ii]nvalid UTF.*; expected a whole Parquet file",
        ),
    ],
)
def test_other_columns_types_and_texts_are_refused(tmp_path, columns, message):
    with pytest.raises(InputError, match=message) as refused:
        read_table(written(tmp_path / "a.parquet", columns), SCHEMA, nullable=("p",))
    assert "a.parquet: " in str(refused.value)


@pytest.mark.parametrize("keep", [0, 3, 100, -5])
def test_a_file_that_is_cut_is_refused(tmp_path, keep):
    path = written(tmp_path / "a.parquet", WHOLE)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=r"a\.parquet: .*expected a whole Parquet file"):
        read_table(path, SCHEMA, nullable=("p",))


def test_a_bit_that_changed_afterwards_is_found(tmp_path):
    """Every single byte in turn: without checksums a changed number is as good as the one that was written."""
    numbers = {name: pa.array(np.random.default_rng(0).random(8)) for name in ("p", "q")}
    schema = pa.schema([(name, pa.float64()) for name in numbers])
    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(pa.table(numbers), path, **PARQUET_OPTIONS)
    whole, expected = path.read_bytes(), read_table(path, schema)
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with suppress(InputError):
            assert read_table(path, schema).equals(expected), place
