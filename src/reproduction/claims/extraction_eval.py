"""What Lowe & King claim of event categories and of their sample.

The tables `leads_naive` and `saving` exist where the truth is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_type_hints

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, exactly
from reproduction.extraction_eval.frequencies import FrequencyRow
from reproduction.extraction_eval.study import SavingRow, saving

_BIAS_THRESHOLD_SE = 3
"""A bias counts when it exceeds this many standard errors."""
TABLES: Mapping[str, Mapping[str, Any]] = {
    "leads_frequencies": get_type_hints(FrequencyRow),
    "leads_naive": dict.fromkeys(("naive_bias", "naive_se", "bayes_bias", "bayes_se"), float | None),
    "saving": get_type_hints(SavingRow),
}


def random_samples_miss(results: Results) -> Finding:
    """Judge by whether a random sample of as many leads is likelier than not to lack most of the rarer half."""
    used = sorted(
        (row for row in results.rows("leads_frequencies") if row["leads"] and row["level"] is not None), key=_leads
    )
    if len(used) < 2:
        return Finding("fewer than two categories are used")
    sampled = sum(row["sampled"] for row in results.rows("leads_frequencies"))
    rarer = used[: len(used) // 2]
    missed = sum((1 - row["share"]) ** sampled > 0.5 for row in rarer)
    measured = (
        f"{_leads(used[-1]):,} leads of the most frequent category, {_leads(used[0]):,} of the rarest; {missed} of the "
        f"{len(rarer)} rarer ones are likelier than not to be missed by {sampled} random leads"
    )
    return Finding(measured, (exactly(missed, least=len(rarer) / 2),))


def _leads(row: ResultRow) -> int:
    return row["leads"]


def _biased(reading: str, results: Results) -> tuple[str, int, int]:
    """Return words, how many categories have a bias that shows, and of how many: any of the others may have one."""
    rows = [row for row in results.rows("leads_naive") if row[f"{reading}_bias"] is not None]
    clear = [row for row in rows if abs(row[f"{reading}_bias"]) > _BIAS_THRESHOLD_SE * row[f"{reading}_se"]]
    mean = sum(abs(row[f"{reading}_bias"]) for row in rows) / max(len(rows), 1)
    where = f"in {len(clear)} of {len(rows)} categories"
    return (
        f"off by more than {_BIAS_THRESHOLD_SE} standard errors {where}, by {mean:.3f} on average",
        len(clear),
        len(rows),
    )


def naive_is_biased(results: Results) -> Finding:
    if not results.rows("leads_naive"):
        return Finding("the truth is not known")
    measured, clear, categories = _biased("naive", results)
    if not categories:
        return Finding("no category has an estimate")
    return Finding(measured, (Judged(clear, clear, categories, least=categories / 2),))


def bayes_is_unbiased(results: Results) -> Finding:
    if not results.rows("leads_naive"):
        return Finding("the truth is not known")
    measured, clear, categories = _biased("bayes", results)
    if not categories:
        return Finding("no category has an estimate")
    return Finding(measured, (Judged(clear, clear, categories, most=0.5),))


def leads_are_saved(results: Results) -> Finding:
    """Judge by P(M | T) of a rare category with the leads of the plan: a tenth of the random ones are many fewer."""
    rows = cast(list[SavingRow], results.rows("saving"))
    if not rows:
        return Finding("the truth is not known")
    sampled = sum(row["sampled"] for row in results.rows("leads_frequencies"))
    closest = {}
    for measure in ("answer_given_truth", "both"):
        closest[measure] = min(saving(rows, measure), key=lambda row: abs(row["leads"] - sampled))
    named = {"answer_given_truth": "P(M | T)", "both": "P(M, T)"}
    measured = "; ".join(
        f"{row['leads']} leads estimate {named[measure]} of '{rows[0]['category']}' as well as "
        f"{row['bound'] and row['bound'] + ' '}{row['random_leads']:,.0f} random ones"
        for measure, row in closest.items()
    )
    return Finding(measured, (Judged(closest["answer_given_truth"]["factor"], least=10.0),))
