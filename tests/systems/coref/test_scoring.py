"""Scores of coreference: the test cases of the reference scorer, corpora, singletons, speed."""

import time
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array

from nlpcalib.systems.coref.score.scoring import (
    COUNTED,
    Score,
    _best_alignment,
    coref_counts,
    coref_results,
)

SINGLETONS = "a b c d e f"
OVER_SIX = ("ab cde f", "abcxyz", "a b c x y z", "ab cxy z")
"""Responses to a key of six mentions: one that is right about the mentions, three that find half of them."""


def harmonic(recall, precision):
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0


def blanc(coreference, other):
    """The mean of the scores of two kinds of links, each given by right, key and response links."""
    scores = [harmonic(right / key, right / response) for right, key, response in (coreference, other)]
    return tuple(np.mean(scores, axis=0))


# Key and response with a letter for each mention. Numbers are those of the reference scorer's test suite (Pradhan
# et al. 2014; D and E are of Bagga and Baldwin 1998, F to L of Vilain et al. 1995), as fractions where it rounds;
# those of LEA are what its definition gives (Moosavi and Strube 2016).
CASES = {
    "A1": ("a bc def", "a bc def", dict.fromkeys(("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"), (1, 1, 1))),
    "A2": (
        "a bc def",
        "a de",
        {
            "muc": (1 / 3, 1, 1 / 2),
            "b_cubed": (7 / 18, 1, 14 / 25),
            "ceaf_m": (1 / 2, 1, 2 / 3),
            "ceaf_e": (0.6, 0.9, 0.72),
            "blanc": blanc((1, 4, 1), (2, 11, 2)),
            "lea": (1 / 3, 1, 1 / 2),
        },
    ),
    "A3": (
        "a bc def",
        "a bcx defy z",
        {
            "muc": (1, 3 / 5, 3 / 4),
            "b_cubed": (1, 55 / 108, 110 / 163),
            "ceaf_m": (1, 2 / 3, 4 / 5),
            "ceaf_e": harmonic((1 + 4 / 5 + 6 / 7) / 3, (1 + 4 / 5 + 6 / 7) / 4),
            "blanc": blanc((4, 4, 9), (11, 11, 27)),
            "lea": harmonic(1, 4 / 9),
        },
    ),
    "A4": (
        "a bc def",
        "a bcx dy z",
        {
            "muc": (1 / 3, 1 / 3, 1 / 3),
            "b_cubed": harmonic(5 / 9, 17 / 42),
            "ceaf_m": harmonic(4 / 6, 4 / 7),
            "ceaf_e": harmonic(11 / 15, 11 / 20),
            "blanc": blanc((1, 4, 4), (5, 11, 17)),
            "lea": harmonic(1 / 2, 2 / 7),
        },
    ),
    "A5": (
        "a bc def",
        "a bcxB dy z",
        {
            "muc": harmonic(1 / 3, 1 / 4),
            "b_cubed": harmonic(5 / 9, 5 / 16),
            "ceaf_m": harmonic(4 / 6, 4 / 8),
            "ceaf_e": harmonic(31 / 45, 31 / 60),
            "blanc": blanc((1, 4, 7), (5, 11, 21)),
            "lea": harmonic(1 / 2, 5 / 24),
        },
    ),
    "A6": (
        "a bc def",
        "a bcx dy Bz",
        {
            "muc": harmonic(1 / 3, 1 / 4),
            "b_cubed": harmonic(5 / 9, 17 / 48),
            "ceaf_m": harmonic(4 / 6, 4 / 8),
            "ceaf_e": harmonic(11 / 15, 11 / 20),
            "blanc": blanc((1, 4, 5), (5, 11, 23)),
            "lea": harmonic(1 / 2, 1 / 4),
        },
    ),
    "A10": (
        "a bc def",
        SINGLETONS,
        {
            "muc": (0, 0, 0),
            "b_cubed": (1 / 2, 1, 2 / 3),
            "blanc": (1 / 2, 11 / 30, 11 / 26),
            "lea": (1 / 6, 1 / 6, 1 / 6),
        },
    ),
    "A11": (
        "a bc def",
        "abcdef",
        {
            "muc": (1, 3 / 5, 3 / 4),
            "b_cubed": (1, 7 / 18, 14 / 25),
            "blanc": (1 / 2, 2 / 15, 4 / 19),
            "lea": harmonic(5 / 6, 4 / 15),
        },
    ),
    "A12": (
        "a bc def",
        "a x y c d e z",
        {
            "muc": (0, 0, 0),
            "b_cubed": harmonic(13 / 36, 4 / 7),
            "blanc": harmonic(5 / 22, 5 / 42),
            "lea": harmonic(1 / 6, 1 / 7),
        },
    ),
    "A13": (
        "a bc def",
        "axycdez",
        {
            "muc": harmonic(1 / 3, 1 / 6),
            "b_cubed": harmonic(17 / 36, 6 / 49),
            "blanc": (1 / 8, 1 / 42, 1 / 25),
            "lea": harmonic(1 / 6, 1 / 21),
        },
    ),
    "B1": ("ab cde", "bcx de", {"blanc": (7 / 24, 7 / 24, 7 / 24), "lea": harmonic(1 / 5, 2 / 5)}),
    "C1": ("ab cde fg", "bcx de fg", {"blanc": (41 / 80, 41 / 80, 41 / 80), "lea": harmonic(3 / 7, 4 / 7)}),
    "D1": (
        "12345 67 89ABC",
        "12345 6789ABC",
        {"muc": harmonic(1, 9 / 10), "b_cubed": harmonic(1, 16 / 21), "lea": harmonic(1, 13 / 18)},
    ),
    "E1": (
        "12345 67 89ABC",
        "1234589ABC 67",
        {"muc": harmonic(1, 9 / 10), "b_cubed": harmonic(1, 7 / 12), "lea": harmonic(1, 29 / 54)},
    ),
    "F1": ("abcd", "ab cd", {"muc": harmonic(2 / 3, 1), "lea": harmonic(1 / 3, 1)}),
    "G1": ("ab cd", "abcd", {"muc": harmonic(1, 2 / 3), "lea": harmonic(1, 1 / 3)}),
    "H1": ("abcd", "abcd", {"muc": (1, 1, 1), "lea": (1, 1, 1)}),
    "I1": ("abcd", "ac bd", {"muc": harmonic(2 / 3, 1), "lea": harmonic(1 / 3, 1)}),
    "J1": ("abc", "ac", {"muc": harmonic(1 / 2, 1), "lea": harmonic(1 / 3, 1)}),
    "K1": ("bcdeghj", "abc def ghi", {"muc": (1 / 2, 1 / 2, 1 / 2), "lea": harmonic(1 / 7, 1 / 3)}),
    "L1": ("abc defg", "ab cd fgh", {"muc": harmonic(2 / 5, 2 / 4), "lea": harmonic(5 / 21, 3 / 7)}),
    "M1": ("abcdef", "abcdef", dict.fromkeys(("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"), (1, 1, 1))),
    "M2": ("abcdef", SINGLETONS, dict.fromkeys(("muc", "blanc", "lea"), (0, 0, 0))),
    "M3": ("abcdef", OVER_SIX[0], {"blanc": harmonic(4 / 15, 1), "lea": harmonic(4 / 15, 5 / 6)}),
    "M4": ("abcdef", OVER_SIX[1], {"blanc": (1 / 5, 1 / 5, 1 / 5), "lea": (1 / 5, 1 / 5, 1 / 5)}),
    "M5": ("abcdef", OVER_SIX[2], dict.fromkeys(("muc", "blanc", "lea"), (0, 0, 0))),
    "M6": ("abcdef", OVER_SIX[3], {"blanc": harmonic(1 / 15, 1 / 4), "lea": harmonic(1 / 15, 1 / 3)}),
    "N1": (SINGLETONS, SINGLETONS, {"muc": (0, 0, 0), "blanc": (1, 1, 1), "lea": (1, 1, 1)}),
    "N2": (SINGLETONS, "abcdef", dict.fromkeys(("muc", "blanc", "lea"), (0, 0, 0))),
    "N3": (SINGLETONS, OVER_SIX[0], {"blanc": harmonic(11 / 15, 1), "lea": (1 / 6, 1 / 6, 1 / 6)}),
    "N4": (SINGLETONS, OVER_SIX[2], {"muc": (0, 0, 0), "blanc": (1 / 5,) * 3, "lea": (1 / 2, 1 / 2, 1 / 2)}),
    "N5": (SINGLETONS, OVER_SIX[1], {"blanc": (0, 0, 0), "lea": (0, 0, 0)}),
    "N6": (SINGLETONS, OVER_SIX[3], {"blanc": harmonic(2 / 15, 2 / 11), "lea": (0, 0, 0)}),
}
# Mentions that the response repeats, in the same entity and in another: they count where they are first.
REPEATED = {"A7": "a bcxb dy z", "A8": "a bcx dy bz", "A9": "a bcx dy bbbbbbbbbbz"}
CASES |= {case: ("a bc def", response, CASES["A4"][2]) for case, response in REPEATED.items()}


def results(key, response, **options):
    return coref_results(coref_counts(key.split(), response.split(), **options))


@pytest.mark.parametrize("case", CASES)
def test_the_cases_of_the_reference_scorer(case):
    key, response, expected = CASES[case]
    found = results(key, response)
    for metric, (recall, precision, f1) in expected.items():
        score = getattr(found, metric)
        assert (score.recall, score.precision, score.f1) == pytest.approx((recall, precision, f1), abs=1e-12), metric


# F1 of MUC, B³, CEAFm and CEAFe that Luo (2005, Table 1) gives, key first.
LUO = {
    "12345 6789ABC": (0.947, 0.865, 0.833, 0.733),
    "1234589ABC 67": (0.947, 0.737, 0.583, 0.667),
    "123456789ABC": (0.900, 0.545, 0.417, 0.294),
    "1 2 3 4 5 6 7 8 9 A B C": (0, 0.400, 0.250, 0.178),
}


@pytest.mark.parametrize("response", LUO)
def test_the_examples_of_the_paper_on_ceaf(response):
    found = results("12345 67 89ABC", response)
    scores = (found.muc, found.b_cubed, found.ceaf_m, found.ceaf_e)
    assert tuple(score.f1 for score in scores) == pytest.approx(LUO[response], abs=5e-4)
    assert found.conll_f1 == (found.muc.f1 + found.b_cubed.f1 + found.ceaf_e.f1) / 3


@pytest.mark.parametrize("case", CASES)
def test_pairwise_scores_compare_every_pair_of_mentions(case):
    """A mention that is in several entities belongs to the first."""
    sides = []
    for text in CASES[case][:2]:
        first = {mention: text.split().index(entity) for entity in text.split()[::-1] for mention in entity}
        sides.append({pair for pair in combinations(sorted(first), 2) if first[pair[0]] == first[pair[1]]})
    key, response = sides
    found = results(*CASES[case][:2]).pairwise
    assert found.recall == (len(key & response) / len(key) if key else 0)
    assert found.precision == (len(key & response) / len(response) if response else 0)


def test_mentions_count_whatever_they_corefer_with():
    assert results("a bc def", "ax bz d").mentions == Score(3 / 6, 3 / 5, 6 / 11)


def test_a_corpus_sums_counts_before_it_divides():
    counts = coref_counts(["abcd"], ["abcd"]), coref_counts(["ab"], ["a", "b"])
    found = coref_results(np.sum(counts, axis=0))
    assert found.muc == Score(3 / 4, 1, 6 / 7)
    assert found.b_cubed.recall == (4 + 1) / 6
    assert counts[0].shape == (len(COUNTED), 4)


def test_documents_share_no_mentions():
    counts = coref_counts(["ab"], ["ab"]) + coref_counts(["ab"], [])
    assert coref_results(counts).mentions == Score(1 / 2, 1, 2 / 3)


def test_singletons_can_be_taken_out_of_both_sides():
    assert results("a bc def", "a bc d e f x", singletons=False) == results("bc def", "bc")
    assert results("aa bc", "bcc a", singletons=False) == results("bc", "bc")


@pytest.mark.parametrize(("key", "response"), [("", ""), ("ab", ""), ("", "ab"), ("", "a b")])
def test_nothing_in_common_scores_zero(key, response):
    found = results(key, response)
    assert found.conll_f1 == 0
    for metric in ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc"):
        assert getattr(found, metric) == Score(0, 0, 0)


def test_mentions_are_anything_hashable_and_clusters_any_collections():
    key = [{(0, 0, 2), (1, 3, 4)}, frozenset({(2, 0, 1)})]
    response = [((1, 3, 4), (0, 0, 2)), [(2, 0, 1)]]
    np.testing.assert_array_equal(coref_counts(key, response), coref_counts(["ab", "c"], ["ba", "c"]))


def test_five_thousand_mentions_take_less_than_a_second():
    # A document with 500 entities, of which the response confuses a tenth of the mentions.
    rng = np.random.default_rng(5)
    gold = rng.zipf(1.5, 5000) % 500
    system = np.where(rng.random(5000) < 0.1, rng.integers(500, size=5000), gold)
    key, response = ([np.flatnonzero(labels == label).tolist() for label in range(500)] for labels in (gold, system))
    start = time.process_time()
    counts = coref_counts(key, response)
    assert time.process_time() - start < 1
    assert counts[0, 0] == 5000


def test_many_entities_that_are_tied_together_are_aligned_in_little_memory():
    """Half of each entity is with half of the next, all around: either of two alignments takes half of each."""
    size = 10_000
    key = [[(entity, place) for place in range(4)] for entity in range(size)]
    response = [
        [(entity, 0), (entity, 1), ((entity + 1) % size, 2), ((entity + 1) % size, 3)] for entity in range(size)
    ]
    tracemalloc.start()
    counts = dict(zip(COUNTED, coref_counts(key, response).tolist(), strict=True))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts["ceaf_m"] == [2 * size, 4 * size] * 2
    assert counts["ceaf_e"] == [size / 2, size] * 2
    assert peak < 200e6


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_alignments_weigh_as_those_of_a_matrix_do(height, width, seed):
    rng = np.random.default_rng(seed)
    rows, columns = np.nonzero(rng.random((height, width)) < 0.4)
    weights = rng.integers(1, 9, rows.size) / rng.integers(1, 9, rows.size)
    matrix = coo_array((weights, (rows, columns)), shape=(height, width)).toarray()
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert _best_alignment(rows, columns, weights) == pytest.approx(best, abs=1e-12)
