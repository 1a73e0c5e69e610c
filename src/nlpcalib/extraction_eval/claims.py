"""What Lowe & King claim of event categories and of their sample, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlpcalib.claims import NOT_APPLICABLE, UNDECIDED, Claim, Row, judge_all, verdict
from nlpcalib.extraction_eval.study import saving
from nlpcalib.plots.table import numbers

_ERRORS = 3
"""Standard errors from which on a bias is one."""


@dataclass(frozen=True, slots=True)
class ExtractionResults:
    """Tables of one dataset, as the workflow writes them."""

    frequencies: Sequence[Row]
    naive: Sequence[Row] = ()
    """Where the truth is known; see `nlpcalib.extraction_eval.study.naive_rows`."""
    saving: Sequence[Row] = ()
    """Where the truth is known; see `nlpcalib.extraction_eval.study.saving_rows`."""


def check_extraction(results: ExtractionResults) -> list[dict]:
    """Return one row per claim; see `nlpcalib.claims.judge_all`."""
    return judge_all(CLAIMS, results)


def _random_samples_miss(results: ExtractionResults) -> tuple[str, str]:
    """Judge by whether a random sample of as many leads is likelier than not to lack most categories that are used."""
    used = [row for row in results.frequencies if int(row["leads"]) and row["level"]]
    sampled = sum(int(row["sampled"]) for row in results.frequencies)
    if not used:
        return "no category is used", NOT_APPLICABLE
    missed = [row for row in used if (1 - float(row["share"])) ** sampled > 0.5]
    leads = [int(row["leads"]) for row in used]
    measured = (
        f"{max(leads):,} leads of the most frequent category, {min(leads):,} of the rarest; "
        f"{len(missed)} of {len(used)} categories are likelier than not to be missed by {sampled} random leads"
    )
    return measured, verdict(len(missed) > len(used) / 2)


def _biased(reading: str, results: ExtractionResults) -> tuple[str, int, int]:
    rows = [row for row in results.naive if row[f"{reading}_bias"]]
    clear = [row for row in rows if abs(float(row[f"{reading}_bias"])) > _ERRORS * float(row[f"{reading}_se"])]
    mean = sum(abs(float(row[f"{reading}_bias"])) for row in rows) / max(len(rows), 1)
    where = f"in {len(clear)} of {len(rows)} categories"
    return f"off by more than {_ERRORS} standard errors {where}, by {mean:.3f} on average", len(clear), len(rows)


def _naive_is_biased(results: ExtractionResults) -> tuple[str, str]:
    if not results.naive:
        return "the truth is not known", NOT_APPLICABLE
    measured, clear, categories = _biased("naive", results)
    return measured, verdict(clear > categories / 2)


def _bayes_is_unbiased(results: ExtractionResults) -> tuple[str, str]:
    if not results.naive:
        return "the truth is not known", NOT_APPLICABLE
    measured, clear, _ = _biased("bayes", results)
    return measured, verdict(not clear)


def _leads_are_saved(results: ExtractionResults) -> tuple[str, str]:
    """Judge by P(M, T) of a rare category, what the sample of a category tells of at once."""
    rows = [numbers(row) for row in results.saving]
    saved = [row for row in saving(rows, "both") if row["factor"]] if rows else []
    if not saved:
        return "the truth is not known" if not rows else "no random sample has so small an error", (
            UNDECIDED if rows else NOT_APPLICABLE
        )
    best = max(saved, key=lambda row: row["factor"])
    category = rows[0]["category"]
    measured = (
        f"{best['leads']} leads tell as much of P(M, T) of '{category}' as {best['random_leads']:,.0f} random ones, "
        f"{best['factor']:,.0f} times as many"
    )
    return measured, verdict(best["factor"] > 1)


CLAIMS = (
    Claim("L&K 3", "a random sample is very unlikely to contain most kinds of events", _random_samples_miss),
    Claim("L&K 4", "P(T | M) is a systematically biased estimate of P(M | T)", _naive_is_biased),
    Claim("L&K 4", "Bayes' estimate of P(M | T) is unbiased", _bayes_is_unbiased),
    Claim("L&K 4", "sampling by the machine's category takes many fewer leads", _leads_are_saved),
)
