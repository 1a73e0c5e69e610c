"""Where intervals hold and where they fail, over regimes that nobody chose: see `studies.simulation.generated`.

The worst of many regimes is bad by chance too. So those that seem worst are drawn again, with other pairs, corpora and
samples, and only what these show counts as the worst.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from nlpcalib.io.files import read_csv
from nlpcalib.seeding import generator
from reproduction.workflow.table_files import TitledRows, numbers
from studies.simulation.coverage import error_coverage_rows
from studies.simulation.estimation import Errors, document_errors, item_errors, judged, series_errors
from studies.simulation.generated import CorpusRegime, TableRegime

CALIBRATION_ERROR = "calibration error"
CORPORA: dict[str, Callable[[CorpusRegime, int, np.random.Generator], Errors]] = {
    "items": item_errors,
    "documents": document_errors,
    "series": series_errors,
}
REPEATED_REGIMES = 10
"""Regimes of each kind that are drawn again."""
REPEATED_DRAWS_FACTOR = 5
"""How many times as many draws they have then."""
_DRAWS_PER_SERIES = 2
"""A series counts as so many draws: it has many periods."""
MIN_HOLDING_COVERAGE = 0.93
_MIN_SHARE_OF_REGIMES = 0.05
"""Share of the regimes that a part of a dimension needs, for its coverage to be compared."""
_ALGORITHM_2_BINS, _ALGORITHM_2_MIN_PAIRS, _ALGORITHM_2_DRAWS = 100, 10, 1000
"""Bins, the fewest pairs in each, and draws of Algorithm 2."""


def study_rows(kind: str, regimes: int, draws: int, seed: int) -> list[dict]:
    """Return rows of all regimes of a kind; the worst `REPEATED_REGIMES` by the default method are drawn `again`."""
    draws = draws // _DRAWS_PER_SERIES if kind == "series" else draws
    rows = [row for number in range(regimes) for row in regime_rows(kind, number, 0, draws, seed)]
    default = [row for row in rows if row["method"] == rows[0]["method"]]
    for worst in sorted(default, key=lambda row: row["coverage"])[:REPEATED_REGIMES]:
        rows += regime_rows(kind, worst["number"], draws, draws * REPEATED_DRAWS_FACTOR, seed)
    return rows


def regime_rows(kind: str, number: int, first: int, draws: int, seed: int) -> Iterator[dict]:
    """Yield a row for each method in a regime: its dimensions, coverage, width and errors; the first is the default.

    `first` is the number of the first draw: other draws are independent of these, and mark the rows as drawn `again`.
    """
    if kind == CALIBRATION_ERROR:
        table = TableRegime.drawn(seed, number)
        default = "bias_corrected_rms/cluster_score" if table.has_units else "bias_corrected_rms/score"
        found = error_coverage_rows(
            table, table.pairs, [default, "adaptive_rms/algorithm2"], replicates=draws,
            bin_size=max(table.pairs // _ALGORITHM_2_BINS, _ALGORITHM_2_MIN_PAIRS), samples=_ALGORITHM_2_DRAWS,
            seed=seed, first=first,
        )  # fmt: skip
        dimensions, made = asdict(table), list(zip(("score", "Algorithm 2"), found, strict=True))
    else:
        corpus = CorpusRegime.drawn(seed, number)
        each = CORPORA[kind](corpus, draws, generator(seed, kind, number, first))
        dimensions, made = asdict(corpus), [(name, judged(*parts)) for name, parts in each.items()]
    for method, row in made:
        measured = {key: row.get(key) for key in ("replicates", "coverage", "coverage_se", "width", "bias", "rmse")}
        measured["worst_period"] = row.get("worst_period", row["coverage"])
        yield {"kind": kind, "method": method, "again": int(first > 0), **dimensions, **measured}


def read_study(path: str | Path) -> list[dict]:
    """Return the rows that `study_rows` made, from CSV."""
    return [numbers(row) for row in read_csv(path)]


def regimes_table(regimes: Sequence[str]) -> list[TitledRows]:
    """Return a row for each kind of estimate and method, from the study of each kind."""
    rows = [row for path in regimes for row in summary_rows(read_study(path))]
    return [("Where intervals hold the truth, and where they fail", rows)]


def summary_rows(rows: Sequence[dict]) -> list[dict]:
    """Return a row for each method of a kind: what it covers in all regimes, and where it covers least.

    The default, which is the first, also has what further draws show in the regimes where it seemed worst.
    """
    found: list[dict] = []
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method]
        first, again = ([row for row in own if row["again"] == part] for part in (0, 1))
        coverage = np.array([row["coverage"] for row in first])
        where, part, mean = weakest(first)
        summary = {
            "kind": rows[0]["kind"],
            "method": method,
            "regimes": len(first),
            "replicates": first[0]["replicates"],
            "mean": float(coverage.mean()),
            "mean_se": float(coverage.std() / len(coverage) ** 0.5),
            "median": float(np.median(coverage)),
            "below": float(np.mean(coverage < MIN_HOLDING_COVERAGE)),
            "ratio": float(np.median([row["width"] / (3.92 * row["rmse"]) for row in first if row["rmse"] > 0])),
            "weakest": where,
            "part": part,
            "weakest_mean": mean,
        }
        worst = min(again, key=lambda row: row["coverage"])
        further = {
            "failing": sum(row["coverage"] < MIN_HOLDING_COVERAGE - 2 * row["coverage_se"] for row in again),
            "worst": worst["coverage"],
            "worst_se": worst["coverage_se"],
            "worst_regime": worst["number"],
            "worst_period": min(row["worst_period"] for row in again),
        }
        found.append(summary | (dict.fromkeys(further) if found else further))
    return found


def weakest(rows: Sequence[dict]) -> tuple[str, str, float]:
    """Return the dimension, and the part of it, where the mean coverage is lowest, with this mean.

    Parts are thirds of numbers, and what they have in common of words and of numbers with few values.
    """
    names = [*TableRegime.__dataclass_fields__, *CorpusRegime.__dataclass_fields__]
    coverage = np.array([row["coverage"] for row in rows])
    found: list[tuple[float, str, str]] = []
    for name in names:
        values = [row[name] for row in rows if name in row]
        if name == "number" or not values:
            continue
        if isinstance(values[0], str):
            parts = {value: np.array([each == value for each in values]) for value in sorted(set(values))}
        else:
            rank = np.searchsorted(np.quantile(values, [1 / 3, 2 / 3]), values)
            parts = {part: rank == number for number, part in enumerate(("low", "middle", "high"))}
        found += [
            (float(coverage[part].mean()), name, text)
            for text, part in parts.items()
            if part.mean() >= _MIN_SHARE_OF_REGIMES
        ]
    mean, name, text = min(found)
    return name, text, mean
