"""Windows: exact for the antecedents that they leave, and these are the model's own, divided by what remains."""

import itertools
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref import PACKAGED_MODEL, load_model, resolve
from nlpcalib.systems.coref.answer.answer import answer
from nlpcalib.systems.coref.answer.resolution import resolution_of
from nlpcalib.systems.coref.model import long_documents as module
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.lexicon import TYPES
from nlpcalib.systems.coref.model.long_documents import (
    long_posterior,
    marginal_sums,
    windowed_conditionals,
)
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities, tempered
from nlpcalib.systems.text.document import Document, Sentence


def banded(size, width, links, seed):
    """A random A whose links reach `width` mentions back, but for some that reach farther."""
    rng = np.random.default_rng(seed)
    result = np.zeros((size, size))
    for i in range(1, size):
        earlier = np.arange(max(i - width, 0), i)
        if i % links == 0:
            earlier = np.union1d(earlier, rng.integers(0, i, 2))
        result[i, earlier] = rng.dirichlet(np.full(earlier.size + 1, 0.4))[:-1]
    return result


def enumerated(conditionals):
    """C by going through all choices of antecedents."""
    new, result = 1 - conditionals.sum(axis=1), np.zeros(conditionals.shape)
    for antecedents in itertools.product(*(range(i + 1) for i in range(len(conditionals)))):
        entities, probability = [], 1.0
        for i, j in enumerate(antecedents):
            entities.append(entities[j] if j < i else i)
            probability *= conditionals[i, j] if j < i else new[i]
        result += probability * (np.array(entities)[:, None] == entities)
    return result


@pytest.mark.parametrize("seed", range(4))
def test_marginals_in_windows_equal_enumeration(monkeypatch, seed):
    monkeypatch.setattr(module, "_BLOCK_MENTIONS", 2)
    monkeypatch.setattr(module, "MIN_KEPT_PROBABILITY", 1e-15)
    dense = banded(8, 2, 3, seed)
    exact = enumerated(dense)
    conditionals = sparse.csr_array(dense)
    marginals, never_meet, _ = long_posterior(conditionals, 2, 0.3)
    listed = marginals.tocoo()
    np.testing.assert_allclose(listed.data, exact[listed.row, listed.col], atol=1e-14)
    within = {(i, j) for i in range(8) for j in range(max(i - 2, 0), i) if exact[i, j] > 1e-12}
    assert within <= set(zip(listed.row.tolist(), listed.col.tolist(), strict=True))
    np.testing.assert_allclose(marginal_sums(conditionals, never_meet, np.eye(8)), exact, atol=1e-14)


def test_marginals_in_windows_equal_those_of_the_whole(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_MENTIONS", 16)
    dense = banded(400, 20, 7, 0)
    exact, conditionals = pair_marginals(dense), sparse.csr_array(dense)
    marginals, never_meet, entities = long_posterior(conditionals, 40, 0.3)
    listed = marginals.tocoo()
    assert listed.nnz < 0.5 * 400 * 399 / 2
    np.testing.assert_allclose(listed.data, exact[listed.row, listed.col], atol=1e-12)
    members = [np.flatnonzero(entities == number) for number in np.unique(entities)]
    sums = module.entity_sums(conditionals, never_meet, marginals, members)
    together = entities[:, None] == entities
    # What is below MIN_KEPT_PROBABILITY is missing from sums within a window.
    np.testing.assert_allclose(sums, (exact * together).sum(axis=1) - 1, atol=400 * module.MIN_KEPT_PROBABILITY)


def test_pairs_of_a_long_document_are_summed_without_a_copy_of_them():
    count = 4_000
    chosen = np.tril(np.random.default_rng(0).random((count, count)) < 0.25, -1)
    chosen[np.arange(1, count, 2), np.arange(0, count, 2)] = True
    marginals = sparse.csr_array(np.where(chosen, 0.5, 0.0))
    tracemalloc.start()
    couples = np.split(np.arange(count), count // 2)
    sums = module.entity_sums(sparse.csr_array((count, count)), np.ones(count), marginals, couples)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (sums == 0.5).all()
    assert peak < marginals.data.nbytes / 2


def test_samples_do_not_depend_on_how_antecedents_are_stored():
    dense = banded(60, 10, 5, 1)
    drawn = [sample_entities(each, 50, np.random.default_rng(2)) for each in (dense, sparse.csr_array(dense))]
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("size", [200, 700])
def test_entities_of_what_is_in_one_window_are_those_of_average_linkage(size):
    """In one block of mentions and in several: dense and sparse antecedents give the same entities."""
    dense = banded(size, 20, 7, 3)
    apart = np.tril(np.random.default_rng(1).random((size, size)) < 0.1, -1)
    *_, found = long_posterior(sparse.csr_array(dense), size, 0.3, lambda some: apart[np.ix_(some, some)])
    expected = cluster_marginals(pair_marginals(dense), 0.3, lambda some: apart[np.ix_(some, some)])
    np.testing.assert_array_equal(found[:, None] == found, expected[:, None] == expected)
    spans = [Span(0, place, place + 1, place, "nominal") for place in range(size)]
    document = Document("d", (Sentence("d-1", ("word",) * size),))
    whole = resolution_of(document, spans, dense, 0.5)
    listed = resolution_of(document, spans, sparse.csr_array(dense), 0.5, window=1000)
    np.testing.assert_array_equal(whole.entities, listed.entities)
    for name in ("membership", "coherence", "probabilities", "new"):
        np.testing.assert_allclose(getattr(whole, name), getattr(listed, name), atol=1e-9)
    assert listed.expected_pairs == pytest.approx(whole.expected_pairs)


@pytest.fixture(scope="module")
def novel():
    """Some reports one after the other, as if they were one document of some hundred mentions."""
    reports = [report.document for report in Newsroom(1).reports(0, 40)]
    sentences = [sentence for report in reports for sentence in report.sentences]
    return Document("novel", tuple(replace(each, id=str(n)) for n, each in enumerate(sentences[:150])))


def test_windowed_antecedents_are_the_models_own_divided_by_what_remains(novel, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_MENTIONS", 32)
    monkeypatch.setattr(module, "MIN_KEPT_PROBABILITY", 0.0)
    model, spans = load_model(PACKAGED_MODEL), candidate_mentions(novel)
    table = mention_table(novel, spans)
    size = len(table)
    assert size > 300
    found, left_out = windowed_conditionals(model, table, 100)
    assert left_out == 0
    window = np.maximum(np.arange(size) // 32 * 32 - 100, 0)
    allowed = np.arange(size) >= window[:, None]
    is_name = table.type == TYPES.index("name")
    for i in np.flatnonzero(is_name):
        for j in np.flatnonzero(is_name[: window[i]]):
            is_last = table.words[j] not in [table.words[k] for k in range(j + 1, window[i]) if is_name[k]]
            allowed[i, j] = is_last and bool(set(table.words[i]) & set(table.words[j]))
    whole, rows = model.conditionals(table), found.toarray()
    assert not rows[~allowed].any()
    # Of names beyond the window, what stands between is counted in the window alone, so that their share may differ.
    # Among all others and NEW the probabilities are the model's.
    near = np.arange(size) >= window[:, None]
    ours, models = (np.where(near, each, 0.0) for each in (rows, whole))
    ours /= 1 - np.where(near, 0.0, rows).sum(axis=1, keepdims=True)
    models /= 1 - np.where(near, 0.0, whole).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, models, atol=1e-12)
    assert (found.toarray()[~(np.arange(size) >= window[:, None])] > 0).any()


def test_windows_are_weighed_as_whole_documents_are(novel, monkeypatch):
    """In windows as long as the document nothing is left out but what is improbable."""
    monkeypatch.setattr(module, "MIN_KEPT_PROBABILITY", 0.0)
    model = load_model(PACKAGED_MODEL)
    table = mention_table(novel, candidate_mentions(novel))
    table = table.take(np.arange(150))
    windowed, _ = windowed_conditionals(model, table, 150, 1.3)
    whole = tempered(model.conditionals(table), 1.3)
    np.testing.assert_allclose(windowed.toarray(), whole, atol=1e-12)


def test_what_windows_leave_out_is_in_the_answer(novel):
    [found] = resolve([novel], window=100)
    content = answer(found, samples=3, seed=0, at_least=0.1)
    assert content["window"] == 100
    assert 0 < content["left_out"] < 0.05 * len(found.mentions)
    listed = sum(q for *_, q in content["pairs"])
    assert listed + content["omitted_pairs"]["expected_coreferent"] == pytest.approx(found.expected_pairs, abs=1e-3)
    np.testing.assert_allclose(found.new + found.conditionals.sum(axis=1), 1)
    assert ((found.membership >= -1e-9) & (found.membership <= 1 + 1e-9)).all()
    drawn = found.samples(4000)
    shares = (drawn == drawn[200]).mean(axis=1)
    # Four standard errors of independent samples; stratified ones vary less.
    chosen = np.eye(len(found.mentions))[:, [200]]
    exact = marginal_sums(found.conditionals, found.never_meet, chosen)[:, 0]
    assert np.abs(shares - exact).max() < 4 * np.sqrt(0.25 / 4000)


def test_short_documents_are_whole_whatever_the_window(novel):
    short = replace(novel, sentences=novel.sentences[:10])
    [whole], [windowed] = resolve([short]), resolve([short], window=1000)
    assert windowed.window is None
    np.testing.assert_array_equal(whole.marginals, windowed.marginals)


def test_windows_that_the_templates_see_beyond_are_refused(novel):
    with pytest.raises(InputError, match="window: found 99, expected at least 100 mentions"):
        next(resolve([novel], window=99))


def test_a_document_has_windows_if_it_has_more_mentions_than_one(novel):
    part = replace(novel, sentences=novel.sentences[:40])
    number = len(candidate_mentions(part))
    assert number > 100
    found = [next(resolve([part], window=window)) for window in (number - 1, number)]
    assert [each.window for each in found] == [number - 1, None]
