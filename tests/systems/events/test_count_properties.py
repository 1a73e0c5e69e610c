"""Laws of counts that hold whatever the probabilities, the order of documents and their division into parts."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.systems.events.count.counts import EventTable, count_events
from reproduction.events.comparison import compare_differences, compare_independent
from reproduction.events.series import count_series

PROBABILITIES = st.lists(
    st.one_of(st.sampled_from((0.0, 1e-300, 1e-12, 0.5, 1 - 1e-12, 1.0)), st.floats(0, 1)), max_size=200
).map(np.array)


@settings(deadline=None)
@given(PROBABILITIES)
def test_the_distribution_has_the_moments_and_the_order_of_events_does_not_matter(probabilities):
    distribution = PoissonBinomial(probabilities)
    count = np.arange(probabilities.size + 1)
    assert (distribution.pmf >= 0).all()
    np.testing.assert_allclose(distribution.pmf.sum(), 1, atol=1e-13)
    np.testing.assert_allclose(distribution.pmf @ count, distribution.mean, atol=1e-10)
    turned = PoissonBinomial(probabilities[::-1])
    assert turned.pmf.tobytes() == distribution.pmf.tobytes()
    assert (turned.mean, turned.sd) == (distribution.mean, distribution.sd)


@settings(deadline=None)
@given(PROBABILITIES, st.floats(0.01, 0.999))
def test_intervals_leave_out_no_more_than_they_may(probabilities, level):
    distribution = PoissonBinomial(probabilities)
    low, high = distribution.interval(level)
    rest = (1 - level) / 2 + 2e-12
    assert distribution.pmf[:low].sum() <= rest
    assert distribution.pmf[high + 1 :].sum() <= rest
    # Nor is an end farther out than it has to be.
    assert distribution.pmf[: low + 1].sum() >= (1 - level) / 2 - 2e-12
    assert distribution.pmf[high:].sum() >= rest - 4e-12


@settings(deadline=None)
@given(PROBABILITIES, PROBABILITIES)
def test_independent_counts_compare_as_the_product_of_their_distributions(first, second):
    result = compare_independent(first, second)
    joint = np.outer(PoissonBinomial(first).pmf, PoissonBinomial(second).pmf)
    difference = np.subtract.outer(np.arange(len(joint)), np.arange(joint.shape[1]))
    np.testing.assert_allclose(result.greater, joint[difference > 0].sum(), atol=1e-12)
    np.testing.assert_allclose(result.equal, joint[difference == 0].sum(), atol=1e-12)
    np.testing.assert_allclose(result.less, joint[difference < 0].sum(), atol=1e-12)


@settings(deadline=None)
@given(PROBABILITIES, st.floats(0, 1))
def test_comparisons_turn_round_with_the_countries(probabilities, share):
    up, down = probabilities * share, probabilities * (1 - share)
    there, back = compare_differences(up, down), compare_differences(down, up)
    np.testing.assert_allclose(
        [there.greater, there.equal, there.less], [back.less, back.equal, back.greater], atol=1e-12
    )
    np.testing.assert_allclose(there.greater + there.equal + there.less, 1, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 8))
def test_series_are_the_same_to_the_bit_however_documents_are_ordered_and_divided(seed, documents, parts):
    rng = np.random.default_rng(seed)
    dates = np.datetime64("1989-11-01") + rng.integers(0, 500, documents).astype("timedelta64[D]")
    document, country = np.nonzero(rng.random((documents, 4)) < 0.4)
    probabilities = rng.beta(0.5, 0.5, document.size)
    best = rng.random(document.size) < probabilities
    samples = rng.random((document.size, 7)) < probabilities[:, None]

    def part(numbers):
        # The rows of the documents with these numbers, in this order.
        rows = np.concatenate([np.flatnonzero(document == number) for number in [*numbers, -1]])
        return dates[numbers], EventTable(
            document[rows].astype(str), dates[document[rows]], np.array(list("ABCD"))[country[rows]],
            probabilities[rows], best[rows], samples[rows],
        )  # fmt: skip

    whole = count_series(count_events([part(np.arange(documents))], "quarter"))
    shuffled = np.array_split(rng.permutation(documents), parts)
    assert count_series(count_events(map(part, shuffled), "quarter")) == whole


def test_a_function_of_samples_is_a_sample_of_the_function():
    """Appendix 1 of the paper: shares are those of the exact distribution, and means vary by σ/√S."""
    rng = np.random.default_rng(1)
    distribution = PoissonBinomial(np.array([0.05, 0.3, 0.5, 0.5, 0.9]))
    samples, repetitions = 100, 4000
    happened = rng.random((repetitions, samples, 5)) < distribution.probabilities
    counts = happened.sum(axis=2)
    shares = np.stack([(counts == count).mean(axis=1) for count in range(6)], axis=1)
    chance = np.sqrt(distribution.pmf * (1 - distribution.pmf) / samples)
    np.testing.assert_array_less(abs(shares.mean(axis=0) - distribution.pmf), 4 * chance / repetitions**0.5)
    np.testing.assert_allclose(shares.std(axis=0), chance, rtol=0.05)
    np.testing.assert_allclose(counts.mean(axis=1).std(), distribution.sd / samples**0.5, rtol=0.05)
