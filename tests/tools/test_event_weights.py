"""Packaged models of events start from silver labels only where these lower the loss on labels held out."""

import numpy as np
from scipy.special import expit
from tools.event_weights import Labelled, held_out_choice

from nlpcalib.systems.events.learn.candidates import Candidate
from nlpcalib.systems.events.learn.model import EventModel

CATEGORY = EventModel("x", "", ("attack",))


def test_silver_that_is_right_lowers_the_loss_and_silver_that_is_noise_does_not() -> None:
    rng = np.random.default_rng(2)
    weights = rng.normal(size=60)
    has = rng.random((300, 60)) < 0.2
    y = (rng.random(300) < expit(-1.5 + has @ weights)).astype(float)
    found = [Candidate(f"d{n}", "A", tuple(f"f{k}" for k in np.flatnonzero(row))) for n, row in enumerate(has)]
    data = Labelled(found, y, np.arange(300), np.ones(300), np.zeros(300), 0)
    right = EventModel("x", "", (), -1.5, {f"f{k}": each for k, each in enumerate(weights.tolist())})
    noise = EventModel("x", "", (), 0.0, {f"f{k}": each for k, each in enumerate((3 * rng.normal(size=60)).tolist())})
    ends = {}
    for name, silver in (("right", right), ("noise", noise)):
        model, crossed, compared = held_out_choice(CATEGORY, silver, data)
        loss = -np.log(np.where(y > 0, crossed, 1 - crossed)).sum() / y.sum()
        assert abs(loss - compared[compared["chosen"]]) < 1e-3
        assert compared[compared["chosen"]] == min(compared["silver"], compared["labels alone"])
        assert model.weights
        low, high = compared["difference"]
        ends[name] = low, high
        assert low < compared["silver"] - compared["labels alone"] < high
    assert ends["right"][1] < 0
    assert ends["noise"][0] < 0 < ends["noise"][1]
