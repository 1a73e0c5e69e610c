"""The thesis' taggers: which there are, how they are trained, seen through their templates, and judged."""

from itertools import pairwise

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.chains.pairs import tag_pairs
from reproduction.tagging.ablation import AblationSettings, candidates
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.hmm import MAXIMUM_LIKELIHOOD
from reproduction.tagging.pairs import one_tag_pairs
from reproduction.tagging.templates import TEMPLATES
from reproduction.tagging.variants import comparisons, nested_variants, variants

ORDER = list(TEMPLATES)
SETTINGS = AblationSettings(pseudocounts=(0.1, 1.0), c2=(0.1, 1.0), epochs=20, step=1.0, seed=0)


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
    marginals, evaluation = evaluate_tagger(chain, test)
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
    np.testing.assert_array_equal(evaluate_tagger(again, test)[0].single, evaluate_tagger(chain, test)[0].single)


def test_one_tag_pairs_are_a_row_per_token_in_order():
    train, test = corpus_of(0), corpus_of(1)
    _, chain = next(candidates(variants(ORDER)["hmm_map"], train, SETTINGS))
    marginals, _ = evaluate_tagger(chain, test)
    tags, gold = test.gold_in(chain.tags)
    pairs = tag_pairs(marginals, gold, tags, test.units)
    verbs = one_tag_pairs(pairs, "V")
    np.testing.assert_array_equal(verbs.q, marginals.single[:, 2].clip(0, 1))
    np.testing.assert_array_equal(verbs.y, gold == 2)
    assert [verbs.unit.names[code] for code in verbs.unit.codes] == [str(token // 5) for token in range(200)]
    assert verbs.predicted.names == ("V",)
    with pytest.raises(InputError, match="found no tag 'NN'; expected one of G, N, V"):
        one_tag_pairs(pairs, "NN")
