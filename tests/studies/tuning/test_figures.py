"""Figures of sentiment refuse tables that lost rows."""

from pathlib import Path

import numpy as np
import pytest

from nlpcalib.errors import InputError
from studies.tuning.figures import figure_regularisation


@pytest.mark.parametrize("text", ["", "value,f1,excess_confidence,chosen\n1.0,0.7,0.1,False\n"], ids=["empty", "cut"])
def test_a_selection_without_its_chosen_value_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "selection.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"selection\.csv: found no chosen value in \d rows, expected one"):
        figure_regularisation([path], [tmp_path / "candidates.npz"], bin_size=100)


def test_predictions_of_other_candidates_than_the_selection_has_are_named(tmp_path: Path) -> None:
    path = tmp_path / "selection.csv"
    path.write_text("value,f1,excess_confidence,chosen\n1.0,0.7,0.1,True\n", encoding="utf-8")
    np.savez(tmp_path / "candidates.npz", q=np.full((2, 3), 0.5), y=np.array([True, False, True]))
    with pytest.raises(InputError, match=r"candidates\.npz: found predictions of shape \(2, 3\)"):
        figure_regularisation([path], [tmp_path / "candidates.npz"], bin_size=1)
