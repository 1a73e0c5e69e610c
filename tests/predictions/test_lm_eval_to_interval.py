"""From the harness's file to a diagram with an interval, where the true error of every probability is known."""

import json

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.cli.app import main
from nlpcalib.predictions.read import read
from nlpcalib.questions.calibrate import calibrate, measure_pairs


def write_samples(path, n, seed, sharpness=2.0):
    """Write questions with two choices and return the true calibration error of the likelier one.

    Log-likelihoods differ by d, so that the model's probability of the likelier choice is σ(|d|). It is right with
    probability σ(|d| / sharpness).
    """
    rng = np.random.default_rng(seed)
    difference = rng.normal(0, 2, n)
    first = -rng.exponential(20, n) - np.abs(difference)
    gold = rng.random(n) > 1 / (1 + np.exp(-difference / sharpness))
    with path.open("w") as file:
        for number in range(n):
            scores = [first[number], first[number] - difference[number]]
            row = {
                "doc_id": number,
                "doc": {"question": f"question {number}"},
                "target": str(int(gold[number])),
                "arguments": {f"gen_args_{place}": {"arg_0": "?", "arg_1": f" {place}"} for place in (0, 1)},
                "resps": [[[str(score), "False"]] for score in scores],
                "filtered_resps": [[str(score), "False"] for score in scores],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(np.argmax(scores) == gold[number]),
            }
            file.write(json.dumps(row) + "\n")
    q, truth = (1 / (1 + np.exp(-np.abs(difference) / scale)) for scale in (1, sharpness))
    return float(np.sqrt(np.mean((q - truth) ** 2)))


@pytest.mark.slow
def test_one_command_writes_an_interval_that_covers_and_a_diagram(tmp_path, capsys):
    truth = write_samples(tmp_path / "samples_simulated.jsonl", 4000, seed=1)
    arguments = ["calibrate", str(tmp_path / "samples_simulated.jsonl"), "--format", "lm-eval"]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    assert "4,000 predictions of the likeliest class" in capsys.readouterr().out
    estimates = json.loads((tmp_path / "out/calibration.json").read_text())["estimates"]
    estimate = next(row for row in estimates if row["estimator"] == "bias_corrected_rms")
    assert estimate["low"] <= truth <= estimate["high"]
    assert abs(estimate["value"] - truth) < 0.03
    assert {"reliability.png", "reliability.pdf"} <= {path.name for path in (tmp_path / "out").iterdir()}


def test_a_model_that_is_calibrated_gets_an_interval_from_zero(tmp_path):
    assert write_samples(tmp_path / "s.jsonl", 4000, seed=2, sharpness=1.0) == 0
    low, _ = calibrate(read(tmp_path / "s.jsonl")).interval
    assert low == 0


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_promise(tmp_path):
    covered = 0
    for seed in range(100):
        truth = write_samples(tmp_path / "s.jsonl", 1000, seed=seed)
        low, high = calibrate(read(tmp_path / "s.jsonl")).interval
        covered += low <= truth <= high
    assert covered >= 89  # of 100 with probability .95 each: fewer in .4 % of trials


def test_without_a_seed_draws_are_those_of_seed_0():
    rng = np.random.default_rng(5)
    q = rng.random(300)
    pairs = Pairs(q, rng.random(300) < q)
    found = [
        measure_pairs(pairs, method="adaptive_rms/algorithm2", **seed).interval
        for seed in ({}, {"seed": 0}, {"seed": 1})
    ]
    assert found[0] == found[1] != found[2]
