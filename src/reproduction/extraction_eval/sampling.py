"""Which leads people annotate: a stratified sample of the machine's categories (Lowe & King, section 4).

How many leads of each category are read is an allocation, an array of C counts; which of them, is drawn by permanent
random numbers: every lead has one, a function of the seed and its id alone, and the smallest of each category are
taken. So neither the order of the table nor leads of other categories decide on a lead, and a larger sample of the
same leads with the same seed contains a smaller one, so that annotation can go on where it ended. Leads that join a
category later may have smaller numbers, and take the places of others.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.measures import Ratio
from reproduction.extraction_eval.plan import Plan


def per_category(sizes: np.ndarray, k: int, uncategorised: int = 4) -> np.ndarray:
    """Return the paper's allocation: k leads of each category, `uncategorised` times as many that have none.

    The paper has k = 5 and four times as many without category (section 4). Categories that are smaller are annotated
    whole.
    """
    wanted = np.full(len(sizes), k)
    wanted[0] *= uncategorised
    return np.minimum(wanted, sizes)


def proportional(sizes: np.ndarray, n: int) -> np.ndarray:
    """Return an allocation of n leads in proportion to the categories' sizes, rounded by largest remainders."""
    if not 0 <= n <= sizes.sum():
        raise InputError(f"allocation: found {n} leads to sample, expected 0 to {sizes.sum()}")
    exact = n * sizes / sizes.sum()
    allocation = np.floor(exact).astype(np.int64)
    rest = n - allocation.sum()
    allocation[np.argsort(allocation - exact, kind="stable")[:rest]] += 1
    return allocation


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


def draw_plan(codings: Codings, allocation: np.ndarray, seed: int) -> Plan:
    """Sample `allocation[m]` leads of each category m of the machine, without replacement.

    Raises `InputError` for a category from which more leads are asked for than it has.
    """
    sizes = codings.sizes
    for category, asked, there in zip(codings.categories, allocation, sizes, strict=True):
        if not 0 <= asked <= there:
            raise InputError(f"allocation: found {asked} leads of {category!r}, expected 0 to {there}")
    left = allocation.copy()
    rows = []
    for row in _queue(codings, seed):
        if left[codings.machine[row]]:
            left[codings.machine[row]] -= 1
            rows.append(row)
    return _plan(codings, rows, stratified=True, seed=seed)


def draw_random_plan(codings: Codings, n: int, seed: int) -> Plan:
    """Sample n of all leads, whatever their categories, without replacement."""
    if not 0 < n <= len(codings.leads):
        raise InputError(f"plan: found {n} leads to sample, expected 1 to {len(codings.leads)}")
    return _plan(codings, _queue(codings, seed)[:n], stratified=False, seed=seed)


def _queue(codings: Codings, seed: int) -> list[int]:
    """Return all rows in the order in which they join a sample."""
    number = {lead: generator(seed, "extraction_eval", "plan", lead).random() for lead in codings.leads}
    return sorted(range(len(codings.leads)), key=lambda row: (number[codings.leads[row]], codings.leads[row]))


def _plan(codings: Codings, rows: list[int], *, stratified: bool, seed: int) -> Plan:
    stratum = {codings.leads[row]: int(codings.machine[row]) for row in rows}
    return Plan(codings.categories, tuple(codings.sizes.tolist()), stratum, stratified, seed)
