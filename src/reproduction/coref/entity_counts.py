"""How many entities a document has: as many as mentions begin one.

Antecedents are independent, so the number of entities is a sum of independent choices, Σ_i [a_i = NEW], with the
Poisson-binomial distribution. Most entities of it are mentioned once. An entity is mentioned again if its first mention
i begins one and some later mention has the antecedent i, with the probability

    P(a_i = NEW) · (1 − Π_{j > i} (1 − A[j, i])).

The sum of these is the expected number of entities mentioned again, exactly. Its distribution is not Poisson-binomial,
as two mentions cannot both be joined by a third; it is taken for one, and the shared effect of
`nlpcalib.estimation.shared_effect` makes up for what documents share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from reproduction.coref.evaluated import Evaluated
from reproduction.estimation.count_rows import IntervalRow, UncertainUnits, count_rows

COUNTED = ("entities", "entities mentioned again")


def beginnings(conditionals: Any, *, again: bool = False) -> np.ndarray:
    """Return the probability of each mention to begin an entity, float64 (N,); with `again`, one mentioned again.

    `conditionals` is A, an array or a sparse one of shape (N, N).
    """
    new = np.clip(1 - conditionals.sum(axis=1), 0.0, 1.0)
    if not again:
        return new
    with np.errstate(divide="ignore"):
        return new * -np.expm1((-sparse.csr_array(conditionals)).log1p().sum(axis=0))


def entity_count_rows(
    trained: Sequence[Sequence[Evaluated]],
    recalibrated: Sequence[Sequence[Evaluated]],
    labelled: Sequence[Sequence[Evaluated]],
) -> Iterator[tuple[str, IntervalRow]]:
    """Yield three rows for each of COUNTED on the documents of F folds, as `count_rows` does.

    `labelled` are other documents than the fold's, under recalibrated models that did not train on them.
    """
    for counted, again in zip(COUNTED, (False, True), strict=True):
        parts = ([entity_units(each, again=again) for each in stage] for stage in (trained, recalibrated, labelled))
        for row in count_rows(*parts):
            yield counted, row


def entity_units(evaluated: Iterable[Evaluated], *, again: bool = False) -> UncertainUnits:
    """Return the mentions of annotated documents, with whether they begin an entity; documents are groups.

    A mention that no annotated entity has begins one of its own.
    """
    found: Sequence[Evaluated] = list(evaluated)
    happened = []
    for result in found:
        together = np.zeros((result.mentions, result.mentions), dtype=bool)
        together[np.tril_indices(result.mentions, -1)] = result.y
        begins = ~together.any(axis=1)
        happened.append(begins & together.any(axis=0) if again else begins)
    sizes = [result.mentions for result in found]
    return UncertainUnits(
        np.concatenate([beginnings(result.conditionals, again=again) for result in found]),
        np.concatenate(happened),
        np.repeat(np.arange(len(found)), sizes),
    )
