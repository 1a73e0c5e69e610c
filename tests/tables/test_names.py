"""Names with commas in one text are read as they were written."""

import itertools

import pytest

from nlpcalib.tables.names import joined_names, split_names

NAMES = ["a", "a, b", "b", 'say "x"', "a,b", '"a"', " a", "(empty)", "total", "all", "x\ny"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_different_names_have_different_texts(count):
    keys = list(itertools.product(NAMES, repeat=count))
    assert len({joined_names(key) for key in keys}) == len(keys)


def test_a_text_of_several_names_is_read_as_it_was_written():
    for key in itertools.product(["a", "a, b", 'say "x"', "year(date)"], repeat=2):
        assert split_names(joined_names(key)) == list(key)
    assert split_names("a,b, c,") == ["a", "b", "c"]
