"""A temperature on antecedents is what its definition says, and the likelihood that it is fitted by that of forests."""

import doctest
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from nlpcalib.systems.coref.model.mentions import corefer
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities, tempered, weigh_new
from nlpcalib.systems.coref.model.weights import Weights, size_of
from reproduction.coref import recalibration
from reproduction.coref.clusters import in_fold
from reproduction.coref.evaluated import evaluate_coref, evaluate_held_out
from reproduction.coref.evaluation import recalibration_row
from reproduction.coref.recalibration import AntecedentWeights, Linked, fit_to_pairs, gold_pairs, pair_log_likelihood
from reproduction.coref.temperatures import (
    GoldAntecedents,
    cross_fitted,
    fit_temperature,
    gold_antecedents,
    read_weights,
)


def random_conditionals(rng, mentions):
    weights = np.tril(rng.gamma(0.5, size=(mentions, mentions)), -1)
    return weights / (weights.sum(axis=1) + rng.gamma(0.5, size=mentions) + 1e-9)[:, None]


def forests(conditionals, weight):
    """Yield every forest of antecedents: the product of A^weight, not normalised, and each mention's founder."""
    rows = [np.append(row[:i], 1 - row[:i].sum()) ** weight for i, row in enumerate(conditionals)]
    for choice in product(*(range(i + 1) for i in range(len(rows)))):
        founders = []
        for i, antecedent in enumerate(choice):
            founders.append(i if antecedent == i else founders[antecedent])
        yield np.prod([row[antecedent] for row, antecedent in zip(rows, choice, strict=True)]), tuple(founders)


@pytest.mark.parametrize("temperature", [0.4, 0.8, 1.0, 2.5])
def test_pairs_and_the_likelihood_of_a_clustering_are_those_of_all_weighted_forests(temperature):
    rng = np.random.default_rng(3)
    for mentions in range(2, 7):
        conditionals = random_conditionals(rng, mentions)
        weighted = list(forests(conditionals, 1 / temperature))
        total = sum(weight for weight, _ in weighted)
        pairs = np.zeros((mentions, mentions))
        for weight, founders in weighted:
            named = np.array(founders)
            pairs += weight / total * (named[:, None] == named)
        np.testing.assert_allclose(pair_marginals(tempered(conditionals, temperature)), pairs, atol=1e-13)
        for _, gold in weighted[:: max(len(weighted) // 20, 1)]:
            expected = sum(weight for weight, founders in weighted if founders == gold) / total
            found = GoldAntecedents.of([(conditionals, [str(name) for name in gold])]).log_likelihood(temperature)
            assert abs(found - np.log(expected)) < 1e-10


@pytest.mark.parametrize("new", [0.3, 1.0, 4.0])
def test_pairs_and_their_likelihood_are_those_of_forests_in_which_each_new_entity_has_the_weight(new):
    conditionals = random_conditionals(np.random.default_rng(6), 5)
    weighted = []
    for weight, founders in forests(conditionals, 1 / 0.7):
        # The first mention is new in every forest.
        beginnings = sum(i == founder for i, founder in enumerate(founders)) - 1
        weighted.append((weight * new**beginnings, np.array(founders)))
    total = sum(weight for weight, _ in weighted)
    pairs = sum(weight / total * (founders[:, None] == founders) for weight, founders in weighted)
    np.testing.assert_allclose(pair_marginals(weigh_new(tempered(conditionals, 0.7), new)), pairs, atol=1e-13)
    y = np.array([True, False, True, False, False, False, True, False, True, False])
    q = pairs[np.tril_indices(5, -1)]
    expected = np.log(np.where(y, q, 1 - q)).sum()
    assert pair_log_likelihood(conditionals, y, 0.7, new) == pytest.approx(expected, rel=1e-12)


def test_weights_of_one_are_no_recalibration_to_the_bit():
    conditionals = random_conditionals(np.random.default_rng(0), 20)
    assert weigh_new(tempered(conditionals, 1.0), 1.0) is conditionals
    with pytest.raises(InputError, match="weight of a new entity: found -1, expected a positive number"):
        weigh_new(conditionals, -1.0)


@pytest.mark.parametrize("temperature", [1e-3, 0.05, 20.0, 1e4])
def test_rows_stay_distributions_at_any_temperature(temperature):
    conditionals = random_conditionals(np.random.default_rng(1), 30)
    conditionals[5] = 0
    conditionals[6, 2] = 1 - conditionals[6].sum() + conditionals[6, 2]
    found = tempered(conditionals, temperature)
    assert np.isfinite(found).all()
    assert (np.triu(found) == 0).all()
    assert found.sum(axis=1).max() <= 1 + 1e-12
    assert found[5].sum() == 0
    assert found[6].sum() > 1 - 1e-12


@pytest.mark.parametrize("truth", [0.5, 1.0, 2.0])
def test_the_fit_recovers_the_temperature_that_clusterings_were_drawn_at(truth):
    rng = np.random.default_rng(4)
    documents = []
    for _ in range(60):
        conditionals = random_conditionals(rng, 30)
        entities = sample_entities(tempered(conditionals, truth), 1, rng)[:, 0]
        documents.append((conditionals, [str(name) for name in entities]))
    choices = GoldAntecedents.of(documents)
    found = fit_temperature(choices)
    assert abs(np.log(found / truth)) < 0.1
    assert all(choices.log_likelihood(found * factor) < choices.log_likelihood(found) for factor in (0.97, 1.03))


def test_a_mention_without_an_entity_is_one_of_its_own():
    conditionals = random_conditionals(np.random.default_rng(5), 6)
    with_none = GoldAntecedents.of([(conditionals, ["a", None, "a", None, "b", "a"])])
    named = GoldAntecedents.of([(conditionals, ["a", "x", "a", "y", "b", "a"])])
    assert with_none.log_likelihood(1.7) == named.log_likelihood(1.7)


def test_impossible_mentions_are_left_out_and_documents_without_choices_refused():
    impossible = np.array([[0, 0, 0], [1.0, 0, 0], [0.5, 0.2, 0]])
    choices = GoldAntecedents.of([(impossible, ["a", "b", "a"])])
    assert choices.starts.size == 1
    with pytest.raises(InputError, match="expected documents with entities"):
        fit_temperature(GoldAntecedents.of([(np.zeros((1, 1)), ["a"])]))
    with pytest.raises(InputError, match="found 0, expected a positive number"):
        tempered(impossible, 0.0)


@pytest.fixture(scope="module")
def models():
    """Return models that link equal strings, and others seldom, with noise."""
    rng = np.random.default_rng(0)
    found = [AntecedentModel({}, {}, Weights.of(rng.normal(size=size_of(0, 0)) / 10, 0, 0), {}) for _ in range(3)]
    for model in found:
        model.weights.pairs["exact"][:, 0] = -4, 3
    return found


@pytest.fixture(scope="module")
def documents():
    return [report.document for report in Newsroom(seed=3).reports(0, 9)]


def fit_one(linked):
    return fit_temperature(gold_antecedents(linked))


def linked_folds(models, folds):
    return [Linked.of(model, fold, "gold") for model, fold in zip(models, folds, strict=True)]


def test_a_folds_temperature_is_that_of_all_other_folds(models, documents):
    folds = [in_fold(documents, fold, 3) for fold in range(3)]
    linked = linked_folds(models, folds)
    found = cross_fitted(fit_one, linked)
    assert found[1] == fit_one([*linked[0], *linked[2]])
    alone = [
        replace(one, mentions=tuple(replace(each, entity=str(i)) for i, each in enumerate(one.mentions)))
        for one in folds[1]
    ]
    other = cross_fitted(fit_one, linked_folds(models, [folds[0], alone, folds[2]]))
    assert other[1] == found[1]
    assert other[0] != found[0]
    assert other[2] != found[2]


def drawn_documents(weights, mentions):
    """Draw an entity for each mention of documents whose antecedents have these weights, temperature and NEW."""
    rng = np.random.default_rng(8)
    documents = []
    for temperature, new in weights:
        conditionals = random_conditionals(rng, mentions)
        entities = sample_entities(weigh_new(tempered(conditionals, temperature), new), 1, rng)[:, 0]
        documents.append((conditionals, [str(name) for name in entities]))
    return documents


def test_the_fit_to_pairs_recovers_the_weights_that_clusterings_were_drawn_with():
    documents = drawn_documents([(0.6, 2.5)] * 80, 30)
    found = fit_to_pairs([(conditionals, corefer(names)) for conditionals, names in documents])
    assert abs(np.log(found.temperature / 0.6)) < 0.15
    assert abs(np.log(found.new / 2.5)) < 0.2


def test_the_fit_to_pairs_makes_their_number_right_where_links_of_a_document_depend_on_each_other():
    """Half of the documents link nearly all mentions and half few: a document's antecedents share their doubts."""
    documents = drawn_documents([(1.0, 0.01), (1.0, 2.0)] * 100, 30)
    labelled = [(conditionals, corefer(names)) for conditionals, names in documents]
    true = sum(y.sum() for _, y in labelled)
    share = {}
    for fitted, weights in (
        ("antecedents", AntecedentWeights(fit_temperature(GoldAntecedents.of(documents)))),
        ("pairs", fit_to_pairs(labelled)),
    ):
        weighed = (weigh_new(tempered(rows, weights.temperature), weights.new) for rows, _ in labelled)
        share[fitted] = sum(np.tril(pair_marginals(rows), -1).sum() for rows in weighed) / true
    assert share["antecedents"] < 0.9
    assert abs(share["pairs"] - 1) < 0.02


def test_pairs_of_gold_mentions_are_those_of_documents_with_two(models, documents):
    alone = replace(documents[0], mentions=documents[0].mentions[:1])
    found = gold_pairs(Linked.of(models[0], [alone, documents[1]], "gold"))
    assert [y.size for _, y in found] == [len(documents[1].mentions) * (len(documents[1].mentions) - 1) // 2]
    with pytest.raises(InputError, match="expected documents with entities"):
        fit_to_pairs(gold_pairs(Linked.of(models[0], [alone], "gold")))


def test_held_out_documents_have_the_likelihood_of_their_gold_clusterings_under_the_weights(models, documents):
    folds = [in_fold(documents, fold, 2) for fold in range(2)]
    weights = [AntecedentWeights(0.6, 2.0), AntecedentWeights(1.5, 0.4)]
    found, likelihood = evaluate_held_out(linked_folds(models[:2], folds), weights)
    expected = sum(
        gold_antecedents(Linked.of(model, part, "gold")).log_likelihood(each.temperature, each.new)
        for model, part, each in zip(models[:2], folds, weights, strict=True)
    )
    assert likelihood == pytest.approx(expected, rel=1e-9)
    assert [[one.document for one in part] for part in found] == [[one.id for one in part] for part in folds]


def test_a_weight_beyond_what_is_considered_is_in_the_log(caplog):
    conditionals = random_conditionals(np.random.default_rng(9), 8)
    found = fit_to_pairs([(conditionals, np.ones(28, dtype=np.bool_))])
    assert found.new < 0.06
    assert "the best weight of a new entity for 1 document is 0.05" in caplog.text


@pytest.mark.parametrize("row", ["pairs,-1,1", "pairs,1,nan", "pairs,inf,1", "pairs,1,0"])
def test_weights_that_are_none_are_refused_with_the_file(row, tmp_path):
    (tmp_path / "t.csv").write_text(f"recalibration,temperature,new_weight\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t\.csv, pairs: found weights .*, expected positive numbers"):
        read_weights(tmp_path / "t.csv", "pairs")


def test_each_row_is_weighed_by_its_own_weight():
    conditionals = random_conditionals(np.random.default_rng(2), 6)
    weights = np.array([1.0, 0.5, 2.0, 1.0, 3.0, 0.7])
    found = weigh_new(conditionals, weights)
    for row, weight in enumerate(weights):
        assert found[row].tobytes() == weigh_new(conditionals, float(weight))[row].tobytes()


def test_weights_are_read_from_the_table_that_has_them(models, documents, tmp_path):
    evaluated = list(map(evaluate_coref, Linked.of(models[0], documents, "gold")))
    stages = {"none": AntecedentWeights(), "pairs": AntecedentWeights(0.5, 0.7)}
    write_csv(tmp_path / "t.csv", [recalibration_row(name, [each], evaluated, -1.0) for name, each in stages.items()])
    found = read_weights(tmp_path / "t.csv", "pairs")
    assert (found.temperature, found.new) == pytest.approx((0.5, 0.7))
    with pytest.raises(InputError, match=r"t\.csv: found no row of the recalibration vector"):
        read_weights(tmp_path / "t.csv", "vector")


def test_the_table_counts_pairs_and_measures_the_loss_of_a_mention(models, documents):
    evaluated = [evaluate_coref(one, AntecedentWeights(2.0)) for one in Linked.of(models[0], documents, "gold")]
    row = recalibration_row("pairs", [AntecedentWeights(1.0), AntecedentWeights(4.0, 0.25)], evaluated, -30.0)
    gold = [[mention.entity for mention in document.mentions] for document in documents]
    assert row["temperature"] == pytest.approx(2.0)
    assert row["new_weight"] == pytest.approx(0.5)
    assert row["pairs"] == sum(len(names) * (len(names) - 1) // 2 for names in gold)
    assert row["log_loss"] == pytest.approx(30 / sum(map(len, gold)))
    assert row["coreferent_pairs"] == sum(
        name == other for names in gold for i, name in enumerate(names) for other in names[:i]
    )
    assert 0 <= row["low"] <= row["error"] <= row["high"]
    assert {"conll_f1_best", "conll_f1_clustered"} <= row.keys()


def test_the_worked_number_is_what_the_module_computes():
    assert doctest.testmod(recalibration) == (0, 2)
