"""What wrong labels do to a corpus total and its interval, and what several annotators of an item repair.

Annotators err independently of each other and of the predictions. Errors go both ways, so that any item may be labelled
wrongly, or are misses, so that positive items alone may. Of rare positive items the first kind is far worse: wrongly
positive labels outnumber the right ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from nlpcalib.estimation.score import Totals, score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import Cells
from nlpcalib.seeding import generator
from reproduction.workflow.table_files import TitledRows
from studies.simulation.estimation import errors, joined, judged, sample_items
from studies.simulation.generated import CorpusRegime

ERROR_KINDS = ("both ways", "misses")
KINDS_AND_RATES = (("both ways", 0.0), ("both ways", 0.05), ("both ways", 0.1), ("misses", 0.05), ("misses", 0.1))
"""Kinds and rates that are studied."""
PREVALENCES = (0.3, 0.05, 0.01)
LABELS_PER_SAMPLE = 400
_CORPORA_PER_SETTING = 25
PROCEDURES = ("one", "two, disputes open", "two and a third", "two and a third, same cost")


@dataclass(frozen=True)
class Annotators:
    """Who reads each item, and how often each of them is wrong."""

    procedure: str
    """One of `PROCEDURES`: a third annotator reads what two dispute, or disputes stay open."""
    kind: str
    """One of `ERROR_KINDS`."""
    rate: float
    """Share of wrong labels among the items on which an annotator may err."""

    @property
    def wrong(self) -> tuple[float, float]:
        """The share of labels that are wrong when all is settled, of positive and of negative items."""
        settled = 3 * self.rate**2 - 2 * self.rate**3 if "third" in self.procedure else self.rate
        return settled, settled if self.kind == "both ways" else 0.0

    def items(self, judgements: int) -> int:
        """Return how many items as many judgements are enough for, if errors go both ways."""
        if self.procedure != PROCEDURES[3]:
            return judgements
        return round(judgements / (2 + 2 * self.rate * (1 - self.rate)))

    def annotate(self, drawn: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return counts of the labels yes, no and open, (R, 3, …), of positive and negative items, (R, 2, …)."""
        answers = np.zeros((len(drawn), 3, drawn.shape[2]), dtype=np.int64)
        for truth, rate in enumerate((self.rate, self.rate if self.kind == "both ways" else 0.0)):
            items = drawn[:, truth]
            if self.procedure == PROCEDURES[1]:
                disputed = random.binomial(items, 2 * rate * (1 - rate))
                # Of the others, both annotators are wrong with this chance.
                wrong = random.binomial(items - disputed, rate**2 / (rate**2 + (1 - rate) ** 2))
            else:
                disputed, wrong = np.zeros_like(items), random.binomial(items, self.wrong[truth])
            answers[:, truth] += items - disputed - wrong
            answers[:, 1 - truth] += wrong
            answers[:, 2] += disputed
        return answers


def wrong_label_table(*, replicates: int, seed: int) -> list[TitledRows]:
    """Return a row for each prevalence, kind and rate of errors, and procedure."""
    rows = [
        row
        for prevalence in PREVALENCES
        for kind, rate in KINDS_AND_RATES
        for row in wrong_label_rows(prevalence, kind, rate, LABELS_PER_SAMPLE, replicates=replicates, seed=seed)
    ]
    return [("What wrong labels do to a corpus total and its interval", rows)]


def wrong_label_rows(
    prevalence: float, kind: str, rate: float, labels: int, *, replicates: int, seed: int
) -> list[dict]:
    """Return a row for each procedure: coverage of the 95 % score interval for the true share, its width and bias.

    Parameters
    ----------
    prevalence : float
        Share of positive items in a calibrated model's corpora; items are read in two phases.
    kind, rate : str, float
        Kind and rate of the errors of each annotator.
    labels : int
        Items that are read; with "same cost", judgements.
    replicates, seed : int
        Samples in all, of 25 corpora, and the seed of everything.
    """
    regime = CorpusRegime(prevalence)
    rows = []
    for procedure in PROCEDURES if rate else PROCEDURES[:1]:
        annotators = Annotators(procedure, kind, rate)
        blocks = []
        for corpus, size in enumerate(np.bincount(np.arange(replicates) % _CORPORA_PER_SETTING)):
            random = generator(seed, "wrong labels", str(prevalence), kind, str(rate), procedure, corpus)
            q, y, *_ = regime.draw(random)
            cells, open_labels = sample_items(
                q, y, annotators.items(labels), "two-phase", random, size,
                partial(annotators.annotate, random=random),
            )  # fmt: skip
            blocks.append(tuple(part / len(y) for part in errors(_totals(cells, open_labels), y.sum())))
        rows.append(
            {
                "prevalence": prevalence,
                "errors": kind if rate else "none",
                "rate": rate,
                "annotators": procedure,
                "items": annotators.items(labels),
                **judged(*joined(blocks)),
            }
        )
    return rows


def _totals(cells: Cells, open_labels: np.ndarray) -> Totals:
    """Return the interval that holds both answers for open labels, as `nlpcalib.estimation.estimates` does."""
    found = []
    for answer in (0.5, 0.0, 1.0) if open_labels.any() else (0.5,):
        positive = cells.positive + (answer - 0.5) * open_labels
        filled = replace(cells, positive=positive, expanded_positive=positive * cells.weight)
        found.append(score_interval(filled, fit_working_model(filled)))
    low, high = np.min([each.low for each in found], axis=0), np.max([each.high for each in found], axis=0)
    return replace(found[0], low=low, high=high)
