"""What Lowe & King claim of event categories and of their sample, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.io.typed_csv import read_columns, read_rows
from reproduction.claims.verdicts import NOT_APPLICABLE, Claim, Row, judge_all, verdict
from reproduction.extraction_eval.frequencies import FrequencyRow
from reproduction.extraction_eval.study import SavingRow, saving

_ERRORS = 3
"""Standard errors from which on a bias is one."""
_NAIVE = dict.fromkeys(("naive_bias", "naive_se", "bayes_bias", "bayes_se"), float | None)


@dataclass(frozen=True, slots=True)
class ExtractionResults:
    """Tables of one dataset, as the workflow writes them."""

    frequencies: Sequence[FrequencyRow]
    naive: Sequence[Row] = ()
    """Where the truth is known; see `reproduction.extraction_eval.study.naive_rows`."""
    saving: Sequence[SavingRow] = ()
    """Where the truth is known; see `reproduction.extraction_eval.study.saving_rows`."""


def read_results(
    frequencies: str | Path, naive: str | Path | None = None, saving: str | Path | None = None
) -> ExtractionResults:
    """Read the tables of a dataset, two of them where the truth is known."""
    return ExtractionResults(
        frequencies=read_rows(frequencies, FrequencyRow),
        naive=read_columns(naive, _NAIVE) if naive else (),
        saving=read_rows(saving, SavingRow) if saving else (),
    )


def check_extraction(results: ExtractionResults) -> list[dict]:
    """Return one row per claim; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS, results)


def _random_samples_miss(results: ExtractionResults) -> tuple[str, str]:
    """Judge by whether a random sample of as many leads is likelier than not to lack most of the rarer half."""
    used = sorted((row for row in results.frequencies if row["leads"] and row["level"] is not None), key=_leads)
    if len(used) < 2:
        return "fewer than two categories are used", NOT_APPLICABLE
    sampled = sum(row["sampled"] for row in results.frequencies)
    rarer = used[: len(used) // 2]
    missed = sum((1 - row["share"]) ** sampled > 0.5 for row in rarer)
    measured = (
        f"{_leads(used[-1]):,} leads of the most frequent category, {_leads(used[0]):,} of the rarest; {missed} of the "
        f"{len(rarer)} rarer ones are likelier than not to be missed by {sampled} random leads"
    )
    return measured, verdict(missed > len(rarer) / 2)


def _leads(row: FrequencyRow) -> int:
    return row["leads"]


def _biased(reading: str, results: ExtractionResults) -> tuple[str, int, int]:
    rows = [row for row in results.naive if row[f"{reading}_bias"] is not None]
    clear = [row for row in rows if abs(row[f"{reading}_bias"]) > _ERRORS * row[f"{reading}_se"]]
    mean = sum(abs(row[f"{reading}_bias"]) for row in rows) / max(len(rows), 1)
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
    """Judge by P(M | T) of a rare category with the leads of the plan: a tenth of the random ones are many fewer."""
    rows = results.saving
    if not rows:
        return "the truth is not known", NOT_APPLICABLE
    sampled = sum(row["sampled"] for row in results.frequencies)
    told = {}
    for measure in ("answer_given_truth", "both"):
        told[measure] = min(saving(rows, measure), key=lambda row: abs(row["leads"] - sampled))
    named = {"answer_given_truth": "P(M | T)", "both": "P(M, T)"}
    measured = "; ".join(
        f"{row['leads']} leads estimate {named[measure]} of '{rows[0]['category']}' as well as "
        f"{row['bound'] and row['bound'] + ' '}{row['random_leads']:,.0f} random ones"
        for measure, row in told.items()
    )
    return measured, verdict(told["answer_given_truth"]["factor"] > 10)


CLAIMS = (
    Claim(
        "L&K 3",
        "a small random sample is very unlikely to contain most of the rare events",
        _random_samples_miss,
    ),
    Claim("L&K 4", "P(T | M) is a systematically biased estimate of P(M | T)", _naive_is_biased),
    Claim("L&K 4", "Bayes' estimate of P(M | T) is unbiased", _bayes_is_unbiased),
    Claim("L&K 4", "sampling by the machine's category takes many fewer leads", _leads_are_saved),
)
