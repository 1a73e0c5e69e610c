"""What tests share: no test depends on the clock, and how time grows is measured by the processor's."""

import gc
import time
from collections.abc import Callable

import hypothesis
import pytest

# A busy machine is no counterexample: by default an example that takes more than 200 ms fails.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

ENOUGH = 0.25
"""Seconds of the processor's below which growth is not looked at: start-up and caches would be all that is seen."""


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds that a call takes in this process, whatever else runs on the machine."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.fixture
def grows_linearly():
    """Return a function that fails if `work` takes more than twice what is in proportion for four times the size.

    Linear work takes four times as long, quadratic sixteen times; the bound is eight, and the best of three counts.
    """

    def check(work: Callable[[int], object], size: int, name: object = "") -> float:
        for _ in range(3):
            long = seconds(lambda: work(4 * size))
            if long < ENOUGH or long < 8 * seconds(lambda: work(size)):
                return long
        pytest.fail(f"{name}: the time of {4 * size} characters ({long:.2g} s) is more than eight times that of {size}")

    return check
