"""A sample has the weights that its items were drawn with, and the labels of what is complete."""

from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import labelled_sample, restricted, simple_random_sample, unequal_sample
from nlpcalib.sampling.sheet import blind_order

IDS = [f"d{number}" for number in range(60)]
FRAME = Frame(IDS, np.linspace(0, 0.9, 60))


def test_many_inclusion_probabilities_become_classes_of_equal_size_and_one_that_nothing_reaches():
    inclusion = np.r_[np.zeros(50), np.linspace(0.1, 0.9, 1000)]
    sample = unequal_sample(inclusion, np.array([60, 900]), np.array([1.0, 0.0]))
    assert np.bincount(sample.stratum).tolist() == [50, *[10] * 100]
    assert (sample.stratum[:50] == 0).all()
    assert np.isinf(sample.weights[0])
    of_class = np.bincount(sample.stratum[50:], 1 / inclusion[50:])[1:] / 10
    np.testing.assert_allclose(sample.weights[1:], of_class)
    np.testing.assert_allclose(sample.expansion, 1 / inclusion[[60, 900]])


@pytest.mark.parametrize("distinct", [100, 101])
def test_up_to_a_hundred_inclusion_probabilities_are_strata_of_their_own(distinct):
    inclusion = np.r_[np.repeat(np.linspace(0.01, 1, distinct), 2), 1]
    sample = unequal_sample(inclusion, np.array([0, 1, 199]), np.ones(3))
    assert (sample.expansion is None) == (distinct == 100)
    if distinct == 100:
        np.testing.assert_allclose(sample.weights[sample.stratum], 1 / inclusion)


def test_inclusion_probabilities_that_no_sample_has_are_refused():
    """0 and 1 are probabilities; an item of probability 0 has no label."""
    rows, y = np.array([1, 2]), np.zeros(2)
    sample = unequal_sample(np.array([0, 0.5, 1]), rows, y)
    assert sample.weights.tolist() == [np.inf, 2, 1]
    for inclusion in ([0, -0.5, 1], [0, 0.5, 1.5], [0, np.nan, 1], [0.5, 0, 1]):
        with pytest.raises(InputError, match="inclusion: found numbers that no sample has"):
            unequal_sample(np.array(inclusion), rows, y)


def test_any_n_items_are_a_simple_random_sample_of_which_each_stands_for_as_many():
    sample = simple_random_sample(40, np.array([3, 9, 11, 30, 31]), np.zeros(5))
    assert (sample.weights.tolist(), np.unique(sample.stratum).tolist()) == ([8], [0])
    with pytest.raises(InputError, match="labels: found none"):
        simple_random_sample(40, np.array([], dtype=int), np.array([]))


def parts_of():
    """Return a plan of two parts, its queue, and the ids that are read in each."""
    plan = draw_plan(FRAME, 20, 0, "two-phase")
    queue = plan.queue(FRAME)
    plan = extend_plan(plan, FRAME, queue, np.zeros(len(queue.first(plan.read[-1]))))
    first, both = (queue.first(read) for read in plan.read)
    return plan, queue, first, np.setdiff1d(both, first)


def test_a_part_counts_when_all_of_it_is_labelled():
    plan, queue, first, second = parts_of()
    labels = {IDS[row]: float(row % 2) for row in [*first, *second]}
    whole = labelled_sample(plan, queue, FRAME, IDS, labels)
    assert whole.rows.tolist() == sorted([*first, *second])
    assert whole.y.tolist() == [row % 2 for row in whole.rows]
    np.testing.assert_array_equal(whole.weights, plan.weights)
    pilot = {IDS[row]: labels[IDS[row]] for row in first}
    with pytest.warns(UserWarning, match="part 2 of the plan is not annotated yet$"):
        found = labelled_sample(plan, queue, FRAME, IDS, pilot)
    assert found.rows.tolist() == first.tolist()
    np.testing.assert_array_equal(found.weights, replace(plan, read=plan.read[:1]).weights)
    del labels[IDS[second[0]]]
    with pytest.warns(UserWarning, match="part 2 of the plan is not complete: 11 labels are not used"):
        assert labelled_sample(plan, queue, FRAME, IDS, labels).rows.tolist() == first.tolist()
    del labels[IDS[first[0]]]
    with pytest.raises(InputError, match=f"found no label of {IDS[first[0]]}; expected one of each item of the plan"):
        labelled_sample(plan, queue, FRAME, IDS, labels)


def test_items_before_the_first_gap_of_a_sheet_are_a_sample_of_their_part():
    plan, queue, first, second = parts_of()
    sheet = second[blind_order([IDS[row] for row in second], plan.seed)]
    labels = {IDS[row]: 1.0 for row in [*first, *np.delete(sheet, 5)]}
    with pytest.warns(UserWarning, match="annotated up to item 5 of 12 in its sheet: 6 after the first gap are not us"):
        found = labelled_sample(plan, queue, FRAME, IDS, labels, partly=True)
    assert found.rows.tolist() == sorted([*first, *sheet[:5]])
    read = np.bincount(queue.strata[found.rows], minlength=5)
    drawn = read > 0
    np.testing.assert_allclose(found.weights[drawn], (np.array(plan.units) / np.maximum(read, 1))[drawn])
    begun = draw_plan(FRAME, 20, 0, "random")
    sheet = begun.queue(FRAME).first(begun.read[0])
    sheet = sheet[blind_order([IDS[row] for row in sheet], 0)]
    with pytest.warns(UserWarning, match="part 1 of the plan is annotated up to item 1 of 20 in its sheet$"):
        found = labelled_sample(begun, begun.queue(FRAME), FRAME, IDS, {IDS[sheet[0]]: 0.0}, partly=True)
    assert (found.rows.tolist(), found.weights.tolist()) == ([sheet[0]], [60])
    with pytest.raises(InputError, match="found no label of"):
        labelled_sample(begun, begun.queue(FRAME), FRAME, IDS, {IDS[sheet[1]]: 0.0}, partly=True)


def test_documents_are_a_sample_as_wholes_with_the_weights_of_their_phases():
    unit = np.arange(60) // 3
    frame = Frame([f"u{number}" for number in range(20)], FRAME.q, unit)
    plan = draw_plan(frame, 10, 0, "two-phase")
    queue = plan.queue(frame)
    plan = extend_plan(plan, frame, queue, np.zeros(len(queue.first(plan.read[-1]))))
    pilot, whole = (frame.rows_of(queue.first(read)) for read in plan.read)
    labels = {IDS[row]: 0.0 for row in whole}
    for rows, phases in ((whole, 2), (pilot, 1)):
        made = replace(plan, read=plan.read[:phases])
        if phases == 1:
            del labels[next(IDS[row] for row in whole if row not in pilot)]
            with pytest.warns(UserWarning, match="part 2 of the plan is not complete"):
                found = labelled_sample(plan, queue, frame, IDS, labels, partly=True)
        else:
            found = labelled_sample(plan, queue, frame, IDS, labels)
        assert found.rows.tolist() == rows.tolist()
        np.testing.assert_array_equal(found.expansion, made.unit_weights(queue)[unit[rows]])
        np.testing.assert_array_equal(found.stratum, queue.strata[unit])


def test_part_of_a_corpus_has_the_labels_of_that_part():
    rows = np.array([1, 4, 5, 8])
    sample = replace(
        simple_random_sample(9, rows, np.array([1.0, 0, 1, 1])), unit=np.arange(9) // 2, expansion=np.arange(4.0)
    )
    part = restricted(sample, np.arange(9) >= 4)
    assert (part.rows.tolist(), part.y.tolist()) == ([0, 1, 4], [0, 1, 1])
    assert (part.unit.tolist(), part.expansion.tolist(), part.weights.tolist()) == ([2, 2, 3, 3, 4], [1, 2, 3], [2.25])
