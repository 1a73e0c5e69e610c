"""Agreement of annotators on the corpus, as a sample in which rare categories abound estimates it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlpcalib.sampling.answers import Labels


@dataclass(frozen=True)
class Agreement:
    """The agreement of two annotators on the items that both labelled."""

    first: str
    second: str
    items: int
    differ: int
    """Items that they labelled differently."""
    agreed: float
    """The share of the corpus on which they agree, as the sample estimates it."""
    kappa: float
    """Cohen's kappa of the corpus; NaN where both gave every item the same label."""

    @property
    def error(self) -> float:
        """The share of wrong labels e of each, if both err as often and independently: they differ on 2e(1 − e)."""
        return (1 - max(1 - 2 * (1 - self.agreed), 0.0) ** 0.5) / 2


def cohen_kappa(joint: np.ndarray) -> np.ndarray:
    """Return Cohen's kappa of joint tables of two annotators' categories, (…, C, C) (Cohen 1960).

    It is agreement beyond that of independent labels with the same frequencies.
    """
    total = joint.sum(axis=(-2, -1))
    agreed = np.trace(joint, axis1=-2, axis2=-1) / total
    rows, columns = joint.sum(axis=-1) / total[..., None], joint.sum(axis=-2) / total[..., None]
    chance = (rows * columns).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (agreed - chance) / (1 - chance)


def annotator_agreement(annotators: Mapping[str, Labels], weight: Mapping[str, float]) -> list[Agreement]:
    """Return how far each two annotators agree who labelled the same items.

    `weight` is 1/π of each item, the number of items of the corpus that it stands for; others are passed over. "Cannot
    tell" is a category of its own.
    """
    found = []
    for (first, one), (second, two) in combinations(annotators.items(), 2):
        both = [item for item in one if item in two and item in weight]
        if not both:
            continue
        labels = np.array([[-1 if each[item] is None else each[item] for item in both] for each in (one, two)])
        known, place = np.unique(labels, return_inverse=True)
        place = place.reshape(labels.shape)
        joint = np.zeros((len(known), len(known)))
        np.add.at(joint, (place[0], place[1]), [weight[item] for item in both])
        differ = int((place[0] != place[1]).sum())
        found.append(
            Agreement(first, second, len(both), differ, float(np.trace(joint) / joint.sum()), float(cohen_kappa(joint)))
        )
    return found
