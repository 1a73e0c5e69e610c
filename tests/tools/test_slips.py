"""Slips are noticed and sound tables pass, on draws of a seed that no sign was tuned to."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import slips

MIN_NOTICED = 0.85
"""Share of slips that are noticed; .93 in ten draws of the default seed."""


def noticed(seed, draws, folder):
    found = [outcome for _, _, outcome, _ in slips.slips(seed, draws, folder)]
    return 1 - found.count("believed") / len(found)


def test_most_slips_are_noticed_and_sound_shapes_are_not_warned_of(tmp_path):
    assert noticed(8_128, 1, tmp_path) >= MIN_NOTICED
    assert list(slips.alarms(8_128, 1)) == []


@pytest.mark.slow
def test_slips_are_noticed_and_sixty_sound_shapes_are_silent_in_twenty_draws(tmp_path):
    assert len(slips.SHAPES) >= 60
    assert noticed(496, 10, tmp_path) >= MIN_NOTICED
    assert list(slips.alarms(496, 20)) == []
