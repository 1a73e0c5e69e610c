"""What Lowe & King claim of event categories and of their sample.

The tables `leads_naive` and `saving` exist where the truth is known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any, cast, get_type_hints

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, exactly
from reproduction.extraction_eval.frequencies import FrequencyRow
from reproduction.extraction_eval.study import SavingRow, saving

_LEADS_A_CATEGORY, _LEADS_WITHOUT = 5, 20
"""Leads that the text samples of each category, and of those that the machine gives none (section 4)."""
_UNBIASED = 0.02
"""A share that is off by less on average counts as unbiased."""
_STANDARD_ERRORS = 3
"""Half the interval of a bias, wide enough for two dozen categories together."""
TABLES: Mapping[str, Mapping[str, Any]] = {
    "leads_frequencies": get_type_hints(FrequencyRow),
    "leads_naive": dict.fromkeys(("naive_bias", "naive_se", "bayes_bias", "bayes_se"), float | None),
    "saving": get_type_hints(SavingRow),
}


def random_samples_miss(results: Results) -> Finding:
    """Judge by whether a random sample as large as the text's is likelier than not to lack most of the rarer half."""
    used = sorted(_used(results), key=itemgetter("leads"))
    if len(used) < 2:
        return Finding("fewer than two categories are used")
    sampled = _text_leads(results)
    rarer = used[: len(used) // 2]
    missed = sum((1 - row["share"]) ** sampled > 0.5 for row in rarer)
    measured = (
        f"{used[-1]['leads']:,} leads of the most frequent category, {used[0]['leads']:,} of the rarest; {missed} of "
        f"the {len(rarer)} rarer ones are likelier than not to be missed by {sampled} random leads"
    )
    return Finding(measured, (exactly(missed, least=len(rarer) / 2),))


def _used(results: Results) -> list[ResultRow]:
    return [row for row in results.rows("leads_frequencies") if row["leads"] and row["level"] is not None]


def _text_leads(results: Results) -> int:
    """Return how many leads the text's plan has for the categories that are used."""
    return sum(min(row["leads"], _LEADS_A_CATEGORY) for row in _used(results)) + _LEADS_WITHOUT


def naive_is_biased(results: Results) -> Finding:
    measured, biased = _biased("naive", results)
    return Finding(measured, tuple(replace(each, least=each.most / 2, most=math.inf) for each in biased))


def bayes_is_unbiased(results: Results) -> Finding:
    measured, biased = _biased("bayes", results)
    return Finding(measured, tuple(replace(each, most=0.5) for each in biased))


def _biased(reading: str, results: Results) -> tuple[str, tuple[Judged, ...]]:
    """Return words, and of how many categories, at most all, a reading is biased; none if there is no estimate."""
    rows = [row for row in results.rows("leads_naive") if row[f"{reading}_bias"] is not None]
    if not rows:
        return "the truth is not known, or no category has an estimate", ()
    off = [abs(row[f"{reading}_bias"]) for row in rows]
    margins = [_STANDARD_ERRORS * row[f"{reading}_se"] for row in rows]
    surely = sum(bias - margin > _UNBIASED for bias, margin in zip(off, margins, strict=True))
    maybe = sum(bias + margin > _UNBIASED for bias, margin in zip(off, margins, strict=True))
    measured = f"off by more than {_UNBIASED} in {surely} to {maybe} of {len(rows)} categories, by "
    found = Judged(sum(bias > _UNBIASED for bias in off), surely, maybe, most=len(rows), enough=math.inf)
    return f"{measured}{sum(off) / len(rows):.3f} on average", (found,)


def leads_are_saved(results: Results) -> Finding:
    """Judge by P(M | T) of a rare category with the text's leads: a tenth of the random ones are many fewer."""
    rows = cast(list[SavingRow], results.rows("saving"))
    if not rows:
        return Finding("the truth is not known")
    sampled = _text_leads(results)
    named = {"answer_given_truth": "P(M | T)", "both": "P(M, T)"}
    closest = {each: min(saving(rows, each), key=lambda row: abs(row["leads"] - sampled)) for each in named}
    measured = "; ".join(
        f"{row['leads']} leads estimate {named[measure]} of '{rows[0]['category']}' as well as "
        f"{row['bound'] and row['bound'] + ' '}{row['random_leads']:,.0f} random ones"
        for measure, row in closest.items()
    )
    factor, low, high = (closest["answer_given_truth"][f"factor{end}"] for end in ("", "_low", "_high"))
    return Finding(measured, (Judged(factor, low, high, least=10.0, enough=math.inf),))
