"""How many leads of each of the machine's categories people annotate (Lowe & King, section 4)."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputError
from reproduction.extraction_eval.measures import Ratio


def per_category(sizes: np.ndarray, k: int, uncategorised: int = 4) -> np.ndarray:
    """Return the paper's allocation: k leads of each category, `uncategorised` times as many that have none.

    The paper has k = 5 and four times as many without category (section 4). Categories that are smaller are annotated
    whole.
    """
    wanted = np.full(len(sizes), k)
    wanted[0] *= uncategorised
    return np.minimum(wanted, sizes)


def minimum_variance(sizes: np.ndarray, annotated: np.ndarray, n: int, measure: Ratio) -> np.ndarray:
    """Return the allocation of n leads in all that is expected to make a measure's estimate vary least.

    Given what was read, a category's leads have the posterior Dirichlet(counts + 1/C), under which each has an expected
    variance of its linearised contribution to the measure. Neyman's allocation for those variances is found in
    integers by giving each further lead to the category where it lowers the variance Σ N²S²/n most (Wright 2012),
    which is the best for the finite population too. Categories of which none was read get one first, the largest first:
    nothing is known of them.

    Parameters
    ----------
    sizes : np.ndarray
        int (C,), leads of each category of the machine.
    annotated : np.ndarray
        int (C, C): of the leads annotated so far, those with the machine's category m and the true category t.
    n : int
        Leads to be annotated in all; the allocation is never less than what is annotated.
    measure : Ratio
        What is to be estimated: of the machine, such as `answer_given_truth(C, i, i)` or `mean_level(weights)`.

    Returns
    -------
    np.ndarray
        int64 (C,).
    """
    allocation = annotated.sum(axis=1)
    if not allocation.sum() <= n <= sizes.sum():
        raise InputError(
            f"allocation: found {n} leads to annotate, expected {allocation.sum()} (annotated) to {sizes.sum()}"
        )
    posterior = annotated + 1 / len(sizes)
    truth = posterior / posterior.sum(axis=1, keepdims=True)
    joint = truth * sizes[:, None]
    part, whole = np.sum(joint * measure.part), np.sum(joint * measure.whole)
    if whole == 0:
        raise InputError("allocation: found a measure that no lead tells of, expected one of categories that are used")
    residual = (measure.part - part / whole * measure.whole) / whole
    mean = np.sum(truth * residual, axis=1, keepdims=True)
    total = posterior.sum(axis=1)
    spread = sizes**2 * np.sum(truth * (residual - mean) ** 2, axis=1) * total / (total + 1)
    allocation = allocation.astype(np.int64)
    unknown = np.flatnonzero((allocation == 0) & (sizes > 0))
    unknown = unknown[np.argsort(-sizes[unknown], kind="stable")]
    allocation[unknown[: n - allocation.sum()]] = 1
    # Further leads m + 1, m + 2, … of a category are worth less and less: the best of all lists together are taken.
    last = np.minimum(sizes, allocation + n - allocation.sum())
    category = np.repeat(np.arange(len(sizes)), last - allocation)
    lead = np.concatenate([np.arange(first, end) for first, end in zip(allocation, last, strict=True)])
    gain = spread[category] / np.maximum(lead * (lead + 1.0), 1)
    chosen = category[np.argsort(-gain, kind="stable")[: n - allocation.sum()]]
    return allocation + np.bincount(chosen, minlength=len(sizes))
