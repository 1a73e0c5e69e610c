"""From how many rows on predictions are warned of, and by which evidence."""

import numpy as np
import pytest
from scipy.special import expit

from nlpcalib.examination.predictions import examine_drawing, examine_labels, examine_predictions


def found_in(q, y=None):
    findings = examine_predictions(np.asarray(q, dtype=float), y, name="p", of_table=True)
    assert {finding.name for finding in findings} <= {"p"}
    assert not any(finding.certain for finding in findings)
    return [finding.sentence for finding in findings]


def away(rows):
    """Predictions on a fine grid, none of them near 0 or 1."""
    return 0.05 + 0.9 * np.random.default_rng(rows).random(rows)


def test_on_a_coarse_grid_zeros_are_predictions():
    assert found_in([*np.arange(1, 1000) / 1000, *[0.0] * 20]) == []


def test_nothing_but_zeros_and_ones_are_decisions_from_twenty_rows_on():
    assert found_in([0, 1] * 10) == ["column p has nothing but 0 and 1: decisions, where probabilities are expected"]
    assert found_in([0, 1] * 9 + [0]) == []


def test_zeros_that_are_positive_more_often_than_what_is_next_to_them_are_named_with_both_shares():
    q = np.array([*np.linspace(0.01, 0.99, 500), *[0.0] * 40])
    y = np.array([*(np.random.default_rng(0).random(500) < q[:500]), *[True] * 24, *[False] * 16])
    rarer = np.mean(y[:40])  # as many others are next to 0
    [found] = found_in(q, y)
    shares = f"of which 60 % are positive, and {100 * rarer:.0f} % next to it: are these missing?"
    assert found == f"column p is 0 in 40 rows, {shares}"


@pytest.mark.parametrize("direction", [1, -1])
def test_labels_that_do_not_follow_predictions_are_warned_of_if_one_is_sorted(direction):
    q, random = away(400), np.random.default_rng(1)
    y = random.random(400) < 0.5
    warning = ["labels do not follow p, and one is sorted: was it sorted by itself?"]
    assert found_in(np.sort(q)[::direction], y) == found_in(q, np.sort(y)[::direction]) == warning
    assert found_in(q, y) == []
    assert found_in(1 - q, random.random(400) < q) == [
        "positive labels are rarer where p is high: is it of the other class, or swapped?"
    ]


def test_predictions_of_classes_are_examined_for_decisions_alone():
    decisions = np.eye(3)[np.arange(30) % 3]
    [finding] = examine_predictions(decisions)
    assert finding.sentence == "q has nothing but 0 and 1: decisions, where probabilities are expected"
    [finding] = examine_predictions(decisions, of_table=True)
    assert finding.sentence.startswith("columns of classes have nothing but 0 and 1")
    assert examine_predictions(np.full((30, 4), 0.25)) == []


def test_arrays_are_called_by_their_argument_and_columns_by_their_name():
    q = np.array([*away(400), *[0.0] * 40])
    assert examine_predictions(q)[0].sentence.startswith("q is 0 in 40 rows")
    assert examine_predictions(q, name="score", of_table=True)[0].sentence.startswith("column score is 0 in 40 rows")


def test_labels_of_items_that_contradict_predictions_are_exchanged_and_open_ones_do_not_count():
    q = away(200)
    y = (np.random.default_rng(2).random(200) < 1 - q).astype(float)
    [finding] = examine_labels(q, y)
    assert finding.sentence == "positive labels are rarer where q is high: is it of the other class, or swapped?"
    assert examine_labels(q, 1 - y) == []
    y[19:] = np.nan
    assert examine_labels(q, y) == []


def test_labels_that_a_plan_chose_are_not_taken_for_random_ones():
    random = np.random.default_rng(3)
    q = expit(random.normal(-4, 2, 4000))
    doubt = np.sqrt(q * (1 - q))
    inclusion = 150 * (doubt / doubt.sum() + 1 / 4000)
    [finding] = examine_drawing(q, np.flatnonzero(random.random(4000) < inclusion))
    assert "less certain predictions than the others" in finding.sentence
    [finding] = examine_drawing(q, np.argsort(q)[-50:])
    assert "they were not drawn with equal probability" in finding.sentence
    unit = np.arange(4000) // 8
    for _ in range(200):
        assert examine_drawing(q, random.choice(4000, 100, replace=False)) == []
        assert examine_drawing(q, np.flatnonzero(np.isin(unit, random.choice(500, 30, replace=False))), unit) == []
    assert examine_drawing(q, np.arange(4000)) == [], "all are read"
    large_first = np.flatnonzero(unit < 5)
    assert examine_drawing(np.sort(q)[::-1], large_first, unit)


def of_model(n=400, seed=41):
    """Return predictions and labels of a calibrated model."""
    random = np.random.default_rng(seed)
    q = 1 / (1 + np.exp(-random.normal(-0.3, 1.5, n)))
    return q, random.random(n) < q


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_softmax_of_probabilities_is_known_by_its_largest_value(classes):
    random = np.random.default_rng(classes)
    logit = random.normal(0, 3, (600, classes))
    q = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    y = np.minimum((random.random((600, 1)) > q.cumsum(axis=1)).sum(axis=1), classes - 1)
    twice = np.exp(q) / np.exp(q).sum(axis=1, keepdims=True)
    assert any("was softmax applied twice?" in each.sentence for each in examine_predictions(twice, y))
    assert examine_predictions(q, y) == []
    if classes == 2:
        assert any("applied twice" in each.sentence for each in examine_predictions(twice[:, 1], y == 1))


def test_a_run_of_labels_that_are_decisions_is_named_and_none_of_a_sorted_table():
    q, y = of_model()
    model = y.copy()
    model[240:] = q[240:] > 0.5
    [finding] = examine_predictions(q, model)
    assert "in rows 241 to 400 every label is the decision whether q exceeds .5" in finding.sentence
    for order in (np.argsort(q), np.argsort(y, kind="stable"), np.argsort(np.abs(q - 0.5))):
        assert examine_predictions(q[order], y[order]) == []


def test_right_labels_of_the_surest_rows_are_no_run_of_decisions():
    random = np.random.default_rng(0)
    log_odds = random.normal(0, 1.5, 2000)
    q, y = 1 / (1 + np.exp(-log_odds)), random.random(2000) < 1 / (1 + np.exp(-3 * log_odds))
    surest_first = np.argsort(-np.abs(log_odds))
    for order in (surest_first, surest_first[::-1]):
        assert examine_predictions(q[order], y[order]) == []


def test_right_classes_that_are_the_likeliest_in_every_row_are_the_models_own():
    rng = np.random.default_rng(0)
    q = rng.dirichlet([1, 1, 1], size=400)
    likeliest = q.argmax(axis=1)
    drawn = (rng.random(400)[:, None] > q.cumsum(axis=1)).sum(axis=1)
    assert [each.sentence for each in examine_predictions(q, likeliest)] == [
        "the right class is the likeliest one in every row: is it the model's own?"
    ]
    assert examine_predictions(q, drawn) == []
    # A model without errors, though it is not sure: its classes lie apart.
    apart = 0.2 * q + 0.8 * (0.2 + 0.4 * np.eye(3)[likeliest])
    assert examine_predictions(apart, likeliest) == []
