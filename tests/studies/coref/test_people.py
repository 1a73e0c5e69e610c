"""The number of different people: that of the sampled clusterings, with intervals that hold."""

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.systems.coref.answer.people import is_first, newly_mentioned, person_mentions
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.text.document import Document, Mention, Sentence
from studies.coref.people import People, entities_by_head, people_count_rows

TEXT = "Ana Ruiz founded a bakery in Oslo. She sold bread to her brother. Nobody told Bill Stone that he was late."


def test_first_mentions_are_as_many_as_entities():
    rng = np.random.default_rng(0)
    entities = rng.integers(0, 4, (7, 50))
    first = is_first(entities)
    for column, marks in zip(entities.T, first.T, strict=True):
        assert marks.tolist() == [entity not in column[:place] for place, entity in enumerate(column)]


def test_a_text_about_three_people_has_about_three():
    report = nc.find_entities(TEXT)
    found, resolution = report.people(), report.resolution
    named = {report.mentions[number] for number in person_mentions(resolution)}
    assert {"Ana Ruiz", "She", "her brother", "Bill Stone", "he"} <= named
    assert not {"Oslo", "a bakery", "bread"} & named
    assert found["low"] <= found["expected"] <= found["high"]
    assert found["expected"] == pytest.approx(newly_mentioned(resolution).sum(), abs=0.001)
    assert 2 < found["expected"] < 5
    shared = nc.SharedEffect(np.array([0.6]), np.ones(1))
    assert report.people(effect=shared, level=0.5)["expected"] == found["expected"]


def test_intervals_hold_where_errors_of_a_document_are_shared():
    rng = np.random.default_rng(1)

    def document():
        new = rng.beta(0.5, 0.7, rng.integers(15, 40))
        wrong = np.clip(new + rng.normal(0, 0.12), 0, 1)
        is_new = rng.random(new.size) < new
        return People(wrong, is_new, int(np.count_nonzero(wrong > 0.5)))

    rows = {row["posterior"]: row for row in people_count_rows([document() for _ in range(150)])}
    assert list(rows) == ["trained", "shared effect", "clusters"]
    assert rows["trained"]["held"] < 0.85
    assert rows["shared effect"]["held"] == pytest.approx(0.95, abs=0.04)
    assert rows["clusters"]["held"] < 0.3


def test_a_mention_with_other_borders_is_that_of_its_head():
    words, tags = ("The", "king", "'s", "hat", "fell"), ("DT", "NN", "POS", "NN", "VBD")
    heads, relations = (2, 4, 2, 5, 0), ("det", "nmod:poss", "case", "nsubj", "root")
    sentence = Sentence("1", words, tags=tags, heads=heads, relations=relations)
    document = Document("d", (sentence,), (Mention(0, 0, 2, "king"), Mention(0, 0, 4, "hat")))
    spans = candidate_mentions(document)
    found = {span.text(document): name for span, name in zip(spans, entities_by_head(spans, document), strict=True)}
    assert found == {"The king 's": "king", "The king 's hat": "hat"}
