"""Which groups stand out from the others, and that none does where all rates are the same."""

import numpy as np
import pytest
from scipy.stats import norm

import nlpcalib as nc
from nlpcalib.estimation.against_others import AgainstOthers, against_others, sentence_on_others
from nlpcalib.sampling.samples import simple_random_sample


def compared(*positive_of, items=100_000, names=("2004", "2005", "2006", "2007", "2008"), level=0.95):
    """Return each group next to the others, where k of n labels of each group are positive."""
    group = np.repeat(np.arange(len(positive_of)), items)
    rows = np.concatenate([items * number + np.arange(n) for number, (_, n) in enumerate(positive_of)])
    y = np.concatenate([np.arange(n) < k for k, n in positive_of]).astype(float)
    keys = [(names[number],) for number in group]
    return against_others(np.full(len(group), 0.2), simple_random_sample(len(group), rows, y), keys, level=level)


def test_with_many_labels_the_interval_is_the_normal_one():
    """Of 4,000 labels 800 are positive, of the other 8,000 1,200: Wald's interval at the level 1 − .05/3."""
    first, *_ = compared((800, 4000), (600, 4000), (600, 4000), items=400_000)
    half = norm.ppf(1 - 0.05 / 6) * np.sqrt(0.2 * 0.8 / 4000 + 0.15 * 0.85 / 8000)
    assert first.value == pytest.approx(0.05, abs=1e-4)
    assert first.low == pytest.approx(0.05 - half, abs=0.06 * half)
    assert first.high == pytest.approx(0.05 + half, abs=0.06 * half)


def test_a_peak_stands_out_and_one_label_too_many_does_not():
    peak = compared((0, 15), (1, 15), (0, 15), (9, 15), (0, 15), items=200)
    assert [each.group for each in peak if each.shown] == ["2007"]
    assert not any(each.shown for each in compared((0, 15), (0, 15), (0, 15), (1, 15), (0, 15), items=200))


def test_the_others_of_a_period_are_those_of_its_series():
    """Country A is high and B is low, and neither changes: by country and year none of the years stands out."""
    random = np.random.default_rng(1)
    country, year = np.repeat([0, 1], 1500), np.tile(np.repeat([0, 1, 2], 500), 2)
    y = (np.arange(3000) % 10 < np.where(country == 0, 8, 1)).astype(float)
    rows = np.sort(random.choice(3000, 600, replace=False))
    keys = list(zip(np.array(["A", "B"])[country].tolist(), (2004 + year).astype(str).tolist(), strict=True))
    found = against_others(np.full(3000, 0.5), simple_random_sample(3000, rows, y[rows]), keys)
    assert [each.group for each in found] == [f"{a}, {b}" for a in "AB" for b in (2004, 2005, 2006)]
    assert not any(each.shown for each in found)


def test_groups_without_labels_are_not_compared_and_two_groups_neither():
    assert [each.group for each in compared((3, 30), (0, 0), (3, 30), (4, 30))] == ["2004", "2006", "2007"]
    assert compared((3, 30), (0, 0), (3, 30)) == []


def test_the_sentence_names_who_stands_out_the_largest_first():
    apart = [
        AgainstOthers("2004", True, 0.05, 0.01, 0.1),
        AgainstOthers("2005", True, -0.2, -0.3, -0.1),
        AgainstOthers("2006", True, 0.02, -0.1, 0.1),
    ]
    assert sentence_on_others(apart, 0.95) == [
        "2 of 3 periods stand out (joint 95 % intervals): 2005 has 20.0 points less than the others (10.0 to 30.0), "
        "2004 has 5.0 points more than the others (1.0 to 10.0)."
    ]
    assert sentence_on_others(apart[2:], 0.9) == ["None of 1 period stands out from the others (joint 90 % intervals)."]
    assert sentence_on_others([], 0.95) == []


def test_estimate_prints_and_saves_who_stands_out(tmp_path):
    y = (np.arange(900) % 20 == 0).astype(float)
    y[300:400] = np.arange(100) % 2
    labels = {row: y[row] for row in range(0, 900, 3)}
    report = nc.estimate(nc.read(np.full(900, 0.1), labels), by=2001 + np.arange(900) // 100)
    [line] = [line for line in report.lines() if "stand" in line]
    assert line.startswith("1 of 9 periods stands out (joint 95 % intervals): 2004 has ")
    report.save(tmp_path / "out")
    assert (
        (tmp_path / "out" / "against_others.csv").read_text().startswith("group,is_period,value,low,high\n2001,True,")
    )
    assert "2004 has" in (tmp_path / "out" / "methods.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.03, 0.1])
def test_where_all_rates_are_the_same_hardly_ever_one_stands_out(rate):
    """In 100 corpora of 12 periods with 150 labels; two standard errors of .05 are .044."""
    false = []
    for seed in range(100):
        random = np.random.default_rng([3, seed])
        y = np.concatenate([random.permutation(np.arange(125) < round(rate * 125)) for _ in range(12)]).astype(float)
        rows = np.sort(random.choice(1500, 150, replace=False))
        keys = [(str(2000 + number),) for number in np.repeat(np.arange(12), 125)]
        found = against_others(np.full(1500, 0.5), simple_random_sample(1500, rows, y[rows]), keys)
        false.append(any(each.shown for each in found))
    assert np.mean(false) <= 0.094
