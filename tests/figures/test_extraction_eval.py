"""Figures draw what they are given, and say so beside them."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgba

from nlpcalib.figures.style import house_style, save_figure
from nlpcalib.io.files import read_csv
from reproduction.extraction_eval import Scale, evaluate, measures, per_category
from reproduction.extraction_eval.population import draw_random_samples, draw_samples, simulated_population
from reproduction.extraction_eval.study import saving_rows
from reproduction.figures.extraction_eval import draw_bias_by_category, draw_categories, draw_estimates, draw_saving


def test_figures_and_their_numbers(tmp_path):
    population, weights = simulated_population(4000, 6, skew=50, accuracy=(0.4, 0.9), seed=0)
    scale = replace(Scale.of({f"c{number}": 0.0 for number in range(1, 6)}), weights=weights)
    rng = np.random.default_rng(0)
    counts = draw_samples(population, per_category(population.sizes, 3), 1, rng)[0]
    plain = draw_random_samples(population, 20, 1, rng)[0]
    rows, random = (
        evaluate(population.sample_of(each, stratified=stratified), scale, samples=200, seed=0).categories
        for each, stratified in ((counts, True), (plain, False))
    )
    truth = {
        f"c{number}": population.truth_of(measures.answer_given_truth(6, number, number)) for number in range(1, 6)
    }
    error = saving_rows(population, {("both", 5): measures.both(6, 5, 5)}, (1, 2), replicates=50, seed=0)
    with house_style():
        for name, (figure, drawn) in {
            "figure_1": draw_bias_by_category({"machine": rows, "U1": random}, {"machine": truth}),
            "estimates": draw_estimates(rows, random, truth),
            "saving": draw_saving(error),
        }.items():
            save_figure(tmp_path / name, figure, drawn)
            assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    estimates = read_csv(tmp_path / "estimates.csv")
    assert {row["category"]: float(row["truth"]) for row in estimates} == truth
    shares = [float(row["answer_share"]) for row in estimates]
    assert shares == sorted(shares, reverse=True)
    by_category = {row["category"]: row for row in rows}
    for row in estimates:
        assert row["naive"] == str(by_category[row["category"]]["truth_given_answer"])
    levels = read_csv(tmp_path / "figure_1.csv")
    assert {row["who"] for row in levels} == {"machine", "U1"}
    assert [float(row["level"]) for row in levels if row["who"] == "machine"] == weights[1:].tolist()


@pytest.mark.parametrize(
    ("levels", "end"), [((-10, 7.4, 0), 10), ((-5, 3, 0), 10), ((100, -50, 0), 100), ((-1, 0.5, 0), 1), ((0, 0, 0), 10)]
)
def test_the_scale_reaches_to_goldsteins_ends_or_to_where_ones_own_does(levels, end):
    rows = [
        {"category": str(number), "level": level, "leads": 5, "expected_level": level, "expected_level_low": level,
         "expected_level_high": level}
        for number, level in enumerate(levels)
    ]  # fmt: skip
    categories, _ = draw_categories(rows)
    bar = categories.axes[1]
    assert bar.get_ylim() == (-end, end)
    assert bar.get_yticks().tolist() == [-end, -end / 2, 0, end / 2, end]
    colours = [to_rgba(patch.get_facecolor()) for patch in categories.axes[0].patches]
    assert len(set(colours)) == len(set(levels))
    figure_1, _ = draw_bias_by_category({"machine": rows})
    names = [label.get_text() for label in figure_1.axes[0].get_yticklabels()]
    ordered = sorted(enumerate(levels), key=lambda each: -each[1])
    assert names == [f"{number} ({level:g})".replace("(-", "(−") for number, level in ordered]
    plt.close("all")


@pytest.mark.parametrize("value", [None, 2.0])
def test_a_category_without_an_estimate_stands_back_and_is_explained(value):
    rows = [
        {"category": category, "level": level, "expected_level": level if category == "meet" else value,
         "expected_level_low": -9.0, "expected_level_high": 7.0}
        for category, level in (("meet", 1.0), ("yield", 2.0))
    ]  # fmt: skip
    figure, drawn = draw_bias_by_category({"machine": rows})
    known, other = figure.axes[0].collections
    unknown = value is None
    assert (other.get_zorder() < known.get_zorder()) is unknown
    assert (to_rgba(other.get_color()[0]) != to_rgba(known.get_color()[0])) is unknown
    assert ("no estimate" in [text.get_text() for text in figure.legends[0].get_texts()]) is unknown
    assert [(row["category"], row["expected_level"]) for row in drawn] == [("meet", 1.0), ("yield", value)]
    plt.close("all")


@pytest.mark.parametrize("truth", [None, {"c1": 0.7, "c2": 0.2}])
def test_the_truth_is_a_line_through_the_row_of_its_category_and_has_a_key(truth):
    columns = "answer_given_truth", "truth_given_answer"
    rows = [
        {"category": name, "answer_share": 0.1, "level": 1.0}
        | {f"{column}{end}": 0.5 for column in columns for end in ("", "_low", "_high")}
        for name in ("c1", "c2")
    ]  # fmt: skip
    figure, drawn = draw_estimates(rows, None, truth)
    assert [row.get("truth") for row in drawn] == ([0.7, 0.2] if truth else [None, None])
    keys = [
        text.get_text()
        for legend in (*figure.legends, figure.axes[0].get_legend())
        if legend
        for text in legend.get_texts()
    ]
    assert any("truth" in key for key in keys) == (truth is not None)
    lines = [
        path.vertices for each in figure.axes[0].collections for path in each.get_paths() if len(path.vertices) == 2
    ]
    for place, value in enumerate((truth or {}).values()):
        assert any((line[:, 0] == value).all() and line[:, 1].min() < place < line[:, 1].max() for line in lines)
