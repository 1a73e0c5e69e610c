"""A judge's corrected total is of its items, and the rate of a system is of what made them."""

from __future__ import annotations

import numpy as np
import pytest

import nlpcalib as nc

ITEMS, RATE, DRAWS = 2000, 0.3, 80


def judged(seed: int, labels: int) -> tuple[np.ndarray, nc.JudgeReport]:
    random = np.random.default_rng([58, seed])
    truth = random.random(ITEMS) < RATE
    verdict = np.where(truth, random.random(ITEMS) < 0.98, random.random(ITEMS) < 0.03).astype(float)
    y = np.full(ITEMS, np.nan)
    rows = random.choice(ITEMS, labels, replace=False)
    y[rows] = truth[rows]
    system = np.repeat(["a", "b"], ITEMS // 2)
    return truth, nc.judge(nc.read(verdict, y=y, by={"system": system}), by="system")


@pytest.mark.filterwarnings("ignore:.*all 100 labels are the verdict")
def test_a_good_judge_is_worth_more_than_its_labels_and_its_intervals_hold() -> None:
    held, system, width = 0, 0, []
    for seed in range(DRAWS):
        truth, report = judged(seed, 100)
        whole, part = report.estimation.whole, report.estimation.groups["a"]
        held += whole.low <= truth.sum() <= whole.high
        system += part.low <= RATE * part.items <= part.high
        width.append((whole.high - whole.low) / ITEMS)
    assert min(held, system) >= 0.89 * DRAWS  # .95 less 2.5 standard errors
    assert np.mean(width) < 0.5 * 2 * 1.96 * (RATE * (1 - RATE) / 100) ** 0.5  # labels by themselves


def test_a_fully_labelled_table_counts_its_items_and_has_an_interval_for_each_system() -> None:
    truth, report = judged(0, ITEMS)
    whole, part = report.estimation.whole, report.estimation.groups["a"]
    assert whole.low == whole.total == whole.high == truth.sum()
    assert part.low < part.total < part.high
    assert any(line.startswith("The rate of a system is that of items like its own") for line in report.lines())
