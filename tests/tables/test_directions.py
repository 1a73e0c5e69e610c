"""The columns of directions, from the gaps of regions."""

from dataclasses import asdict

import numpy as np

from nlpcalib.calibration.direction import region_gaps
from reproduction.tables.directions import direction_columns


def test_certain_predictions_that_are_all_right_have_no_direction():
    """Their interval has no width with units."""
    q, y = np.repeat([0.0, 0.4, 1.0], 40), np.repeat([0, 0, 1], 40)
    y[40:80] = np.arange(40) % 3 == 0
    regions = region_gaps(q, y, np.arange(q.size) // 4)
    assert (regions[0].low, regions[0].high) == (0, 0)
    found = direction_columns({"direction": {"regions": [asdict(each) for each in regions]}})
    assert found["directions"] == "unclear unclear empty unclear"
    assert [abs(float(score)) < 1 for score in found["direction_scores"].split()] == [False, True, False, False]
