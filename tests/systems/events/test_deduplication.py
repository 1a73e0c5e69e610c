"""What counts once: copies of a report, a day, a pair of countries on a day; and events by when they happened."""

import datetime

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from reproduction.events.storage import counted_events, document_dates, read_copies, write_events

MAY = np.datetime64("2014-05-01")


def table(rows: list[tuple[str, int, str, str]]) -> EventTable:
    """Return a table of documents, days of May, countries and samples."""
    samples = np.array([[digit == "1" for digit in row[3]] for row in rows])
    return EventTable(
        documents=np.array([row[0] for row in rows]),
        dates=MAY + np.array([row[1] - 1 for row in rows], dtype="timedelta64[D]"),
        countries=np.array([row[2] for row in rows]),
        probabilities=samples.mean(axis=1),
        map_event=samples[:, 0],
        samples=samples,
    )


def test_copies_are_one_report_with_the_likeliest_probability_and_the_first_date() -> None:
    rows = table([("a", 3, "FRA", "1000"), ("b", 4, "FRA", "0110"), ("b", 4, "USA", "1000"), ("c", 4, "FRA", "1100")])
    merged = rows.of_reports({"b": ("a", MAY + 2)})
    assert merged.documents.tolist() == ["a", "a", "c"]
    assert merged.countries.tolist() == ["FRA", "USA", "FRA"]
    assert (merged.dates - MAY).astype(int).tolist() == [2, 2, 3]
    assert merged.probabilities.tolist() == [0.5, 0.25, 0.5]
    assert merged.samples[0].tolist() == [False, True, True, False]


def test_a_report_printed_again_does_not_become_more_certain() -> None:
    """A fuller report has each event of the shorter one: the union of nested events is the larger one."""
    rng = np.random.default_rng(0)
    shorter = rng.random(4000) < 0.3
    fuller = shorter | (rng.random(4000) < 0.2)
    bits = ["".join("01"[int(value)] for value in sample) for sample in (shorter, fuller, fuller)]
    rows = table([(name, 1, "FRA", bit) for name, bit in zip("abc", bits, strict=True)])
    merged = rows.of_reports({"b": ("a", MAY), "c": ("a", MAY)})
    assert merged.probabilities[0] == (shorter | fuller).mean()
    assert rows.of_days.probabilities[0] > merged.probabilities[0] + 0.2  # As if they were independent.


def test_no_copies_change_nothing() -> None:
    rows = table([("b", 3, "FRA", "1000"), ("a", 4, "FRA", "0110")])
    merged = rows.of_reports({})
    assert sorted(merged.documents.tolist()) == ["a", "b"]
    assert merged.probabilities.sum() == rows.probabilities.sum()
    assert len(rows.of_countries(["ITA"]).of_reports({"a": ("b", MAY)}).documents) == 0


def written(tmp_path, rows: list[tuple[str, int, str, tuple[str, str] | None]]) -> list:
    """Write events of two shards: document, day of May, country or dyad, first and last day."""
    for shard in (0, 1):
        events = [
            EventProbability(
                name,
                datetime.date(2014, 5, day),
                country,
                1,
                np.ones(4, np.int16),
                days=days and (datetime.date.fromisoformat(days[0]), datetime.date.fromisoformat(days[1])),
            )
            for name, day, country, days in rows[shard::2]
        ]
        write_events(tmp_path / f"{shard}.parquet", [("force", event) for event in events])
    return [tmp_path / "0.parquet", tmp_path / "1.parquet"]


def query(**keys: object) -> Query:
    return Query.from_mapping({"name": "force", "category": ["assault"], **keys})


def test_a_pair_of_countries_has_one_event_a_day_in_whatever_documents_and_shards(tmp_path) -> None:
    paths = written(
        tmp_path,
        [("a", 1, "ISR>SYR", None), ("b", 1, "ISR>SYR", None), ("c", 1, "ISR>LBN", None), ("d", 2, "ISR>SYR", None)],
    )

    def total(asked: Query, dyad: str) -> float:
        tables = counted_events(paths, asked, "month", {})
        return sum(float(each.of_countries([dyad]).probabilities.sum()) for each in tables)

    assert [total(query(), dyad) for dyad in ("ISR>SYR", "ISR>LBN")] == [3, 1]
    assert [total(query(count="days"), dyad) for dyad in ("ISR>SYR", "ISR>LBN")] == [2, 1]


def test_dates_come_in_the_parts_that_events_come_in(tmp_path) -> None:
    paths = []
    for shard, days in enumerate(("2014-05-01\n2014-05-03", "2014-05-02")):
        paths.append(tmp_path / f"{shard}.csv")
        paths[-1].write_text(f"date\n{days}\n", encoding="utf-8")
    parts = [part.astype(str).tolist() for part in document_dates(paths, query())]
    assert parts == [["2014-05-01", "2014-05-03"], ["2014-05-02"]]
    (whole,) = document_dates(paths, query(count="days"))
    assert whole.astype(str).tolist() == [*parts[0], *parts[1]]


def test_a_report_that_is_printed_on_another_day_is_no_second_event_of_a_pair(tmp_path) -> None:
    paths = written(tmp_path, [("a", 1, "ISR>SYR", None), ("b", 2, "ISR>SYR", None)])
    copies = {"b": ("a", MAY)}
    for asked, number in ((query(count="days"), 2), (query(deduplicate="copies", count="days"), 1)):
        (whole,) = counted_events(paths, asked, "month", copies)
        assert len(whole.documents) == number


def test_an_event_counts_when_it_happened_if_that_is_one_period(tmp_path) -> None:
    days = [
        ("2014-04-30", "2014-04-30"),  # yesterday
        ("2014-04-28", "2014-05-04"),  # last week
        ("2014-04-01", "2014-04-30"),  # last month
        None,
    ]
    paths = written(tmp_path, [(f"d{place}", 5, "FRA", each) for place, each in enumerate(days)])

    def dates(asked: Query, period: str) -> list[str]:
        tables = list(counted_events(paths, asked, period, {}))
        found = dict(zip(*(np.concatenate([getattr(each, name) for each in tables]) for name in ("documents", "dates")),
                         strict=True))  # fmt: skip
        return [str(found[name]) for name in sorted(found)]

    assert dates(query(), "month") == ["2014-05-05"] * 4
    assert dates(query(date="event"), "month") == ["2014-04-30", "2014-05-05", "2014-04-01", "2014-05-05"]
    assert dates(query(date="event"), "quarter") == ["2014-04-30", "2014-04-28", "2014-04-01", "2014-05-05"]


def test_events_before_the_first_document_are_counted_apart(tmp_path) -> None:
    paths = written(tmp_path, [("a", 5, "FRA", ("1914-08-01", "1914-08-31")), ("b", 5, "FRA", None)])
    asked = query(date="event", deduplicate="copies")
    day = np.array(["2014-05-05", "2014-05-05"], "datetime64[D]")
    counts = count_events(zip([day], counted_events(paths, asked, "month", {}), strict=True), "month", own_dates=True)
    assert counts.before_documents == 1
    assert sum(cell.exact.mean for cell in counts.cells.values()) == 2
    with pytest.raises(InputError, match="found 1 documents with events in 1914-08, expected at most the 0"):
        count_events(zip([day], counted_events(paths, asked, "month", {}), strict=True), "month")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,copy_of\na,b\n", "found no column first_date, expected document, copy_of, first_date"),
        ("document,copy_of,first_date\na,b,May\n", "row 1, first_date: found 'May', expected a day such as"),
        ("document,copy_of,first_date\na,b,\n", "row 1, first_date: found '', expected a day such as"),
    ],
)
def test_another_table_of_copies_is_refused(tmp_path, text: str, message: str) -> None:
    (tmp_path / "copies.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_copies(tmp_path / "copies.csv")


@pytest.mark.parametrize("key", [{"deduplicate": "week"}, {"count": "weeks"}, {"deduplicate": []}, {"date": "report"}])
def test_other_ways_to_count_are_refused(key: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"query force, {next(iter(key))}: found"):
        query(**key)
