"""One line from arrays to a number with its interval."""

import warnings

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning

RANDOM = np.random.default_rng(9)
Q = RANDOM.beta(0.3, 2, 4000)
Y = RANDOM.random(4000) < Q


def test_labels_may_be_a_mapping_or_an_array_with_gaps():
    rows = RANDOM.choice(4000, 200, replace=False)
    gaps = np.full(4000, np.nan)
    gaps[rows] = Y[rows]
    found = nc.estimate(nc.read(Q, {int(row): int(Y[row]) for row in rows}))
    assert found.whole == nc.estimate(nc.read(Q, gaps)).whole
    assert found.low <= Y.sum() <= found.high
    groups = nc.estimate(nc.read(Q, gaps), by=np.where(np.arange(4000) < 1000, "a", "b"))
    assert [groups.groups[name].items for name in "ab"] == [1000, 3000]


def test_samples_with_unequal_probabilities_hold_and_are_unbiased():
    inclusion = np.clip(0.02 + 0.3 * np.sqrt(Q * (1 - Q)), 0, 1)
    held, error = [], []
    for _ in range(60):
        drawn = RANDOM.random(4000) < inclusion
        found = nc.estimate(nc.read(Q, np.where(drawn, Y, np.nan), plan=inclusion))
        held.append(found.low <= Y.sum() <= found.high)
        error.append(found.total - Y.sum())
    assert np.mean(held) >= 0.9
    assert abs(np.mean(error)) < 4 * np.std(error) / np.sqrt(60)


def test_items_without_a_chance_are_in_the_interval_as_all_and_none():
    inclusion = np.where(Q < 0.01, 0, 0.1)
    drawn = RANDOM.random(4000) < inclusion
    found = nc.estimate(nc.read(Q, np.where(drawn, Y, np.nan), plan=inclusion))
    assert found.high - found.low > np.count_nonzero(Q < 0.01)
    assert any("could not be drawn" in note for note in found.whole.notes)


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match=r"y: found an array of shape \(2,\), expected \(4000,\)"):
        nc.estimate(nc.read(Q, [0, 1]))
    with pytest.raises(InputError, match="labels: found 4000, expected ids of rows, or their numbers from 0 to 3999"):
        nc.estimate(nc.read(Q, {4000: 1}))
    with pytest.raises(InputError, match="inclusion: found numbers that no sample has"):
        nc.estimate(nc.read(Q, {1: 1}, plan=np.zeros(4000)))


def test_forgotten_inclusion_probabilities_are_named():
    inclusion = np.clip(0.01 + Q, 0, 1)
    drawn = np.random.default_rng(5).random(4000) < inclusion
    labels = np.where(drawn, Y, np.nan)
    with pytest.warns(InputWarning, match="without a plan or its probabilities the interval does not hold"):
        nc.estimate(nc.read(Q, labels))
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        nc.estimate(nc.read(Q, labels, plan=inclusion))


def test_labels_next_to_items_without_ids_are_those_of_their_rows(tmp_path):
    random = np.random.default_rng(6)
    said = [("yes", "no")[int(random.random() < 0.8)] if row % 3 == 0 else "" for row in range(300)]
    rows = [f"it rained on day {row};{random.random():.3f};{each}" for row, each in enumerate(said)]
    path, named = tmp_path / "t.csv", tmp_path / "named.csv"
    path.write_text("text;q;label\n" + "\n".join(rows) + "\n")
    named.write_text("id;text;q;label\n" + "\n".join(f"r{row};{each}" for row, each in enumerate(rows)) + "\n")
    found, by_id = (nc.estimate(nc.read(each, each)).whole for each in (path, named))
    assert (found.total, found.low, found.high) == (by_id.total, by_id.low, by_id.high)
    other = tmp_path / "other.csv"
    other.write_bytes(path.read_bytes())
    assert nc.estimate(nc.read(path, other)).whole == found, "texts name the rows that have no ids"
    other.write_text(other.read_text().replace("text;", "words;"))
    with pytest.raises(InputError, match="expected one named 'id', which labels name rows by"):
        nc.read(path, other)


def test_agreement_is_of_the_corpus_only_where_both_read_all_of_the_sample():
    """Who reads what two others dispute agrees with neither of them as often as on the corpus."""
    random = np.random.default_rng(11)
    sample = [str(row) for row in random.choice(4000, 200, replace=False)]
    right = {name: float(Y[int(name)]) for name in sample}
    ann, bo = ({name: abs(label - (random.random() < 0.1)) for name, label in right.items()} for _ in range(2))
    eva = {name: label for name, label in right.items() if ann[name] != bo[name]}
    printed = nc.estimate(nc.read(Q, {"ann": ann, "bo": bo, "eva": eva}, id=[str(row) for row in range(4000)])).lines()
    [both] = [line for line in printed if line.startswith("ann and bo differ")]
    [chosen] = [line for line in printed if line.startswith("ann and eva differ")]
    assert "% of the corpus (95 % interval" in both
    assert "% of the items that both labelled (95 % interval" in chosen
