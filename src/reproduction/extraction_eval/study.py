"""Known truth: what the estimates and intervals are worth where the true category of every lead is known.

Samples are drawn from a population with known truth again and again, and estimates compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from nlpcalib.calibration.intervals import NORMAL_QUANTILE
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from reproduction.extraction_eval import measures
from reproduction.extraction_eval.allocation import minimum_variance, per_category
from reproduction.extraction_eval.measures import Estimand, Ratio
from reproduction.extraction_eval.population import Population, draw_random_samples, draw_samples, estimates
from reproduction.extraction_eval.posterior import Posterior
from reproduction.extraction_eval.scale import Scale

_MIN_ERRORS_OF_EACH_KIND = 3
DESIGNS = ("random", "per category", "minimum variance")


def typical_categories(population: Population) -> list[int]:
    """Return the most frequent category, the one between and the rarest, of those that the machine errs in both ways.

    Those are categories with answers that are wrong and events that are missed, but not all of them, three at least of
    each kind or, where there are no such categories, one: where the machine is perfect or blind a few leads may show
    everything, and a single error is hardly ever seen. Raises `InputError` if there are none.
    """
    joint = population.joint
    right = np.diag(joint)
    found = np.array([], dtype=np.int64)
    for errors in (_MIN_ERRORS_OF_EACH_KIND, 1):
        imperfect = (right > 0) & (right + errors <= joint.sum(axis=0)) & (right + errors <= joint.sum(axis=1))
        imperfect[0] = False
        found = found if found.size else np.flatnonzero(imperfect)
    if not found.size:
        raise InputError("study: found no category that the machine sometimes gives rightly and sometimes wrongly")
    ordered = found[np.argsort(-joint.sum(axis=0)[found], kind="stable")]
    return ordered[sorted({0, ordered.size // 2, ordered.size - 1})].tolist()


def named(rows: Sequence[Mapping], scale: Scale) -> list[dict]:
    """Return rows with the names of categories in the place of their numbers."""
    return [{**row, "category": None if row["category"] is None else scale.categories[row["category"]]} for row in rows]


def reported_measures(
    weights: np.ndarray, categories: Sequence[int] | None = None
) -> dict[tuple[str, int | None], Estimand]:
    """Return measures of the whole, and of each of `categories` (of all by default), by name and category."""
    size = len(weights)
    made: dict[tuple[str, int | None], Estimand] = {
        ("correct", None): measures.correct(size),
        ("correct_events", None): measures.correct_events(size),
        ("weighted_rate", None): measures.weighted_rate(np.array([0.0] + [1.0] * (size - 1))),
        ("mean_level", None): measures.mean_level(weights),
        ("mean_error", None): measures.mean_error(weights),
        ("mean_square_error", None): measures.mean_error(weights, power=2),
        ("kappa", None): measures.kappa(),
    }
    for number in range(1, size) if categories is None else categories:
        made["truth_share", number] = measures.truth_share(size, number)
        made["truth_given_answer", number] = measures.truth_given_answer(size, number, number)
        made["answer_given_truth", number] = measures.answer_given_truth(size, number, number)
        made["both", number] = measures.both(size, number, number)
        made["expected_level", number] = measures.expected_level(weights, number)
        made["level_variance", number] = measures.LevelVariance(weights, number)
    return made


def measure_coverage_rows(
    population: Population,
    wanted: Mapping[tuple[str, int | None], Estimand],
    allocation: np.ndarray,
    *,
    replicates: int,
    samples: int,
    seed: int,
) -> list[dict]:
    """Return bias and coverage of each measure's estimate and interval, also from a random sample of as many leads.

    Parameters
    ----------
    population : Population
        The truth.
    wanted : mapping
        Measures by name and category, such as `reported_measures`. Those not defined in the population are left out.
    allocation : np.ndarray
        int (C,): leads annotated of each of the machine's categories. The random sample has as many in all.
    replicates, samples, seed : int
        Samples drawn, draws of the posterior of each, and the seed of all.

    Returns
    -------
    list of dict
        `design` (`stratified` or `random`), `measure`, `category` (a number or None), `truth`;
        `defined`, the share of samples that have an estimate, and of those `bias` with its standard error `bias_se`,
        and `rmse`; `coverage` of the intervals with `coverage_se`, the shares that lie `below` and `above` the truth,
        and mean `width`.
    """
    found = {key: population.truth_of(measure) for key, measure in wanted.items()}
    truth = {key: value for key, value in found.items() if value is not None}
    wanted = {key: wanted[key] for key in truth}
    n = int(np.sum(allocation))
    stratified = draw_samples(population, allocation, replicates, generator(seed, "extraction_eval", "stratified", n))
    plain = draw_random_samples(population, n, replicates, generator(seed, "extraction_eval", "random", n))
    rows = []
    for design, drawn in (("stratified", stratified), ("random", plain)):
        results = np.full((replicates, len(wanted), 3), np.nan)
        for number, counts in enumerate(drawn):
            sample = population.sample_of(counts, stratified=design == "stratified")
            posterior = Posterior(sample, samples=samples, seed=seed + number)
            for place, measure in enumerate(wanted.values()):
                estimate = posterior.estimate(measure)
                results[number, place] = [
                    np.nan if each is None else each for each in (estimate.value, estimate.low, estimate.high)
                ]
        for place, (measure_name, category) in enumerate(wanted):
            target = truth[measure_name, category]
            rows.append(
                {
                    "design": design,
                    "measure": measure_name,
                    "category": category,
                    "leads": n,
                    "truth": target,
                    **_judged(results[:, place], target),
                }
            )
    return rows


def naive_rows(population: Population, allocation: np.ndarray, *, replicates: int, seed: int) -> list[dict]:
    """Return for each category what P(T = i | M = i), read as P(M = i | T = i), is off on average (section 4).

    Returns
    -------
    list of dict
        `category`, `truth` P(M = i | T = i), `bayes_mean` and `naive_mean` with `bayes_bias`, `naive_bias` and their
        standard errors `bayes_se`, `naive_se`, over the samples that have an estimate, whose share is
        `bayes_defined`. Categories that are never true, or never answered, are left out.
    """
    size = len(population.joint)
    rng = generator(seed, "extraction_eval", "stratified", int(np.sum(allocation)))
    drawn = draw_samples(population, allocation, replicates, rng)
    rows = []
    for number in range(1, size):
        target = population.truth_of(measures.answer_given_truth(size, number, number))
        if target is None or not allocation[number]:
            continue
        row: dict = {"category": number, "answers": int(population.sizes[number]), "truth": target}
        bayes = estimates(population, drawn, measures.answer_given_truth(size, number, number))
        naive = estimates(population, drawn, measures.truth_given_answer(size, number, number))
        for name, found in (("bayes", bayes), ("naive", naive)):
            there = found[~np.isnan(found)]
            row |= {
                f"{name}_mean": float(there.mean()) if there.size else None,
                f"{name}_bias": float(there.mean() - target) if there.size else None,
                f"{name}_se": float(there.std() / there.size**0.5) if there.size else None,
                f"{name}_defined": there.size / replicates,
            }
        rows.append(row)
    return rows


def rare_measures(population: Population) -> dict[tuple[str, int], Ratio]:
    """Return what is hard to know: the shares of the rarest of the `typical_categories`, by name and category."""
    size, rarest = len(population.joint), typical_categories(population)[-1]
    return {
        ("both", rarest): measures.both(size, rarest, rarest),
        ("truth_given_answer", rarest): measures.truth_given_answer(size, rarest, rarest),
        ("answer_given_truth", rarest): measures.answer_given_truth(size, rarest, rarest),
    }


class SavingRow(TypedDict):
    """A row of `saving_rows` with the name of its category, as far as it is read again."""

    measure: str
    category: str
    design: str
    leads: int
    population: int
    rmse: float
    rmse_low: float
    rmse_high: float
    relative_rmse: float | None


def saving_rows(
    population: Population,
    wanted: Mapping[tuple[str, int], Ratio],
    ks: Sequence[int],
    *,
    replicates: int,
    seed: int,
) -> list[dict]:
    """Return the error of each design against the number of annotated leads, for ratios that are probabilities.

    Budgets are those of `per_category` for each k in `ks`, rising; the other designs have as many leads, and random
    samples besides are doubled up to the whole population. `minimum variance` has the budget of half the k per
    category, and spends the rest as is best for the measure given those.

    Returns
    -------
    list of dict
        `measure`, `category`, `design`, `leads`, `population`, `truth`, `defined` (share of samples that have an
        estimate), `bias` of those, and `rmse`, the root mean square error over all samples, where one without an
        estimate counts as a guess: a draw from the uniform distribution on [0, 1]; `rmse_low` and `rmse_high`, the
        ends of its 95 % interval over samples; `relative_rmse`, in units of the truth.
    """
    rows = []
    sizes = population.sizes
    for (name, category), measure in wanted.items():
        target = population.truth_of(measure)
        if target is None:
            raise InputError(
                f"study: found the measure {name} undefined in the population, expected a category that is true"
            )
        budgets = [(k, int(per_category(sizes, k).sum())) for k in ks]
        for k, n in budgets + [(0, n) for n in _doublings(budgets[-1][1], int(sizes.sum()))]:
            for design in DESIGNS if k else DESIGNS[:1]:
                rng = generator(seed, "extraction_eval", "saving", name, str(category), design, n)
                drawn = _draw(population, design, n, k, measure, replicates, rng)
                found = estimates(population, drawn, measure, stratified=design != "random")
                there = found[~np.isnan(found)]
                guess = 1 / 3 - target + target**2
                squares = np.where(np.isnan(found), guess, (found - target) ** 2)
                margin = NORMAL_QUANTILE * float(squares.std()) / replicates**0.5
                rmse, low, high = (max(squares.mean() + sign * margin, 0.0) ** 0.5 for sign in (0, -1, 1))
                rows.append(
                    {
                        "measure": name,
                        "category": category,
                        "design": design,
                        "leads": n,
                        "population": int(sizes.sum()),
                        "truth": target,
                        "defined": there.size / replicates,
                        "bias": float(there.mean() - target) if there.size else None,
                        "rmse": rmse,
                        "rmse_low": low,
                        "rmse_high": high,
                        "relative_rmse": rmse / target if target else None,
                    }
                )
    return rows


def saving(rows: Sequence[SavingRow], measure: str) -> list[dict]:
    """Return how many leads a random sample needs for the error that the paper's design has with fewer.

    The error of a random sample of n among N leads falls like (1/n − 1/N)^½; between the budgets of the study its
    logarithm is interpolated in the logarithm of 1/n − 1/N. Where it rises before it falls, as that of a ratio may,
    only what errs less than all smaller samples counts.

    Returns
    -------
    list of dict
        `leads`, `rmse`, `random_leads`, `factor` (their ratio) with `factor_low` and `factor_high`, the widest range
        that both errors' intervals leave, and `bound`: "at least" where even the largest random sample of the study
        errs more, so that `random_leads` is a lower bound, "at most" where the smallest errs less.
    """
    part = [row for row in rows if row["measure"] == measure]
    random = [row for row in part if row["design"] == "random" and row["rmse"]]
    made = []
    for row in part:
        if row["design"] != "per category":
            continue
        needed, bound = _random_leads(row["rmse"], [each["rmse"] for each in random], random)
        least, least_bound = _random_leads(row["rmse_high"], [each["rmse_low"] for each in random], random)
        most, most_bound = _random_leads(row["rmse_low"], [each["rmse_high"] for each in random], random)
        made.append(
            {
                "leads": row["leads"],
                "rmse": row["rmse"],
                "random_leads": needed,
                "factor": needed / row["leads"],
                "factor_low": 0.0 if least_bound == "at most" else least / row["leads"],
                "factor_high": math.inf if most_bound == "at least" else most / row["leads"],
                "bound": bound,
            }
        )
    return made


def _random_leads(rmse: float, errors: Sequence[float], random: Sequence[SavingRow]) -> tuple[float, str]:
    """Return how many random leads have an error `rmse` where samples have `errors`, and whether that is a bound."""
    leads, by_leads = np.array(sorted((row["leads"], error) for row, error in zip(random, errors, strict=True))).T
    best = np.minimum.accumulate(np.maximum(by_leads, np.finfo(float).tiny))
    bound = "at least" if rmse < best[-1] else "at most" if rmse > best[0] else ""
    population = random[0]["population"]
    spread = np.log(1 / leads - 1 / population)
    found = np.exp(np.interp(np.log(np.clip(rmse, best[-1], best[0])), np.log(best[::-1]), spread[::-1]))
    return float(1 / (found + 1 / population)), bound


def _doublings(n: int, most: int) -> list[int]:
    made = []
    while 2 * n < most:
        n *= 2
        made.append(n)
    return made


def _draw(
    population: Population,
    design: str,
    n: int,
    k: int,
    measure: Ratio,
    replicates: int,
    rng: np.random.Generator,
) -> np.ndarray:
    sizes = population.sizes
    if design == "random":
        return draw_random_samples(population, n, replicates, rng)
    if design == "per category":
        return draw_samples(population, per_category(sizes, k), replicates, rng)
    begun = draw_samples(population, per_category(sizes, max(1, k // 2)), replicates, rng)
    made = np.empty_like(begun)
    for number, annotated in enumerate(begun):
        rest = Population(population.joint - annotated)
        more = minimum_variance(sizes, annotated, n, measure) - annotated.sum(axis=1)
        made[number] = annotated + draw_samples(rest, more, 1, rng)[0]
    return made


def _judged(results: np.ndarray, target: float) -> dict[str, float | None]:
    found, low, high = results.T
    there = found[~np.isnan(found)]
    replicates = len(results)
    tolerance = 1e-8 * max(1.0, abs(target))
    below, above = np.mean(high < target - tolerance), np.mean(low > target + tolerance)
    coverage = 1 - below - above
    shrunk = (coverage * replicates + 2) / (replicates + 4)
    return {
        "defined": there.size / replicates,
        "bias": float(there.mean() - target) if there.size else None,
        "bias_se": float(there.std() / there.size**0.5) if there.size else None,
        "rmse": float(np.sqrt(np.mean((there - target) ** 2))) if there.size else None,
        "coverage": float(coverage),
        "coverage_se": float((shrunk * (1 - shrunk) / (replicates + 4)) ** 0.5),
        "below": float(below),
        "above": float(above),
        "width": float(np.mean(high - low)),
    }
