"""How far each two annotators agree, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

import numpy as np

from nlpcalib.errors import counted
from nlpcalib.estimation.judges import Verdicts, judge_consistency, judge_rates
from nlpcalib.sampling.agreement import Agreement, annotator_agreement
from nlpcalib.sampling.answers import Labels


@dataclass(frozen=True)
class AgreementRates(Agreement):
    """The agreement of two annotators, with intervals as they are for a judge and its labels.

    The items are taken for independent, and those of a sample have weights. The ends of kappa are NaN where a label is
    open.
    """

    agreed_low: float = float("nan")
    agreed_high: float = float("nan")
    kappa_low: float = float("nan")
    kappa_high: float = float("nan")
    level: float = 0.95

    def row(self) -> dict[str, Any]:
        """Return a row of `agreement.csv`; what is not defined is None."""
        row = asdict(self) | {"error": self.error}
        return {key: None if isinstance(value, float) and isnan(value) else value for key, value in row.items()}

    def sentence(self, of: str) -> str:
        """Return in words how far both agree on the items, without a stop."""
        ends = f" ({100 * self.level:g} % interval {100 * self.agreed_low:.1f} to {100 * self.agreed_high:.1f} %)"
        kappa = "and all labels are alike, so kappa is not defined"
        if not isnan(self.kappa):
            both = f" ({self.kappa_low:.2f} to {self.kappa_high:.2f})"
            kappa = f"kappa {self.kappa:.2f}{both * (not isnan(self.kappa_low))}"
        return (
            f"{self.first} and {self.second} differ on {self.differ:,} of {counted(self.items, 'item')}: they agree on "
            f"{100 * self.agreed:.1f} % of {of}{ends * (not isnan(self.agreed_low))}, {kappa}"
        )


def agreement_rates(
    annotators: Mapping[str, Labels], weight: Mapping[str, float] | None, *, level: float = 0.95
) -> list[AgreementRates]:
    """Return how far each two annotators agree, as `annotator_agreement`; `weight` is None where all items have 1."""
    if weight is None:
        weight = {item: 1.0 for labels in annotators.values() for item in labels}
    found = []
    for pair in annotator_agreement(annotators, weight):
        ends: dict[str, Any] = _ends(annotators[pair.first], annotators[pair.second], weight, level)
        found.append(AgreementRates(**asdict(pair), level=level, **ends))
    return found


def _ends(first: Labels, second: Labels, weight: Mapping[str, float], level: float) -> dict[str, float]:
    both = [item for item in first if item in second and item in weight]
    agreed = np.array([first[item] == second[item] for item in both], dtype=np.float64)
    weights = np.array([weight[item] for item in both], dtype=np.float64)
    share = judge_consistency(agreed, None, weight=weights, level=level)
    ends: dict[str, float | None] = {"agreed_low": share.low, "agreed_high": share.high}
    pairs = [(one, other) for item in both if (one := first[item]) in (0, 1) and (other := second[item]) in (0, 1)]
    if len(pairs) == len(both):
        one, other = np.array(pairs, dtype=np.float64).T
        found = judge_rates(Verdicts(one, np.arange(len(one)), other, weights, sampled=weights), level=level)
        kappa = next(each for each in found if each.measure == "kappa")
        ends |= {"kappa_low": kappa.low, "kappa_high": kappa.high}
    return {name: end for name, end in ends.items() if end is not None}
