"""Counts and series of events against counting by hand, closed forms and simulation."""

import numpy as np
import pytest
from scipy import stats

from nlpcalib.errors import InputError
from nlpcalib.figures.style import house_style
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.tables.periods import period_label, period_start
from reproduction.events.comparison import compare_countries
from reproduction.events.count_tables import count_agreement, first_samples
from reproduction.events.series import count_series
from reproduction.figures.countries import draw_comparison, draw_countries
from reproduction.figures.event_series import draw_figure_6

DATES = np.array(
    ["1990-01-05", "1990-02-01", "1990-03-31", "1990-04-01", "1990-12-31", "1990-12-31"], dtype="datetime64[D]"
)
ROWS = [
    # document, country, probability, best, samples
    (0, "IRQ", 0.5, True, "1100"),
    (0, "USA", 0.25, False, "0010"),
    (1, "IRQ", 0.75, True, "1011"),
    (2, "IRQ", 1.0, True, "1111"),
    (3, "IRQ", 0.0, False, "0000"),
    (5, "USA", 0.5, True, "0101"),
]


def table(rows=ROWS, dates=DATES):
    return EventTable(
        documents=np.array([f"d{row[0]}" for row in rows]),
        dates=np.array([dates[row[0]] for row in rows], dtype="datetime64[D]"),
        countries=np.array([row[1] for row in rows]),
        probabilities=np.array([row[2] for row in rows], dtype=float),
        map_event=np.array([row[3] for row in rows]),
        samples=np.array([[digit == "1" for digit in row[4]] for row in rows], dtype=bool).reshape(
            len(rows), -1 if rows else 4
        ),
    )


def drawn(rng, *, documents, periods, mean, samples=100, countries=("AAA",)):
    """Return the dates of all documents and independent events whose probabilities vary."""
    dates = np.datetime64("1990-01") + 3 * (np.arange(documents) % periods).astype("timedelta64[M]")
    size = documents * len(countries)
    probabilities = rng.beta(0.5, 0.5 / mean - 0.5, size)
    return dates, EventTable(
        documents=np.repeat(np.arange(documents).astype(str), len(countries)),
        dates=np.repeat(dates, len(countries)),
        countries=np.tile(countries, documents),
        probabilities=probabilities,
        map_event=probabilities >= 0.5,
        samples=rng.random((size, samples)) < probabilities[:, None],
    )


def test_counts_and_series_are_those_counted_by_hand():
    counts = count_events([(DATES, table())], "quarter")
    assert counts.countries == ("IRQ", "USA")
    rows = {(row["country"], row["period"]): row for row in count_series(counts)}
    assert list(rows) == [(country, f"1990Q{q}") for country in ("IRQ", "USA") for q in (1, 2, 3, 4)]
    row = rows["IRQ", "1990Q1"]
    # n = 3, 2, 2, 2 in the four samples; probabilities .5, .75 and 1.
    assert (row["start"], row["documents"], row["map_count"]) == ("1990-01-01", 3, 3)
    assert row["mean"] == 2.25
    assert row["sd"] == pytest.approx(0.5)
    assert row["low"] == pytest.approx(2.25 - 0.98)
    assert row["high"] == pytest.approx(2.25 + 0.98)
    assert row["exact_mean"] == 2.25
    assert row["exact_sd"] == pytest.approx((0.25 + 0.1875) ** 0.5)
    assert (row["exact_low"], row["exact_high"]) == (1, 3)
    assert (row["rate"], row["rate_low"], row["rate_high"]) == (0.75, pytest.approx(1 / 3), 1.0)


def test_periods_without_events_or_documents_are_present_with_zero():
    rows = {(row["country"], row["period"]): row for row in count_series(count_events([(DATES, table())], "quarter"))}
    impossible, empty = rows["IRQ", "1990Q2"], rows["USA", "1990Q3"]
    for row in (impossible, empty):
        kept = {name: row[name] for name in ("mean", "sd", "low", "high", "exact_low", "exact_high", "map_count")}
        assert set(kept.values()) == {0}
    assert (impossible["documents"], impossible["rate"]) == (1, 0.0)
    assert (empty["documents"], empty["rate"], empty["rate_high"]) == (0, None, None)


def test_countries_asked_for_are_present_without_a_row_of_their_own():
    rows = count_series(count_events([(DATES, table())], "year"), ["FRA", "IRQ"])
    assert [(row["country"], row["period"], row["documents"], row["mean"]) for row in rows] == [
        ("FRA", "1990", 6, 0.0),
        ("IRQ", "1990", 6, 2.25),
    ]


@pytest.mark.parametrize(
    ("date", "month", "quarter", "year", "decade"),
    [
        ("1990-12-31", "1990-12", "1990Q4", "1990", "1990s"),
        ("1969-12-31", "1969-12", "1969Q4", "1969", "1960s"),
        ("1790-01-08", "1790-01", "1790Q1", "1790", "1790s"),
        ("2000-01-01", "2000-01", "2000Q1", "2000", "2000s"),
    ],
)
def test_a_date_falls_into_its_period(date, month, quarter, year, decade):
    dates = np.array([date], dtype="datetime64[D]")
    for unit, label in (("month", month), ("quarter", quarter), ("year", year), ("decade", decade)):
        (period,) = count_events([(dates, table([]))], unit).documents
        assert period_label(period, unit) == label
        start = np.datetime64(period_start(period, unit))
        assert start <= dates[0] < np.datetime64(period_start(period + 1, unit))


def test_a_corpus_without_events_has_documents_and_no_rows():
    counts = count_events([(DATES, table([]))], "quarter")
    assert sum(counts.documents.values()) == 6
    assert count_series(counts) == []
    assert count_series(count_events([], "quarter"), ["USA"]) == []


def test_ten_samples_differ_from_a_hundred_by_what_sampling_explains():
    dates, events = drawn(np.random.default_rng(6), documents=20_000, periods=40, mean=0.01, countries=("AAA", "BBB"))
    counts = count_events([(dates, events)], "quarter")
    result = count_agreement(counts, first_samples(counts, 10))
    assert result["cells"] == 80
    # Of 10 among 100 independent samples: √(1/10 - 1/100).
    assert result["rms_in_sd"] == pytest.approx(0.3, abs=0.07)
    assert result["sd_ratio"] == pytest.approx(1, abs=0.08)
    assert count_agreement(counts, counts)["largest_difference"] == 0
    assert count_agreement(counts, counts)["correlation"] == pytest.approx(1)


def test_entities_are_counted_as_documents_are():
    entities = table()
    entities = EventTable(
        entities.documents, entities.dates, entities.countries, entities.probabilities, entities.map_event * 2,
        entities.samples.astype(np.uint8) * 2,
    )  # fmt: skip
    documents, twice = (count_events([(DATES, events)], "quarter") for events in (table(), entities))
    result = count_agreement(documents, twice)
    assert result["correlation"] == pytest.approx(1)
    assert result["mean_ratio"] == result["sd_ratio"] == pytest.approx(2)
    assert result["cells"] == 3
    # Every cell doubles, so that nothing is uncertain.
    assert (result["mean_ratio_low"], result["mean_ratio_high"]) == pytest.approx((2, 2))


def test_agreement_needs_the_same_periods_and_an_event():
    nothing = count_events([(DATES, table([]))], "quarter")
    with pytest.raises(InputError, match="no event"):
        count_agreement(nothing, nothing)
    with pytest.raises(InputError, match="by quarter and by year"):
        count_agreement(nothing, count_events([(DATES, table([]))], "year"))


def test_the_normal_interval_of_few_events_goes_below_zero_and_the_exact_one_does_not():
    dates, events = drawn(np.random.default_rng(7), documents=300, periods=30, mean=0.1)
    rows = count_series(count_events([(dates, events)], "quarter"))
    assert sum(row["low"] < 0 for row in rows) > 20
    for row in rows:
        assert 0 <= row["exact_low"] <= row["exact_mean"] <= row["exact_high"] <= row["documents"]


def test_many_events_have_the_same_interval_either_way():
    dates, events = drawn(np.random.default_rng(8), documents=4000, periods=1, mean=0.2, samples=2000)
    (row,) = count_series(count_events([(dates, events)], "year"))
    assert row["mean"] == pytest.approx(row["exact_mean"], abs=4 * row["exact_sd"] / 2000**0.5)
    assert row["sd"] == pytest.approx(row["exact_sd"], abs=4 * row["exact_sd"] / 4000**0.5)
    assert row["exact_low"] == pytest.approx(row["low"], abs=2.5)
    assert row["exact_high"] == pytest.approx(row["high"], abs=2.5)
    assert row["exact_low"] == pytest.approx(stats.norm.ppf(0.025, row["exact_mean"], row["exact_sd"]), abs=1)


def replaced(**columns):
    fine = table()
    return {name: columns.get(name, getattr(fine, name)) for name in fine.__dataclass_fields__}


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"map_event": np.zeros(5, dtype=bool)}, r"map_event of shape \(5,\), expected \(6,\)"),
        ({"samples": np.zeros((6, 1), dtype=bool)}, r"samples of shape \(6, 1\)"),
        ({"samples": np.zeros((5, 4), dtype=bool)}, r"samples of shape \(5, 4\)"),
        ({"probabilities": np.array([0.1, 0.2, 1.01, 0, 0, 0])}, "1.01 of document 'd1' and country 'IRQ'"),
        ({"probabilities": np.array([0.1, np.nan, 0.1, 0, 0, 0])}, "nan of document 'd0' and country 'USA'"),
        ({"countries": np.array(["IRQ", "IRQ", "IRQ", "IRQ", "IRQ", "USA"])}, "two rows of document 'd0'"),
    ],
)
def test_tables_that_do_not_hold_together_are_refused(columns, found):
    with pytest.raises(InputError, match=found):
        EventTable(**replaced(**columns))


def test_corpora_that_do_not_hold_together_are_refused():
    with pytest.raises(InputError, match="found 'week', expected one of month"):
        count_events([], "week")
    with pytest.raises(InputError, match="none in row 1"):
        count_events([(np.array(["1990-01-01", "NaT"], dtype="datetime64[D]"), table([]))], "month")
    with pytest.raises(InputError, match="found 3 documents with events in 1990Q1, expected at most the 2"):
        count_events([(DATES[1:], table())], "quarter")
    two = table([(0, "IRQ", 0.5, True, "11")])
    with pytest.raises(InputError, match="found 2 and 4 samples"):
        count_events([(DATES, table()), (DATES, two)], "quarter")


def test_figures_draw_the_numbers_of_the_series_and_the_truth_where_it_is_known():
    rows = count_series(count_events([(DATES, table())], "quarter"))
    truth = {(row["country"], row["period"]): number for number, row in enumerate(rows)}
    with house_style():
        for drawing in (
            draw_figure_6(rows, [("IRQ",), ("USA", "IRQ")], truth),
            draw_countries(rows, ("IRQ", "USA"), truth),
        ):
            for drawn in drawing[1]:
                assert drawn["truth"] == truth[drawn["country"], drawn["period"]]
                assert {**rows[drawn["truth"]], "truth": drawn["truth"]}.items() >= drawn.items()
        _, drawn = draw_figure_6(rows, [("IRQ",)])
        assert [row["map_count"] for row in drawn] == [3, 0, 0, 0]
        assert "truth" not in drawn[0]
        with pytest.raises(ValueError, match="zip"):
            draw_figure_6(rows, [("IRQ", "USA", "IRQ")])


def test_a_comparison_is_drawn_for_the_periods_that_have_one():
    rows = count_series(count_events([(DATES, table())], "quarter"))
    comparison = compare_countries(table(ROWS[:4]), "IRQ", "USA")["documents"]
    with house_style():
        figure, drawn = draw_comparison(rows, ("IRQ", "USA"), {"1990Q1": comparison})
    assert len(figure.axes[1].patches) == 2
    assert [(row["period"], row["first_map_count"], row["second_map_count"]) for row in drawn] == [("1990Q1", 3, 0)]
    assert drawn[0]["greater"] + drawn[0]["equal"] + drawn[0]["less"] == pytest.approx(1)
