"""Axes of events over time name the time, whatever the span, and no mark hides what is drawn."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from nlpcalib.figures.style import BLUE, ORANGE, PALE_BLUE, PALE_ORANGE, house_style
from nlpcalib.systems.events.count.series import country_name
from nlpcalib.tables.periods import UNITS, period_label, period_start
from reproduction.events.comparison import Comparison
from reproduction.figures.countries import draw_comparison, draw_countries
from reproduction.figures.event_series import draw_figure_6

COUNTED = ("mean", "low", "high", "exact_low", "exact_high", "map_count")


def rows_of(first, number, unit, countries=("AAA",), count=2):
    return [
        {"country": country, "period": period_label(period, unit), "start": period_start(period, unit), "documents": 9}
        | dict.fromkeys(COUNTED, count)
        for country in countries
        for period in range(first, first + number)
    ]


def drawn(figure, first, number, unit):
    """Return the lowest axes of a figure of so many periods, and how many labels it has room for."""
    rows = rows_of(first, number, unit, ("AAA", "BBB"))
    if figure == "figure 6":
        return draw_figure_6(rows, [("AAA",), ("AAA", "BBB")])[0].axes[-1], 12
    if figure == "comparison":
        compared = {row["period"]: Comparison(0.5, 0.25, 0.25) for row in rows}
        return draw_comparison(rows, ("AAA", "BBB"), compared)[0].axes[-1], 12
    return draw_countries(rows, ("AAA", "BBB"))[0].axes[0], 5


FIGURES = ("figure 6", "comparison", "countries")


def labels_of(axes):
    """Return the labels in view with their places in years."""
    first, last = axes.get_xlim()
    labels = [(label.get_text(), label.get_position()[0]) for label in axes.get_xticklabels()]
    return {place: text for text, place in labels if text and first <= place <= last}


@st.composite
def spans(draw):
    """Draw the first period, their number and their unit, between one month and 200 years, from 1500 to 2300."""
    unit = draw(st.sampled_from(sorted(UNITS)))
    most = min(200 * 12 // UNITS[unit], 240)
    number = draw(st.integers(1, most) | st.integers(1, min(40, most)))
    return draw(st.integers(1500 * 12 // UNITS[unit], 2100 * 12 // UNITS[unit])), number, unit


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(FIGURES), spans())
def test_labels_name_their_places_once(figure, span):
    with house_style():
        axes, room = drawn(figure, *span)
        labels = labels_of(axes)
        assert 1 <= len(labels) <= room
        assert len(set(labels.values())) == len(labels)
        for place, text in labels.items():
            year, _, month = text.partition("-")
            assert int(year) + (int(month or 1) - 1) / 12 == pytest.approx(place, abs=1e-6)


def test_two_years_of_months_are_named_by_month():
    with house_style():
        axes = draw_countries(rows_of(2021 * 12, 24, "month"), ("AAA",))[0].axes[0]
        assert list(labels_of(axes).values()) == ["2021-01", "2021-07", "2022-01", "2022-07", "2023-01"]


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_a_single_period_is_drawn_over_all_its_length(unit):
    with house_style():
        for figure in FIGURES:
            axes, _ = drawn(figure, 2020 * 12 // UNITS[unit], 1, unit)
            first, last = axes.get_xlim()
            assert (first, last) == pytest.approx((2020, 2020 + UNITS[unit] / 12), abs=0.03 * UNITS[unit] / 12)
            assert 2020 in labels_of(axes)


@pytest.mark.parametrize(("number", "rotation"), [(24, 30), (240, 0)])
def test_months_are_turned_and_years_are_not(number, rotation):
    with house_style():
        for figure in FIGURES:
            axes, _ = drawn(figure, 2000 * 12, number, "month")
            assert {label.get_rotation() for label in axes.get_xticklabels()} == {rotation}


def boxes_overlap(first, second):
    return first.x0 < second.x1 and second.x0 < first.x1 and first.y0 < second.y1 and second.y0 < first.y1


def test_names_of_two_countries_stand_off_their_lines():
    with house_style():
        rows = rows_of(2000, 20, "year", ("AAA", "BBB"), count=9)
        compared = {row["period"]: Comparison(0.5, 0.25, 0.25) for row in rows}
        for figure, number in (
            (draw_figure_6(rows, [("AAA", "BBB")])[0], 0),
            (draw_comparison(rows, ("AAA", "BBB"), compared)[0], 0),
        ):
            figure.draw_without_rendering()
            axes = figure.axes[number]
            assert not boxes_overlap(axes.get_legend().get_window_extent(), axes.get_window_extent())
            assert figure.bbox.y1 >= axes.get_legend().get_window_extent().y1


def test_no_two_keys_of_a_comparison_look_alike():
    with house_style():
        rows = rows_of(2000, 20, "year", ("AAA", "BBB"))
        compared = {row["period"]: Comparison(0.5, 0.25, 0.25) for row in rows}
        figure, _ = draw_comparison(rows, ("AAA", "BBB"), compared)
        colours = [to_hex(patch.get_facecolor()) for patch in figure.legends[0].get_patches()]
        assert len(colours) == 3
        for first, second in itertools.combinations(colours, 2):
            apart = [abs(int(first[at : at + 2], 16) - int(second[at : at + 2], 16)) for at in (1, 3, 5)]
            assert max(apart) > 20
    plt.close("all")


def test_countries_have_their_names_and_codes_of_ones_own_stay():
    with house_style():
        figure, drawn = draw_countries(rows_of(2000, 3, "year", ("GBR", "AAA")), ("GBR", "AAA"), name=country_name)
        assert [axes.get_title(loc="left") for axes in figure.axes] == ["United Kingdom", "AAA"]
        assert {row["country"] for row in drawn} == {"GBR", "AAA"}


def test_nothing_is_drawn_below_no_events_and_no_line_joins_two_periods():
    with house_style():
        rows = [row | {"mean": 0.3, "low": -0.6, "exact_low": 0, "map_count": 0} for row in rows_of(2000, 5, "year")]
        axes = draw_figure_6(rows, [("AAA",)])[0].axes[0]
        assert axes.get_ylim()[0] == 0
        assert {line.get_linestyle() for line in axes.lines} <= {"None"}
        assert len(axes.patches) == len(rows)


def test_an_interval_without_width_is_no_line_and_only_a_sure_difference_is_in_full_colour():
    with house_style():
        rows = rows_of(2000, 3, "year", ("AAA", "BBB"))
        rows[0] |= {"exact_high": 3}
        rows[2] |= {"exact_high": 3}
        compared = {row["period"]: Comparison(p, 0, 1 - p) for row, p in zip(rows, (0.96, 0.5, 0.04), strict=False)}
        figure, _ = draw_comparison(rows, ("AAA", "BBB"), compared)
        first = figure.axes[0].collections[0].get_segments()
        assert [low[1] == high[1] for low, high in first] == [False, True, False]
        colours = [to_hex(bar.get_facecolor()) for bar in figure.axes[1].patches]
        assert colours == [to_hex(colour) for colour in (BLUE, PALE_ORANGE, PALE_BLUE, PALE_ORANGE, PALE_BLUE, ORANGE)]


def test_panels_that_are_compared_have_one_axis():
    with house_style():
        rows = [row | {"mean": 9 if row["country"] == "BBB" else 1} for row in rows_of(2000, 5, "year", ("AAA", "BBB"))]
        for figure, _ in (draw_figure_6(rows, [("AAA",), ("BBB",)]), draw_countries(rows, ("AAA", "BBB"))):
            limits = {axes.get_ylim() for axes in figure.axes}
            assert len(limits) == 1
            assert limits.pop()[1] >= 9


def test_rates_stand_next_to_counts_where_periods_differ_in_size():
    with house_style():
        rows = rows_of(2000, 2, "year")
        assert len(draw_figure_6(rows, [("AAA",)])[0].axes) == 1
        rows[1]["documents"] = 90
        counts, rates = draw_figure_6(rows, [("AAA",)])[0].axes
        assert [patch.get_height() for patch in counts.patches] == [2, 2]
        assert [patch.get_height() for patch in rates.patches] == pytest.approx([200 / 9, 200 / 90])
        assert rates.get_ylabel() == "per 100 documents"


def test_the_legend_has_the_colours_of_single_countries_and_none_of_a_pair():
    rows = rows_of(8000, 4, "quarter", ("AAA", "BBB"))
    for panels, is_blue in (([("AAA",), ("BBB",)], True), ([("AAA",), ("AAA", "BBB")], False)):
        [legend] = draw_figure_6(rows, panels)[0].legends
        bar, interval = legend.legend_handles[:2]
        assert (to_hex(bar.get_facecolor()) == to_hex(PALE_BLUE)) == is_blue
        assert (to_hex(interval.get_color()) == to_hex(BLUE)) == is_blue
