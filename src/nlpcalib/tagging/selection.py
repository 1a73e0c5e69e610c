"""Choosing a hyperparameter by accuracy on the development set (paper, section 4.2.1)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from nlpcalib.calibration.binning import adaptive_bins
from nlpcalib.calibration.direction import underconfident_share
from nlpcalib.calibration.intervals import root_mean_square
from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from nlpcalib.tagging.chain import LinearChain
from nlpcalib.tagging.data import TaggedCorpus
from nlpcalib.tagging.pairs import tag_pairs

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one hyperparameter does on the development set."""

    value: float
    accuracy: float
    calibration_error: float
    """Algorithm 1 over all tags of all tokens."""
    underconfident_share: float | None
    """See `nlpcalib.calibration.direction`."""


class CandidateRow(TypedDict):
    """A row of `write_selection`."""

    value: float
    accuracy: float
    calibration_error: float
    underconfident_share: float | None
    chosen: bool


@dataclass(frozen=True, eq=False)
class Selection:
    """The most accurate model of a grid, and what every candidate does."""

    chain: LinearChain
    """The chosen model; its metadata has its `dev_accuracy`."""
    value: float
    """The chosen hyperparameter."""
    candidates: tuple[Candidate, ...]
    """In the order of the grid."""


def accuracy(chain: LinearChain, corpus: TaggedCorpus) -> float:
    """Return the fraction of tokens whose tag on the best path is the gold tag; InputError if there are no tokens."""
    if not len(corpus.tokens):
        raise InputError("accuracy of no tokens")
    _, gold = corpus.gold_in(chain.tags)
    return float(np.mean(chain.decode(corpus.tokens, corpus.lengths) == gold))


def select(candidates: Iterable[tuple[float, LinearChain]], dev: TaggedCorpus, *, bin_size: int) -> Selection:
    """Return the best of `candidates`, models with their hyperparameters, by accuracy on `dev`.

    Of equally accurate ones the largest value is chosen, the strongest regularisation for a pseudocount and for c2.
    Calibration is measured beside accuracy, with bins of `bin_size`, but plays no part in the choice. Only the best
    model so far is kept in memory. Raises InputError if there are no candidates or no tokens.
    """
    best: tuple[float, float, LinearChain] | None = None
    evaluated = []
    for value, chain in candidates:
        candidate = _evaluate(chain, value, dev, bin_size)
        logger.info("%g: accuracy %.4f, calibration error %.4f", value, candidate.accuracy, candidate.calibration_error)
        evaluated.append(candidate)
        if best is None or (candidate.accuracy, value) > best[:2]:
            best = (candidate.accuracy, value, chain)
    if best is None:
        raise InputError("found no models to choose from, expected at least one hyperparameter")
    score, value, chain = best
    grid = [candidate.value for candidate in evaluated]
    if len(grid) > 1 and value in (min(grid), max(grid)):
        logger.warning("%g was chosen at the edge of the grid: a wider one may hold a better value", value)
    return Selection(chain.with_metadata(dev_accuracy=score), float(value), tuple(evaluated))


def _evaluate(chain: LinearChain, value: float, dev: TaggedCorpus, bin_size: int) -> Candidate:
    tags, gold = dev.gold_in(chain.tags)
    pairs = tag_pairs(chain.marginals(dev.tokens, dev.lengths), gold, tags, dev.units)
    bins = adaptive_bins(pairs.q, pairs.y, bin_size=bin_size)
    return Candidate(float(value), accuracy(chain, dev), root_mean_square(bins), underconfident_share(bins))


def write_selection(path: str | Path, selection: Selection) -> None:
    """Write a grid's candidates as CSV, one row per hyperparameter, the chosen one marked."""
    rows = [{**asdict(candidate), "chosen": candidate.value == selection.value} for candidate in selection.candidates]
    write_csv(path, rows)
