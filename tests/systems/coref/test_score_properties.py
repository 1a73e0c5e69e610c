"""Scores of coreference against their definitions, taken literally, on small partitions."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.systems.coref.score.scoring import COUNTED, coref_counts


@st.composite
def partitions(draw):
    mentions = draw(st.sets(st.integers(0, 9), max_size=8))
    labels = {mention: draw(st.integers(0, 3)) for mention in sorted(mentions)}
    return [{m for m in mentions if labels[m] == label} for label in sorted(set(labels.values()))]


def links(clusters):
    return {frozenset(pair) for cluster in clusters for pair in combinations(cluster, 2)}


def other_links(clusters):
    mentions = set().union(*clusters)
    return {frozenset(pair) for pair in combinations(mentions, 2)} - links(clusters)


def muc(key, response):
    """Links that a cluster's spanning tree keeps when the cluster is cut along the response (Vilain et al.)."""
    kept = 0
    for cluster in key:
        parts = {frozenset(cluster & other) for other in response if cluster & other}
        parts |= {frozenset({mention}) for mention in cluster - set().union(*response)}
        kept += len(cluster) - len(parts)
    return kept, sum(len(cluster) - 1 for cluster in key)


def b_cubed(key, response):
    total = Fraction(0)
    for cluster in key:
        for mention in cluster:
            total += sum(Fraction(len(cluster & other), len(cluster)) for other in response if mention in other)
    return total, sum(map(len, key))


def lea(key, response):
    total = Fraction(0)
    for cluster in key:
        if len(cluster) == 1:
            total += cluster in response
        else:
            resolved = sum(len(links([cluster & other])) for other in response)
            total += Fraction(len(cluster) * resolved, len(links([cluster])))
    return total, sum(map(len, key))


def ceaf(key, response, similarity):
    """The best of all one-to-one alignments, and what the key has in common with itself."""
    padded = [*response, *[set()] * len(key)]
    best = max(
        sum(similarity(k, r) for k, r in zip(key, chosen, strict=True)) for chosen in permutations(padded, len(key))
    )
    return best, sum(similarity(cluster, cluster) for cluster in key)


def dice(one, other):
    return Fraction(2 * len(one & other), len(one) + len(other)) if one or other else 0


def one_side(key, response):
    mentions = set().union(*key), set().union(*response)
    return {
        "mentions": (len(mentions[0] & mentions[1]), len(mentions[0])),
        "muc": muc(key, response),
        "b_cubed": b_cubed(key, response),
        "ceaf_m": ceaf(key, response, lambda one, other: len(one & other)),
        "ceaf_e": ceaf(key, response, dice),
        "lea": lea(key, response),
        "coreference_links": (len(links(key) & links(response)), len(links(key))),
        "other_links": (len(other_links(key) & other_links(response)), len(other_links(key))),
    }


@given(partitions(), partitions())
def test_counts_are_those_of_the_definitions(key, response):
    recall, precision = one_side(key, response), one_side(response, key)
    expected = [[float(count) for count in (*recall[name], *precision[name])] for name in COUNTED]
    assert coref_counts(key, response) == pytest.approx(np.array(expected), abs=1e-12)


@given(partitions(), partitions())
def test_the_order_of_clusters_does_not_matter(key, response):
    assert coref_counts(key[::-1], response[::-1]) == pytest.approx(coref_counts(key, response), abs=1e-12)


@given(partitions(), partitions())
def test_recall_is_the_precision_of_the_other_way_round(key, response):
    swapped = coref_counts(response, key)[:, [2, 3, 0, 1]]
    assert coref_counts(key, response) == pytest.approx(swapped, abs=1e-12)


@given(partitions(), partitions())
def test_no_count_is_more_than_there_is(key, response):
    counts = coref_counts(key, response)
    assert np.all(counts >= 0)
    assert np.all(counts[:, [0, 2]] <= counts[:, [1, 3]] + 1e-12)
