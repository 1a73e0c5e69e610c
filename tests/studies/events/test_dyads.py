"""Who does it to whom: sources and targets of a model, and the tables and figures made of them."""

import csv
import datetime
import logging
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from nlpcalib.io.files import write_csv
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.count.series import DyadRow, dyad_rows
from nlpcalib.systems.events.learn.candidates import forms_of, pair_candidates
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.learn.reading import learnt_events
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.dated import DatedText
from reproduction.events.comparison import ComparisonRow, comparison_rows
from reproduction.events.series import SeriesRow, count_series
from reproduction.events.storage import write_events
from studies.events.dyads import largest_pairs

LEXICON = load_lexicon(["packaged", "cities", "actors"])
REPORTS = Path(__file__).parents[2] / "data" / "events" / "fresh_reports.csv"


def text(body: str) -> DatedText:
    return DatedText("d", datetime.date(2014, 5, 1), body, {})


def pairs(body: str) -> dict[str, set[str]]:
    found = pair_candidates(text(body), LEXICON, forms_of(["attack"]))
    return {one.country: set(one.features) for one in found}


def test_every_source_and_target_of_one_sentence_or_the_next_is_a_candidate() -> None:
    near = pairs("Israel attacked Syria. France objected.")
    assert set(near) == {f"{one}>{other}" for one in ("ISR", "SYR", "FRA") for other in ("ISR", "SYR", "FRA")}
    far = pairs("Israel attacked Syria. It rained. France objected.")
    assert set(near) - set(far) == {"ISR>FRA", "FRA>ISR", "SYR>FRA", "FRA>SYR"}
    assert not pairs("Israel visited Syria.")


def test_source_and_target_are_told_apart_by_order_voice_and_prepositions() -> None:
    active, passive = pairs("Israel attacked Syria."), pairs("Syria was attacked by Israel.")
    assert "forth inside attack active" in active["ISR>SYR"]
    assert "back inside attack active" in active["SYR>ISR"]
    assert "back inside attack passive" in passive["ISR>SYR"]
    assert not [each for each in active["ISR>SYR"] if "israel" in each or "syria" in each]


def test_dyads_have_the_stated_probability_and_none_without_weights() -> None:
    targets = EventModel("x", "", ("attack",), -1, {"forth inside attack": 2})
    model = EventModel("x", "", ("attack",), 0.5, {"right attack": 1.5}, targets=targets)
    _, dyads = learnt_events(text("Israel attacked Syria."), model, LEXICON, samples=1000)
    found = {each.country: each for each in dyads}
    assert found["ISR>SYR"].probability == pytest.approx(expit(2) * expit(1))
    assert found["SYR>ISR"].probability == pytest.approx(expit(0.5) * expit(-1))
    assert abs((found["ISR>SYR"].samples > 0).mean() - expit(2) * expit(1)) <= 1e-3
    assert not learnt_events(text("Israel attacked Syria."), EventModel("x", "", ("attack",)), LEXICON)[1]


@pytest.mark.parametrize("category", ["assault", "sanction"])
@pytest.mark.parametrize("only_acts", [False, True])
def test_no_pair_is_likelier_than_its_source(category: str, only_acts: bool) -> None:
    model, most = read_model(category), 0.0
    with REPORTS.open(encoding="utf-8", newline="") as file:
        reports = [text(row["text"]) for row in csv.DictReader(file)]
    for report in reports:
        events, dyads = learnt_events(report, model, LEXICON, only_acts=only_acts)
        of_source = {each.country: each.probability for each in events}
        for each in dyads:
            assert each.probability <= of_source[each.country.split(">")[0]]
            most = max(most, each.probability)
    assert most > 0.5


@pytest.mark.parametrize(
    ("category", "body", "dyad", "other"),
    [
        ("assault", "Israeli warplanes bomb a village in southern Lebanon, killing five people.", "ISR>LBN", "LBN>ISR"),
        ("sanction", "The United States imposes sanctions on North Korea over its tests.", "USA>PRK", "PRK>USA"),
    ],
)
def test_packaged_models_know_who_acts_against_whom_in_plain_sentences(category, body, dyad, other) -> None:
    _, dyads = learnt_events(text(body), read_model(category), LEXICON)
    found = {each.country: each.probability for each in dyads}
    assert found[dyad] > 0.5 > 0.2 > found[other]


def test_pairs_have_both_directions_once() -> None:
    assert largest_pairs(["A>B", "C>C", "B>A", "A>C"], 3) == [("A>B", "B>A"), ("C>C",), ("A>C", "C>A")]


def test_a_corpus_without_a_dyad_gets_empty_tables_with_columns_and_a_figure(tmp_path, caplog):
    """A small corpus may have no dyad, and its other results are good."""
    write_csv(tmp_path / "documents.csv", [{"document": "a", "date": datetime.date(1999, 5, 1), "selected": True}])
    write_events(tmp_path / "dyads.parquet", [])
    tables = [tmp_path / name for name in ("dyads.csv", "series.csv", "comparison.csv")]
    script = Path(__file__).parents[3] / "studies/scripts/events/event_dyads.py"
    settings = {
        "query": {"name": "force", "category": ["assault"]},
        "period": "year",
        "number": 6,
    }
    with caplog.at_level(logging.WARNING):
        runpy.run_path(str(script))["main"](
            [tmp_path / "documents.csv"],
            [tmp_path / "dyads.parquet"],
            *tables,
            str(tmp_path / "figure.png"),
            **settings,
        )
    assert "query force: found no dyad in 1 documents" in caplog.text
    assert all(len(table.read_text(encoding="utf-8").splitlines()) == 1 for table in tables)
    assert tables[0].read_text(encoding="utf-8").strip().split(",") == list(DyadRow.__annotations__)
    assert (tmp_path / "figure.png").stat().st_size


def test_columns_of_an_empty_table_are_those_of_its_rows():
    documents = np.array(["a"])
    table = EventTable(documents, np.array(["1999-05-01"], "datetime64[D]"), np.array(["IRN>IRQ"]), np.ones(1),
                       np.ones(1, bool), np.ones((1, 2), bool))  # fmt: skip
    counts = count_events([(table.dates, table)], "year")
    pair = ("IRN>IRQ", "IRQ>IRN")
    assert dyad_rows([table], "force")[0].keys() == DyadRow.__annotations__.keys()
    assert count_series(counts)[0].keys() == SeriesRow.__annotations__.keys()
    assert comparison_rows([table], counts, pair)[0].keys() == ComparisonRow.__annotations__.keys()
