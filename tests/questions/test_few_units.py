"""What the advice is where too few units leave no interval."""

from __future__ import annotations

import numpy as np

import nlpcalib as nc


def test_few_units_without_an_interval_are_told_to_get_more_units_and_not_more_labels() -> None:
    random = np.random.default_rng(58)
    q = random.random(600)
    y = (random.random(600) < q).astype(int)
    found = {n: nc.calibrate(nc.read(q, y=y, unit=np.arange(600) % n), method="bootstrap") for n in (6, 40)}
    assert found[6].interval is None
    assert found[6].advice().startswith("more units")
    assert found[40].interval is not None
