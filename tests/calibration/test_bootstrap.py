"""The bootstrap interval of the error over adaptive bins: against loops over rows, and on perfect and other models."""

import numpy as np
import pytest
from scipy import special, stats

from nlpcalib.calibration import bootstrap
from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.bootstrap import bootstrap_error, resampled_counts
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.errors import InputError


def drawn(seed, n=600, digits=9, units=None, slope=0.7):
    rng = np.random.default_rng(seed)
    q = rng.random(n).round(digits)
    y = rng.random(n) < special.expit(slope * special.logit(np.clip(q, 0.01, 0.99)))
    return q, y, None if units is None else rng.permutation(np.arange(n) % units)


def by_rows(q, y, unit, bin_size, seed, level, resamples):
    """Return value, low, high and p-value, row by row and resample by resample: slow, and by `np.roots`."""
    n = q.size
    order = np.argsort(q, kind="stable")
    q, y = q[order], y[order].astype(float)
    unit = order if unit is None else unit[order]
    bins = max(n // bin_size, 1)
    place = np.minimum(np.arange(n) // bin_size, bins - 1)
    share = np.zeros((n, bins))
    for value in np.unique(q):  # every row of a run of ties is in the bins of the run by their shares
        rows = q == value
        share[rows] = np.bincount(place[rows], minlength=bins) / rows.sum()
    units = int(unit.max()) + 1
    count, total = (
        np.array([(part[unit == u]).sum(axis=0) for u in range(units)]) for part in (share, share * (y - q)[:, None])
    )
    size, sums = count.sum(axis=0), total.sum(axis=0)
    mean, across = sums / size, size**2 - (count**2).sum(axis=0)
    corrected = np.sum(size / n * (sums**2 - (total**2).sum(axis=0)) / across)
    shown = np.sum(size * mean**2) / n
    student = 1.0
    if units < n:
        own = np.bincount(unit)
        student = stats.t.ppf((1 + level) / 2, n**2 / np.sum(own**2) - 1) / stats.norm.ppf((1 + level) / 2)
    counts = resampled_counts(units, resamples, np.random.default_rng(seed))
    roots, higher, constants, again = [], [], [], []
    parts = []
    for each in counts:
        number = each @ count
        deviation = (each @ (total - mean * count)) / number
        noise = student * size / np.sqrt(across) * deviation
        weight = number / number.sum()
        parts.append((weight @ mean**2 / shown, 2 * weight @ (mean * noise) / shown**0.5, weight @ noise**2))
        again.append(weight @ (mean + deviation) ** 2)
        constants.append(parts[-1][2])
    for found, aim in ((roots, shown), (higher, max(shown, np.mean(constants)))):
        for a, b, c in parts:
            found.append(0.0 if c >= aim else max(np.roots([a, b, c - aim]).real))
    tail = (1 - level) / 2
    spread = student * (np.quantile(again, 1 - tail) - np.mean(again))
    value = max(corrected, 0) ** 0.5
    high = max(np.quantile(higher, 1 - tail), max(corrected + spread, 0) ** 0.5)
    p_value = (1 + np.count_nonzero(np.array(constants) >= shown)) / (resamples + 1)
    return value, min(np.quantile(roots, tail), value), min(high, 1), p_value


@pytest.mark.parametrize("units", [None, 40])
@pytest.mark.parametrize("digits", [9, 1, 0])
@pytest.mark.parametrize("slope", [0.4, 1.0])
def test_the_interval_is_that_of_loops_over_rows(units, digits, slope):
    """Also where cuts go through runs of ties, and where a run covers several bins."""
    q, y, unit = drawn(1, digits=digits, units=units, slope=slope)
    pairs = SortedPairs(q, y, unit)
    found = bootstrap_error(pairs, pairs.adaptive_starts(50), rng=np.random.default_rng(5), level=0.9, resamples=40)
    if unit is None:  # rows are units in the order of their predictions
        order = np.argsort(pairs.q, kind="stable")
        expected = by_rows(pairs.q[order], pairs.y[order], None, 50, 5, 0.9, 40)
    else:
        expected = by_rows(pairs.q, pairs.y, pairs.unit, 50, 5, 0.9, 40)
    assert (found.value, found.low, found.high, found.p_value) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("units", [None, 60])
def test_the_value_is_the_bias_corrected_error_over_the_same_bins(units):
    q, y, unit = drawn(2, n=3000, units=units)
    pairs = SortedPairs(q, y, unit)
    starts = pairs.adaptive_starts(200)
    found = bootstrap_error(pairs, starts, rng=np.random.default_rng(0), resamples=50)
    assert found.value == pytest.approx(squared_error(pairs, starts).value[0] ** 0.5, rel=1e-9)


def test_no_order_of_rows_and_of_ties_changes_the_value():
    q, y, unit = drawn(3, digits=1, units=30)
    order = np.random.default_rng(0).permutation(q.size)
    one, other = (SortedPairs(q[rows], y[rows], unit[rows]) for rows in (np.arange(q.size), order))
    found = [bootstrap_error(p, p.adaptive_starts(70), rng=np.random.default_rng(1)) for p in (one, other)]
    assert found[0].value == pytest.approx(found[1].value, rel=1e-12)
    assert (found[0].low, found[0].high) == pytest.approx((found[1].low, found[1].high), rel=1e-9)


def test_groups_of_units_give_the_interval_of_single_ones(monkeypatch):
    q, y, _ = drawn(4, n=4000)
    pairs = SortedPairs(q, y)
    starts = pairs.adaptive_starts(200)
    apart = bootstrap_error(pairs, starts, rng=np.random.default_rng(1), resamples=4000)
    monkeypatch.setattr(bootstrap, "MAX_RESAMPLED_UNITS", 500)
    together = bootstrap_error(pairs, starts, rng=np.random.default_rng(1), resamples=4000)
    assert (together.low, together.high) == pytest.approx((apart.low, apart.high), rel=0.08)


def test_a_perfect_model_is_in_most_intervals_and_a_wrong_one_is_found():
    def intervals(slope, draws):
        for seed in range(draws):
            q, y, _ = drawn(100 + seed, n=3000, slope=slope)
            pairs = SortedPairs(q, y)
            yield bootstrap_error(pairs, pairs.adaptive_starts(150), rng=np.random.default_rng(seed), resamples=300)

    # 3 of 60 is what is expected; 8 or more have a chance below 1 %.
    assert sum(each.low > 0 for each in intervals(1.0, 60)) <= 7
    assert all(each.low > 0 for each in intervals(0.6, 10))


def test_the_registry_has_it_for_pairs_and_for_units():
    q, y, unit = drawn(5, n=2000, units=50)
    pairs = SortedPairs(q, y, unit)
    alone, clustered = (METHODS[f"bias_corrected_adaptive_rms/{name}"] for name in ("bootstrap", "cluster_bootstrap"))
    settings = Settings(bin_size=100)
    assert alone(pairs, settings).low > 0
    assert alone(pairs, settings) == alone(SortedPairs(q, y), settings)
    assert clustered(pairs, settings).high != alone(pairs, settings).high
    with pytest.raises(InputError, match="found pairs without units"):
        clustered(SortedPairs(q, y), settings)


@pytest.mark.parametrize(("units", "has_interval"), [(6, False), (9, False), (40, True)])
def test_few_units_have_no_interval(units, has_interval):
    """Six units held .89 of errors: their resamples miss how units differ."""
    q, y, unit = drawn(6, n=2000, units=units)
    found = METHODS["bias_corrected_adaptive_rms/cluster_bootstrap"](SortedPairs(q, y, unit), Settings(bin_size=100))
    assert (found.high is not None) is has_interval
