"""The studies of regimes draw what they promise, and the score interval holds where others do not."""

from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.sampling.plan import DESIGNS
from nlpcalib.seeding import generator
from studies.simulation import study
from studies.simulation.estimation import document_errors, item_errors, judged, sample_periods, series_errors
from studies.simulation.generated import CorpusRegime
from studies.simulation.study import read_study, study_rows, summary_rows, weakest
from studies.simulation.wrong_labels import PROCEDURES, Annotators, wrong_label_rows

EACH_DESIGN = [DESIGNS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in DESIGNS[1:])]
DOCUMENTS = CorpusRegime(0.25, items=4000, smallest=2, largest=60, tail=1.4, shared_truth=0.3)


@pytest.mark.parametrize("prevalence", [0.3, 0.01])
@pytest.mark.parametrize(
    ("changes", "sum_over_truth"),
    [({}, (0.95, 1.05)), ({"blind": 0.3}, (0.5, 0.9)), ({"slope": 0.5}, (1.05, 20)), ({"useless": True}, (0.95, 1.05))],
)
def test_corpora_have_their_prevalence_and_only_the_calibrated_model_reports_it(prevalence, changes, sum_over_truth):
    drawn = [CorpusRegime(prevalence, **changes).draw(generator(seed, "corpus"))[:2] for seed in range(30)]
    assert np.mean([y.mean() for _, y in drawn]) == pytest.approx(prevalence, rel=0.08)
    low, high = sum_over_truth
    assert low < np.mean([q.mean() for q, _ in drawn]) / prevalence < high
    correlation = np.mean([np.corrcoef(q, y)[0, 1] for q, y in drawn])
    assert (correlation > 0.3) == ("useless" not in changes)


def test_prevalence_moves_with_the_season_and_a_step_loses_positive_items_from_its_period_on():
    regime = CorpusRegime(0.2, items=200_000, periods=12, season=0.8, change="step", lost=0.6)
    q, y, _, period = regime.draw(generator(0, "step"))
    truth, found = np.bincount(period, y), np.bincount(period, q)
    assert truth.max() > 2 * truth.min()
    ratio = found / truth
    assert ratio[6:].mean() < 0.8 * ratio[:6].mean()


def test_labels_and_scores_of_a_document_are_alike_as_far_as_is_asked():
    regime = replace(DOCUMENTS, items=100_000, shared_errors=0.8, blind=0.0)
    q, y, document, _ = regime.draw(generator(0, "documents"))
    log_odds = np.log(q / (1 - q)) - 9 * (y - 0.5)
    pairs = document[1:] == document[:-1]
    assert np.corrcoef(log_odds[1:][pairs], log_odds[:-1][pairs])[0, 1] == pytest.approx(0.8, abs=0.03)
    assert 0.1 < np.corrcoef(y[1:][pairs], y[:-1][pairs])[0, 1] < 0.3
    sizes = np.bincount(document)
    assert (sizes[:-1].min(), sizes.max()) == (2, 60)


@pytest.mark.parametrize("design", EACH_DESIGN)
def test_the_difference_estimator_is_unbiased_and_the_score_interval_holds(design):
    regime = replace(DOCUMENTS, prevalence=0.05, blind=0.3, design=design, effort=0.3)
    found = {name: judged(*each) for name, each in item_errors(regime, 400, generator(3, design)).items()}
    # Choosing the second phase by the pilot's labels biases all estimators a little.
    tolerance = 4 * found["active"]["rmse"] / np.sqrt(400) + (8 if design == "two-phase" else 0)
    assert abs(found["active"]["bias"]) < tolerance
    assert found["score"]["coverage"] >= 0.93
    assert found["score"]["coverage"] > found["ppi++"]["coverage"]


@pytest.mark.parametrize("design", EACH_DESIGN)
def test_intervals_of_whole_documents_hold(design):
    [errors] = document_errors(replace(DOCUMENTS, design=design), 60, generator(3, design)).values()
    assert judged(*errors)["coverage"] >= 0.85


def test_intervals_of_groups_hold_in_most_periods():
    regime = CorpusRegime(0.1, periods=20, change="step", lost=0.3)
    found = {name: judged(*each) for name, each in series_errors(regime, 6, generator(1, "series")).items()}
    assert found["groups"]["coverage"] >= 0.93
    assert found["groups"]["width"] < 0.83 * found["score, each period"]["width"]


def test_the_worst_regimes_are_drawn_again_and_only_what_they_show_then_is_the_worst(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "REPEATED_REGIMES", 2)
    rows = study_rows("items", 5, 4, 1)
    write_csv(tmp_path / "items.csv", rows)
    read = read_study(tmp_path / "items.csv")
    first = {row["number"]: row["coverage"] for row in read if row["method"] == "score" and not row["again"]}
    again = {row["number"]: row["coverage"] for row in read if row["method"] == "score" and row["again"]}
    assert len(first) == 5
    assert sorted(first[number] for number in again) == sorted(first.values())[:2]
    summary = {row["method"]: row for row in summary_rows(read)}
    assert summary["score"]["worst"] == min(again.values())
    assert summary["score"]["mean"] == pytest.approx(np.mean(list(first.values())))
    assert read_csv(tmp_path / "items.csv") != []
    write_csv(tmp_path / "other.csv", study_rows("items", 5, 4, 1))
    assert (tmp_path / "items.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_the_weakest_part_is_the_one_where_coverage_was_made_low():
    random = generator(0, "weakest")
    rows = [{"number": n, "blind": random.random(), "change": "dip" if n % 3 else "none"} for n in range(300)]
    for row in rows:
        row["coverage"] = 0.95 - 0.1 * (row["blind"] > 2 / 3)
    assert weakest(rows)[:2] == ("blind", "high")


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("kind", ["both ways", "misses"])
def test_annotators_err_as_often_as_is_asked_and_each_item_has_one_label(procedure, kind):
    """Of items with the answers of three annotators, counted one by one."""
    random = np.random.default_rng(8)
    annotators = Annotators(procedure, kind, 0.1)
    drawn = np.zeros((1, 2, 40), dtype=np.int64)
    drawn[0, :, 7] = 400_000, 200_000
    answers = annotators.annotate(drawn, random)[0, :, 7]
    assert answers.sum() == 600_000
    right = np.repeat([True, False], (400_000, 200_000))
    flips = random.random((3, 600_000)) < np.where(right | (kind == "both ways"), 0.1, 0)
    votes = right ^ flips
    disputed = votes[0] != votes[1]
    if procedure == "one":
        expected = [votes[0].sum(), (~votes[0]).sum(), 0]
    elif "open" in procedure:
        agreed = votes[0][~disputed]
        expected = [agreed.sum(), (~agreed).sum(), disputed.sum()]
    else:
        majority = votes.sum(axis=0) >= 2
        expected = [majority.sum(), (~majority).sum(), 0]
    assert answers == pytest.approx(np.array(expected), abs=5 * np.sqrt(600_000 * 0.25))


def test_wrong_labels_move_the_estimate_as_far_as_they_must_and_a_third_annotator_brings_it_back():
    """If labels are turned with probability e, the estimate aims at p + e (1 − 2p)."""
    rows = {row["annotators"]: row for row in wrong_label_rows(0.05, "both ways", 0.05, 400, replicates=200, seed=2)}
    for name, wrong in (("one", 0.05), ("two and a third", 3 * 0.05**2 - 2 * 0.05**3)):
        row = rows[name]
        assert row["bias"] == pytest.approx(wrong * 0.9, abs=4 * row["rmse"] / np.sqrt(200) + 0.003)
    assert rows["one"]["coverage"] < 0.2 < 0.5 < rows["two and a third"]["coverage"]
    assert rows["two, disputes open"]["coverage"] > 0.95
    assert rows["two and a third, same cost"]["items"] == 191
    [right] = wrong_label_rows(0.05, "misses", 0.0, 100, replicates=100, seed=2)
    assert right["coverage"] >= 0.93


def test_items_with_higher_predictions_are_positive_more_often_in_every_period():
    random = generator(1, "series")
    q, y, _, period = CorpusRegime(0.1, periods=20).draw(random)
    cells, truth = sample_periods(q, y, period, 2000, random), np.bincount(period, y)
    predicted = cells.predicted / np.maximum(cells.size, 1)
    assert cells.size.sum(axis=1) == pytest.approx(np.bincount(period))
    assert np.abs(cells.predicted.sum(axis=1) / truth - 1).max() < 0.3
    often = cells.positive.sum(axis=0) / np.maximum(cells.read.sum(axis=0), 1)
    assert np.corrcoef(predicted.mean(axis=0), often)[0, 1] > 0.5


def test_the_error_of_a_coverage_is_that_of_two_more_replicates_that_hold_and_two_that_do_not():
    """So that it is not 0 where all intervals hold (Agresti and Coull 1998)."""
    low = np.r_[np.full(9, -1.0), 0.5]
    found = judged(np.zeros(10), low, np.ones(10))
    assert found["coverage"] == 0.9
    assert found["coverage_se"] == pytest.approx(np.sqrt(11 / 14 * 3 / 14 / 14))
