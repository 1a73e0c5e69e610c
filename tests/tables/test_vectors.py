"""Vectors of any encoder are read by id or by order, and what does not fit the texts is refused."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.errors import InputError
from nlpcalib.tables.vectors import read_vectors

IDS = ["a", "b", "c"]
VALUES = np.array([[3.0, 4.0], [0.0, -2.0], [0.0, 0.0]])
UNIT = [[0.6, 0.8], [0.0, -1.0], [0.0, 0.0]]


def parquet(path, ids, rows):
    pa.parquet.write_table(pa.table({"id": ids, "vector": rows}), path)
    return path


def test_files_arrays_and_mappings_give_the_same_vectors(tmp_path):
    np.save(tmp_path / "v.npy", VALUES.astype(np.float16))
    shuffled = parquet(tmp_path / "v.parquet", [*IDS[::-1], "other"], [*VALUES[::-1].tolist(), [1.0, 1.0]])
    for source in (tmp_path / "v.npy", shuffled, VALUES, dict(zip(IDS, VALUES, strict=True))):
        vectors = read_vectors(source, IDS)
        assert np.allclose(vectors.of(IDS), UNIT)
        assert np.allclose(vectors.of(["b#2", "a"]), [UNIT[1], UNIT[0]]), "a passage has that of its document"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (VALUES[:2], "found 2 vectors, expected 3, one of each text"),
        (VALUES[:, 0], r"found an array of shape \(3,\), expected \(N, D\)"),
        (np.where(VALUES > 3, np.nan, VALUES), "not a finite number in row 1"),
        ({"a": [1, 2], "b": [1], "c": [2, 3]}, "no vectors of one length"),
        ({"a": [1, 2], "c": [2, 3]}, "found none of b, expected one of each text"),
        ("missing.npy", "no such file"),
    ],
)
def test_what_does_not_fit_the_texts_is_refused(source, message):
    with pytest.raises(InputError, match=message):
        read_vectors(source, IDS)


def test_other_files_are_refused_by_name(tmp_path):
    (tmp_path / "v.csv").write_text("id,vector\n")
    (tmp_path / "bad.npy").write_bytes(b"no array")
    np.save(tmp_path / "objects.npy", np.array([{}, {}, {}], dtype=object), allow_pickle=True)
    parquet(tmp_path / "ragged.parquet", IDS, [[1.0], [1.0, 2.0], [1.0]])
    parquet(tmp_path / "twice.parquet", ["a", "a", "b", "c"], [[1.0]] * 4)
    pa.parquet.write_table(pa.table({"id": IDS}), tmp_path / "none.parquet")
    for name in ("v.csv", "bad.npy", "objects.npy", "ragged.parquet", "twice.parquet", "none.parquet"):
        with pytest.raises(InputError, match=rf"{name}: found "):
            read_vectors(tmp_path / name, IDS)
