"""Messages name what was found, and stay short."""

import numpy as np
import pytest

import nlpcalib
from nlpcalib.errors import InputError
from nlpcalib.predictions.arrays import numbers


def test_messages_are_bounded_whatever_the_input():
    huge = {f"key {number}": "x" * 50 for number in range(10_000)}
    for call in (
        lambda: numbers(np.array(huge, dtype=object), "machines"),
        lambda: nlpcalib.calibrate([huge], [1]),
        lambda: nlpcalib.plan_items([0.5] * 9, by=str(huge), budget=3),
        lambda: nlpcalib.find_events([], huge),
    ):
        with pytest.raises(InputError) as raised:
            call()
        assert 20 < len(str(raised.value)) < 400
    message = str(InputError("table.csv: found " + "x" * 100_000 + ", expected a number"))
    assert len(message) < 2_100
    assert message.startswith("table.csv: found xxx")
    assert message.endswith("xxx, expected a number")
