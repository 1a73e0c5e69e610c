"""A table as a page: what it shows of numbers, and the sentence above it."""

import pytest

from nlpcalib.io.html_table import write_table_page


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3.2e-6, "&lt; 0.0001"), (0.0, "0"), (0.00012, "0.00012"), (0.123456, "0.1235"), (1234.5, "1,234")],
)
def test_small_numbers_are_below_what_four_digits_show(value, shown, tmp_path):
    write_table_page(tmp_path / "t.html", "T", [{"p": value}], caption="p: a <probability>")
    page = (tmp_path / "t.html").read_text()
    assert f'<td data-name="p" class="number">{shown}</td>' in page
    assert "<p>p: a &lt;probability&gt;</p>" in page
