"""`nlpcalib.plan_labels`: how many labels does it take to detect a calibration error?"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.label_planning import LabelVariance, labels_needed
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.groups import Grouping
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.questions.answer import QuestionReport
from nlpcalib.questions.calibrate import grouped_pairs

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, repr=False)
class LabelPlan(QuestionReport):
    """How many labels detect an error."""

    RECORD = "labels.json"

    labels: int
    """The fewest labels that suffice."""
    detect: float
    """Root mean squared calibration error to be detected."""
    power: float
    """Probability that it is detected."""
    level: float
    """Level of the interval that is to exclude 0."""
    design_effect: float
    """Factor by which dependence within units raises the variance."""
    assumed_variance: float | None = None
    """Assumed variance of labels, p(1 − p); None if it follows from predictions."""
    facts: TableFacts | None = None
    """How the file was read: its format, columns and rows."""

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


def plan_labels(
    data: Predictions | Any = None,
    /,
    *,
    detect: float,
    prevalence: float = 0.5,
    power: float = 0.8,
    level: float = 0.95,
    design_effect: float | None = None,
) -> LabelPlan:
    """Return how many labels you need to detect a calibration error.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads, optional
        Predictions that will be labelled, or a sample of them. Labels show the dependence within units too.
    detect : float
        Root mean squared calibration error to detect, such as .02.
    prevalence : float
        Share of positive labels, if there are no predictions yet (default .5, which takes the most labels).
    power : float
        Probability of detecting it: that the interval excludes 0 (default .8).
    level : float
        Confidence level of the interval (default .95).
    design_effect : float, optional
        Factor by which errors that predictions of one unit share raise the variance of a mean (default: estimated from
        labels, else 1).

    Raises
    ------
    InputError
        If a number is out of range.
    """
    for name, value in (("detect", detect), ("level", level), ("prevalence", prevalence)):
        if not 0 < value < 1:
            raise InputError(f"{name}: found {value}, expected a number between 0 and 1")
    if data is None:
        variance = LabelVariance().times(prevalence * (1 - prevalence) / LabelVariance().mean)
        design_effect = 1.0 if design_effect is None else design_effect
        labels = labels_needed(detect, variance=variance, power=power, level=1 - level, units=design_effect)
        return LabelPlan(labels, detect, power, level, design_effect, variance.mean)
    data.check_predicted()
    if data.decisions:
        raise InputError(
            f"{data.place}: found verdicts, expected probabilities; plan_items plans the labels of a judge"
        )
    q = data.q.max(axis=1) if data.classes else data.q
    if data.labelled.size and data.values is None:
        pairs = grouped_pairs(data, Grouping())
        q, design_effect = pairs.q, estimated_design_effect(pairs) if design_effect is None else design_effect
    design_effect = 1.0 if design_effect is None else design_effect
    variance = LabelVariance.of(q)
    labels = labels_needed(detect, variance=variance, power=power, level=1 - level, units=design_effect)
    return LabelPlan(labels, detect, power, level, design_effect, None, data.facts)


def estimated_design_effect(pairs: Pairs) -> float:
    """Return by how much the units of labelled pairs raise the variance of their mean residual, at least 1."""
    unit = pairs.sampling_unit
    if unit is None:
        return 1.0
    residual = pairs.y - pairs.q
    residual = residual - residual.mean()
    alone = float(residual @ residual)
    return max(float(np.sum(np.bincount(unit.codes, residual) ** 2)) / alone, 1.0) if alone > 0 else 1.0
