"""Figures of sentiment refuse tables that lost rows."""

from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from studies.tuning.figures import figure_regularisation


@pytest.mark.parametrize(
    "text", ["", "value,f1,calibration_error,excess_confidence,chosen\n1.0,0.7,0.1,0.1,False\n"], ids=["empty", "cut"]
)
def test_a_selection_without_its_chosen_value_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "selection.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"selection\.csv: found no chosen value in \d rows, expected one"):
        figure_regularisation([path])
