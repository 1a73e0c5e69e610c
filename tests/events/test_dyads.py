"""Who does it to whom, against all clusterings of a document's mentions, enumerated."""

import datetime
import logging
import runpy
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.events.test_acts import parsed

from nlpcalib.coref.answer.resolution import PACKAGED, resolve_mentions
from nlpcalib.coref.model.model import load_model
from nlpcalib.events.count.comparison import ComparisonRow, comparison_rows
from nlpcalib.events.count.counts import EventTable, count_events
from nlpcalib.events.count.dyads import document_dyads, dyads
from nlpcalib.events.count.series import SeriesRow, series
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import load_lexicon
from nlpcalib.events.read.probability import candidate_countries
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.roles import Candidate
from nlpcalib.io.files import write_csv
from reproduction.events.dyads import DyadRow, dyad_rows, largest_pairs
from reproduction.events.storage import write_events

LEXICON = load_lexicon(["packaged"])
FORCE = Query.from_mapping({"name": "force", "category": ["assault"]})


def enumerated(conditionals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return every assignment of antecedents as entities (N, S) and its probability (S,)."""
    # What is left of a row is NEW: the mention itself.
    whole = np.tril(conditionals, -1)
    whole += np.diag(1 - whole.sum(axis=1))
    choices = [[j for j in range(i + 1) if whole[i, j] > 0] for i in range(len(whole))]
    entities, weights = [], []
    for antecedents in product(*choices):
        numbers: list[int] = []
        for mention, antecedent in enumerate(antecedents):
            numbers.append(mention if antecedent == mention else numbers[antecedent])
        entities.append(numbers)
        weights.append(np.prod([whole[i, j] for i, j in enumerate(antecedents)]))
    return np.array(entities).T, np.array(weights)


@pytest.mark.parametrize(
    "text",
    [
        "Iran attacked Iraq. It attacked Kuwait.",
        "Israel met Syria. They bombed them.",
        "Turkish forces crossed the border. Its army attacked them.",
    ],
)
def test_dyads_are_what_the_enumeration_of_clusterings_says(text: str) -> None:
    document = parsed(text)
    evidence = find_evidence(document, [FORCE], LEXICON)
    resolution = resolve_mentions(document, evidence.mentions, load_model(PACKAGED))
    sampled = {
        each.country: each.probability for each in document_dyads(resolution, FORCE, evidence, samples=4000, seed=1)
    }
    entities, weights = enumerated(np.asarray(resolution.conditionals))
    np.testing.assert_allclose(weights.sum(), 1, atol=1e-9)
    found = evidence.sides["force"]
    countries, present = candidate_countries(found, evidence.affiliations["force"], entities)
    exact = dyads(found, present) @ weights
    for source, target in np.ndindex(exact.shape):
        name = f"{countries[source]}>{countries[target]}"
        assert sampled.get(name, 0) == pytest.approx(exact[source, target], abs=0.035)


def test_a_dyad_is_of_one_event_in_one_sample() -> None:
    roles = [(1, "agent"), (1, "patient"), (2, "agent")]
    found = [Candidate(0, verb, "hit", role, 0, False, False, False) for verb, role in roles]
    present = np.zeros((3, 2, 2), dtype=bool)
    present[0, 0, 0] = present[1, 1, 0] = True  # Both sides of the first event in the first sample,
    present[2, 1, :] = present[1, 0, 1] = True  # one side each in the second, and another event's agent.
    both = dyads(found, present)
    assert both[0, 1].tolist() == [True, False]
    assert both.sum() == 1


def test_named_sides_are_certain() -> None:
    document = parsed("An Israeli air strike on Syria killed ten people.")
    evidence = find_evidence(document, [FORCE], LEXICON)
    resolution = resolve_mentions(document, evidence.mentions, load_model(PACKAGED))
    rows = {each.country: each.probability for each in document_dyads(resolution, FORCE, evidence)}
    assert rows["ISR>SYR"] == 1


def test_pairs_have_both_directions_once() -> None:
    assert largest_pairs(["A>B", "C>C", "B>A", "A>C"], 3) == [("A>B", "B>A"), ("C>C",), ("A>C", "C>A")]


def test_a_corpus_without_a_dyad_gets_empty_tables_with_columns_and_a_figure(tmp_path, caplog):
    """Protests mostly have no patient: a small corpus has no dyad, and its other results are good."""
    write_csv(tmp_path / "documents.csv", [{"document": "a", "date": datetime.date(1999, 5, 1), "selected": True}])
    write_events(tmp_path / "dyads.parquet", [])
    tables = [tmp_path / name for name in ("dyads.csv", "series.csv", "comparison.csv")]
    script = Path(__file__).parents[2] / "scripts/events/event_dyads.py"
    settings = {
        "query": {"name": "protest", "category": ["protest"]},
        "period": "year",
        "number": 6,
        "path_copies": None,
    }
    with caplog.at_level(logging.WARNING):
        runpy.run_path(str(script))["main"](
            [tmp_path / "documents.csv"],
            [tmp_path / "dyads.parquet"],
            *tables,
            str(tmp_path / "figure.png"),
            **settings,
        )
    assert "query protest: found no dyad in 1 documents" in caplog.text
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
    assert series(counts)[0].keys() == SeriesRow.__annotations__.keys()
    assert comparison_rows(table, counts, pair)[0].keys() == ComparisonRow.__annotations__.keys()
