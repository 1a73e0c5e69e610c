"""Documents are items: any country's event is one in a sample, and tables come back as they were written."""

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import EventTable
from studies.estimation.items import event_items, read_event_items, write_items

DOCUMENTS = ["b", "a", "d", "c"]
DATES = np.array(["1999-05-01", "1999-01-02", "2000-01-01", "1999-02-01"], dtype="datetime64[D]")


def table(samples=(((1, 0), (0, 1), (1, 1)))):
    samples = np.array(samples, dtype=np.int16)
    return EventTable(
        documents=np.array(["a", "a", "d"]),
        dates=DATES[[1, 1, 2]],
        countries=np.array(["ISR", "USA", "ISR"]),
        probabilities=samples.mean(axis=1),
        map_event=samples[:, 0],
        samples=samples,
    )


def items(countries=("ISR", "USA")):
    return event_items(DOCUMENTS, DATES, table(), countries, "quarter")


def test_any_country_is_one_in_a_sample_and_not_the_sum_of_countries():
    found = items()
    assert found.documents == ("a", "b", "c", "d")
    assert found.groups == ("any", "ISR", "USA")
    # The samples of document a have one country each: together they are sure.
    np.testing.assert_array_equal(found.q, [[1, 0, 0, 1], [0.5, 0, 0, 1], [0.5, 0, 0, 0]])


def test_periods_without_a_document_are_there():
    assert items().periods == ("1999Q1", "1999Q2", "1999Q3", "1999Q4", "2000Q1")
    assert items().period.tolist() == [0, 1, 0, 4]


def test_tables_come_back_and_serve_the_shell(tmp_path):
    written = items()
    write_items(tmp_path / "items.parquet", written)
    read = read_event_items(tmp_path / "items.parquet", "quarter")
    for name in ("documents", "periods", "starts", "groups"):
        assert getattr(read, name) == getattr(written, name)
    np.testing.assert_array_equal(read.q, written.q)
    np.testing.assert_array_equal(read.period, written.period)
    shell = nc.read(tmp_path / "items.parquet")
    assert shell.frame.checksum == written.frame.checksum
    assert shell.column("period")[1] == "1999Q2"


def test_what_is_no_item_is_refused(tmp_path):
    with pytest.raises(InputError, match="found document 'd', expected one of the corpus"):
        event_items(["a"], DATES[:1], table(), ["ISR"], "year")
    with pytest.raises(InputError, match="found 1 again"):
        event_items(["a", "a", "d"], DATES[:3], table(), ["ISR"], "year")
    (tmp_path / "other.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"other\.parquet"):
        read_event_items(tmp_path / "other.parquet", "year")
