"""The forecast for more items, second readings and an expert is the width that the estimate then has."""

import json

import numpy as np
import pytest
from scipy.special import expit

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.next_hour import expert_width, readers_width
from nlpcalib.estimation.readers import Readings, reader_model, strata_of


def corpus(items=4000, seed=4):
    return expit(np.random.default_rng(seed).normal(-2, 2, items))


PILOT = {"read": 300, "twice": 100, "sensitivity": 0.9, "specificity": 0.95}


@pytest.mark.parametrize(("read", "twice"), [(300, 100), (300, 300)])
def test_the_forecast_is_the_mean_width_of_simulated_readers(read, twice):
    q, widths = corpus(), []
    stratum = strata_of(q)
    for draw in range(4):
        random = np.random.default_rng([5, draw])
        rows = random.choice(len(q), read, replace=False)
        positive = (random.random(read) < q[rows])[:, None]
        chance = np.where(positive, PILOT["sensitivity"], 1 - PILOT["specificity"])
        labels = (random.random((read, 2)) < chance).astype(float)
        once = (read - twice) // 2
        labels[twice : twice + once, 1] = np.nan
        labels[twice + once :, 0] = np.nan
        found = reader_model(Readings(q, stratum, rows, labels), seed=draw)
        widths.append((found.high - found.low) / len(q))
    forecast = readers_width(q, stratum, read, twice, PILOT["sensitivity"], PILOT["specificity"])
    assert forecast == pytest.approx(np.mean(widths), rel=0.25)


def test_the_width_of_an_expert_is_that_of_means_within_strata():
    random = np.random.default_rng(6)
    share, p, items = np.array([0.8, 0.2]), np.array([0.05, 0.6]), 200
    stratum = (random.random((4000, items)) < share[1]).astype(int)
    y = random.random(stratum.shape) < p[stratum]
    means = [np.where(stratum == k, y, 0).sum(axis=1) / np.maximum((stratum == k).sum(axis=1), 1) for k in (0, 1)]
    assert expert_width(share, p, items) == pytest.approx(3.92 * (share @ np.array(means)).std(), rel=0.05)


def test_an_expert_is_worth_most_where_experts_are_quick_and_never_where_they_are_slow(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = (f"d{row},{each:.5f}\n" for row, each in enumerate(corpus()))
    (tmp_path / "items.csv").write_text("id,q\n" + "".join(cells))
    quick = nc.plan_readings("items.csv", **PILOT, minutes=(1, 0.3))
    assert quick.choices[0].name == "an expert's labels"
    assert quick.choices[0].readings == 200
    words = "--read 300 --twice 100 --sensitivity .9 --specificity .95 --minutes 1,3 --json"
    assert main(["plan", "readings", "items.csv", *words.split()]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == nc.plan_readings("items.csv", **PILOT, minutes=(1, 3)).record()
    assert printed["choices"][-1]["name"] == "an expert's labels"
    assert printed["choices"][0]["width"] < printed["width"]


def test_too_few_second_readings_are_named_and_not_forecast():
    found = nc.plan_readings(corpus(), **PILOT | {"twice": 10}, hours=0.5)
    assert found.width is None
    assert "second readings (30): refused, since labels would not show how often readers err" in str(found)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"twice": 301}, "found 300 items read and 301 of them twice"),
        ({"sensitivity": 0.4}, "sensitivity: found 0.4"),
        ({"minutes": (1,)}, "minutes: found 1, expected two positive numbers"),
        ({"hours": 0.01}, "hours: found 0.01"),
    ],
)
def test_what_cannot_be_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        nc.plan_readings(corpus(), **PILOT | given)
