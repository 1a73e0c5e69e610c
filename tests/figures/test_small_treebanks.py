"""Figure 3 of a treebank that is too small for bins of 5,000."""

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.figures.tagging import figure_3


@pytest.mark.filterwarnings("ignore:.*expected twenty or so")
def test_the_curve_of_a_small_treebank_reaches_its_sure_predictions_and_its_numbers_stay(tmp_path):
    """600 words of 40 tags: with bins of 5,000 the highest point is where one in eight predictions is right."""
    random = np.random.default_rng(1)
    q = random.dirichlet(np.full(40, 0.01), 600)
    y = np.arange(40) == (q.cumsum(axis=1) > random.random((600, 1))).argmax(axis=1)[:, None]
    path, measured = tmp_path / "pairs.parquet", tmp_path / "calibration.json"
    write_pairs(path, Pairs(q.ravel(), y.ravel()))
    table = read_written_pairs(path)
    few, figures = [], {}
    for bin_size in (5000, 150):
        write_json(measured, measure_calibration(table, bin_size=bin_size, samples=20, seed=1).summary)
        figure, rows = figure_3([path, path], [measured, measured])
        figures[bin_size] = [axis.get_title().split("\n")[1:] for axis in figure.axes]
        few.append([row["mean_q"] for row in rows if row["series"] == "curve" and row["mean_q"] > 0.75])
    assert len(few[0]) >= 4
    assert few[1], "150 is fewer than a fourth of the right tags, and stays"
    assert figures[5000] == figures[150], "the bias-corrected error has bins of its own"
