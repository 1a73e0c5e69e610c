"""Archives of arrays from anybody."""

import zipfile

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.io import arrays
from nlpcalib.io.arrays import read_arrays


def test_arrays_come_back_by_name(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3), y=np.eye(2))
    found = read_arrays(tmp_path / "a.npz", ("x", "y"), expected="expected x and y")
    assert found["x"].tolist() == [0, 1, 2]
    assert found["y"].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("kind", ["text", "array", "pickle", "folder", "member", "missing", "objects"])
def test_anything_else_is_refused_with_what_is_expected(tmp_path, kind):
    path = tmp_path / "a.npz"
    if kind == "folder":
        path.mkdir()
    elif kind == "member":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x.npy", b"no array")
    elif kind == "array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif kind in ("missing", "objects"):
        np.savez(path, **{"y" if kind == "missing" else "x": np.array([{}])[: kind == "objects"].astype(object)})
    else:
        path.write_bytes(b"no archive" if kind == "text" else b"\x80\x04N.")
    with pytest.raises(InputError, match=r"a\.npz: .*; expected x"):
        read_arrays(path, ("x",), expected="expected x")


def test_a_file_that_is_not_there_is_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"a\.npz"):
        read_arrays(tmp_path / "a.npz", expected="expected x")


def test_much_more_than_the_file_holds_is_not_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, x=np.zeros(100_000))
    assert read_arrays(path, ("x",), expected="expected x")["x"].size == 100_000
    monkeypatch.setattr(arrays, "MAX_UNPACKED_BYTES", 1 << 10)
    with pytest.raises(InputError, match=r"found 800128 bytes of arrays in a file of \d+; expected x"):
        read_arrays(path, ("x",), expected="expected x")
