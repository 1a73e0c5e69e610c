"""Events of Wikipedia's current events by years, as the model reports them and as labels estimate them.

    python benchmarks/events_history.py RESULTS [--years 2002 2006 2014 2022 2026]

RESULTS is the folder results of a run with configs/open.yaml; the labels are those of tests/data/events/gold_acts.tsv
that were read twice. Printed are, for the years from one number to the next and in all, numbers of (item, country)
pairs:

* `hostility` in the paper's reading: the sum of probabilities, with the interval given that extraction is right (exact,
  Poisson-binomial); and the estimate from the labels of the first sample, Σ q + Σ (y − q) / inclusion;
* acts of force, protests and sanctions: Σ y / inclusion over the samples that have items of all words. Samples are
  averaged by their numbers of items.

The intervals of estimates are normal ones of a sample in strata of words, and do not rest on the model. With fewer than
five positive labels nothing is estimated.
"""

import argparse
import itertools
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.io.files import read_csv

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import READ_TWICE, gold_rows

ALL_WORDS = {"force", "protest", "sanction", "other"}
KINDS = ("force", "protest", "sanction")
YEARS = (2002, 2006, 2014, 2022, 2026)
Z, LEAST = 1.96, 5


def estimate(rows: Sequence[Mapping[str, str]], value: Mapping[str, float]) -> tuple[float, float]:
    """Return the total of a value over all items of the corpus, and its variance, of items drawn within strata."""
    total = variance = 0.0
    for stratum in {row["stratum"] for row in rows}:
        own = [row for row in rows if row["stratum"] == stratum]
        values, inclusion = np.array([value[row["id"]] for row in own]), float(own[0]["inclusion"])
        total += values.sum() / inclusion
        variance += len(own) / inclusion**2 * (1 - inclusion) * values.var(ddof=1)
    return total, variance


def printed(total: float, variance: float, positive: int) -> str:
    """Return an estimate with its interval, which begins at the number of positive labels at least."""
    if positive < LEAST:
        return f"too few ({positive} positive)"
    half = Z * variance**0.5
    return f"{total:,.0f} ({max(total - half, positive):,.0f} to {total + half:,.0f}, {positive} positive)"


def main(results: Path, years: Sequence[int]) -> None:
    """Print both numbers of each kind and span of years."""
    rows = [row for row in gold_rows(READ_TWICE) if row["corpus"] == "current_events"]
    samples: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        samples[row["sample"]].append(row)
    whole = {name: own for name, own in samples.items() if {row["stratum"] for row in own} == ALL_WORDS}
    q: dict[str, list[float]] = defaultdict(list)
    for row in read_csv(results / "events/current_events/hostility/document_events.csv"):
        q[row["document"]].append(float(row["probability"]))
    for first, last in [*itertools.pairwise(years), (years[0], years[-1])]:

        def within(name: str, first: int = first, last: int = last) -> bool:
            return first <= int(name[:4]) < last

        print(f"{first} to {last - 1}")
        model = PoissonBinomial(np.array([each for name, own in q.items() if within(name) for each in own]))
        low, high = model.interval()
        given = f"{model.mean:,.0f} ({low:,} to {high:,}) given that extraction is right"
        y = {row["id"]: len(row["paper_final"].split()) * within(row["id"]) for row in whole["first"]}
        residual = {name: number - sum(q.get(name, ())) * within(name) for name, number in y.items()}
        total, variance = estimate(whole["first"], residual)
        labels = printed(total + model.mean, variance, sum(map(bool, y.values())))
        print(f"  hostility: {given}; from labels: {labels}")
        for kind in KINDS:
            sizes, found, positive = [], [], 0
            for own in whole.values():
                y = {
                    row["id"]: len({pair.lstrip("~").split(">")[0] for pair in row[f"{kind}_final"].split()})
                    * within(row["id"])
                    for row in own
                }
                found.append(estimate(own, y))
                sizes.append(len(own))
                positive += sum(map(bool, y.values()))
            share = np.array(sizes) / sum(sizes)
            totals, variances = np.array(found).T
            print(f"  {kind}, from labels: {printed(share @ totals, share**2 @ variances, positive)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("--years", type=int, nargs="+", default=YEARS, help="first years of spans, and the end")
    main(**vars(parser.parse_args()))
