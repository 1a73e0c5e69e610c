"""Large tables: what is read in parts gives the answer of the whole."""

import numpy as np
import pyarrow as pa
import pytest

from nlpcalib.errors import InputError
from nlpcalib.predictions.read import read
from nlpcalib.sampling.frame import Frame
from nlpcalib.tables import columns, delimited
from nlpcalib.tables.table import Table


@pytest.mark.parametrize("size", [1, 7, 50])
def test_a_text_read_in_parts_has_the_rows_of_the_whole(size, tmp_path, monkeypatch):
    rows = [f"{row},.{row},,\n" if row % 5 else ',"a, ""b""",é,\n' for row in range(40)]
    path = tmp_path / "table.csv"
    path.write_text("id,q,text,end\n" + "".join(rows), encoding="utf-8")
    monkeypatch.setattr(delimited, "BLOCK_BYTES", size)
    monkeypatch.setattr(delimited.Layout, "rows_one_by_one", None)  # no part of a row looks like an empty one
    assert Table(path).rows == 40


def test_bytes_that_are_not_utf8_are_found_after_a_cell_that_spans_lines(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    path.write_bytes(b'q,text\n.5,"a\nb"\n' + b".5,a\n" * 20 + b".5,caf\x81\n")
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 16)
    with pytest.raises(InputError, match="line 24: found bytes that are not UTF-8"):
        Table(path)


def test_items_of_a_file_have_the_checksum_of_lists(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK_ROWS", 7)
    monkeypatch.setattr("nlpcalib.sampling.frame.BLOCK_ROWS", 5)
    q = np.arange(1, 31) / 32
    ids = [f"é{row}" for row in range(30)]
    path = tmp_path / "items.csv"
    path.write_text("id,q,text\n" + "".join(f"{name},{p},a {name}\n" for name, p in zip(ids, q, strict=True)))
    items = read(path)
    assert items.frame.checksum == Frame(ids, q, None, [f"a {name}" for name in ids]).checksum
    assert (items.ids[3], list(items.texts[1:3])) == ("é3", ["a é1", "a é2"])


def test_texts_are_empty_where_a_value_is_missing():
    assert list(columns.Texts(pa.chunked_array([["a", None], ["b"]]))) == ["a", "", "b"]
