"""Scores of coreference: mentions, MUC, B³, CEAF, BLANC, LEA and the CoNLL F1, as the reference scorer computes them.

Key and response are clusters of mentions. Every score is a ratio of sums over the documents of a corpus (Pradhan et
al. 2014, "Scoring coreference partitions of predicted mentions: A reference implementation"). The results agree with
that scorer on all of its test cases.

K is an entity of the key, R one of the response, and n(K, R) counts the mentions of both. Recalls are

    MUC    Σ_K (|K ∩ response| − parts of K) / Σ_K (|K| − 1),  parts by the entities of the response
    B³     Σ_K Σ_R n(K, R)² / |K| / Σ_K |K|
    CEAF   max Σ φ(K, R) / Σ_K φ(K, K),  over one-to-one alignments;  φ₃ = n(K, R),  φ₄ = 2 n(K, R) / (|K| + |R|)
    LEA    Σ_K |K| Σ_R links(n(K, R)) / links(|K|) / Σ_K |K|,  links(n) = n (n − 1) / 2, but 1 for a singleton
    pairs  Σ_K Σ_R links(n(K, R)) / Σ_K links(|K|)

and precisions are the same with key and response exchanged. For the key {1, 2, 3} and the response {1, 2}, {3}, the
recalls are 1 / 2, (4 + 1) / 9 = .556 and, by pairs, 1 / 3:

    >>> found = coref_results(coref_counts([[1, 2, 3]], [[1, 2], [3]]))
    >>> found.muc.recall, round(found.b_cubed.recall, 3), round(found.pairwise.recall, 3)
    (0.5, 0.556, 0.333)
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

Clusters = Iterable[Collection[Hashable]]

COUNTED = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "coreference_links", "other_links")
"""The metrics counted in a document; BLANC has two parts, pairs that corefer and pairs that do not."""


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1, between 0 and 1; 0 / 0 is 0."""

    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, counts: Iterable[float]) -> Score:
        """Compute a score from four counts: numerator and denominator of recall, then of precision."""
        found_key, all_key, found_response, all_response = (float(count) for count in counts)
        recall, precision = _ratio(found_key, all_key), _ratio(found_response, all_response)
        return cls(recall, precision, _ratio(2 * recall * precision, recall + precision))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


@dataclass(frozen=True, slots=True)
class CorefResults:
    """The scores of a corpus."""

    mentions: Score
    """Detection of mentions with exact boundaries, regardless of entities."""
    muc: Score
    """Vilain et al. 1995."""
    b_cubed: Score
    """Bagga and Baldwin 1998."""
    ceaf_m: Score
    """CEAF by mentions (φ₃), Luo 2005."""
    ceaf_e: Score
    """CEAF by entities (φ₄), Luo 2005."""
    lea: Score
    """Moosavi and Strube 2016, each entity weighted by its size; a singleton links to itself."""
    pairwise: Score
    """Pairs of mentions that share an entity (paper, section 5.3)."""
    blanc: Score
    """Luo et al. 2014; if the key has only one of the two kinds of pairs, only that kind counts."""

    @property
    def conll_f1(self) -> float:
        """The mean F1 of MUC, B³ and CEAFe, the score of the CoNLL shared tasks."""
        return (self.muc.f1 + self.b_cubed.f1 + self.ceaf_e.f1) / 3


def coref_results(counts: np.ndarray) -> CorefResults:
    """Return scores from counts of shape (8, 4): `coref_counts` of a document, or their sum over documents."""
    mentions, muc, b_cubed, ceaf_m, ceaf_e, lea, coreference, other = (Score.of(row) for row in counts)
    if not counts[-2, 1]:
        blanc = other
    elif not counts[-1, 1]:
        blanc = coreference
    else:
        blanc = Score(
            (coreference.recall + other.recall) / 2,
            (coreference.precision + other.precision) / 2,
            (coreference.f1 + other.f1) / 2,
        )
    return CorefResults(mentions, muc, b_cubed, ceaf_m, ceaf_e, lea, coreference, blanc)


def coref_counts(key: Clusters, response: Clusters, *, singletons: bool = True) -> np.ndarray:
    """Return the counts behind the scores of one document, whose mentions are any hashable values.

    A mention in several clusters belongs only to the first. Time is linear in the mentions, except for the alignment
    of entities for CEAF.

    Returns float64 of shape (8, 4): for each of `COUNTED`, numerator and denominator of recall, and of precision.
    """
    key_sizes, response_sizes, rows, columns, common = _overlap(
        _entities(key, singletons), _entities(response, singletons)
    )
    sides = ((key_sizes, rows), (response_sizes, columns))
    found = common.sum()
    in_key, in_response = key_sizes[rows], response_sizes[columns]
    links = _pairs(common)
    # A singleton has one link, from the mention to itself.
    self_links = (in_key == 1) & (in_response == 1)
    # Pairs of common mentions that corefer in neither key nor response.
    apart = _pairs(found) + links.sum() - sum(_pairs(np.bincount(which, common)).sum() for _, which in sides)
    ceaf_m = _best_alignment(rows, columns, common)
    ceaf_e = _best_alignment(rows, columns, 2 * common / (in_key + in_response))
    counts = [
        [(found, sizes.sum()) for sizes, _ in sides],
        # Every missed mention is a part by itself.
        [(found - len(common), (sizes - 1).sum()) for sizes, _ in sides],
        [((common**2 / sizes[which]).sum(), sizes.sum()) for sizes, which in sides],
        [(ceaf_m, sizes.sum()) for sizes, _ in sides],
        [(ceaf_e, len(sizes)) for sizes, _ in sides],
        [
            ((sizes[which] * (links + self_links) / np.maximum(_pairs(sizes[which]), 1)).sum(), sizes.sum())
            for sizes, which in sides
        ],
        [(links.sum(), _pairs(sizes).sum()) for sizes, _ in sides],
        [(apart, _pairs(sizes.sum()) - _pairs(sizes).sum()) for sizes, _ in sides],
    ]
    return np.array(counts, np.float64).reshape(len(COUNTED), 4)


def _pairs(size: np.ndarray) -> np.ndarray:
    return size * (size - 1) / 2


def _entities(clusters: Clusters, singletons: bool) -> list[list[Hashable]]:
    seen: set[Hashable] = set()
    entities = []
    for cluster in clusters:
        entity = [mention for mention in dict.fromkeys(cluster) if mention not in seen]
        seen.update(entity)
        if len(entity) > (0 if singletons else 1):
            entities.append(entity)
    return entities


def _overlap(key: list[list[Hashable]], response: list[list[Hashable]]) -> tuple[np.ndarray, ...]:
    """Return the sizes of key and response entities, and row, column and number of mentions of their overlaps."""
    response_of = {mention: number for number, entity in enumerate(response) for mention in entity}
    cells = [
        number * len(response) + response_of[mention]
        for number, entity in enumerate(key)
        for mention in entity
        if mention in response_of
    ]
    places, common = np.unique(np.array(cells, np.int64), return_counts=True)
    rows, columns = np.divmod(places, max(len(response), 1))
    sizes = (np.array([len(entity) for entity in entities], np.float64) for entities in (key, response))
    return *sizes, rows, columns, common.astype(np.float64)


def _best_alignment(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray) -> float:
    """Return the largest total weight of a one-to-one alignment of rows and columns.

    Memory grows only with the overlaps: an unaligned row gets a column of its own.
    """
    if not len(weights):
        return 0.0
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    own = np.arange(height)
    # SciPy drops edges of weight 0. Every row has one edge, so adding 1 to each changes no choice.
    edges = np.concatenate([weights, np.zeros(height)]) + 1.0
    where = np.concatenate([rows, own]), np.concatenate([columns, width + own])
    graph = coo_array((edges, where), shape=(height, width + height)).tocsr()
    chosen = min_weight_full_bipartite_matching(graph, maximize=True)
    return float((graph[chosen] - 1.0).sum())
