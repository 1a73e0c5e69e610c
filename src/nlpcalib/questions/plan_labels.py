"""`nlpcalib.plan_labels`: how many labels does it take to detect a calibration error?"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.label_planning import LabelVariance, labels_needed
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.arrays import as_array, probabilities
from nlpcalib.predictions.formats.registry import read_predictions
from nlpcalib.predictions.reading import ReadingOptions

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True)
class LabelPlan:
    """How many labels detect an error."""

    labels: int
    """The fewest labels that suffice."""
    detect: float
    """Root mean squared calibration error to be detected."""
    power: float
    """Probability that it is detected."""
    level: float
    """Level of the interval that is to exclude 0."""
    design_effect: float
    """The factor by which dependence within units was taken to raise the variance."""
    assumed_variance: float | None = None
    """Variance of labels p(1 − p) that was assumed; None where predictions have it."""
    facts: TableFacts | None = None
    """What the table that was read was taken to be."""

    def lines(self) -> list[str]:
        """Return the answer in words."""
        parts = f"power {self.power:g}, level {self.level:g}, design effect {self.design_effect:.2f}".replace(
            " 0.", " ."
        )
        labels = self.labels
        if self.assumed_variance is not None:
            labels = round(labels, 2 - len(str(labels)))  # an assumption has no five digits
            parts += f", label variance {self.assumed_variance:.2g} assumed".replace(" 0.", " .")
        found = f"to detect a calibration error of {self.detect:g} label about {labels:,} predictions"
        return [found.replace(" 0.", " ."), parts]

    def record(self) -> dict[str, Any]:
        """Return the numbers of the plan by their names."""
        table = None if self.facts is None else self.facts.record()
        return {**asdict(replace(self, facts=None)), "facts": table}

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}>"


def plan_labels(
    *,
    detect: float,
    q: Any = None,
    prevalence: float = 0.5,
    power: float = 0.8,
    level: float = 0.95,
    design_effect: float | None = None,
    reading: ReadingOptions | None = None,
) -> LabelPlan:
    """Return how many labels detect a calibration error with a given probability.

    Parameters
    ----------
    detect : float
        Root mean squared calibration error, such as .02.
    q : path, or array_like of shape (M,), optional
        Predictions that will be labelled, or a sample of them. Or a file of predictions with labels, which show the
        dependence within units too.
    prevalence : float
        Share of positive labels, where there are no predictions yet. One half takes the most labels.
    power : float
        Probability that the error is detected: that the interval excludes 0.
    level : float
        Level of the interval.
    design_effect : float, optional
        By how much predictions of one unit, wrong together, raise the variance of a mean: by default what the labels
        of a file show, else 1.
    reading : ReadingOptions, optional
        How a file is read, as for `calibrate`.

    Raises
    ------
    InputError
        For numbers out of range.
    """
    for name, value in (("detect", detect), ("level", level), ("prevalence", prevalence)):
        if not 0 < value < 1:
            raise InputError(f"{name}: found {value}, expected a number between 0 and 1")
    facts = None
    if isinstance(q, str | Path):
        pairs = read_predictions(q, **(reading or ReadingOptions()).arguments())
        q, facts = pairs.q, pairs.table
        design_effect = estimated_design_effect(pairs) if design_effect is None else design_effect
    design_effect = 1.0 if design_effect is None else design_effect
    if q is None:
        variance = LabelVariance().times(prevalence * (1 - prevalence) / LabelVariance().mean)
    else:
        sample = probabilities(as_array(q, "predictions")).ravel()
        if not (sample.size and np.all((sample >= 0) & (sample <= 1))):
            raise InputError("predictions: expected at least one, all of them probabilities in [0, 1]")
        variance = LabelVariance.of(sample)
    labels = labels_needed(detect, variance=variance, power=power, level=1 - level, units=design_effect)
    return LabelPlan(labels, detect, power, level, design_effect, variance.mean if q is None else None, facts)


def estimated_design_effect(pairs: Pairs) -> float:
    """Return by how much the units of labelled pairs raise the variance of their mean residual, at least 1."""
    unit = pairs.sampling_unit
    if unit is None:
        return 1.0
    residual = pairs.y - pairs.q
    residual = residual - residual.mean()
    alone = float(residual @ residual)
    return max(float(np.sum(np.bincount(unit.codes, residual) ** 2)) / alone, 1.0) if alone > 0 else 1.0
