"""The textbook's posterior, to be compared: a Dirichlet prior of equal weights in each stratum."""

from __future__ import annotations

import numpy as np

from nlpcalib.seeding import generator
from reproduction.extraction_eval.lead_counts import LeadCounts
from reproduction.extraction_eval.measures import Estimand
from reproduction.extraction_eval.posterior import MeasureEstimate, spread


class DirichletPosterior:
    """Central intervals of the posterior with a Dirichlet prior of equal weights in each stratum."""

    def __init__(self, sample: LeadCounts, prior: float, *, samples: int, seed: int) -> None:
        """Draw from the posterior of a sample whose strata are the answer's categories; `prior` is each weight."""
        self._sample = sample
        counts = np.zeros((sample.categories, sample.categories), dtype=np.int64)
        counts[sample.answer, sample.truth] = sample.count
        answers = np.repeat(np.arange(sample.categories), sample.categories)
        shape = counts.ravel() + prior
        rng = generator(seed, "extraction_eval", "dirichlet")
        gaps = spread(shape, answers, sample.sizes - sample.annotated, samples, rng)
        self._tables = (counts.ravel() + gaps).reshape(samples, *counts.shape)

    def estimate(self, measure: Estimand) -> MeasureEstimate:
        """Return the paper's estimate with the central 95 % of the posterior."""
        drawn = measure.value(self._tables)
        drawn = drawn[~np.isnan(drawn)]
        low, high = np.quantile(drawn, (0.025, 0.975)) if drawn.size else (None, None)
        return MeasureEstimate(self._sample.value(measure), low, high)
