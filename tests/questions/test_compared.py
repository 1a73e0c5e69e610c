"""`nlpcalib.compare` finds the better models, and none where there is none."""

import numpy as np
import pytest
from scipy.special import expit

import nlpcalib as nc
from nlpcalib.calibration import Categories, Pairs
from nlpcalib.calibration.pairs import TOP_CLASS
from nlpcalib.errors import InputError, decimals
from nlpcalib.io.files import read_csv
from nlpcalib.questions.compare import compare_predictions


def events(rng, n=2500):
    logit = rng.normal(-1, 1.5, n)
    return logit, rng.random(n) < expit(logit)


def softmax(logits):
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def classifiers(rng, n=1500, classes=4, units=None):
    """Return logits of two models that each see half of the evidence, the classes observed, and units of rows."""
    seen = rng.normal(0, 1.3, (2, n, classes))
    unit = np.arange(n)
    shared = 0.0
    if units is not None:
        size = np.exp(rng.normal(0, 1, units))
        unit = np.unique(rng.choice(units, n, p=size / size.sum()), return_inverse=True)[1]
        shared = rng.normal(0, 0.7, (unit.max() + 1, classes))[unit]
    q = softmax(1.4 * seen.mean(axis=0) + shared)
    y = (q.cumsum(axis=1) > rng.random(n)[:, None]).argmax(axis=1)
    return seen, y, unit


def test_the_worse_model_is_found_on_either_side():
    logit, y = events(np.random.default_rng(0))
    good, bad = expit(logit), expit(2 * logit)
    report = nc.compare(nc.read(bad, y=y), nc.read(good, y=y), names=("sharp", "true"))
    mirrored = nc.compare(nc.read(good, y=y), nc.read(bad, y=y), names=("true", "sharp"))
    for one in (report, mirrored):
        assert [row["better"] for row in one.rows()] == ["true", "true"]
        assert one.verdict() == "choose true; sharp is shown worse in calibration error and log loss"
        assert one.worse("sharp") == ["calibration error", "log loss"]
    assert mirrored.rows()[0]["p_value"] == pytest.approx(report.rows()[0]["p_value"])


def test_equal_models_do_not_differ():
    logit, y = events(np.random.default_rng(1))
    with pytest.warns(nc.InputWarning, match="A and B have the same predictions: is it one model"):
        report = nc.compare(nc.read(expit(logit), y=y), nc.read(expit(logit), y=y))
    assert [row["p_value"] for row in report.rows()] == [1, 1]
    assert report.verdict() == "no difference between A and B is shown"
    assert [line.strip().split(", ")[-1] for line in report.lines() if line.startswith("  B")] == ["the same"] * 2


def test_rows_of_two_files_are_joined_by_the_column_that_an_option_names(tmp_path):
    rng = np.random.default_rng(12)
    logit, y = events(rng, 400)
    order, first, second = rng.permutation(400), tmp_path / "a.csv", tmp_path / "b.csv"
    for path, rows, factor in ((first, np.arange(400), 1), (second, order, 2)):
        lines = [f"T{row},{expit(factor * logit[row]):.6f},{int(y[row])}" for row in rows]
        path.write_text("\n".join(["ticket,q,y", *lines]) + "\n")
    with pytest.raises(InputError, match="expected the same events in the same order"):
        nc.compare(nc.read(first), nc.read(second))
    joined = nc.compare(nc.read(first, id="ticket"), nc.read(second, id="ticket"))
    by_row = nc.compare(nc.read(expit(logit).round(6), y=y), nc.read(expit(2 * logit).round(6), y=y), names=("a", "b"))
    assert joined.joined == "joined by id"
    assert [row["difference"] for row in joined.rows()] == pytest.approx([row["difference"] for row in by_row.rows()])
    with pytest.raises(InputError, match="expected one named 'key'"):
        nc.compare(nc.read(first, id="key"), nc.read(second, id="key"))


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("a/pairs.csv", "b/pairs.csv"), ("a", "b")),
        (("a/old/pairs.csv", "b/new/pairs.csv"), ("a/old", "b/new")),
        (("a/one.csv", "b/two.csv"), ("one", "two")),
        (("a/q.csv", "b/q.csv", "b/r.csv"), ("a/q", "b/q", "b/r")),
    ],
)
def test_models_are_named_by_what_differs_in_their_paths(files, names, tmp_path):
    rng = np.random.default_rng(12)
    logit, y = events(rng, 400)
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{q:.6f},{int(right)}" for q, right in zip(expit(rng.uniform(1, 2) * logit), y, strict=True)]
        (tmp_path / file).write_text("\n".join(["q,y", *lines]) + "\n")
    assert nc.compare(*(nc.read(tmp_path / file) for file in files)).names == names


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(2)
    logit, y = events(rng)
    a, b = expit(1.2 * logit).round(2), expit(logit - 0.2).round(2)
    order = rng.permutation(y.size)
    one, other = (
        nc.compare(nc.read(first, y=right), nc.read(second, y=right)).rows()
        for first, second, right in ((a, b, y), (a[order], b[order], y[order]))
    )
    for row, same in zip(one, other, strict=True):
        assert same["p_value"] == pytest.approx(row["p_value"], rel=1e-6)


def test_classifiers_that_disagree_are_each_measured_at_their_own_top_class():
    """The top class of `nc.compare` is that of `nc.calibrate`, and so are all classes."""
    (a, b), y, _ = classifiers(np.random.default_rng(3))
    models = [softmax(1.5 * a), softmax(0.8 * b), softmax(4 * a)]
    assert (models[0].argmax(axis=1) != models[1].argmax(axis=1)).mean() > 0.1
    report = nc.compare(*(nc.read(model, y=y) for model in models))
    assert [measure.name for measure in report.measures] == [
        "calibration error of the top class", "calibration error of all classes", "accuracy", "log loss",
    ]  # fmt: skip
    for number, q in enumerate(models):
        alone = nc.calibrate(q, y)
        values = [measure.values[number][0] for measure in report.measures]
        assert values[:2] == [alone.error, alone.class_wise.error]
        assert values[2] == pytest.approx(np.mean(q.argmax(axis=1) == y))
        assert values[3] == pytest.approx(-np.mean(np.log(q[np.arange(y.size), y])))
        assert f"calibration error of the top class {alone.error:.4f}".replace("0.", ".") in str(alone)
        assert f"calibration error of all classes {alone.class_wise.error:.4f}".replace("0.", ".") in str(alone)
    assert len(report.rows()) == 12
    assert report.tests == 12
    assert report.verdict().startswith("choose B; A and C are shown worse in calibration error of the top class, ")


def test_intervals_agree_with_tests_and_hold_the_difference():
    (a, b), y, unit = classifiers(np.random.default_rng(4), units=200)
    for row in nc.compare(
        nc.read(softmax(1.5 * a), y=y, unit=unit),
        nc.read(softmax(b), y=y, unit=unit),
        nc.read(softmax(0.7 * b), y=y, unit=unit),
    ).rows():
        assert row["low"] <= row["difference"] <= row["high"]
        assert bool(row["better"]) == (row["low"] > 0 or row["high"] < 0) == (row["p_adjusted"] < 0.05)


def test_the_verdict_does_not_hang_on_a_loss_that_rounding_makes_infinite():
    random = np.random.default_rng(8)
    odds = 2 * random.standard_normal(4000)
    q, y = 1 / (1 + np.exp(-2 * odds)), random.random(4000) < 1 / (1 + np.exp(-odds))
    report = nc.compare(nc.read(q.round(2), y=y), nc.read(q, y=y), names=["rounded", "exact"])
    assert np.isinf(report.measures[1].values[0][0])
    assert report.verdict() == (
        "no difference between rounded and exact is shown; log loss, infinite for rounded, does not count"
    )
    assert report.worse("rounded") == []
    assert (
        nc.compare(nc.read(q.round(6), y=y), nc.read(q, y=y), names=["rounded", "exact"]).verdict().endswith("is shown")
    )


def test_a_loss_that_is_infinite_is_stated_and_not_tested():
    (a, b), y, _ = classifiers(np.random.default_rng(5))
    q = softmax(9 * a).round(4)
    report = nc.compare(nc.read(q / q.sum(axis=1, keepdims=True), y=y), nc.read(softmax(b), y=y))
    loss = report.rows()[-1]
    assert (loss["value_first"], loss["p_value"], loss["better"]) == (np.inf, None, "")
    assert "log loss" not in report.worse(report.names[0])
    assert report.verdict().endswith(f"; log loss, infinite for {report.names[0]}, does not count")
    impossible = np.count_nonzero(q[np.arange(len(y)), y] == 0)
    assert any(f"infinite: what was observed had probability 0 in {impossible} rows" in line for line in report.lines())


def test_a_model_that_divides_small_probabilities_is_not_better_because_no_event_came():
    """By Student's t of the losses the second model was shown better in nine of ten such tables."""
    for seed in range(12):
        rng = np.random.default_rng([9, seed])
        q = expit(rng.normal(-2.5, 2, 500))
        y = rng.random(500) < q
        report = nc.compare(nc.read(q, y=y), nc.read(np.where(q < 0.005, q / 100, q), y=y))
        assert report.verdict() == "no difference between A and B is shown"
        true = report.rows()[1]
        assert true["low"] < -0.0007 < true["high"]


@pytest.mark.filterwarnings("ignore:labels do not follow:nlpcalib.InputWarning")  # of a model without skill
@pytest.mark.parametrize("classes", [2, 3])
def test_a_model_that_rules_out_what_another_expects_is_not_shown_better(classes):
    rng = np.random.default_rng(10)
    q = softmax(rng.normal(0, 1, (400, classes)))
    y = (q.cumsum(axis=1) > rng.random(400)[:, None]).argmax(axis=1)
    worse, sure = softmax(rng.normal(0, 1, (400, classes))), q.copy()
    rare = int(np.argmax(y == 0))
    sure[rare] = np.eye(classes)[0]  # the class that came
    report = nc.compare(nc.read(worse, y=y), nc.read(sure, y=y), names=["worse", "sure"])
    loss = report.rows()[-1]
    assert loss["difference"] > 0.1
    assert (loss["low"], loss["p_value"], loss["better"]) == (-np.inf, 1, "")
    assert any("sure gives probability 0 to what another model expects, in 1 row:" in line for line in report.lines())
    assert any(line.endswith("to no limit)") for line in report.lines())
    assert report.values()[-1]["high"] == np.inf
    swapped = nc.compare(nc.read(q, y=y), nc.read(sure, y=y), names=["q", "sure"]).rows()[-1]
    assert swapped["better"] == ""


def test_a_model_that_rules_things_out_can_be_shown_worse():
    rng = np.random.default_rng(11)
    logit = rng.normal(-1, 1.5, 2500)
    q, y = expit(logit), rng.random(2500) < expit(logit)
    sharp = expit(2.5 * logit)
    sharp[(sharp < 0.0001) & ~y] = 0
    report = nc.compare(nc.read(q, y=y), nc.read(sharp, y=y))
    assert report.measures[1].ruled_out[1] > 5
    assert report.rows()[1]["better"] == "A"
    assert report.rows()[1]["low"] == -np.inf


def test_all_is_saved(tmp_path):
    (a, b), y, _ = classifiers(np.random.default_rng(6), classes=3)
    report = nc.compare(
        nc.read(softmax(a), y=y, classes=["x", "y", "z"]),
        nc.read(softmax(b), y=y, classes=["x", "y", "z"]),
        nc.read(softmax(3 * b), y=y, classes=["x", "y", "z"]),
    )
    report.save(tmp_path)
    labels = read_csv(tmp_path / "by_class.csv")
    assert {row["predicted"] for row in labels} == {"x", "y", "z"}
    assert len(labels) == 9
    assert {row["model"] for row in read_csv(tmp_path / "reliability.csv")} == {"A", "B", "C"}
    assert len(read_csv(tmp_path / "comparison.csv")) == len(read_csv(tmp_path / "models.csv")) == 12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.array([1, 0, 0])}, "row 2: found y True in one and False in the other"),
        ({"q": np.array([0.5, 0.5]), "y": np.array([1, 1]), "unit": None}, "found 3 and 2 rows"),
        ({"unit": Categories(np.array([0, 1, 1]), ("a", "c"))}, "row 2: found unit b in one and c in the other"),
    ],
)
def test_tables_of_other_events_are_refused(change, message):
    columns = {
        "q": np.array([0.1, 0.2, 0.3]),
        "y": np.array([1, 1, 0]),
        "unit": Categories(np.array([0, 1, 1]), ("a", "b")),
    }
    with pytest.raises(nc.InputError, match=message):
        compare_predictions([Pairs(**columns), Pairs(**{**columns, **change})])


def test_right_answers_may_differ_where_each_model_has_its_own():
    rng = np.random.default_rng(7)
    q = rng.uniform(0.5, 1, (2, 800))
    tables = [Pairs(one, rng.random(800) < one, view=TOP_CLASS) for one in q]
    assert [measure.name for measure in compare_predictions(tables).measures][1] == "accuracy"


def test_too_few_events_are_not_tested():
    report = nc.compare(nc.read([0.1] * 30, y=np.arange(30) < 3), nc.read([0.2] * 30, y=np.arange(30) < 3))
    assert report.rows()[0]["p_value"] is None
    with pytest.raises(nc.InputError, match="found predictions of 1 model, expected 2 to 10"):
        nc.compare(nc.read([0.1], y=[1]))


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0123, ".0123"), (-0.5, "-.5000"), (-1e-9, ".0000"), (10.2, "10.2000"), (0.99999, "1.0000")]
)
def test_a_number_keeps_its_size_in_words(value, shown):
    """A log loss of 10.2 is not 1.2."""
    assert decimals(value) == shown


def test_too_few_units_are_named_and_nothing_is_tested():
    (a, b), y, _ = classifiers(np.random.default_rng(3), n=200)
    report = nc.compare(
        nc.read(softmax(a), y=y, unit=np.arange(200) % 2), nc.read(softmax(b), y=y, unit=np.arange(200) % 2)
    )
    assert report.tests == 0
    assert {(row["low"], row["p_value"], row["better"]) for row in report.rows()} == {(None, None, "")}
    assert "not tested" in report.verdict() or "too few" in report.verdict()


def test_models_outside_two_to_ten_are_refused():
    with pytest.raises(nc.InputError, match="found predictions of 11 models, expected 2 to 10"):
        nc.compare(*[nc.read([0.5, 0.5], y=[0, 1])] * 11)


@pytest.mark.slow
@pytest.mark.parametrize("units", [None, 60])
def test_equally_wrong_classifiers_are_told_apart_in_at_most_one_call_of_twenty(units):
    """All eight intervals of a call hold together; each model has seen half of what decides a class."""
    rng = np.random.default_rng(8)
    found = 0
    for _ in range(200):
        (a, b), y, unit = classifiers(rng, n=1000, units=units)
        found += any(
            row["better"]
            for row in nc.compare(
                nc.read(softmax(1.5 * a), y=y, unit=unit), nc.read(softmax(1.5 * b), y=y, unit=unit)
            ).rows()
        )
    assert found <= 18  # 10 expected at most, the 99 % quantile of a binomial is 18
