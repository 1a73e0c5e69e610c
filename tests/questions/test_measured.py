"""`nlpcalib.calibrate` returns what the instrument measures, under the names that people use."""

import json
import subprocess
import sys

import numpy as np
import pandas
import pytest
from matplotlib.figure import Figure
from scipy import special
from sklearn.metrics import brier_score_loss, log_loss

import nlpcalib as nc
from nlpcalib.calibration import METHODS, Categories, Pairs, Settings, SortedPairs
from nlpcalib.figures.reliability import describe_error

ONE_NUMBER = "nc.calibrate(q, y).error"


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    q = rng.beta(0.3, 0.8, 2000)
    return q, rng.random(2000) < q**1.3


@pytest.fixture
def classes():
    rng = np.random.default_rng(1)
    q = rng.dirichlet(np.ones(4) * 0.5, 1500)
    return q, (q.cumsum(axis=1) > rng.random(1500)[:, None]).argmax(axis=1)


@pytest.fixture
def days():
    """Predictions of 80 days, whose errors differ from day to day, in the order of time."""
    rng = np.random.default_rng(3)
    day = np.arange(2000) // 25
    q = rng.beta(1, 1.5, 2000)
    y = rng.random(2000) < special.expit(special.logit(q) + rng.normal(0, 1.5, 80)[day])
    dates = np.datetime64("2024-01-01") + day
    return pandas.DataFrame({"q": q, "y": y.astype(int), "date": dates.astype(str)})


def test_one_number_takes_at_most_forty_characters(table):
    q, y = table
    assert len(ONE_NUMBER) <= 40
    assert eval(ONE_NUMBER) == METHODS["bias_corrected_rms/score"](SortedPairs(q, y), Settings()).value


def test_units_change_the_interval_and_not_the_order_of_rows(table):
    q, y = table
    unit = [f"d{row // 20}" for row in range(q.size)]
    report = nc.calibrate(nc.read(q, y=y, unit=unit))
    assert report.estimate.interval == "cluster_score"
    assert report.units == 100
    order = np.random.default_rng(1).permutation(q.size)
    again = nc.calibrate(nc.read(q[order], y=y[order], unit=[unit[row] for row in order]))
    assert again.interval == pytest.approx(report.interval, abs=1e-12)


@pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")
def test_the_papers_method_has_the_papers_bins_and_interval():
    rng = np.random.default_rng(2)
    q = rng.random(20_000)
    y = rng.random(20_000) < q
    report = nc.calibrate(q, y, method="paper", seed=3)
    expected = METHODS["adaptive_rms/algorithm2"](SortedPairs(q, y), Settings(seed=3))
    assert (report.error, *report.interval) == (expected.value, expected.low, expected.high)
    assert (report.bins, report.summary["bin_size"], report.summary["samples"]) == (4, 5000, 10_000)


def test_a_lower_level_is_a_narrower_interval(table):
    wide, narrow = (nc.calibrate(*table, level=level).interval for level in (0.95, 0.8))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_kin_have_their_usual_values(table):
    q, y = table
    report = nc.calibrate(q, y)
    place = np.minimum((q * 15).astype(int), 14)
    gaps = np.abs(np.bincount(place, y - q, 15))
    assert report.ece == pytest.approx(gaps.sum() / q.size)
    assert report.brier == pytest.approx(brier_score_loss(y, q))
    assert report.log_loss == pytest.approx(log_loss(y, q))


def test_classes_are_measured_by_top_label_and_one_by_one(classes):
    q, y = classes
    report = nc.calibrate(nc.read(q, y=y, classes=list("dacb")))
    top = nc.calibrate(q.max(axis=1), q.argmax(axis=1) == y)
    assert (report.error, report.interval, report.ece) == (top.error, top.interval, top.ece)
    by_hand = Pairs(
        q.ravel(),
        (y[:, None] == np.arange(4)).ravel(),
        Categories(np.tile([3, 0, 2, 1], 1500), tuple("abcd")),
        Categories(np.repeat(np.arange(1500), 4), tuple(f"{row:04}" for row in range(1500))),
    )
    expected = METHODS["bias_corrected_rms/cluster_score"](
        SortedPairs(by_hand.q, by_hand.y, by_hand.unit.codes), Settings()
    )
    assert report.class_wise.interval == (expected.low, expected.high)
    assert sorted(row["predicted"] for row in report.by_class) == list("abcd")
    assert report.lines()[0].startswith(
        f"1,500 predictions of the likeliest class, {np.sum(q.argmax(axis=1) == y):,} right"
    )
    column = nc.calibrate(q[:, 0], y == 0)
    row = next(row for row in report.class_wise.by_class if row["predicted"] == "d")
    assert (row["n"], row["positives"]) == (1500, column.positives)
    assert row["error"] == pytest.approx(column.error, abs=1e-9)


def test_few_distinct_values_have_a_bin_each():
    rng = np.random.default_rng(3)
    q = rng.integers(5, 11, 400) / 10
    report = nc.calibrate(q, rng.random(400) < q)
    np.testing.assert_allclose(report.calibration.bins.mean_prediction, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    np.testing.assert_array_equal(report.calibration.bins.size, np.unique(q, return_counts=True)[1])


def test_the_title_of_the_figure_names_a_level_that_is_not_the_published_one(table):
    assert describe_error(nc.calibrate(*table).calibration).endswith(" bins")
    assert describe_error(nc.calibrate(*table, level=0.9).calibration).endswith(" bins, 90 % interval")


def test_the_package_lists_what_it_offers():
    assert {name for name in dir(nc) if not name.startswith("__")} == set(nc.__all__)


@pytest.mark.filterwarnings("ignore:A and B have the same predictions:nlpcalib.InputWarning")
def test_reports_which_hold_arrays_can_be_compared_and_put_into_a_set(table):
    one, other = nc.calibrate(*table), nc.calibrate(*table)
    assert one != other
    assert (
        len(
            {
                one,
                other,
                nc.compare(nc.read(table[0], y=table[1]), nc.read(table[0], y=table[1])),
                nc.recalibrate(*table, method="temperature"),
            }
        )
        == 4
    )


def test_a_report_saves_draws_and_prints_itself(table, tmp_path):
    q, y = table
    report = nc.calibrate(nc.read(q, y=y, predicted=np.where(np.arange(q.size) % 2, "a", "b_c")))
    report.save(tmp_path)
    assert json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))["n"] == 2000
    axes = Figure().subplots()
    assert report.plot(axes) is axes
    assert axes.lines
    assert "\n" not in repr(report)
    assert f"{report.error:.4f}"[1:] in repr(report)
    assert "<table>" in report._repr_html_()


def test_a_plot_leaves_the_users_figures_and_backend_alone(table):
    from matplotlib import pyplot as plt

    mine = plt.figure()
    backend = plt.get_backend()
    nc.calibrate(*table).plot()
    assert plt.fignum_exists(mine.number)
    assert plt.get_backend() == backend
    plt.close("all")


def test_saving_leaves_the_users_figures_alone(table, tmp_path):
    from matplotlib import pyplot as plt

    mine = plt.figure()
    nc.calibrate(*table).save(tmp_path)
    assert plt.fignum_exists(mine.number)
    plt.close("all")


def test_the_headline_names_an_error_that_only_the_test_of_a_line_shows():
    rng = np.random.default_rng(3)
    odds = rng.normal(-3, 4, 200)
    report = nc.calibrate(1 / (1 + np.exp(-odds)), rng.random(200) < 1 / (1 + np.exp(-odds / 2)))
    assert report.interval[0] == 0
    headline = report.lines()[1]
    assert headline.endswith("; intercept and slope show an error (Cox's test, p = .008, at a level of 2.5 %)")
    assert "none is shown" not in headline
    assert report.advice() == "recalibrate, then measure again"


def test_advice_follows_from_the_interval(table):
    q, y = table
    rng = np.random.default_rng(4)
    assert nc.calibrate(q, y).advice().startswith("recalibrate")
    assert "no significant error" in nc.calibrate(q, rng.random(q.size) < q).advice()
    assert "label more" in nc.calibrate(q[:30], np.arange(30) < 4).advice()
    assert "found 4 positive" in nc.calibrate(q[:30], np.arange(30) < 4).advice()


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"method": "best"}, "method: found 'best', expected one of score, bootstrap, paper, adaptive_rms"),
        ({"level": 1.0}, "level: found 1.0"),
        ({"level": 0.9, "method": "paper"}, "level: found 0.9, expected .95"),
        ({"bin_size": 0}, "bin size: found 0"),
        ({"method": "bias_corrected_rms/cluster_score"}, "expected the unit of each pair"),
    ],
)
def test_what_cannot_be_measured_is_one_line(table, named, message):
    with pytest.raises(nc.InputError, match=message) as caught:
        nc.calibrate(*table, **named)
    assert "\n" not in str(caught.value)


def test_importing_the_front_door_loads_no_library():
    code = (
        "import sys, nlpcalib; dir(nlpcalib); "
        "print([name for name in ('numpy', 'scipy', 'matplotlib', 'spacy', 'pyarrow') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.filterwarnings("ignore:.*was softmax or sigmoid applied twice:nlpcalib.InputWarning")  # so timid is one
@pytest.mark.parametrize(
    ("slope", "direction"),
    [
        (2.0, "too high at .75–1; too low at 0–.25 (too extreme)"),
        (0.4, "too high at .25–.5; too low at .5–.75 (too timid)"),
    ],
)
def test_both_ends_have_one_direction_in_words(slope, direction):
    z = np.repeat(np.random.default_rng(0).choice([-1, 1], 4000) * 1.5, 2)
    y = np.random.default_rng(1).random(z.size) < 1 / (1 + np.exp(-z))
    assert nc.calibrate(1 / (1 + np.exp(-slope * z)), y).direction.endswith(f"; {direction}")


def test_predictions_that_are_too_high_everywhere_are_not_called_extreme():
    q = np.random.default_rng(0).random(20_000)
    y = np.random.default_rng(1).random(q.size) < 0.6 * q
    assert nc.calibrate(q, y).direction.endswith("; too high at 0–.25, .25–.5, .5–.75, .75–1")


@pytest.mark.filterwarnings("ignore:.*all 2,000 labels are:nlpcalib.InputWarning")
@pytest.mark.parametrize(
    ("positives", "share"),
    [(2000, "100 %"), (1999, "99.95 %"), (930, "46 %"), (44, "2.2 %"), (1, "0.05 %"), (0, "0 %")],
)
@pytest.mark.filterwarnings("ignore:labels do not follow q:nlpcalib.InputWarning")
def test_the_share_of_positives_is_100_percent_of_all_alone(positives, share):
    q = np.random.default_rng(0).random(2000)
    found = nc.calibrate(q, np.arange(2000) < positives).lines()[0]
    assert found == f"2,000 pairs, {positives:,} positive ({share})"


def test_a_unit_that_has_most_of_the_rows_is_named():
    random = np.random.default_rng(12)
    q = random.random(2000)
    y, block = random.random(2000) < q, (np.arange(2000) // 50).astype(str)
    with pytest.warns(nc.InputWarning, match="column unit: 'a' has 1,200 of 2,000 rows"):
        report = nc.calibrate(nc.read(q, y=y, unit=np.where(np.arange(2000) < 1200, "a", block)))
    assert any(line.startswith("unit a has 60 % of the rows: ") for line in report.lines())
    assert not any(line.startswith("unit ") for line in nc.calibrate(nc.read(q, y=y, unit=block)).lines())


def test_the_answer_in_words_measures_labels_once_and_no_summary(table, monkeypatch):
    q, y = table
    label = ["ab"[row % 2] for row in range(q.size)]
    report = nc.calibrate(nc.read(q, y=y, predicted=label))
    monkeypatch.setattr("nlpcalib.questions.calibration_report.measure", None)
    assert "classes: 2" in "\n".join(report.lines())
    found = report.by_class
    monkeypatch.undo()
    monkeypatch.setattr("nlpcalib.calibration.by_class.cox_line", None)
    assert report.calibration.by_class == found
    monkeypatch.undo()
    assert nc.calibrate(nc.read(q, y=y, predicted=label)).calibration.by_class == found


@pytest.mark.parametrize(("unit", "assumed"), [(None, "2,000 rows"), ("date", "80 units")])
def test_the_interval_names_what_it_takes_to_be_independent(unit, assumed, days, recwarn):
    named = {"unit": None if unit is None else days[unit]}
    data, drawn = (nc.read(days, **named, plan=plan) for plan in (None, np.full(len(days), 0.5)))
    other = nc.read(days.assign(q=days["q"] ** 2), **named)
    clause = f" if the {assumed} are independent"
    asked = {
        f"{clause}) over ": lambda: nc.calibrate(data), f"{clause}) over": lambda: nc.calibrate(drawn),
        f"95 % intervals hold{clause}": lambda: nc.compare(data, other),
    }  # fmt: skip
    for sentence, question in asked.items():
        recwarn.clear()
        assert any(sentence in line for line in question().lines())
        alike = [each for each in recwarn if "next to each other in time err alike" in str(each.message)]
        assert bool(alike) == (unit is None)


def test_rows_that_do_not_stand_in_the_order_of_time_are_not_compared_with_their_neighbours(days, recwarn):
    nc.calibrate(days.rename(columns={"date": "period"}))
    nc.calibrate(days.assign(date=days["date"][::-1].to_numpy()))
    nc.calibrate(days.assign(date="2024-01-01"))
    nc.calibrate(days.assign(date="soon"))
    assert not [each for each in recwarn if "in time" in str(each.message)]


def test_bins_and_line_together_show_an_error_that_is_not_there_in_one_of_twenty_tables():
    """Each has half of the level. Where an interval begins above 0 and neither shows an error, the headline says so."""
    shown, between = 0, 0
    for seed in range(300):
        rng = np.random.default_rng([4, seed])
        q = 1 / (1 + np.exp(-3.5 * rng.normal(size=200)))
        report = nc.calibrate(q, rng.random(200) < q)
        recalibrate, low = report.advice().startswith("recalibrate"), report.interval[0]
        shown += recalibrate
        if low > 0 and not recalibrate:
            between += 1
            assert "; at a level of 2.5 % each, neither bins (p = ." in report.lines()[1]
            assert report.advice() == "label more, then measure again"
    assert shown <= 300 * 0.05 + 8
    assert between > 0
