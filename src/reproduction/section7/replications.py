"""Posterior predictive checks of the event series (paper, section 7; Gelman et al. 2013; Mimno & Blei 2011).

A replication draws one sampled clustering of every document, and so which country has the event in which document. A
statistic of the true events, or of one more replication, is compared with those of replications: its p-value is the
share of them that are larger, at ties a random part. Where the model is right, p-values are uniform, also of
statistics that single probabilities cannot judge, such as how many documents have events of two countries.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse, stats

from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.seeding import generator
from nlpcalib.systems.events.count.counts import EventTable, ordinals
from reproduction.events.storage import event_table

NUMBER_OF_REPLICATIONS = 400
MAX_COUNTRIES = 20
"""The most frequent, of which the longest run of quarters with an event is a statistic."""

Drawn = Callable[[EventTable, int, np.random.Generator], np.ndarray]
"""Draws a number of replications of a table of R rows, bool (R, number)."""


def whole_documents(table: EventTable, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a sample of each document's clusterings: the model itself."""
    document = np.unique(table.documents, return_inverse=True)[1]
    chosen = rng.integers(table.samples.shape[1], size=(document.max() + 1, number))
    return np.take_along_axis(table.samples, chosen[document], axis=1) > 0


def rows_alone(table: EventTable, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw each row by itself: the same probabilities, without what countries of a document share."""
    return rng.random((len(table.documents), number)) < (table.samples > 0).mean(axis=1)[:, None]


def mostly_best(table: EventTable, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the one best clustering of nine documents in ten, as an overconfident model does."""
    document = np.unique(table.documents, return_inverse=True)[1]
    is_best = rng.random((document.max() + 1, number))[document] < 0.9
    return np.where(is_best, table.map_event[:, None] > 0, whole_documents(table, number, rng))


def tenth_lost(table: EventTable, number: int, rng: np.random.Generator) -> np.ndarray:
    """Lose each event of the model with the probability of one tenth."""
    return whole_documents(table, number, rng) & (rng.random((len(table.documents), number)) < 0.9)


MODELS: dict[str, Drawn] = {
    "the model": whole_documents,
    "countries drawn alone": rows_alone,
    "mostly the best clustering": mostly_best,
    "a tenth of events lost": tenth_lost,
}


def rows(seed: int, shards: list[str], pairs: str) -> list[dict]:
    """Return a row for each source of the events, model that is checked, and statistic.

    `outside` is the share of p-values below .025 or above .975, `uniform` the p-value of Kolmogorov & Smirnov's test,
    `mean` the mean p-value: below one half where the events' statistic is larger than the model's.
    """
    table = EventTable.joined([event_table(pa.table(pq.read_table(path))) for path in shards])
    truth = read_written_pairs(pairs)
    assert truth.unit is not None
    assert truth.predicted is not None
    true = dict(zip(zip(truth.unit.texts(), truth.predicted.texts(), strict=True), truth.y.tolist(), strict=True))
    y = np.array([true[key] for key in zip(table.documents.tolist(), table.countries.tolist(), strict=True)])
    sources = {
        "drawn from the model": whole_documents(table, 1, generator(seed, "section 7", "events")),
        "true": y[:, None],
    }
    statistics = Statistics(table)
    found = []
    for model, draw in MODELS.items():
        replicated = statistics(draw(table, NUMBER_OF_REPLICATIONS, generator(seed, "section 7", model)))
        for source, events in sources.items():
            for name, observed in statistics(events).items():
                p = p_values(observed[:, 0], replicated[name], generator(seed, "section 7 ties", model, source, name))
                found.append(
                    {
                        "events": source, "checked": model, "statistic": name, "p_values": p.size,
                        "outside": float(np.mean((p < 0.025) | (p > 0.975))), "mean": float(p.mean()),
                        "uniform": float(stats.kstest(p, "uniform").pvalue),
                    }
                )  # fmt: skip
    return found


def p_values(observed: np.ndarray, replicated: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the share of `replicated`, (n, R), above `observed`, (n,); uniform where they are exchangeable."""
    larger = (replicated > observed[:, None]).sum(axis=1)
    equal = (replicated == observed[:, None]).sum(axis=1)
    return (larger + rng.random(observed.size) * (equal + 1)) / (replicated.shape[1] + 1)


class Statistics:
    """What is computed of events, bool (R, replications): values (quarters or countries, replications) by name."""

    def __init__(self, table: EventTable) -> None:
        """Take the rows' documents, countries and dates."""
        period = np.unique(ordinals(table.dates, "quarter"), return_inverse=True)[1]
        names, country = np.unique(table.countries, return_inverse=True)
        frequent = np.argsort(-np.bincount(country, table.probabilities), kind="stable")[:MAX_COUNTRIES]
        self._shape = (period.max() + 1, names.size)
        self._cell = _indicator(period * names.size + country, self._shape[0] * names.size)
        document, first, codes = np.unique(table.documents, return_index=True, return_inverse=True)
        self._document = _indicator(codes, document.size)
        self._quarter_of_document = _indicator(period[first], self._shape[0])
        self._frequent = frequent

    def __call__(self, events: np.ndarray) -> dict[str, np.ndarray]:
        """Return the statistics, float64."""
        counts = (self._cell @ events.astype(np.float64)).reshape(*self._shape, -1)
        several = (self._document @ events.astype(np.float64)) > 1
        return {
            "events in a quarter": counts.sum(axis=1),
            "different countries in a quarter": (counts > 0).sum(axis=1).astype(np.float64),
            "largest count of a country": counts.max(axis=1),
            "documents with two countries": self._quarter_of_document @ several.astype(np.float64),
            "longest run of a country": longest_run(counts[:, self._frequent] > 0),
        }


def longest_run(present: np.ndarray) -> np.ndarray:
    """Return the longest run of true values along the first axis, float64, of bool (periods, …)."""
    longest = current = np.zeros(present.shape[1:])
    for now in present:
        current = np.where(now, current + 1, 0)
        longest = np.maximum(longest, current)
    return longest


def _indicator(codes: np.ndarray, size: int) -> sparse.csr_array:
    """Return the matrix (size, n) that sums rows by their codes, int (n,)."""
    return sparse.csr_array((np.ones(codes.size), (codes, np.arange(codes.size))), shape=(size, codes.size))
