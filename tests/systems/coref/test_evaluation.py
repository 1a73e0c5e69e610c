"""Coreference models on annotated documents: pairs, scores, folds, and the error of a perfect model."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.mentions import MENTIONS, entities_of
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from reproduction.claims import coref as claims_of_coref
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.coref.clusters import THRESHOLDS, choose_threshold, in_fold, others
from reproduction.coref.evaluated import (
    Evaluated,
    coreference_pairs,
    evaluate_coref,
    load_evaluated,
    save_evaluated,
    score_rows,
)
from reproduction.coref.evaluation import errors_of_a_perfect_model, genre_row, kind_rows
from reproduction.coref.recalibration import Linked
from reproduction.coref.sampling import sampled_pairs, sampling_row

JUDGES = judges_of(claims_of_coref)


@dataclass(frozen=True)
class Knowing:
    """A model that gives the gold antecedent the probability `sure`, and NEW where there is none."""

    documents: dict
    sure: float
    card: dict = field(default_factory=dict)

    def attributed(self, conditionals, table):
        return conditionals

    def constraints(self, table):
        return Constraints(table)

    def conditionals(self, table):
        entities = entities_of(table.spans, self.documents[table.document])
        result = np.zeros((len(table), len(table)))
        for i, name in enumerate(entities):
            gold = [j for j in range(i) if name is not None and entities[j] == name]
            if gold:
                result[i, gold[-1]] = self.sure
            elif i:
                result[i, i - 1] = 1 - self.sure
        return result


@pytest.fixture(scope="module")
def documents():
    newsroom = Newsroom(3)
    return [newsroom.document(number).document for number in range(6)]


def knowing(documents, sure=1.0):
    return Knowing({document.id: document for document in documents}, sure)


def evaluated_by(model, documents, mentions, threshold):
    return list(map(evaluate_coref, Linked.of(replace(model, card={"threshold": threshold}), documents, mentions)))


def test_a_model_that_knows_everything_scores_one_in_either_decoding(documents):
    evaluated = evaluated_by(knowing(documents), documents, "gold", 0.5)
    for row in score_rows(evaluated):
        assert row["conll_f1"] == pytest.approx(1)
    pairs = coreference_pairs(evaluated)
    assert np.array_equal(pairs.q, pairs.y)


def test_pairs_are_those_of_every_document_in_rows_and_their_unit_is_the_document(documents):
    evaluated = evaluated_by(knowing(documents, 0.8), documents, "predicted", 0.5)
    pairs = coreference_pairs(evaluated)
    start = 0
    for result, document in zip(evaluated, documents, strict=True):
        entities = entities_of(MENTIONS["predicted"](document), document)
        marginals = pair_marginals(result.conditionals)
        for i in range(len(entities)):
            for j in range(i):
                assert pairs.q[start] == marginals[i, j]
                assert pairs.y[start] == (entities[i] is not None and entities[i] == entities[j])
                assert pairs.unit.names[pairs.unit.codes[start]] == document.id
                start += 1
    assert start == pairs.q.size


def test_folds_share_documents_out_whatever_their_order(documents):
    folds = [in_fold(documents, fold, 4) for fold in range(4)]
    assert sorted(document.id for fold in folds for document in fold) == sorted(document.id for document in documents)
    assert [document.id for document in in_fold(documents[::-1], 1, 4)] == [document.id for document in folds[1]]
    for fold in range(4):
        rest = {document.id for document in others(documents, fold, 4)}
        assert rest == {document.id for document in documents} - {document.id for document in folds[fold]}


def test_the_threshold_is_the_one_whose_clusters_score_best(documents):
    # Links are certain to .45 only: clusters come apart above that, and nothing wrong is joined below.
    threshold = choose_threshold(knowing(documents, 0.6), documents, "gold")
    scores = []
    for candidate in THRESHOLDS:
        evaluated = evaluated_by(knowing(documents, 0.6), documents, "gold", candidate)
        scores.append(score_rows(evaluated)[3]["conll_f1"])
    assert threshold == THRESHOLDS[int(np.argmax(scores))]


def evaluated_from_the_model(seed, documents=8, mentions=25):
    """Return documents whose gold entities are a draw from the model: it is perfectly calibrated."""
    results = []
    for number in range(documents):
        rng = generator(seed, "made up", number)
        conditionals = np.tril(rng.random((mentions, mentions)) ** 6, -1)
        conditionals /= 0.3 + conditionals.sum(axis=1, keepdims=True)
        entities = sample_entities(conditionals, 1, rng)[:, 0]
        i, j = np.tril_indices(mentions, -1)
        results.append(
            Evaluated(
                f"made up {number}",
                "",
                mentions,
                conditionals,
                pair_marginals(conditionals)[i, j],
                entities[i] == entities[j],
                np.zeros((2, 2, 8, 4)),
                np.arange(mentions) % 3 * 3,
            )
        )
    return results


def test_a_perfect_model_is_rejected_as_often_as_the_level_says():
    below = 0
    repetitions = 100
    for seed in range(repetitions):
        evaluated = evaluated_from_the_model(seed)
        perfect = errors_of_a_perfect_model(evaluated, bin_size=100, replicates=99, seed=seed)
        below += genre_row("all", evaluated, bin_size=100, perfect=perfect)["p_value"] <= 0.1
    # Binomial with p = .1: 2 to 21 in 100 with all but 1 in 1,000 on either side.
    assert 2 <= below <= 21


def test_kinds_of_pairs_are_judged_by_themselves():
    evaluated = evaluated_from_the_model(5, documents=20)
    # Labels of names with each other are turned around; those of other kinds stay.
    i, j = np.tril_indices(25, -1)
    names = (evaluated[0].words[i] == 6) & (evaluated[0].words[j] == 6)
    wrong = [replace(one, y=one.y ^ names) for one in evaluated]
    settings = {"bin_size": 100, "replicates": 99, "seed": 1}
    rows, turned = ({row["pair"]: row for row in kind_rows(part, **settings)} for part in (evaluated, wrong))
    assert rows.keys() == {
        *("I, we ~ I, we", "I, we ~ it", "I, we ~ name"),
        *("it ~ it", "it ~ name", "name ~ name"),
    }
    assert sum(row["pairs"] for row in rows.values()) == 20 * 25 * 12
    assert turned["name ~ name"]["p_value"] == 0.01
    assert all(row["p_value"] > 0.01 for row in rows.values())
    assert {name for name in rows if rows[name] != turned[name]} == {"name ~ name"}
    assert not kind_rows(evaluated[:1], **settings | {"bin_size": 400})


def test_a_model_that_is_too_sure_is_rejected():
    rejected = 0
    for seed in range(10):
        evaluated = []
        for truth in evaluated_from_the_model(seed):
            sure = truth.conditionals / np.maximum(truth.conditionals.sum(axis=1, keepdims=True), 1e-9)
            q = pair_marginals(sure)[np.tril_indices(len(sure), -1)]
            evaluated.append(Evaluated(truth.document, "", truth.mentions, sure, q, truth.y, truth.counts, truth.words))
        perfect = errors_of_a_perfect_model(evaluated, bin_size=100, replicates=99, seed=seed)
        rejected += genre_row("all", evaluated, bin_size=100, perfect=perfect)["p_value"] <= 0.05
    assert rejected >= 9


def test_the_perfect_models_error_of_a_document_does_not_depend_on_the_others():
    evaluated = evaluated_from_the_model(5)
    alone = errors_of_a_perfect_model(evaluated[:1], bin_size=50, replicates=20, seed=1)
    assert np.array_equal(alone, errors_of_a_perfect_model(evaluated[:1], bin_size=50, replicates=20, seed=1))
    forth = errors_of_a_perfect_model(evaluated, bin_size=50, replicates=20, seed=1)
    back = errors_of_a_perfect_model(evaluated[::-1], bin_size=50, replicates=20, seed=1)
    assert back == pytest.approx(forth, rel=1e-9)


def test_sampled_marginals_err_no_more_than_independent_samples_would():
    documents = [(result.document, result.conditionals) for result in evaluated_from_the_model(7)]
    for samples in (10, 100, 1000):
        exact, sampled = sampled_pairs(documents, samples, seed=1)
        row = sampling_row(exact, sampled, samples)
        assert 0.5 * row["independent_rmse"] < row["rmse"] < 1.05 * row["independent_rmse"]


def claims(model, error, scores, taggers=()):
    """Outcomes of the claims on a model whose interval is a tenth of its error to each side, as those of taggers."""

    def measured(name, value, kind="published"):
        ends = {f"{kind}_error": value, f"{kind}_low": 0.9 * value, f"{kind}_high": 1.1 * value}
        return {"model": name, "bin_size": 5000, **ends}

    row = {**measured(model, error, "paper"), "paper_bin_size": 5000, "perfect_mean": 0.01, "p_value": 0.4}
    row |= {"direction_scores": scores}
    others = [{**measured(name, value), "target": target} for name, target, value in taggers]
    first = {**row, "model": "newsroom", "paper_error": 9.0}
    given = Results({"coref_models": [row] if model == "alone" else [first, row], "taggers": others})
    return [outcome(judge(given)) for judge in JUDGES.values()]


def test_claims_are_judged_by_cross_validation_and_all_tags_of_the_taggers():
    over, under = "0 -2 -2 0", "0 2 0 0"
    better = [("hmm", "tags", 0.01), ("hmm", "bigrams", 0.001), ("crf", "tags", 0.007)]
    assert claims("cross_validation", 0.005, over, better) == ["holds"] * 3
    assert claims("cross_validation", 0.015, under, better) == ["does not hold"] * 3
    assert claims("alone", 0.015, "0 0 0 0") == ["does not hold", "unclear", "not applicable"]


def test_the_output_for_documents_survives_the_file_and_a_cut_one_is_named(tmp_path):
    rng = np.random.default_rng(1)
    written = [
        Evaluated(
            f"d{n}", "news", n, rng.random((n, n)), rng.random(n * (n - 1) // 2), rng.random(n * (n - 1) // 2) < 0.5,
            rng.random((2, 2, 8, 4)), rng.integers(0, 8, n),
        )
        for n in (3, 0, 1, 5)
    ]  # fmt: skip
    save_evaluated(tmp_path / "posteriors.npz", written)
    for one, other in zip(written, load_evaluated(tmp_path / "posteriors.npz"), strict=True):
        assert (one.document, one.genre, one.mentions) == (other.document, other.genre, other.mentions)
        for name in ("conditionals", "q", "y", "counts", "words"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    arrays = dict(np.load(tmp_path / "posteriors.npz"))
    np.savez(tmp_path / "cut.npz", **{**arrays, "q": arrays["q"][1:]})
    with pytest.raises(InputError, match=r"cut\.npz: found other q than 4 documents have"):
        load_evaluated(tmp_path / "cut.npz")
