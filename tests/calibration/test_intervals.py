"""The interval of the bias-corrected squared error: it covers, and it is what its test does not reject."""

import numpy as np
import pytest
from scipy import sparse, special

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.estimates import METHODS, Settings, default_methods
from nlpcalib.calibration.hypothesis_tests import reported_tests
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws, error_coverage_rows


@pytest.mark.parametrize("curve", ["calibrated", "strong"])
def test_interval_is_what_the_score_test_does_not_reject(curve):
    (pairs,) = draws(Regime(curve, "uniform", "sentences"), 5000, [0], seed=3)
    error = squared_error(pairs, pairs.half_information_starts(50))
    (low,), (high,) = error.interval()
    quantile = special.stdtrit(error.freedom[0], 0.975)
    grid = np.linspace(0, 0.05, 2001)
    tails = np.array([error.tail(theta)[0] for theta in grid])
    if low > 0:
        assert tails[grid < low].max() < 0.05
        assert np.all(tails[(grid > low) & (grid < error.value[0])] > 0.025 * 0.98)
    else:
        assert tails[0] >= 0.05
    spread = np.array([error.variance(theta)[0] for theta in grid])
    kept = grid[(max(error.value[0], 0) - grid) ** 2 <= quantile**2 * spread]
    assert error.value[0] < high <= 1.1 * kept.max() + 1e-4  # of a gamma distribution, whose lower tail is thinner


@pytest.mark.parametrize("dependence", ["independent", "sentences"])
@pytest.mark.parametrize("curve", ["calibrated", "mild"])
def test_the_interval_excludes_no_error_exactly_where_the_test_rejects(curve, dependence):
    excluded = 0
    for pairs in draws(Regime(curve, "skewed", dependence), 1000, range(60), seed=2):
        for method in default_methods(pairs):
            low = method(pairs, Settings()).low
            assert (low > 0) == (
                reported_tests(pairs)["cluster_binned" if pairs.unit is not None else "binned"](pairs).p_value < 0.05
            )
        excluded += low > 0
    assert excluded < 60


@pytest.mark.parametrize("prevalence", [1e-3, 3e-3])
def test_a_perfect_model_of_a_rare_event_is_not_excluded(prevalence):
    """With ten to thirty events of 10,000 80 bins excluded a perfect model in up to 33 %."""
    trials, excluded = 200, 0
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        q = rng.beta(0.3, 0.3 * (1 / prevalence - 1), 10_000)
        estimate = METHODS["bias_corrected_rms/score"](SortedPairs(q, rng.random(q.size) < q), Settings())
        excluded += estimate.low is not None and estimate.low > 0
    assert excluded / trials <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / trials)


def test_no_interval_is_nothing_but_zero():
    """A sample that is luckier than a perfect model's on average still leaves room for an error."""
    for pairs in draws(Regime("calibrated", "uniform", "independent"), 300, range(100), seed=4):
        estimate = METHODS["bias_corrected_rms/score"](pairs, Settings())
        assert estimate.high > 0.02
    q = np.repeat([0.0, 1.0], 50)
    certain = METHODS["bias_corrected_rms/score"](SortedPairs(q, q > 0.5), Settings())
    assert 0 == certain.low < certain.high


def test_one_giant_unit_is_no_evidence_against_a_perfect_model():
    excluded = 0
    for pairs in draws(Regime("calibrated", "uniform", "giant"), 500, range(60), seed=5):
        excluded += METHODS["bias_corrected_rms/cluster_score"](pairs, Settings()).low > 0
    assert excluded <= 7


def bootstrap_interval(
    pairs: SortedPairs, starts: np.ndarray, *, replicates: int, level: float, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the bias-corrected squared error and the ends of its interval from resampled units, at least 0: an oracle.

    Units are drawn with replacement, bins stay. A resample's error contains its own noise and that of the sample: its
    distribution is centred on the wrong place, and only its spread around its mean is used.
    """
    cells = unit_cells(pairs, starts)
    residuals, counts = (sparse.csc_array((values, (cells.unit, cells.bin))) for values in (cells.total, cells.count))
    units = residuals.shape[0]
    present = np.bincount(cells.unit, minlength=units) > 0
    errors = np.empty(replicates)
    for start in range(0, replicates, 64):
        shape = min(64, replicates - start)
        drawn = np.zeros((shape, units))
        drawn[:, present] = rng.multinomial(present.sum(), np.full(present.sum(), 1 / present.sum()), size=shape)
        residual, size = drawn @ residuals, drawn @ counts
        squares = np.divide(residual**2, size, out=np.zeros_like(size), where=size > 0)
        errors[start : start + shape] = squares.sum(axis=1) / size.sum(axis=1)
    value = float(squared_error(pairs, starts).value[0])
    low, high = value - np.quantile(errors - errors.mean(), [(1 + level) / 2, (1 - level) / 2])
    return value, float(max(low, 0.0)), float(max(high, 0.0))


def test_bootstrap_agrees_with_the_score_interval_where_the_error_is_large():
    (pairs,) = draws(Regime("strong", "uniform", "sentences"), 20_000, [0], seed=5)
    starts = pairs.half_information_starts(40)
    value, low, high = bootstrap_interval(pairs, starts, replicates=999, level=0.95, rng=np.random.default_rng(0))
    error = squared_error(pairs, starts)
    assert value == error.value[0]
    assert (low, high) == pytest.approx(np.ravel(error.interval()), rel=0.1)


def test_the_interval_of_a_model_far_too_timid_covers_by_documents():
    """Labels of documents follow q so closely that they show less noise than predictions promise."""
    rng = np.random.default_rng(12)
    strength = rng.normal(0, 1.5, 10**6)
    truth = np.sqrt(np.mean((special.expit(6 * strength) - special.expit(strength)) ** 2))
    covered = 0
    for _ in range(60):
        unit = np.repeat(np.arange(30), rng.poisson(200, 30))
        strength = rng.normal(0, 1.5, unit.size)
        labels = rng.random(unit.size) < special.expit(6 * strength)
        pairs = SortedPairs(special.expit(strength), labels, unit)
        estimate = METHODS["bias_corrected_rms/cluster_score"](pairs, Settings())
        covered += estimate.low <= truth <= estimate.high
    assert covered >= 52  # .95 of 60, less three standard errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("curve", "density", "dependence"),
    [  # half of all combinations: each two values of any two are together once, or twice
        ("calibrated", "uniform", "independent"),
        ("calibrated", "skewed", "sentences"),
        ("mild", "skewed", "independent"),
        ("mild", "uniform", "sentences"),
        ("strong", "uniform", "independent"),
        ("strong", "skewed", "sentences"),
    ],
)
def test_the_default_interval_covers(curve, density, dependence):
    name = "bias_corrected_rms/score" if dependence == "independent" else "bias_corrected_rms/cluster_score"
    regime = Regime(curve, density, dependence)
    (row,) = error_coverage_rows(regime, 10_000, [name], replicates=400, bin_size=200, samples=2, seed=11)
    assert row["coverage"] >= 0.95 - 3 * row["coverage_se"]


def test_independent_intervals_fail_on_documents():
    """The check above can fail: what takes the pairs of documents for independent does not cover."""
    regime = Regime("calibrated", "uniform", "documents")
    rows = error_coverage_rows(
        regime,
        10_000,
        ["bias_corrected_rms/score", "bias_corrected_rms/cluster_score"],
        replicates=60,
        bin_size=200,
        samples=2,
        seed=1,
    )
    assert rows[0]["coverage"] < 0.75 < 0.85 < rows[1]["coverage"]
