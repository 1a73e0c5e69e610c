"""From a text to its entities: `nlpcalib.find_entities`."""

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.systems.coref import resolve

TEXT = "Ana Ruiz founded a bakery. She sold bread to her brother."


@pytest.fixture(scope="module")
def report():
    return nc.find_entities(TEXT)


def test_an_entity_has_its_mentions_and_its_probability(report) -> None:
    (several,) = [row for row in report.entities if len(row["mentions"]) > 1]
    assert several["name"] == "Ana Ruiz"
    assert several["mentions"] == ["Ana Ruiz", "She", "her"]
    assert 0 < several["probability"] <= 1
    assert str(report).splitlines()[1].startswith("Ana Ruiz: Ana Ruiz, She, her (coherence ")


def test_pairs_are_the_exact_marginals_likeliest_first(report) -> None:
    pairs = report.pairs(at_least=0)
    marginals = report.resolution.marginals[np.tril_indices(len(report.mentions), -1)]
    assert [pair["probability"] for pair in pairs] == sorted(marginals.tolist(), reverse=True)
    assert all(pair["probability"] >= 0.5 for pair in report.pairs(at_least=0.5))


def test_texts_and_documents_come_in_the_order_they_were_given(report) -> None:
    document = report.resolution.document
    text, resolved, last = nc.find_entities([TEXT, document, "Oslo is large."])
    assert text.entities == resolved.entities == report.entities
    assert last.mentions == ["Oslo"]
    (same,) = resolve([document])
    np.testing.assert_array_equal(resolved.resolution.marginals, same.marginals)


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(nc.InputError, match="text 2: found no words, expected English text"):
        nc.find_entities([TEXT, " \n"])


def test_a_threshold_of_zero_joins_all_that_may_be_one_and_of_one_what_is_certain() -> None:
    joined, apart = (nc.find_entities(TEXT, threshold=threshold) for threshold in (0.0, 1.0))
    assert len(joined.entities) < len(apart.entities) == len(apart.mentions)
    np.testing.assert_array_equal(joined.resolution.marginals, apart.resolution.marginals)
