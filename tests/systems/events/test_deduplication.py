"""What counts once: a day, and a pair of countries on a day."""

import datetime

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from reproduction.events.comparison import of_countries
from reproduction.events.storage import counted_events, document_dates, write_events

MAY = np.datetime64("2014-05-01")


def written(tmp_path, rows: list[tuple[str, int, str]]) -> list:
    """Write events of two shards: document, day of May, country or dyad."""
    for shard in (0, 1):
        events = [
            EventProbability(name, datetime.date(2014, 5, day), country, 1, np.ones(4, np.int16))
            for name, day, country in rows[shard::2]
        ]
        write_events(tmp_path / f"{shard}.parquet", [("force", event) for event in events])
    return [tmp_path / "0.parquet", tmp_path / "1.parquet"]


def query(**keys: object) -> Query:
    return Query.from_mapping({"name": "force", "category": ["assault"], **keys})


def test_a_pair_of_countries_has_one_event_a_day_in_whatever_documents_and_shards(tmp_path) -> None:
    paths = written(
        tmp_path,
        [("a", 1, "ISR>SYR"), ("b", 1, "ISR>SYR"), ("c", 1, "ISR>LBN"), ("d", 2, "ISR>SYR")],
    )

    def total(asked: Query, dyad: str) -> float:
        tables = counted_events(paths, asked)
        return sum(float(of_countries(each, [dyad]).probabilities.sum()) for each in tables)

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


@pytest.mark.parametrize("key", [{"count": "weeks"}, {"count": []}])
def test_other_ways_to_count_are_refused(key: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"query force, {next(iter(key))}: found"):
        query(**key)
