"""Bins of prediction-label pairs: the adaptive bins of Algorithm 1, and bins of equal width.

Tied predictions
----------------
NLP models often predict the same value: 44 % of a tagger's probabilities may print as 0. Algorithm 1 as published cuts
the sorted list every `bin_size` rows. So a cut through a run of equal predictions depends on the order of the rows.
Here each side of such a cut receives its proportional share of the run's labels: the exact expectation over all orders
of the tied rows. Bins keep their size, and no number depends on the order of the rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special

from nlpcalib.errors import InputError
from nlpcalib.numerics import MAX_ROUNDING_EXCESS

EQUAL_WIDTH_BINS = 15
"""Bins of equal width where none are asked for: the number of Guo et al. (2017) and of most packages since."""

SUM_TOLERANCE = 0.01
"""How far from 1 a row of class probabilities may sum: half precision with many classes comes this far."""


class SmallSampleWarning(UserWarning):
    """Few bins, or fewer pairs than one bin holds, so that everything is in a single one."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Summary of pairs in `T` bins ordered by prediction; every array has shape `(T,)`."""

    size: np.ndarray
    """int64: pairs in the bin, at least 1."""
    mean_prediction: np.ndarray
    """float64: mean of q, written q̂ in the paper."""
    label_frequency: np.ndarray
    """float64: mean of y, written p̂ in the paper."""
    smallest: np.ndarray
    """float64: the smallest q in the bin."""
    largest: np.ndarray
    """float64: the largest q in the bin."""
    effective_size: np.ndarray | None = None
    """float64: as many independent labels would vary as much as those of the bin's units; None without units."""
    freedom: np.ndarray | None = None
    """float64: degrees of freedom with which that is known; None without units."""

    @property
    def weight(self) -> np.ndarray:
        """Share of all pairs that each bin holds, `(T,)`, summing to 1."""
        return self.size / self.size.sum()

    def split(self, firsts: np.ndarray) -> list[Bins]:
        """Return parts, the second and later of which begin at the bins `firsts`, int `(P − 1,)`."""
        columns = [getattr(self, field.name) for field in fields(self)]
        parts = [[None] * (len(firsts) + 1) if column is None else np.split(column, firsts) for column in columns]
        return [Bins(*part) for part in zip(*parts, strict=True)]

    def standard_error(self) -> np.ndarray:
        """Return the binomial standard error of each label frequency, `(T,)` (thesis, section 3.2.2)."""
        return np.sqrt(self.label_frequency * (1 - self.label_frequency) / self.size)

    def frequency_interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return the Wilson score interval of each label frequency as two arrays `(T,)`.

        Unlike the normal interval p̂ ± 1.96 se of the thesis it has a width where p̂ is 0 or 1 (Wilson 1927). Bins of
        units have it from their effective size (Kish 1965) and Student's quantile.
        """
        size = self.size if self.effective_size is None else self.effective_size
        tail = (1 + level) / 2
        z = special.ndtri(tail) if self.freedom is None else special.stdtrit(np.maximum(self.freedom, 0.1), tail)
        shrink = 1 / (1 + z**2 / size)
        centre = shrink * (self.label_frequency + z**2 / (2 * size))
        variance = self.label_frequency * (1 - self.label_frequency) / size
        half = shrink * z * np.sqrt(variance + (z / (2 * size)) ** 2)
        # The ends at certainty are exact in theory, and rounding must not move them.
        low = np.where(self.label_frequency == 0, 0.0, np.maximum(centre - half, 0.0))
        high = np.where(self.label_frequency == 1, 1.0, np.minimum(centre + half, 1.0))
        return low, high


class SortedPairs:
    """Prediction-label pairs in ascending order of prediction, the starting point of every bin.

    They are one table, or several one after the other, such as one for each label, which are binned each for itself
    and measured in one pass.

    For q in [0, 1] the bit pattern of a float64 grows with its value and leaves the sign bit free. So a pair fits
    losslessly into one unsigned integer, `bits(q) << 1 | y`. A single in-place sort of integers replaces an argsort and
    two gathers.

    Parameters
    ----------
    q : array_like, shape (N,), float
        Predicted probabilities in [0, 1]. Sums in single precision may exceed 1, by up to `MAX_ROUNDING_EXCESS`.
    y : array_like, shape (N,), bool or 0/1
        Labels.
    unit : ndarray, shape (N,), int, or None
        Codes, from 0 on, of the independent units that the pairs come from. They cost an argsort.

    Raises
    ------
    InputError
        If the arrays are empty, not one-dimensional or of different lengths, if a prediction is NaN or outside [0, 1],
        or if a label is neither 0 nor 1. The message gives the first offending row, counted from 0.
    """

    def __init__(self, q, y, unit: np.ndarray | None = None) -> None:
        keys = _pack(q, y)
        self.unit: np.ndarray | None = unit
        """int (N,) or None: units; in no particular order among equal pairs."""
        if unit is not None:
            order = np.argsort(keys)
            keys, self.unit = keys[order], unit[order]
        else:
            keys.view(np.float64).sort()  # as finite floats the keys have the same order, and sort faster
        lowest_byte = keys.astype(np.uint8)
        lowest_byte &= np.uint8(1)
        self.y: np.ndarray = lowest_byte.view(np.bool_)
        """bool (N,): labels, zeros before ones among equal predictions of a table."""
        keys >>= np.uint64(1)
        self.q: np.ndarray = keys.view(np.float64)
        """float64 (N,): predictions, ascending within a table."""
        self.tables: np.ndarray = np.zeros(1, np.int64)
        """int64 (L,): the first position of each table."""
        self.weight: np.ndarray | None = None
        """float64 (N,): what each pair stands for, see `weighted_pairs`; None where all are alike."""
        self.computed: dict[Hashable, Any] = {}
        """What was computed of these pairs and is asked for again, by its name and options."""
        self._runs: np.ndarray | None = None

    @classmethod
    def of_tables(cls, q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, table: np.ndarray) -> SortedPairs:
        """Return checked pairs as several tables: `table`, int `(N,)`, has the codes 0 … L − 1, each at least once."""
        order = canonical_order(q, y)
        order = order[rows_by_code(table[order])]
        return cls.in_order(q[order], y[order], None if unit is None else unit[order], np.bincount(table))

    @classmethod
    def in_order(
        cls, q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, sizes: np.ndarray | None = None
    ) -> SortedPairs:
        """Return pairs that are in `canonical_order` already, as one table, or as tables of `sizes`, int `(L,)`."""
        pairs = object.__new__(cls)
        pairs.q, pairs.y, pairs.unit, pairs.computed, pairs._runs = q, y, unit, {}, None
        pairs.weight = None
        pairs.tables = np.zeros(1, np.int64) if sizes is None else np.cumsum(sizes) - sizes
        return pairs

    def without_units(self) -> SortedPairs:
        """Return the same pairs as if each were a unit of its own; arrays are shared."""
        if self.unit is None:
            return self
        pairs = object.__new__(SortedPairs)
        pairs.q, pairs.y, pairs.unit, pairs.tables, pairs._runs = self.q, self.y, None, self.tables, self._runs
        pairs.computed, pairs.weight = {}, None
        return pairs

    def split(self) -> list[SortedPairs]:
        """Return each table as pairs of its own; arrays are shared."""
        if self.tables.size == 1:
            return [self]
        ranges = [slice(*ends) for ends in pairwise([*self.tables.tolist(), len(self)])]
        unit = self.unit
        return [SortedPairs.in_order(self.q[r], self.y[r], None if unit is None else unit[r]) for r in ranges]

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.q.size

    @property
    def table_sizes(self) -> np.ndarray:
        """Pairs of each table, int64 `(L,)`."""
        return np.diff(self.tables, append=len(self))

    def table_of(self, starts: np.ndarray) -> np.ndarray:
        """Return the table of the bins that begin at `starts`, int64 `(T,)`."""
        if self.tables.size == 1:
            return np.zeros(starts.size, np.int64)
        return np.searchsorted(self.tables, starts, side="right") - 1

    def table_sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sums over each table of `values`, float64 or int `(N,)`, as `(L,)`."""
        return np.add.reduceat(values, self.tables)

    def adaptive(self, bin_size: int) -> Bins:
        """Return Algorithm 1's bins (steps 1 to 4): `bin_size` pairs each, a short last bin merged into the one before.

        Warns
        -----
        SmallSampleWarning
            If there are fewer pairs than `bin_size`.
        """
        return self.summarise(self.adaptive_starts(bin_size))

    def adaptive_starts(self, bin_size: int) -> np.ndarray:
        """Return the first position of each of Algorithm 1's bins, int64 `(T,)`."""
        if not isinstance(bin_size, int | np.integer) or bin_size < 1:
            raise InputError(f"bin_size: found {bin_size}, expected a whole number of at least 1")
        if self.tables.size > 1:
            steps, table = _counted_steps(np.maximum(self.table_sizes // bin_size, 1))
            return self.tables[table] + steps * bin_size
        if len(self) < bin_size:
            message = f"{len(self)} pairs are fewer than one bin of {bin_size}: all of them are in a single bin"
            warnings.warn(message, SmallSampleWarning, stacklevel=3)
        return np.arange(max(len(self) // bin_size, 1)) * min(bin_size, len(self))

    def equal_width(self, count: int) -> Bins:
        """Return the bins [0, 1/count), [1/count, 2/count), …, the last one closed, without those that are empty."""
        if count < 1:
            raise InputError(f"number of bins: found {count}, expected a whole number of at least 1")
        starts = np.searchsorted(self.q, np.arange(count) / count)
        return self.summarise(np.unique(starts[starts < len(self)]))

    def half_information_starts(self, count: int | np.ndarray) -> np.ndarray:
        """Return the first position, int64 `(T,)`, of each of at most `count` bins, of each table if int `(L,)`.

        Cuts lie at equal steps of the mean of two shares: of the pairs, and of Σ q(1 − q), the variance that the model
        expects of the labels. Pairs that are as good as certain fill half of the bins at most, however many they are.
        No cut goes through a run of ties: it moves to the nearer end of the run. What is equally predicted has one
        label frequency, and parts of a run would be copies of one noise, not independent of each other.
        """
        if np.min(count) < 1:
            raise InputError(f"number of bins: found {np.min(count)}, expected a whole number of at least 1")
        sizes = self.table_sizes
        counts = np.broadcast_to(count, sizes.shape)
        share = self.q * (1 - self.q)
        if sizes.size > 1:
            share[self.tables[1:]] -= self.table_sums(share)[:-1]  # the running sum begins anew with each table
        np.cumsum(share, out=share)
        last = self.tables + sizes - 1
        total = share[last]
        position = np.arange(1, len(self) + 1, dtype=np.float64)
        varies = total > 0
        weight = np.where(varies, 0.5, 1.0)
        if sizes.size == 1:
            share /= total[0] if varies[0] else 1.0
            share *= weight[0]
            position *= weight[0] / sizes[0]
        else:
            position -= np.repeat(self.tables, sizes)
            share /= np.repeat(np.where(varies, total, 1.0), sizes)
            share *= np.repeat(weight, sizes)
            position *= np.repeat(weight / sizes, sizes)
            share += np.repeat(np.arange(sizes.size), sizes)
        share += position
        steps, table = _counted_steps(np.maximum(counts - 1, 0))
        cuts = np.searchsorted(share, table + (steps + 1) / counts[table], side="right")
        cuts = cuts[cuts < len(self)]
        first, after = self.run(cuts)
        cuts = np.where(cuts - first <= after - cuts, first, after)
        return np.unique(np.concatenate([self.tables, cuts[cuts < len(self)]]))

    def summarise(self, starts: np.ndarray) -> Bins:
        """Return the bins that begin at the strictly increasing positions `starts`, int `(T,)`, the first of them 0."""
        size = np.diff(starts, append=len(self))
        smallest, largest = self.q[starts], self.q[starts + size - 1]
        return Bins(
            size=size,
            # Rounding must not move a mean out of its bin, nor that of equal predictions from them.
            mean_prediction=np.clip(np.add.reduceat(self.q, starts) / size, smallest, largest),
            label_frequency=np.clip(self.label_sums(starts) / size, 0.0, 1.0),
            smallest=smallest,
            largest=largest,
        )

    def label_sums(self, starts: np.ndarray) -> np.ndarray:
        """Return each bin's sum of labels, float64 `(T,)`, runs of ties that a cut goes through being shared.

        It is a difference of the labels before each cut. A cut inside of a run has those before the run, and of the
        run's own as large a share as it has of its pairs.
        """
        divided = self.divided_runs(starts)
        if not divided.size:
            return self._counts(starts).astype(np.float64)
        tied = starts[divided]
        first, last = self.run(tied)
        points = np.unique(np.concatenate([starts, first, last[last < len(self)]]))
        before = np.concatenate([[0], np.cumsum(self._counts(points))])
        points = np.append(points, len(self))

        def positives_before(position: np.ndarray) -> np.ndarray:
            return before[np.searchsorted(points, position)]

        table = self.table_of(starts)
        earlier = positives_before(self.tables)  # counted from the start of each table, whatever tables come before it
        cumulative = (positives_before(starts) - earlier[table]).astype(np.float64)
        in_run = positives_before(last) - positives_before(first)
        offset = positives_before(first) - earlier[table[divided]]
        cumulative[divided] = offset + in_run * (tied - first) / (last - first)
        totals = np.append(earlier[1:], before[-1]) - earlier
        ends = np.append(cumulative[1:], 0.0)
        final = np.append(table[1:] != table[:-1], True)
        ends[final] = totals[table[final]]
        return ends - cumulative

    def divided_runs(self, starts: np.ndarray) -> np.ndarray:
        """Return the bins, int64 indices, that begin inside a run of equal predictions."""
        cuts = starts[1:]
        tied = self.q[cuts - 1] == self.q[cuts]
        if self.tables.size > 1:
            tied &= ~np.isin(cuts, self.tables)
        return np.flatnonzero(tied) + 1

    def label_variances(self, starts: np.ndarray) -> np.ndarray:
        """Return the variance of each of `label_sums`, float64 `(T,)`, of independent labels that are as predicted.

        A bin that has the share s of a run of m equal predictions q adds s² m q(1 − q), not s m q(1 − q).
        """
        variance = self.q * (1 - self.q)
        whole = np.add.reduceat(variance, starts)
        divided = self.divided_runs(starts)
        if not divided.size:
            return whole
        first, last = self.run(starts[divided])
        ends = np.append(starts[1:], len(self))
        # A run takes something from every bin that it reaches into: from the one where it begins to the last.
        earliest = np.searchsorted(starts, first, side="right") - 1
        runs, position = np.unique(first, return_index=True)
        earliest, last = earliest[position], last[position]
        latest = np.searchsorted(starts, last - 1, side="right") - 1
        steps, run = _counted_steps(latest - earliest + 1)
        reached = earliest[run] + steps
        rows = np.minimum(ends[reached], last[run]) - np.maximum(starts[reached], runs[run])
        length = last[run] - runs[run]
        np.subtract.at(whole, reached, variance[runs[run]] * rows * (1 - rows / length))
        return np.maximum(whole, 0.0)

    def run(self, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and the last but one position of the runs of equal predictions at positions."""
        if self.tables.size == 1:
            value = self.q[position]
            return np.searchsorted(self.q, value, side="left"), np.searchsorted(self.q, value, side="right")
        if self._runs is None:
            begins = np.concatenate([[True], self.q[1:] != self.q[:-1]])
            begins[self.tables] = True
            self._runs = np.append(np.flatnonzero(begins), len(self))
        run = np.searchsorted(self._runs, position, side="right") - 1
        return self._runs[run], self._runs[run + 1]

    def _counts(self, starts: np.ndarray) -> np.ndarray:
        # Bytes summed into 32 bits are eight times faster than booleans into 64, and a bin is never that large.
        return np.add.reduceat(self.y.view(np.uint8), starts, dtype=np.uint32).astype(np.int64)


def _counted_steps(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 0 … counts[0] − 1, 0 … counts[1] − 1, … and the index of the count that each belongs to."""
    owner = np.repeat(np.arange(counts.size), counts)
    return np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts), owner


def adaptive_bins(q, y, *, bin_size: int) -> Bins:
    """Return Algorithm 1's bins of pairs in any order; see `SortedPairs` for arguments and errors."""
    return SortedPairs(q, y).adaptive(bin_size)


def equal_width_bins(q, y, *, count: int) -> Bins:
    """Return `count` bins of equal width, those without pairs left out (paper, Figure 1(b, c))."""
    return SortedPairs(q, y).equal_width(count)


def canonical_order(q, y) -> np.ndarray:
    """Return a permutation, int64 `(N,)`, that sorts pairs by prediction and then label; errors as `SortedPairs`.

    Equal pairs are in no particular order.
    """
    return np.argsort(_pack(q, y))


def rows_by_code(code: np.ndarray) -> np.ndarray:
    """Return the permutation, int64 `(N,)`, that brings rows with the same code, from 0 on, together in their order."""
    # NumPy sorts short integers by radix.
    return np.argsort(code.astype(np.uint16) if code.max(initial=0) < 1 << 16 else code, kind="stable")


def check_pairs(q, y) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions as float64 and labels as bool, both `(N,)`; errors as `SortedPairs`."""
    _pack(q, y)
    return np.clip(np.asarray(q, dtype=np.float64), 0.0, 1.0), np.asarray(y, dtype=np.bool_)


def _pack(q, y) -> np.ndarray:
    """Check pairs and return them as unsigned integers `(N,)` that are in the same order."""
    q, y = np.asarray(q), np.asarray(y)
    for name, values in (("predictions", q), ("labels", y)):
        if values.ndim != 1:
            raise InputError(f"{name}: found an array of shape {values.shape}, expected one dimension")
        if values.dtype.kind not in "buif":
            raise InputError(f"{name}: found values of type {values.dtype}, expected numbers")
    if q.size != y.size:
        raise InputError(f"found {q.size} predictions and {y.size} labels, expected as many labels as predictions")
    if q.size == 0:
        raise InputError("found no prediction-label pairs, expected at least one")
    if y.dtype != np.bool_:
        binary = (y == 0) | (y == 1)
        if not binary.all():
            row = int(np.argmin(binary))
            raise InputError(f"row {row}: found label {y[row]}, expected 0 or 1")
        y = y.astype(np.bool_)
    q = q.astype(np.float64, copy=False)
    keys = (q + 0.0).view(np.uint64)  # + 0.0 turns a negative zero into a positive one
    if keys.max() > np.float64(1).view(np.uint64):  # so are the bits of what is negative, above 1, or not a number
        valid = (q >= -MAX_ROUNDING_EXCESS) & (q <= 1 + MAX_ROUNDING_EXCESS)
        if not valid.all():
            row = int(np.argmin(valid))
            raise InputError(f"row {row}: found prediction {q[row]}, expected a probability in [0, 1]")
        keys = (np.clip(q, 0.0, 1.0) + 0.0).view(np.uint64)
    keys <<= np.uint64(1)
    keys |= y
    return keys
