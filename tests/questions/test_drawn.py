"""How labels were chosen is stated once, with the table, and every question heeds it."""

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError


def perfect(seed):
    """Return predictions of a perfect model of a class of 5 %, labels, and 500 rows of each answer."""
    random = np.random.default_rng(seed)
    q = random.beta(0.3, 6, 40_000)
    y = random.random(40_000) < q
    chosen = np.r_[random.choice(np.flatnonzero(y), 500, False), random.choice(np.flatnonzero(~y), 500, False)]
    return q[chosen], y[chosen], float(y.mean())


def verdicts(seed, rate=0.8, items=2000, labels=50):
    """Return the verdicts of a judge, the answers, and as many labels of each answer."""
    random = np.random.default_rng(seed)
    y = random.random(items) < rate
    said = np.where(y, random.random(items) < 0.9, random.random(items) < 0.2)
    chosen = [random.choice(np.flatnonzero(y == answer), labels, False) for answer in (True, False)]
    known = np.full(items, np.nan)
    known[np.concatenate(chosen)] = y[np.concatenate(chosen)]
    return said.astype(float), y, known


def test_a_perfect_model_has_no_error_once_the_base_rate_is_stated():
    held = []
    for seed in range(40):
        q, y, rate = perfect(seed)
        found = nc.calibrate(nc.read(q, y=y, drawn="answer", base_rate=rate))
        held.append(found.interval[0] == 0)
        assert nc.calibrate(q, y).error > 0.4
    assert np.mean(held) >= 0.9


def test_without_a_base_rate_slope_and_area_are_those_of_the_population():
    held = []
    for seed in range(40):
        q, y, _ = perfect(seed)
        slope, area = nc.calibrate(nc.read(q, y=y, drawn="answer")).measures
        held.append(slope["low"] <= 1 <= slope["high"])
        assert area["low"] < area["value"] < area["high"] < 1
    assert np.mean(held) >= 0.85


def test_equal_numbers_of_answers_are_asked_about_unless_somebody_stated_how_they_were_drawn():
    q, y, _ = perfect(0)
    asked = "As many labels are positive as negative: if people chose them so, state drawn='answer'"
    assert asked in str(nc.calibrate(q, y))
    assert asked not in str(nc.calibrate(nc.read(q, y=y, drawn="random")))
    assert asked not in str(nc.calibrate(q[:-7], y[:-7]))


def test_the_rate_that_verdicts_correct_to_holds_where_labels_were_chosen_by_their_answer():
    held = []
    for seed in range(100):
        said, y, known = verdicts(seed)
        _, low, high = nc.judge(nc.read(said, y=known, drawn="answer")).estimation.whole.share
        held.append(low <= y.mean() <= high)
    assert np.mean(held) >= 0.9


def test_labels_with_the_sign_of_a_choice_are_refused_until_it_is_stated():
    said, _, known = verdicts(1)
    with pytest.raises(InputError, match=r"people chose them by their answer\. Expected drawn='answer'"):
        nc.judge(nc.read(said, y=known))
    report = nc.judge(nc.read(said, y=known, drawn="answer"))
    assert report.rates["accuracy"].value is report.rates["kappa"].value is None
    assert nc.judge(nc.read(said, y=known, drawn="verdict")).rates["accuracy"].value is not None


def test_labels_of_what_judges_dispute_are_refused():
    random = np.random.default_rng(2)
    y = random.random(400) < 0.3
    said = np.array([np.where(random.random(400) < 0.8, y, ~y) for _ in range(2)], float)
    disputed = np.flatnonzero(said[0] != said[1])[:60]
    known = np.full(400, np.nan)
    known[disputed] = y[disputed]
    ids, judges = [str(n) for n in range(400)], {"judge": ["a"] * 400 + ["b"] * 400}
    table = {"y": np.tile(known, 2), "id": ids * 2, "by": judges}
    with pytest.raises(InputError, match="items on which verdicts differ more often than chance allows"):
        nc.judge(nc.read(said.ravel(), **table), judges="judge")
    assert nc.judge(nc.read(said.ravel(), **table, drawn="random"), judges="judge").differences


@pytest.mark.parametrize("again", ["systems", "asked again"])
def test_labels_of_cases_on_which_systems_or_repeated_verdicts_differ_are_refused(again):
    random = np.random.default_rng(3)
    y = np.tile(random.random(300) < 0.6, (3, 1))
    said = np.where(random.random((3, 300)) < 0.85, y, ~y)
    differ = np.flatnonzero(said.any(0) & ~said.all(0))
    ids = [str(n) for n in range(300)] * 3
    by = {"by": {"system": np.repeat(["a", "b", "c"], 300)}} if again == "systems" else {}

    def asked(cases):
        known = np.where(np.isin(np.arange(300), cases), y, np.nan)
        table = nc.read(said.ravel().astype(float), y=known.ravel(), id=ids, **by)
        return nc.judge(table, by="system" if by else None)

    assert asked(random.choice(300, 60, replace=False)).rates["accuracy"].value is not None
    for cases in (differ[:40], np.r_[differ[:50], random.choice(300, 30, replace=False)]):
        with pytest.raises(InputError, match="items on which verdicts differ more often than chance allows"):
            asked(cases)


@pytest.mark.parametrize("source", ["array", "words", "file"])
def test_labels_of_middle_ratings_are_refused_after_the_threshold_too(source, tmp_path):
    random = np.random.default_rng(4)
    y = random.random(1000) < 0.6
    rating = np.clip(np.round(3 + 1.2 * (2 * y - 1) + random.normal(size=1000)), 1, 5).astype(int)
    middle = np.flatnonzero((rating == 3) | (rating == 4))

    def asked(rows, **options):
        known = np.full(1000, np.nan)
        known[rows] = y[rows]
        if source != "file":
            ratings = rating if source == "array" else rating.astype(str)
            return nc.judge(nc.read(ratings, y=known, threshold=4, **options))
        path = tmp_path / "ratings.csv"
        rows = zip(rating, known, strict=True)
        path.write_text("verdict,y\n" + "".join(f"{r},{'' if np.isnan(k) else int(k)}\n" for r, k in rows))
        return nc.judge(nc.read(path, threshold=4, **options))

    assert asked(random.choice(1000, 150, replace=False)).rates["accuracy"].value is not None
    for rows in (random.choice(middle, 100, replace=False), np.r_[random.choice(middle, 90, False), np.arange(40)]):
        with pytest.raises(InputError, match="items whose ratings are near the threshold more often than chance"):
            asked(rows)
    assert asked(random.choice(middle, 100, replace=False), drawn="random").rates["accuracy"].value is not None


@pytest.mark.parametrize("question", [nc.estimate, nc.recalibrate, lambda data: nc.compare(data, data)])
def test_what_needs_a_random_sample_refuses_labels_that_were_chosen_by_their_answer(question):
    q, y, rate = perfect(0)
    for base_rate in (None, rate):
        with pytest.raises(InputError, match="found labels drawn by their answer, expected all, or a random sample"):
            question(nc.read(q, y=y, drawn="answer", base_rate=base_rate))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drawn": "chance"}, "drawn: found 'chance', expected one of random, plan, probabilities, verdict, answer"),
        ({"drawn": "plan"}, "drawn: found 'plan' without plan=, expected both"),
        ({"drawn": "random", "plan": np.full(1000, 0.5)}, "drawn: found 'random' with plan=, expected one of the two"),
        ({"drawn": "verdict"}, "with drawn=, expected verdicts"),
        ({"base_rate": 0.1}, "base_rate: found 0.1, expected it with drawn='answer'"),
        ({"drawn": "answer", "base_rate": 1}, "base_rate: found 1, expected a share between 0 and 1"),
    ],
)
def test_what_contradicts_itself_is_refused(options, message):
    q, y, _ = perfect(0)
    with pytest.raises(InputError, match=message):
        nc.read(q, y=y, **options)


def test_a_judge_takes_no_base_rate():
    said, _, known = verdicts(1)
    with pytest.raises(InputError, match="base_rate: found a share, expected none"):
        nc.judge(nc.read(said, y=known, drawn="answer", base_rate=0.8))
