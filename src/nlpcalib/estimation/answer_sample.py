"""A judge whose labelled items were chosen by the human answer, such as 50 that passed and 50 that failed.

    sensitivity Se = share of verdicts yes among labels yes,   specificity Sp = share of verdicts no among labels no
    rate of yes = (r + Sp − 1)/(Se + Sp − 1)

* r is the share of verdicts that are yes, of all items: Rogan and Gladen's (1978) estimate.
* Its interval is Lang and Reiczigel's (2014), with one label added of each kind and answer, without their variance of
  r: all verdicts are known.
* Neither is below the share of items that are labelled yes, nor above what is left without those labelled no.

The shares of labels are those that people chose, so no rate of positive items, accuracy or kappa follows from them.

Of 2,000 items a judge calls 1,480 yes. It is right on 45 of 50 that people labelled yes and on 40 of 50 labelled no:

>>> found = rate_by_answer(45, 50, 40, 50, 1480, 2000)
>>> print(f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})")
0.771 (0.684 to 0.898)
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, ndtri
from scipy.stats import binom, hypergeom

from nlpcalib.estimation.judges import MEASURES, Rate, Verdicts
from nlpcalib.sampling.labels import MAX_CHANCE


def rates_by_answer(verdicts: Verdicts, *, level: float = 0.95) -> list[Rate]:
    """Return the measures of a judge in the order of `MEASURES`, and last the rate of positive items.

    Sensitivity and specificity have Clopper and Pearson's intervals. Accuracy and kappa are not defined. An item that
    was judged several times has the verdict of most, and open labels are left out.
    """
    called, (yes, of_yes), (no, of_no) = _counts(verdicts)
    n = of_yes + of_no
    undefined = "labels were chosen by their answer"
    own = {
        "sensitivity": _share("sensitivity", yes, of_yes, "positive", level),
        "specificity": _share("specificity", no, of_no, "negative", level),
    }
    rate = rate_by_answer(yes, of_yes, no, of_no, float(called.sum()), float(called.size), level=level)
    return [*(own.get(each, Rate(each, None, None, None, n, undefined)) for each in MEASURES), rate]


def _counts(verdicts: Verdicts) -> tuple[np.ndarray, tuple[int, int], tuple[int, int]]:
    """Return the verdicts, bool (N,), and the right ones of each answer: positive k of n, negative k of n."""
    called = verdicts.share >= 0.5
    known = ~np.isnan(verdicts.y)
    said, y = called[verdicts.rows[known]], verdicts.y[known] == 1
    return called, (int((said & y).sum()), int(y.sum())), (int((~said & ~y).sum()), int((~y).sum()))


def _share(measure: str, k: int, n: int, word: str, level: float) -> Rate:
    if not n:
        return Rate(measure, None, None, None, 0, f"no labelled item is {word}")
    low, high = (1 - level) / 2, (1 + level) / 2
    ends = betaincinv(k, n - k + 1, low) if k else 0.0, betaincinv(k + 1, n - k, high) if k < n else 1.0
    return Rate(measure, k / n, float(ends[0]), float(ends[1]), n)


def rate_by_answer(
    true_yes: int, yes: int, true_no: int, no: int, called_yes: float, items: float, *, level: float = 0.95
) -> Rate:
    """Return the rate of positive items; not defined where verdicts do not depend on the answers.

    Parameters
    ----------
    true_yes, yes, true_no, no : int
        Items that the judge is right on, of those labelled yes, and of those labelled no.
    called_yes, items : float
        Verdicts yes, and all items.
    level : float
        Level of the interval.
    """
    z = float(ndtri((1 + level) / 2))
    r = (called_yes + z**2 / 2) / (items + z**2)
    se, sp = (true_yes + 1) / (yes + 2), (true_no + 1) / (no + 2)
    told = se + sp - 1
    if told <= 0 or not yes or not no:
        note = "the judge is not shown to tell answers apart: sensitivity and specificity add up to at most 1"
        return Rate("rate", None, None, None, yes + no, note)
    rate = (r + sp - 1) / told
    of_se, of_sp = se * (1 - se) / (yes + 2), sp * (1 - sp) / (no + 2)
    moved = rate + 2 * z**2 * (rate * of_se - (1 - rate) * of_sp)
    half = z * np.sqrt(rate**2 * of_se + (1 - rate) ** 2 * of_sp) / told
    observed = true_yes / yes + true_no / no - 1
    value = (called_yes / items + true_no / no - 1) / observed if observed > 0 else rate
    low, high, value = (
        float(np.clip(each, yes / items, 1 - no / items)) for each in (moved - half, moved + half, value)
    )
    return Rate("rate", value, min(low, value), max(high, value), yes + no)


def chosen_by_answer(found: Verdicts, without: np.ndarray | None = None) -> bool:
    """Return whether labels have the sign of a choice by the answer.

    People choose equal numbers. The sign is as many labels yes as no, unequal numbers of both verdicts among them, and
    a probability below `MAX_CHANCE` of both: of so equal labels at the rate that verdicts correct to, and of
    verdicts that are so far from those of all items. No statistic distinguishes other samples by the answer from
    samples by the verdict, as both fit every table. `without`, (M,), are labels of items without a verdict: people
    chose them too.
    """
    called, (true_yes, of_yes), (true_no, of_no) = _counts(found)
    verdicts = int(called.sum()), int((~called).sum())
    labelled = true_yes + of_no - true_no, true_no + of_yes - true_yes
    positive = true_yes, of_yes - true_yes
    others = np.empty(0) if without is None else without
    n, yes = sum(labelled) + others.size, sum(positive) + int(others.sum())
    odd = n % 2
    if not sum(labelled) or abs(2 * yes - n) > odd or abs(labelled[0] - labelled[1]) <= odd:
        return False
    share = verdicts[0] / sum(verdicts)
    a, b = ((k + 0.5) / (m + 1) for k, m in zip(positive, labelled, strict=True))
    equal = binom.pmf(np.arange(n // 2, (n + odd) // 2 + 1), n, share * a + (1 - share) * b).sum()
    apart = hypergeom(sum(verdicts), verdicts[0], sum(labelled))
    far = min(1.0, 2 * min(apart.cdf(labelled[0]), apart.sf(labelled[0] - 1)))
    return bool(equal * far < MAX_CHANCE)


def disputes_chosen(disputed: np.ndarray, labelled: np.ndarray, part: np.ndarray) -> bool:
    """Return whether disputed items are more frequent among the labelled ones of a part than among its others.

    Then labels are missing for a reason, and disputes have to be strata. `disputed` and `labelled` are bool (N,), and
    `part`, int (N,), is what labels may be drawn from at different rates: the verdicts of each system or judge, which
    has an item once. The probability by chance of any part is below `MAX_CHANCE` (Fisher's exact test, Bonferroni).
    """
    size, differ, read, both = (
        np.bincount(part, each) for each in (np.ones(len(part)), disputed, labelled, disputed & labelled)
    )
    chance = hypergeom.sf(both - 1, size.astype(int), differ.astype(int), read.astype(int))
    return bool(np.nanmin(chance) * np.count_nonzero(size) < MAX_CHANCE)
