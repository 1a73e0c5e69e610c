"""Every figure can be drawn of about ten rows, and its numbers stand next to it."""

import importlib
import inspect
import itertools
import pkgutil

import numpy as np
import pytest
from matplotlib.legend import Legend
from matplotlib.text import Text

import nlpcalib.figures
import reproduction.figures
import studies
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.figures.intervals import draw_classes, draw_intervals, draw_periods
from nlpcalib.figures.judge import draw_judge
from nlpcalib.figures.reliability import draw_curve, draw_curves, draw_distribution, draw_reliability
from nlpcalib.figures.style import house_style
from nlpcalib.io.files import DATA_NOTE, read_csv
from nlpcalib.systems.events import count
from nlpcalib.systems.events.count.figure import draw_bars, draw_counts, draw_nothing
from reproduction.events.comparison import Comparison
from reproduction.figures.ablation import draw_ablation, draw_thesis
from reproduction.figures.bin_size import draw_bin_counts, draw_bin_size
from reproduction.figures.coref import draw_figure_5, draw_sampling
from reproduction.figures.countries import draw_comparison, draw_countries
from reproduction.figures.event_series import draw_country, draw_figure_6, draw_panel
from reproduction.figures.extraction_eval import (
    draw_answers,
    draw_bias_by_category,
    draw_categories,
    draw_estimates,
    draw_levels,
    draw_saving,
)
from reproduction.figures.models import MODEL_STYLES
from reproduction.figures.panels import draw_stages
from reproduction.figures.phrases import draw_phrases
from reproduction.figures.published import draw_published_curve, draw_published_curves, draw_published_series
from reproduction.figures.section7 import draw_em, draw_smooth_curves
from reproduction.figures.sentiment import draw_figure_2
from reproduction.figures.simulation import draw_betas, draw_synthetic
from reproduction.figures.tagging import (
    draw_figure_1,
    draw_figure_3,
    draw_figure_4,
    draw_figure_4_stages,
)
from studies.estimation.figures import draw_estimated_series
from studies.real_tasks.figures import draw_real_tasks
from studies.simulation.figures import draw_regimes
from studies.tuning.figures import draw_candidates, draw_regularisation, draw_smoothing

TEN = np.linspace(0.05, 0.95, 10)
Q = np.repeat(TEN, 4)
Y = np.tile([True, False, True, True], 10)


@pytest.fixture(scope="module")
def calibration():
    pairs = Pairs(Q, Y, Categories(np.zeros(40, np.int32), ("NN",)), None)
    return measure_calibration(pairs, bin_size=4, samples=20, seed=0)


def numbered(columns, **others):
    """Return ten rows with numbers from .05 to .95 in some columns, and the same others in each."""
    return [dict.fromkeys(columns.split(), float(value)) | others for value in TEN]


def candidates(columns):
    return [row | {"chosen": number == 3} for number, row in enumerate(numbered(columns))]


def labels():
    columns = "error_hmm low_hmm high_hmm corrected_hmm error_crf low_crf high_crf corrected_crf"
    return [row | {"label": f"T{number}"} for number, row in enumerate(numbered(columns))]


def periods(*countries):
    columns = "documents mean low high exact_low exact_high map_count"
    return [
        row | {"country": country, "period": str(year), "start": f"{year}-01-01"}
        for country in countries
        for year, row in enumerate(numbered(columns), 1990)
    ]


def synthetic():
    columns = "score expected bin_error redrawn_low redrawn_high truth pairs bin_size"
    return [
        row | {"varied": varied, "predictor": predictor}
        for varied in ("doubled", "stepped", "growing")
        for predictor in ("calibrated", "distorted")
        for row in numbered(columns)
    ]


def categories():
    shares = ("answer_given_truth", "truth_given_answer", "expected_level")
    columns = "answer_share leads " + " ".join(f"{name}{end}" for name in shares for end in ("", "_low", "_high"))
    return [row | {"category": f"c{n}", "level": float(n - 4)} for n, row in enumerate(numbered(columns))]


def models():
    columns = "accuracy noise_floor refinement published_error published_low published_high error error_low error_high"
    return [row | {"model": f"m{n}", "title": f"m{n}", "tag": "NN"} for n, row in enumerate(numbered(columns))]


def verdicts():
    columns = "corrected low high judge_alone labels_alone"
    measures = [f"{name}{end}" for name in ("sensitivity", "specificity") for end in ("", "_low", "_high")]
    rows = numbered(f"{columns} {' '.join(measures)}", items=9, labels=4)
    return [row | {"group": f"s{number}" * bool(number)} for number, row in enumerate(rows)]


FIGURES = {
    draw_thesis: lambda c, **style: draw_thesis(
        dict.fromkeys(("HMM", "CRF-Basic", "CRF-Advanced"), c),
        dict.fromkeys(("HMM", "CRF-Basic", "CRF-Advanced"), 0.9), tag="NN", **style,
    ),
    draw_ablation: lambda _: draw_ablation(models(), [f"m{n}" for n in range(10)]),
    draw_bin_size: lambda _: draw_bin_size(
        {"a": [row | {"bin_size": 100 * (n + 1), "chosen": n == 3, "noise_floor": floor}
               for n, row in enumerate(numbered("value low high")) for floor in (0.1, None)]},
        title="sizes", truth={"a": 0.2},
    ),
    draw_bin_counts: lambda _: draw_bin_counts(
        [row | {"bins": 10 * (n + 1), "n": 1000, "recommended": n == 3, "curve": "x", "density": "y"}
         for n, row in enumerate(numbered("rmse hidden hidden_equal_mass"))]
    ),
    draw_figure_5: lambda c, **style: draw_figure_5(
        dict.fromkeys(("likelihood", "softmax_margin", "gold_mentions"), c),
        dict.fromkeys(("likelihood", "softmax_margin", "gold_mentions"), TEN / 100), **style,
    ),
    draw_sampling: lambda _: draw_sampling(TEN, TEN**2, numbered("samples largest rmse independent_rmse"), 10),
    draw_real_tasks: lambda _: draw_real_tasks(
        [
            {"of": "total", "task": f"task {n}", "method": method, "replicates": 400, "width": 0.1 * (n + 1)}
            | {"coverage": 0.9 + n / 100, "coverage_se": 0.01}
            for n in range(10)
            for method in ("random", "planned", "PPI++", "labels alone")
        ]
    ),
    draw_regimes: lambda _: draw_regimes(
        [row | {"kind": kind, "method": "score", "again": 0, "number": n, "replicates": 40}
         for kind in ("items", "series") for n, row in enumerate(numbered("coverage coverage_se width rmse"))]
    ),
    draw_smooth_curves: lambda _: draw_smooth_curves(
        [row | {"regime": "wave-uniform-independent", "curve": curve}
         for curve in ("bins", "Gaussian process") for row in numbered("prediction truth value low high")]
    ),
    draw_em: lambda _: draw_em(
        [row | {"labelled": 100, "expectations": "exact"} for row in numbered("iteration accuracy confidence")]
    ),
    draw_counts: lambda _: draw_counts(periods("A", "B"), ["A", "B"], "given the model"),
    draw_figure_6: lambda _: draw_figure_6(
        periods("AAA", "BBB"), [("AAA",), ("AAA", "BBB")],
        {(country, str(year)): 1 for country in ("AAA", "BBB") for year in range(1990, 2000)},
    ),
    draw_countries: lambda _: draw_countries(periods("AAA", "BBB"), ("AAA", "BBB")),
    draw_comparison: lambda _: draw_comparison(
        periods("AAA", "BBB"), ("AAA", "BBB"), {str(y): Comparison(0.5, 0.25, 0.25) for y in range(1990, 2000)}
    ),
    draw_intervals: lambda _: draw_intervals(
        [row | {"group": f"g{n}", "items": 1} for n, row in enumerate(numbered("predicted total low high"))], 0.95
    ),
    draw_judge: lambda _: draw_judge(verdicts(), 0.95),
    draw_periods: lambda _: draw_periods(
        [row | {"group": str(1990 + n), "items": 1} for n, row in enumerate(numbered("predicted total low high"))], 0.95
    ),
    draw_estimated_series: lambda _: draw_estimated_series(
        [row | {"estimate": row["mean"], "read": 3, "truth": "1"} for row in periods("any", "AAA")], ("any", "AAA")
    ),
    draw_bias_by_category: lambda _: draw_bias_by_category({"machine": categories()}, {"machine": {"c1": 0.5}}),
    draw_levels: lambda _: draw_levels(categories()),
    draw_answers: lambda _: draw_answers(
        {"truth": [{"truth": t, "answer": m, "answer_given_truth": 0.25} for t in "abc" for m in "abc"]}, list("abc"),
    ),
    draw_published_curves: lambda c: draw_published_curves({"HMM": c.bins}, {"HMM": "Acc = 90%"}),
    draw_published_series: lambda _: draw_published_series(periods("AAA", "BBB"), [("AAA", "BBB")], columns=1),
    draw_categories: lambda _: draw_categories(categories()),
    draw_estimates: lambda _: draw_estimates(categories(), categories(), {"c1": 0.5}),
    draw_saving: lambda _: draw_saving(
        [row | {"measure": "both", "category": "c1", "design": "random"} for row in numbered("leads relative_rmse")]
    ),
    draw_figure_2: lambda c, **style: draw_figure_2({"naive_bayes": c, "logistic_regression": c}, c, **style),
    draw_classes: lambda _: draw_classes(
        [
            row | {"predicted": f"l{n}", "n": 100}
            for n, row in enumerate(numbered("positives error error_low error_high p_holm"))
        ],
        level=0.95,
    ),
    draw_regularisation: lambda _: draw_regularisation(
        dict.fromkeys(
            ("naive_bayes", "logistic_regression"), candidates("value f1 calibration_error excess_confidence")
        )
    ),
    draw_synthetic: lambda _, **style: draw_synthetic(synthetic(), beta=(0.5, 0.5), **style),
    draw_betas: lambda _: draw_betas({"a": synthetic()}, {"a": (0.5, 0.5)}),
    draw_figure_1: lambda _, **style: draw_figure_1(
        SortedPairs(Q, Y), tag="NN", model="crf", bin_size=4, **style
    ),
    draw_figure_3: lambda c, **style: draw_figure_3({"hmm": c, "crf": c}, **style),
    draw_stages: lambda c: draw_stages(
        {"hmm": (c, c), "crf": (c, c)}, {"hmm": "HMM", "crf": "CRF"}, MODEL_STYLES, height=3.9
    ),
    draw_figure_4: lambda _, **style: draw_figure_4(labels(), labels(), models=("hmm", "crf"), frequent=100, **style),
    draw_figure_4_stages: lambda _: draw_figure_4_stages(
        {"before": (labels(), labels()), "after": (labels(), labels())}, models=("hmm", "crf"), frequent=100
    ),
    draw_phrases: lambda _: draw_phrases(
        [
            {"model": model, "phrase": phrase, "query": "best path", "score": score, "recalibration": "temperature",
             "length": length, "error": 0.1, "number": 100}
            for model in ("hmm", "crf") for phrase in ("ADJP", "NP") for score in ("exact", "mean") for length in "123"
        ],
        titles=["HMM", "CRF"],
    ),
    draw_smoothing: lambda _: draw_smoothing(
        dict.fromkeys(("hmm", "crf"), candidates("value accuracy calibration_error underconfident_share"))
    ),
}  # fmt: skip
PARTS = {
    draw_bars, draw_candidates, draw_country, draw_curve, draw_curves, draw_distribution, draw_panel, draw_reliability,
    draw_nothing, draw_published_curve,
}  # fmt: skip
"""What other figures are made of, and what is drawn where there are no rows."""


OTHER_FIGURES = {
    draw for draw in FIGURES
    if draw.__module__.startswith(("reproduction", "studies")) and not draw.__name__.startswith("draw_figure_")
}  # fmt: skip
"""Those of neither the library nor the paper: a whole run draws them, too."""
BOTH_STYLES = [
    *(pytest.param(draw, {}, marks=pytest.mark.slow if draw in OTHER_FIGURES else ()) for draw in FIGURES),
    *((draw, {"published": True}) for draw in FIGURES if "published" in inspect.signature(draw).parameters),
]


@pytest.mark.parametrize(
    ("draw", "style"), BOTH_STYLES, ids=lambda each: each.__name__ if callable(each) else "".join(each) or "house"
)
def test_a_figure_of_ten_rows_is_drawn_in_its_panels_and_its_numbers_are_written(draw, style, calibration, tmp_path):
    with house_style("paper" if style else "house") as save:
        figure, rows = FIGURES[draw](calibration, **style)
        assert all(axes.has_data() for axes in figure.axes)
        save(tmp_path / "figure", figure, rows)
        for axes in figure.axes:
            for text in filter(Text.get_text, axes.findobj(Text)):
                if text.get_text() in (axes.get_title(), axes.get_title("left")):
                    assert text.get_window_extent().x1 <= axes.bbox.x1 + 1, f"{text.get_text()!r} leaves its panel"
    assert len(read_csv(tmp_path / "figure.csv")) == len(rows) >= 9


@pytest.mark.parametrize("draw", [draw_thesis, draw_figure_5, draw_figure_3], ids=lambda each: each.__name__)
def test_labels_of_neighbouring_panels_do_not_overprint_each_other(draw):
    """On stretched axes, which predictions near 0 ask for."""
    pairs = Pairs(Q**12, Y, Categories(np.zeros(40, np.int32), ("NN",)), None)
    skewed = measure_calibration(pairs, bin_size=4, samples=20, seed=0)
    with house_style():
        figure, _ = FIGURES[draw](skewed)
        figure.canvas.draw()
        labels = [axes.xaxis.label for axes in figure.axes if axes.get_xlabel()]
        assert any("stretched" in label.get_text() for label in labels)
        boxes = [label.get_window_extent() for label in labels]
        assert not [pair for pair in itertools.combinations(boxes, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.parametrize("draw", [draw_thesis, draw_figure_5, draw_figure_3, draw_figure_2], ids=lambda d: d.__name__)
def test_a_histogram_is_exactly_as_wide_as_the_curve_above_it(draw, calibration):
    with house_style():
        figure, _ = FIGURES[draw](calibration)
        for _ in range(2):
            figure.draw_without_rendering()
        columns: dict[int, list] = {}
        for axes in figure.axes:
            columns.setdefault(axes.get_subplotspec().colspan.start, []).append(axes.bbox)
        for boxes in columns.values():
            assert len(boxes) >= 2
            assert np.ptp([(box.x0, box.x1) for box in boxes], axis=0) == pytest.approx(0, abs=1)


@pytest.mark.parametrize("draw", [draw_sampling, draw_ablation, draw_figure_6, draw_saving], ids=lambda d: d.__name__)
def test_the_note_below_a_figure_stays_clear_of_its_legend(draw, tmp_path, monkeypatch):
    """In the file, whose bounding box is larger than the figure."""
    drawn = {}

    def recorded(draw_artist):
        def draw_and_record(artist, renderer, *args, **options):
            drawn[artist] = artist.get_window_extent(renderer)
            draw_artist(artist, renderer, *args, **options)

        return draw_and_record

    with house_style() as save:
        figure, rows = FIGURES[draw](None)
        note = DATA_NOTE.set("Simulated text")
        monkeypatch.setattr(Legend, "draw", recorded(Legend.draw))
        monkeypatch.setattr(Text, "draw", recorded(Text.draw))
        save(tmp_path / "figure", figure, rows)
        DATA_NOTE.reset(note)
    (legend,) = figure.legends
    (text,) = (text for text in figure.texts if text.get_text() == "Simulated text")
    assert not drawn[legend].overlaps(drawn[text])


def test_a_heat_map_of_answers_has_every_pair_and_nothing_where_nothing_is_known():
    seen = {("a", "a"): 0.75, ("a", "b"): 0.25, ("b", "b"): 1.0, ("c", "c"): None}
    joint = [{"truth": t, "answer": m, "answer_given_truth": share} for (t, m), share in seen.items()]
    with house_style():
        figure, rows = draw_answers({"truth": joint}, ["c", "b", "a"])
        [image] = figure.axes[0].images
        assert np.array_equal(image.get_array().filled(-1), [[-1, -1, -1], [0, 1, 0], [0, 0.25, 0.75]])
        assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["c", "b", "a"]
    shares = {(row["truth"], row["answer"]): row["answer_given_truth"] for row in rows}
    assert len(rows) == len(shares) == 9
    assert shares["a", "b"] == 0.25
    assert shares["b", "a"] == 0.0


def test_every_function_that_draws_is_tried_here():
    found = set()
    modules = [
        each
        for package in (nlpcalib.figures, count, reproduction.figures, studies)
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    for module in modules:
        members = inspect.getmembers(importlib.import_module(module.name), inspect.isfunction)
        found |= {each for name, each in members if name.startswith("draw_") and each.__module__ == module.name}
    assert found == FIGURES.keys() | PARTS
