"""One clustering from antecedent probabilities or from pair marginals."""

import numpy as np
import pytest

from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.posterior import pair_marginals
from reproduction.coref.clusters import best_antecedents


def partition(entities):
    return {tuple(np.flatnonzero(entities == entity)) for entity in entities}


def test_best_antecedents_follow_the_most_probable_choice_of_each_mention():
    conditionals = np.zeros((5, 5))
    conditionals[1, 0] = 0.4
    conditionals[2, :2] = 0.3, 0.5
    conditionals[3, :3] = 0.45, 0.05, 0.05
    conditionals[4, :4] = 0.3, 0.25, 0.25, 0.1
    # Mention 3 chooses between 0, .45, and NEW, .45; mention 4 takes 0, though 1 and 2 together are likelier.
    assert partition(best_antecedents(conditionals)) == {(0, 3, 4), (1, 2)}


def test_ties_go_to_the_earliest_antecedent_and_from_new_to_an_antecedent():
    conditionals = np.zeros((3, 3))
    conditionals[1, 0] = 0.5
    assert partition(best_antecedents(conditionals)) == {(0, 1), (2,)}
    conditionals = np.zeros((3, 3))
    conditionals[2, :2] = 0.375, 0.375
    assert partition(best_antecedents(conditionals)) == {(0, 2), (1,)}


def test_entities_are_named_by_their_first_mentions():
    conditionals = np.diag(np.full(5, 0.9), -1)
    np.testing.assert_array_equal(best_antecedents(conditionals), np.zeros(6))


@pytest.mark.parametrize("mentions", [0, 1, 2])
def test_short_documents_have_clusterings(mentions):
    nothing = np.zeros((mentions, mentions))
    assert partition(best_antecedents(nothing)) == {(i,) for i in range(mentions)}
    assert partition(cluster_marginals(pair_marginals(nothing), 0.5)) == {(i,) for i in range(mentions)}
    assert cluster_marginals(np.ones((mentions, mentions)), 0.5).size == mentions


def slow_average_linkage(marginals, threshold):
    clusters = [[i] for i in range(len(marginals))]
    while len(clusters) > 1:
        mean = {
            (a, b): marginals[np.ix_(one, other)].mean()
            for a, one in enumerate(clusters)
            for b, other in enumerate(clusters[:a])
        }
        (a, b), highest = max(mean.items(), key=lambda item: item[1])
        if highest < threshold:
            break
        clusters[b] += clusters.pop(a)
    return {tuple(sorted(cluster)) for cluster in clusters}


@pytest.mark.parametrize("threshold", [0.05, 0.2, 0.35, 0.5, 0.9])
def test_clusters_are_merged_while_their_mean_marginal_is_high_enough(threshold):
    rng = np.random.default_rng(0)
    for _ in range(10):
        weights = np.tril(rng.gamma(0.2, size=(25, 25)), -1)
        marginals = pair_marginals(weights / (weights.sum(axis=1) + rng.gamma(0.5, size=25))[:, None])
        expected = slow_average_linkage(marginals, threshold)
        assert partition(cluster_marginals(marginals, threshold)) == expected


def test_certain_clusterings_are_found_by_both():
    conditionals = np.zeros((6, 6))
    conditionals[2, 0] = conditionals[3, 1] = conditionals[4, 2] = 1
    expected = {(0, 2, 4), (1, 3), (5,)}
    assert partition(best_antecedents(conditionals)) == expected
    for threshold in (0.01, 0.5, 1.0):
        assert partition(cluster_marginals(pair_marginals(conditionals), threshold)) == expected
