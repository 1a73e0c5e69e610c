"""The thesis' taggers: which there are, how they are trained, seen through their templates, and judged."""

from itertools import pairwise

import numpy as np
import pytest

from nlpcalib.chains.attributes import Attributes
from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import TaggedCorpus
from nlpcalib.chains.pairs import one_tag_pairs, tag_pairs
from nlpcalib.errors import InputError
from reproduction.claims.thesis import NEWS, TWEETS, ThesisResults, check_thesis
from reproduction.tagging.ablation import Settings, candidates
from reproduction.tagging.evaluation import evaluate
from reproduction.tagging.hmm import MAXIMUM_LIKELIHOOD
from reproduction.tagging.templates import TEMPLATES
from reproduction.tagging.variants import comparisons, nested_variants, variants

ORDER = list(TEMPLATES)
SETTINGS = Settings(pseudocounts=(0.1, 1.0), c2=(0.1, 1.0), epochs=20, step=1.0, seed=0)


def corpus_of(seed, sentences=40):
    rng = np.random.default_rng(seed)
    gold = rng.integers(3, size=(sentences, 5))
    endings = np.array(["ing", "ed", "er"])
    words = [f"{'abcdefgh'[rng.integers(8)]}{'klm'[rng.integers(3)]}{endings[tag]}" for tag in gold.reshape(-1)]
    return TaggedCorpus(
        tokens=Attributes.of_words(words),
        tags=("G", "N", "V"),
        gold=gold.reshape(-1).astype(np.int64),
        lengths=np.full(sentences, 5),
        units=tuple(map(str, range(sentences))),
    )


def test_each_rung_adds_the_next_template_and_adagrad_trains_the_first_and_the_last():
    made = variants(ORDER)
    nested = [made[name].templates for name in nested_variants(ORDER)]
    assert nested == [tuple(ORDER[:number]) for number in range(1, 7)]
    assert made["crf_basic_adagrad"].templates == nested[0]
    assert made["crf_advanced_adagrad"].templates == nested[-1]
    assert {name: made[name].method for name in ("hmm_ml", "hmm_map", "crf_word")} == {
        "hmm_ml": "ml",
        "hmm_map": "map",
        "crf_word": "lbfgs",
    }


@pytest.mark.parametrize("order", [ORDER, ORDER[:2], ["suffixes", "word", "shape"]])
def test_steps_compare_models_that_exist_each_pair_once(order):
    made = comparisons(order)
    assert len(set(made)) == len(made)
    assert {name for pair in made for name in pair} <= set(variants(order))
    assert set(pairwise(nested_variants(order))) <= set(made)


@pytest.mark.parametrize("name", variants(ORDER))
def test_every_recipe_makes_a_model_that_sees_test_words_as_it_saw_its_own(name):
    variant = variants(ORDER)[name]
    train, test = corpus_of(0), corpus_of(1)
    made = dict(candidates(variant, train, SETTINGS))
    grid = {"ml": [MAXIMUM_LIKELIHOOD], "map": [0.1, 1.0]}.get(variant.method, [0.1, 1.0])
    assert list(made) == grid
    chain = made[grid[0]]
    marginals, evaluation = evaluate(chain, test)
    assert marginals.single.shape == (200, 3)
    assert evaluation["attributes"] == len(chain.attributes)
    assert evaluation["training"].get("templates", []) == list(variant.templates)
    unseen = ~np.isin(test.tokens.names, train.tokens.names)
    assert evaluation["unknown_words"] == pytest.approx(unseen[test.tokens.indices].mean())
    if "suffixes" in variant.templates:  # the suffix tells the tag
        assert evaluation["accuracy"] == 1.0


def test_a_saved_model_still_knows_its_templates(tmp_path):
    train, test = corpus_of(0), corpus_of(1)
    _, chain = next(candidates(variants(ORDER)["crf_shape"], train, SETTINGS))
    chain.save(tmp_path / "model.npz")
    again = LinearChain.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(evaluate(again, test)[0].single, evaluate(chain, test)[0].single)


def test_one_tag_pairs_are_a_row_per_token_in_order():
    train, test = corpus_of(0), corpus_of(1)
    _, chain = next(candidates(variants(ORDER)["hmm_map"], train, SETTINGS))
    marginals, _ = evaluate(chain, test)
    tags, gold = test.gold_in(chain.tags)
    pairs = tag_pairs(marginals, gold, tags, test.units)
    verbs = one_tag_pairs(pairs, "V")
    np.testing.assert_array_equal(verbs.q, marginals.single[:, 2].clip(0, 1))
    np.testing.assert_array_equal(verbs.y, gold == 2)
    assert [verbs.unit.names[code] for code in verbs.unit.codes] == [str(token // 5) for token in range(200)]
    assert verbs.label.names == ("V",)
    with pytest.raises(InputError, match="found no tag 'NN'; expected one of G, N, V"):
        one_tag_pairs(pairs, "NN")


def results(genre, *, same_corpus, hmm, basic, advanced, p=0.01):
    """Return results in which every measure of a model is `hmm`, `basic` or `advanced`, and nested lie between."""
    nested = nested_variants(ORDER)
    values = {"hmm_ml": hmm, "hmm_map": hmm, "crf_basic_adagrad": basic, "crf_advanced_adagrad": advanced}
    values |= dict(zip(nested, np.linspace(basic, advanced, len(nested)), strict=True))
    models = {
        (model, "one_tag"): {
            "mse": value**2,
            "calibration_error": value,
            "refinement": value,
            "accuracy": 0.866,
        }
        for model, value in values.items()
    }
    compared = {pair: {"p_value": p, "squared_second": values[pair[1]] ** 2} for pair in comparisons(ORDER)}
    return ThesisResults(models, compared, nested, genre, same_corpus)


def verdicts(results):
    return [row["verdict"] for row in check_thesis(results)]


def test_what_the_thesis_says_is_reproduced_where_it_is_so():
    assert set(verdicts(results(TWEETS, same_corpus=True, hmm=0.06, basic=0.03, advanced=0.015))) == {"reproduced"}
    found = verdicts(results(NEWS, same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015))
    assert found.count("not applicable") == 2
    assert set(found) == {"reproduced", "not applicable"}


def test_what_is_the_other_way_round_differs():
    found = verdicts(results(TWEETS, same_corpus=False, hmm=0.02, basic=0.03, advanced=0.04))
    assert found.count("not applicable") == 1
    assert set(found) == {"differs", "not applicable"}
    found = verdicts(results(NEWS, same_corpus=True, hmm=0.02, basic=0.03, advanced=0.04))
    assert set(found) == {"differs"}


def test_a_lower_score_that_is_not_significant_differs():
    [row, *_] = check_thesis(results(NEWS, same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, p=0.2))
    assert row["verdict"] == "differs"
    assert "p = 0.2" in row["measured"]


def test_a_lower_score_that_cannot_be_tested_decides_nothing():
    [row, *_] = check_thesis(results(NEWS, same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, p=float("nan")))
    assert row["verdict"] == "undecided"
    assert "too few units for a test" in row["measured"]


def test_accuracies_are_those_of_all_templates_by_each_optimiser():
    """The last of the nested variants has all templates, as the model that AdaGrad trains."""
    found = results(TWEETS, same_corpus=True, hmm=0.06, basic=0.03, advanced=0.015)
    found.models[found.nested[-1], "one_tag"]["accuracy"] = 0.871
    assert "86.6% by AdaGrad, 87.1% by L-BFGS" in [row["measured"] for row in check_thesis(found)]
