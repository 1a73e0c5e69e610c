"""Choosing a hyperparameter by accuracy on the development set (paper, section 4.2.1)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.files import write_csv
from nlpcalib.tagging.chain import LinearChain
from nlpcalib.tagging.data import TaggedCorpus

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Selection:
    """The best model of a grid and the accuracy of every one."""

    chain: LinearChain
    """The chosen model; its metadata has its `dev_accuracy`."""
    value: float
    """The chosen hyperparameter."""
    table: tuple[tuple[float, float], ...]
    """(value, accuracy on the development set) in the order of the grid."""


def accuracy(chain: LinearChain, corpus: TaggedCorpus) -> float:
    """Return the fraction of tokens whose tag on the best path is the gold tag; InputError if there are no tokens."""
    if not len(corpus.tokens):
        raise InputError("accuracy of no tokens")
    _, gold = corpus.gold_in(chain.tags)
    return float(np.mean(chain.decode(corpus.tokens, corpus.lengths) == gold))


def select(fit: Callable[[float], LinearChain], values: Iterable[float], dev: TaggedCorpus) -> Selection:
    """Fit a model for each hyperparameter in `values` and return the one with the best accuracy on `dev`.

    Of equally accurate ones the largest value is chosen, the strongest regularisation for a pseudocount and for c2.
    Only the best model so far is kept in memory. Raises InputError for an empty grid or no tokens.
    """
    best: tuple[float, float, LinearChain] | None = None
    table = []
    for value in values:
        chain = fit(value)
        score = accuracy(chain, dev)
        logger.info("hyperparameter %g: accuracy on the development set %.4f", value, score)
        table.append((float(value), score))
        if best is None or (score, value) > best[:2]:
            best = (score, value, chain)
    if best is None:
        raise InputError("the grid of hyperparameters is empty")
    score, value, chain = best
    return Selection(chain.with_metadata(dev_accuracy=score), float(value), tuple(table))


def write_selection(path: str | os.PathLike[str], selection: Selection) -> None:
    """Write a grid's accuracies as CSV, one row per hyperparameter, the chosen one marked."""
    rows = [
        {"value": value, "dev_accuracy": score, "chosen": value == selection.value} for value, score in selection.table
    ]
    write_csv(path, rows)
