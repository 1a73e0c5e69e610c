"""Several parsers are a mixture: their probabilities are averaged, and nothing that one of them finds is lost."""

import dataclasses

import numpy as np
import pytest
from tests.events.test_probability import document, resolution

from nlpcalib.events.count.mixture import mixed_probabilities, mixed_records, mixed_rows, parser_seed
from nlpcalib.events.count.rows import candidate_rows
from nlpcalib.events.learn.audit import audit_record
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.events.read.probability import DocumentEvents, document_events
from nlpcalib.events.read.query import ATTACK

LEXICON = CountryLexicon(supplement("newsroom"))
ATTACKED = (
    "The/DT/2/det Iraqis/NNPS/3/nsubj left/VBD/0/root",
    "They/PRP/2/nsubj attacked/VBD/0/root Israel/NNP/2/obj",
)
MISSED = (ATTACKED[0], "They/PRP/2/nsubj attacked/JJ/0/root Israel/NNP/2/obj")
TURNED = (ATTACKED[0], "They/PRP/2/obj attacked/VBD/0/root Israel/NNP/2/nsubj")


def read(rows: tuple[str, ...], link: float = 0.3, parser: int = 0) -> DocumentEvents | None:
    one = document(*rows)
    conditionals = np.zeros((3, 3))
    conditionals[1, 0] = link
    resolved = resolution(one, conditionals)
    evidence = find_evidence(one, [ATTACK], LEXICON, resolved.mentions)
    return document_events(resolved, ATTACK, evidence, samples=100, seed=parser_seed(7, parser))


def test_one_parser_alone_gives_what_it_gave() -> None:
    alone = read(ATTACKED)
    assert alone is not None
    (event,) = alone.probabilities
    (mixed,) = mixed_probabilities([alone])
    assert dataclasses.asdict(mixed).keys() == dataclasses.asdict(event).keys()
    assert np.array_equal(mixed.samples, event.samples)
    assert (mixed.probability, mixed.map_event) == (event.probability, event.map_event)
    assert mixed_rows([alone]) == [row | {"parsers": 1} for _, row in candidate_rows(alone)]
    (record,) = mixed_records([alone], [mixed], ATTACK, seed=7)
    expected = audit_record(alone, ATTACK, seed=7)
    expected["events"] = [each | {"parsers": [each["probability"]]} for each in expected["events"]]
    assert record == expected


def test_probabilities_are_averaged_and_a_sample_belongs_to_one_parser_everywhere() -> None:
    found = [read(ATTACKED, 0.3), read(MISSED, parser=1), read(ATTACKED, 0.5, parser=2), read(TURNED, parser=3)]
    assert found[1] is None
    iraq, israel = mixed_probabilities(found)
    assert (iraq.country, israel.country) == ("IRQ", "ISR")
    np.testing.assert_allclose(iraq.by_parser, [0.3, 0, 0.5, 0])
    np.testing.assert_allclose(israel.by_parser, [0, 0, 0, 1])
    assert iraq.probability == pytest.approx(0.2)
    for parser, events in enumerate(found):
        shares = {each.country: each.samples for each in events.probabilities} if events else {}
        for event in (iraq, israel):
            own = event.samples[parser::4]
            assert np.array_equal(own, shares.get(event.country, np.zeros(100)))


def test_parsers_draw_independent_samples() -> None:
    first, second = (read(ATTACKED, parser=parser) for parser in (0, 1))
    assert first is not None
    assert second is not None
    assert not np.array_equal(first.samples, second.samples)


def test_rows_are_the_same_candidate_whatever_else_the_trees_differ_in() -> None:
    rows = mixed_rows([read(ATTACKED), read(ATTACKED, 0.5, parser=1), read(TURNED, parser=2), None])
    assert [(row["country"], row["parsers"]) for row in rows] == [("IRQ", 2), ("ISR", 1)]
    assert [row["probability"] for row in rows] == pytest.approx([0.2, 0.25])


def test_each_event_is_audited_once_in_the_trees_of_the_surest_parser() -> None:
    found = [read(ATTACKED, 0.3), None, read(ATTACKED, 0.5, parser=2), read(TURNED, parser=3)]
    records = mixed_records(found, mixed_probabilities(found), ATTACK, seed=7)
    shown = [(event["country"], event["probability"], event["parsers"]) for each in records for event in each["events"]]
    assert shown == [("IRQ", 0.2, [0.3, 0, 0.5, 0]), ("ISR", 0.25, [0, 0, 0, 1])]
    assert records[0]["candidates"][0]["countries"] == {"IRQ": 0.5}


def test_an_event_in_no_sample_stays_an_item_of_the_audit() -> None:
    found = [read(TURNED, 0.0), read(ATTACKED, 1e-9, parser=1)]
    records = mixed_records(found, mixed_probabilities(found), ATTACK, seed=7)
    assert sorted(event["country"] for each in records for event in each["events"]) == ["IRQ", "ISR"]
