"""Spoilt rows leave signs, whatever their spelling; sound rows of many shapes leave none."""

import numpy as np
import pytest

import nlpcalib
from nlpcalib.examination.alike import alike
from nlpcalib.examination.classes import examine_classes
from nlpcalib.examination.dates import examine_periods, filled_periods
from nlpcalib.examination.judges import examine_judge
from nlpcalib.examination.order import decided_part, shifted_labels
from nlpcalib.examination.predictions import examine_drawing, examine_labels, examine_predictions, examine_slip
from nlpcalib.examination.shared import examine_shared
from nlpcalib.examination.total import examine_last_row
from nlpcalib.examination.units import errors_together, examine_sequence, examine_units

N = 1200
SEEDS = (1, 2, 3)


def model(seed, n=N):
    random = np.random.default_rng(seed)
    logit = random.normal(-0.6, 1.6, n)
    return np.round(1 / (1 + np.exp(-logit)), 6), random.random(n) < 1 / (1 + np.exp(-logit))


def at(step, value):
    """Return what puts a value into every so manieth prediction."""
    return lambda q, y, random: (np.where(np.arange(q.size) % step == 0, value, q), y)


def flipped(rows):
    return lambda q, y, random: (q, y ^ rows(np.arange(q.size)))


def moved(shift):
    return lambda q, y, random: (np.roll(q, shift), y)


SPOILT = {
    "exceeds a threshold": [lambda q, y, random, t=t: (q, q > t) for t in (0.3, 0.5, 0.7)],
    "below .5": [lambda q, y, random: (np.maximum(q, 1 - q), y)],
    "other class": [lambda q, y, random: (1 - q, y), lambda q, y, random: (q, ~y)],
    "stands": [*map(moved, (1, -1, 2, -2, 3)), lambda q, y, random: (q[::-1], y)],
    "another order": [lambda q, y, random: (random.permutation(q), y), lambda q, y, random: (q, random.permutation(y))],
    "sorted by itself": [lambda q, y, random: (q, np.sort(y)), lambda q, y, random: (np.sort(q), y)],
    "contradict": [
        flipped(lambda row: row % 2 == 0), flipped(lambda row: row % 3 == 1), flipped(lambda row: row % 4 == 3),
        flipped(lambda row: row > N / 2), flipped(lambda row: row < N / 4), flipped(lambda row: row % 7 == 4),
        flipped(lambda row: row % 12 == 11),
    ],
    "every label is the decision": [
        lambda q, y, random, k=k: (q, np.where(np.arange(N) % k == k - 1, q > 0.5, y)) for k in (2, 3, 4)
    ],
    "do not follow q in": [
        lambda q, y, random: (np.append(random.permutation(q[: N // 2]), q[N // 2 :]), y),
        lambda q, y, random: (np.where(np.arange(N) % 2, random.permutation(q), q), y),
    ],
    "are all": [
        lambda q, y, random: (q, np.where(np.arange(N) >= 900, False, y)),
        lambda q, y, random: (q, np.where(np.arange(N) < 300, True, y)),
    ],
    "elsewhere": [lambda q, y, random, k=k: (np.where(np.arange(N) % k == 1, np.roll(q, 1), q), y) for k in (4, 6)],
    "row above": [lambda q, y, random: (np.where(random.random(N) < 0.25, np.roll(q, 1), q), y)],
    "in more than": [at(7, value) for value in (0.5, 0.409, 0.123456)],
    "are these missing": [at(8, value) for value in (0, 1, 1e-6, 1e-9, 0.999999)],
    "decisions": [lambda q, y, random: (np.round(q), y)],
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sign", SPOILT)
def test_spoilt_predictions_and_labels_leave_a_sign_whatever_the_place_and_value(sign, seed):
    for spoil in SPOILT[sign]:
        q, y = spoil(*model(seed), np.random.default_rng(seed))
        found = " ".join(each.sentence for each in examine_predictions(q, y))
        assert sign in found, found


@pytest.mark.parametrize("seed", range(10))
def test_sound_predictions_leave_no_sign_sorted_or_rounded(seed):
    q, y = model(seed)
    for order in (np.arange(N), np.argsort(q), np.argsort(-q), np.argsort(y, kind="stable")):
        for digits in (1, 2, 3, 6):
            assert examine_predictions(np.round(q, digits)[order], y[order]) == []


def classes(seed, n=600, k=4):
    random = np.random.default_rng(seed)
    logit = random.normal(0, 1.5, (n, k))
    q = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    return q, np.array([random.choice(k, p=row) for row in q])


@pytest.mark.parametrize("order", [[1, 0, 2, 3], [3, 1, 2, 0], [1, 2, 3, 0], [2, 3, 0, 1]])
def test_columns_in_another_order_are_found_with_both_shares_that_are_right(order):
    q, y = classes(1)
    assert examine_classes(q, y) == []
    [finding] = examine_classes(q[:, order], y, "abcd")
    right = round(100 * np.mean(q.argmax(axis=1) == y))
    assert f"and in {right} % with the column" in finding.sentence


def test_right_classes_that_are_counted_from_one_are_found():
    q, y = classes(2)
    rows = y < 3
    assert len(examine_classes(q[rows], y[rows] + 1)) == 1


def test_arrays_of_classes_in_another_order_are_warned_of():
    q, y = classes(3)
    with pytest.warns(nlpcalib.InputWarning, match="are columns in another order"):
        nlpcalib.calibrate(q[:, [1, 0, 2, 3]], y)


ALIKE = [
    ("Paris", "paris"), ("d1", "d1\u200b"), ("doc 1", "doc  1"), ("e\u0301a", "\u00e9a"), ("12", "12.0"), ("x", "x "),
    ("\uff21b1", "Ab1"), ("a\u00a0b", "a b"), ("2015-01", "2015-1"), ("2015/3/07", "2015/03/7"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_values_that_a_reader_cannot_tell_apart_are_alike(one, other):
    assert alike([one, "z", other]) == [(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "01"),
        ("2015-1", "2015-10"),
        ("2015.1", "2015.01"),
        ("dQw4", "dqw4"),
        ("A", "a"),
        ("1.5", "1.50"),
        ("x1", "X1"),
    ],
)
def test_ids_that_differ_by_zeros_or_by_capitals_in_codes_are_two(one, other):
    assert alike([one, other]) == []


@pytest.mark.parametrize("name", ["nan", "#N/A", "0", "unknown", "-"])
def test_a_unit_far_larger_than_all_others_may_stand_for_none(name):
    codes = np.where(np.arange(800) % 5 < 2, 0, 1 + np.arange(800) // 4)
    [finding] = examine_units(np.unique(codes, return_inverse=True)[1], [name, *(f"d{k}" for k in range(200))], "unit")
    assert f"{name!r} has 320 of 800 rows" in finding.sentence
    sizes = np.random.default_rng(0).zipf(1.5, 300).clip(max=120)
    assert examine_units(np.repeat(np.arange(300), sizes), [f"u{k}" for k in range(300)], "unit") == []


@pytest.mark.parametrize("seed", SEEDS)
def test_errors_of_one_group_are_together_and_those_of_independent_rows_are_not(seed):
    random = np.random.default_rng(seed)
    q, y = model(seed, 1000)
    group = np.arange(1000) // 25
    assert errors_together(q, y, group) == 0
    logit = np.log(q / (1 - q)) + random.normal(0, 1.2, 40)[group]
    assert errors_together(q, random.random(1000) < 1 / (1 + np.exp(-logit)), group) > 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_errors_of_the_same_days_are_alike_in_time_and_those_of_independent_rows_and_units_are_not(seed):
    random = np.random.default_rng(seed)
    q, y = model(seed, 2000)
    assert examine_sequence(q, y, None) == []
    day = np.arange(2000) // 25
    logit = np.log(q / (1 - q)) + random.normal(0, 1.5, 80)[day]
    y = random.random(2000) < 1 / (1 + np.exp(-logit))
    [finding] = examine_sequence(q, y, None)
    assert "rows next to each other in time err alike (correlation" in finding.sentence
    assert examine_sequence(q, y, day) == []


def test_days_that_follow_each_other_are_alike_where_their_errors_last_for_weeks():
    random = np.random.default_rng(1)
    q, _ = model(1, 4000)
    day = np.arange(4000) // 25
    effect = np.repeat(random.normal(0, 1.5, 16), 10)[day]
    y = random.random(4000) < 1 / (1 + np.exp(-np.log(q / (1 - q)) - effect))
    [finding] = examine_sequence(q, y, day)
    assert "units next to each other in time err alike" in finding.sentence
    assert "pass larger units" in finding.sentence


def test_two_thousand_tables_of_independent_rows_have_no_sign_of_time():
    random = np.random.default_rng(58)
    found = 0
    for table in range(2000):
        q = np.clip(random.beta(*random.choice([0.3, 1.0, 3.0], 2), random.integers(200, 5001)), 1e-6, 1 - 1e-6)
        q = np.sort(q) if table % 2 else q
        logit = random.choice([0.4, 1.0, 2.0]) * np.log(q / (1 - q)) + random.choice([-0.7, 0.0, 0.7])
        found += len(examine_sequence(q, random.random(q.size) < 1 / (1 + np.exp(-logit)), None))
    assert found == 0


def test_a_last_row_with_an_id_of_another_form_or_the_mean_is_a_total():
    q, _ = model(1, 200)
    ids = [f"i{row}" for row in range(200)]
    assert examine_last_row(q, ids) == examine_last_row(q) == []
    assert len(examine_last_row(np.append(q, q.mean()), [*ids, "Total"])) == 1
    assert len(examine_last_row(np.append(q, q.mean()))) == 1
    assert len(examine_last_row(np.append(q, round(q.mean(), 3)), blank=True)) == 1


def test_a_shared_text_that_stands_in_other_rows_is_refused_and_corrections_are_not():
    texts = [f"text {row}" for row in range(100)]
    assert examine_shared(texts, texts, "text") == []
    assert examine_shared(texts, ["corrected", *texts[1:]], "text") == []
    assert examine_shared(texts, [f"answer {row}" for row in range(100)], "answer") == []
    assert examine_shared(texts, texts[1:] + texts[:1], "text")[0].certain


LABELS = {
    "other class": lambda y: 1 - y,
    "sorted by itself": np.sort,
    "more than their own": lambda y: np.roll(y, 1),
    "others are expected": np.ones_like,
}


@pytest.mark.parametrize("sign", LABELS)
def test_labels_of_other_items_leave_a_sign(sign):
    q, y = model(4, 240)
    assert examine_labels(q, y.astype(float)) == []
    [finding] = examine_labels(q, LABELS[sign](y.astype(float)))
    assert sign in finding.sentence


def rare_class(random):
    """Return predictions of a sound model of a rare class, and labels; small predictions may be far too high."""
    n = int(random.choice([60, 300, 1000, 5000]))
    logit = random.normal(random.uniform(-12, -5), random.uniform(0.3, 2), n)
    q = 1 / (1 + np.exp(-(logit + random.uniform(0, 3))))
    spoken = [
        np.maximum(q, random.choice([0.001, 0.01, 0.05])), 0.95 * q + 0.05 / 2, np.ceil(20 * q) / 20, q.round(2), q
    ]  # fmt: skip
    return spoken[random.integers(len(spoken))], random.random(n) < 1 / (1 + np.exp(-logit))


def test_a_rare_class_without_any_label_in_a_sample_leaves_no_sign_and_answers_that_are_lost_do():
    """Samples whose floor alone adds up to 45 events and more are among them; so are those of a frequent class."""
    random = np.random.default_rng(11)
    none = [q for q, y in (rare_class(random) for _ in range(1500)) if not y.any()]
    assert sum(q.sum() > 45 for q in none) > 50
    for q in none:
        assert examine_labels(q, np.zeros(q.size)) == []
        assert examine_labels(1 - q, np.ones(q.size)) == []
    for seed in range(20):
        q, _ = model(seed, 400)
        for label in (0, 1):
            [finding] = examine_labels(q, np.full(400, float(label)))
            assert f"all 400 labels are {label}" in finding.sentence


def test_items_that_were_not_drawn_at_random_are_named_whichever_end_they_are_from():
    q = np.sort(model(1)[0])
    random = np.random.default_rng(2)
    assert examine_drawing(q, np.sort(random.permutation(N)[:200])) == []
    for rows, word in (
        (np.arange(200), "certain"),
        (np.arange(N - 200, N), "higher"),
        (np.arange(600), "more certain"),
    ):
        [finding] = examine_drawing(q, rows)
        assert word in finding.sentence


def test_a_class_that_never_occurs_in_every_third_row_has_no_decisions():
    random = np.random.default_rng(0)
    q = random.dirichlet([8, 8, 1], 1500)
    first = random.random(1500) < q[:, 0] / q[:, :2].sum(axis=1)
    y = np.stack([first, ~first, np.zeros(1500, dtype=bool)], axis=1)
    assert decided_part(q.ravel(), y.ravel()) is None
    y[:, 2] = q[:, 2] > 0.5
    y[:8, 2], q[:8, 2] = True, 0.51
    name, others = decided_part(q.ravel(), y.ravel())
    assert name == "every third row, from row 3 on"
    assert others > 25


VERDICTS = np.random.default_rng(6).random(400) < 0.4


def test_labels_that_are_all_the_verdict_are_named_and_one_error_is_none():
    rows = np.arange(150)
    [finding] = examine_judge(VERDICTS.astype(float), rows, VERDICTS[rows].astype(float))
    assert "all 150 labels are the verdict on their item" in finding.sentence
    labels = VERDICTS[rows].astype(float)
    labels[3] = np.nan
    [finding] = examine_judge(VERDICTS.astype(float), rows, labels)
    assert "all 149 labels" in finding.sentence, "an item that was left open is no label"
    labels[7] = 1 - labels[7]
    assert examine_judge(VERDICTS.astype(float), rows, labels) == []
    assert examine_judge(VERDICTS.astype(float), rows[:60], VERDICTS[:60].astype(float)) == []


def test_verdicts_that_stand_twice_in_one_order_are_named():
    twice, right = np.tile(VERDICTS, 2).astype(float), VERDICTS[:80].astype(float)
    right[[3, 5]] = 1 - right[[3, 5]]
    both = np.concatenate([np.arange(80), 400 + np.arange(80)])
    [finding] = examine_judge(twice, both, np.tile(right, 2))
    assert "the last 400 items repeat verdicts and labels of the first" in finding.sentence
    assert examine_judge(twice, np.arange(80), right) == [], "the labels of the first half alone"
    assert examine_judge(np.ones(400), np.arange(80), right) == []


def test_an_impossible_year_has_a_line_and_no_periods():
    documents = {25 * 12 + 2: 1, **{2025 * 12 + month: 30 for month in (0, 1, 5, 8)}}
    [finding] = examine_periods(documents, "month")
    assert finding.sentence.startswith("1 document of 0025-03, with 23,997 months without any next to it")
    assert filled_periods(documents, "month") == [302, *range(2025 * 12, 2025 * 12 + 9)]
    assert examine_periods({2000: 5, 2010: 1}, "year") == []


def test_masked_values_are_refused():
    q, y = model(1, 100)
    with pytest.raises(nlpcalib.InputError, match="found 20 masked values"):
        nlpcalib.calibrate(np.ma.masked_array(q, np.arange(100) % 5 == 0), y)


def test_class_probabilities_of_two_digits_need_not_sum_to_one_exactly():
    q = np.round(np.random.default_rng(0).dirichlet(np.ones(6), 200), 2)
    q = q[np.abs(q.sum(axis=1) - 1) < 0.021]
    assert np.abs(q.sum(axis=1) - 1).max() > 0.011
    assert nlpcalib.calibrate(q, np.arange(len(q)) % 6).n == len(q)


@pytest.mark.parametrize("shift", [1, -1, 2])
def test_labels_of_the_item_above_are_found_where_each_item_has_a_row_for_each_label(shift):
    """Five labels of 300 items, rare ones and frequent: the column slipped by whole items, so by five rows of it."""
    random = np.random.default_rng(11)
    logit = random.normal([-3, -1, 0, 1, 2], 1.5, (300, 5))
    q = 1 / (1 + np.exp(-logit))
    y = random.random(q.shape) < q
    label = np.tile(np.arange(5), 300)
    assert examine_slip(q.ravel(), y.ravel(), label) == []
    slipped = np.roll(y, shift, axis=0).ravel()
    assert shifted_labels(q.ravel(), slipped) is None
    (found,) = examine_slip(q.ravel(), slipped, label)
    assert f"{abs(shift)} row{'s' if abs(shift) > 1 else ''} {'above' if shift > 0 else 'below'}" in found.sentence
