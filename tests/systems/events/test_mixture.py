"""Sampled trees are a mixture: their probabilities are averaged, and nothing that one of them finds is lost."""

import dataclasses

import numpy as np
import pytest
from tests.systems.events.queries import ATTACK
from tests.systems.events.test_probability import document, resolution

from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.count.mixture import Findings, TreeReading, candidate_rows, findings, tree_seed
from nlpcalib.systems.events.learn.audit import audit_record
from nlpcalib.systems.events.read.extraction import find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.probability import document_events

LEXICON = CountryLexicon(supplement("newsroom"))
ATTACKED = (
    "The/DT/2/det Iraqis/NNPS/3/nsubj left/VBD/0/root",
    "They/PRP/2/nsubj attacked/VBD/0/root Israel/NNP/2/obj",
)
MISSED = (ATTACKED[0], "They/PRP/2/nsubj attacked/JJ/0/root Israel/NNP/2/obj")
TURNED = (ATTACKED[0], "They/PRP/2/obj attacked/VBD/0/root Israel/NNP/2/nsubj")


def reading(rows: tuple[str, ...], *trees: int, link: float = 0.3) -> TreeReading:
    """Return what is found with 100 samples of entities for each of these trees."""
    one = document(*rows)
    conditionals = np.zeros((3, 3))
    conditionals[1, 0] = link
    resolved = resolution(one, conditionals)
    evidence = find_evidence(one, [ATTACK], LEXICON, resolved.mentions)
    seed = tree_seed(7, trees[0]) if trees else 7
    samples = 100 * max(len(trees), 1)
    return TreeReading(trees, seed, document_events(resolved, ATTACK, evidence, samples=samples, seed=seed))


def mixed(*readings: TreeReading) -> Findings:
    return Findings(ATTACK, max(sum(len(each.trees) for each in readings), 1), readings)


def test_the_best_tree_alone_gives_what_it_gives() -> None:
    found = mixed(reading(ATTACKED, 0))
    alone = found.readings[0].events
    assert alone is not None
    (event,) = alone.probabilities
    (only,) = found.probabilities
    assert dataclasses.asdict(only).keys() == dataclasses.asdict(event).keys()
    assert np.array_equal(only.samples, event.samples)
    assert (only.probability, only.map_event) == (event.probability, event.map_event)
    assert found.rows == [row | {"parsers": 1} for _, row in candidate_rows(alone)]
    (record,) = found.records
    expected = audit_record(alone, ATTACK, seed=7)
    expected["events"] = [each | {"parsers": [each["probability"]]} for each in expected["events"]]
    assert record == expected


def test_probabilities_are_averaged_and_a_sample_belongs_to_one_tree() -> None:
    found = mixed(reading(ATTACKED, 0, 3), reading(MISSED, 1), reading(ATTACKED, 2, link=0.5), reading(TURNED, 4))
    assert found.readings[1].events is None
    iraq, israel = found.probabilities
    assert (iraq.country, israel.country) == ("IRQ", "ISR")
    np.testing.assert_allclose(iraq.by_parser[[1, 2, 4]], [0, 0.5, 0])
    assert iraq.by_parser[[0, 3]].mean() == pytest.approx(0.3)
    np.testing.assert_allclose(israel.by_parser, [0, 0, 0, 0, 1])
    assert iraq.probability == pytest.approx(0.22)


def test_best_trees_that_were_not_drawn_give_the_best_count_alone() -> None:
    found = mixed(reading(ATTACKED, link=0.9), reading(TURNED, 0, 1))
    iraq, israel = found.probabilities
    assert (iraq.probability, israel.probability) == (0, 1)
    assert len(iraq.samples) == 200
    assert [(row["country"], row["probability"]) for row in found.rows if row["country"] == "ISR"] == [("ISR", 1)]
    assert {event["country"] for each in found.records for event in each["events"]} == {"IRQ", "ISR"}


def test_trees_draw_independent_samples() -> None:
    first, second = (reading(ATTACKED, tree).events for tree in (0, 1))
    assert first is not None
    assert second is not None
    assert not np.array_equal(first.samples, second.samples)


def test_rows_are_the_same_candidate_whatever_else_the_trees_differ_in() -> None:
    found = mixed(reading(ATTACKED, 0), reading(ATTACKED, 1, link=0.5), reading(TURNED, 2), reading(MISSED, 3))
    assert [(row["country"], row["parsers"]) for row in found.rows] == [("IRQ", 2), ("ISR", 1)]
    assert [row["probability"] for row in found.rows] == pytest.approx([0.2, 0.25])


def test_each_event_is_audited_once_in_the_surest_trees() -> None:
    found = mixed(reading(ATTACKED, 0), reading(MISSED, 1), reading(ATTACKED, 2, link=0.5), reading(TURNED, 3))
    records = found.records
    shown = [(event["country"], event["probability"], event["parsers"]) for each in records for event in each["events"]]
    assert shown == [("IRQ", 0.2, [0.3, 0, 0.5, 0]), ("ISR", 0.25, [0, 0, 0, 1])]
    assert [record["events"][0]["choices"][0]["link"]["probability"] for record in records[:1]] == [0.5]


def test_an_event_in_no_sample_stays_an_item_of_the_audit() -> None:
    records = mixed(reading(TURNED, 0, link=0.0), reading(ATTACKED, 1, link=1e-9)).records
    assert sorted(event["country"] for each in records for event in each["events"]) == ["IRQ", "ISR"]


def test_trees_with_equal_evidence_are_one_reading_and_the_best_comes_first() -> None:
    best, other, turned = (document(*rows) for rows in (ATTACKED, MISSED, TURNED))
    model = load_model(PACKAGED_MODEL)
    (found,) = findings([best, turned, best, turned, other], [ATTACK], LEXICON, model, samples=8, seed=7)
    assert [each.trees for each in found.readings] == [(1,), (0, 2), (3,)]
    assert [len(event.samples) for event in found.probabilities] == [8, 8]
    assert found.probabilities[1].probability == 0.5
    (alone,) = findings([best], [ATTACK], LEXICON, model, samples=8, seed=7)
    assert [each.trees for each in alone.readings] == [(0,)]
    assert found.probabilities[0].map_event == alone.probabilities[0].map_event
