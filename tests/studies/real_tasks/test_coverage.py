"""Real tasks: intervals hold as often as they promise, and what stands beside them does what it says."""

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Categories, Pairs
from studies.real_tasks.coverage import Corpus, coverage_rows
from studies.real_tasks.figures import draw_real_tasks

METHODS = {"random", "planned", "labels alone", "PPI++"}
DRAWS = 60


def corpus(units=False):
    random = np.random.default_rng(5)
    q = random.beta(1, 2, 600)
    group = Categories.of(np.arange(600) % 2, ("even", "odd"))
    unit = Categories.of(np.arange(600) // 10, [f"{number:02}" for number in range(60)])
    return Pairs(q, random.random(600) < q, group, unit if units else None)


@pytest.fixture(scope="module", params=[(False, 80), (True, 20)], ids=["items", "units"])
def rows(request):
    units, labels = request.param
    return coverage_rows(corpus(units), labels, DRAWS, 1)


def test_intervals_hold_as_often_as_they_promise(rows):
    assert {row["method"] for row in rows if row["of"] == "total"} == METHODS
    for row in rows:
        assert row["coverage"] >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / DRAWS), row


def test_predictions_make_intervals_narrower_than_labels_alone(rows):
    width = {row["method"]: row["width"] for row in rows if row["of"] == "total"}
    assert all(width[method] < width["labels alone"] for method in METHODS - {"labels alone"})


def test_truth_is_that_of_all_items():
    pairs = corpus()
    truth = Corpus(pairs).truth
    assert truth["total"] == truth["judge"] == pairs.y.mean()
    assert truth["group odd"] == pairs.y[1::2].mean()
    assert truth["accuracy"] == ((pairs.q >= 0.5) == pairs.y).mean()


def test_an_interval_that_misses_is_counted():
    """All labels of which one knows nothing but that they are positive: PPI++ has no width."""
    pairs = Pairs(np.full(500, 0.5), np.arange(500) >= 5)
    [row] = [row for row in coverage_rows(pairs, 50, 20, 1) if row["method"] == "PPI++"]
    assert row["coverage"] < 0.8


def test_the_figure_has_the_numbers_of_each_task(rows):
    named = [{"task": task, **row} for task in ("one", "other") for row in rows]
    _, drawn = draw_real_tasks(named)
    assert len(drawn) == 2 * len(METHODS)
