"""Regimes drawn at random over what users' tables and corpora vary in.

A regime is a function of the seed and its number alone. Nobody chose it, so that no method was tuned to it. Documents
are dated, and prevalence moves with a season and a random walk. Errors of predictions, and labels, are alike within a
document or unit, by latent normals that its items share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from nlpcalib.sampling.plan import DESIGNS
from nlpcalib.seeding import generator

CHANGES = ("none", "step", "ramp", "dip", "offsets")
"""What happens to the model in the course of a series."""
_PERIODS_OF_A_DIP = 4
"""Periods of a dip."""
_PHASES_OF_A_SEASON = 8
"""Phases of a season, one of which each unit of a table is in."""
_QUANTILES_PER_PHASE = 4000
"""Quantiles of predictions in each phase, over which the true error is a mean."""


@dataclass(frozen=True)
class TableRegime:
    """A distribution of prediction-label pairs: log odds of predictions are normal, their error is linear in them."""

    number: int
    pairs: int
    centre: float
    """Mean log odds of predictions."""
    spread: float
    """Their standard deviation."""
    values: int
    """Distinct predictions, as of a model that writes them as text; 0 if any number may be one."""
    units: int
    """0 if pairs are independent."""
    unequal: float
    """Standard deviation of the log of units' sizes."""
    shared_predictions: float
    """Correlation of the latent normals of two predictions of a unit."""
    shared_labels: float
    """The same of two labels."""
    season: float
    """Log odds that a unit's predictions move with the season."""
    drift: float
    """Log odds that the error moves with the season."""
    intercept: float
    slope: float

    @classmethod
    def drawn(cls, seed: int, number: int) -> TableRegime:
        """Return the regime of a number."""
        random = generator(seed, "table regime", number)
        pairs, calibrated = int(_log(random, 500, 20_000)), random.random() < 0.25
        return cls(
            number=number,
            pairs=pairs,
            centre=random.uniform(-3, 1.5),
            spread=random.uniform(0.5, 3),
            values=int(random.integers(7, 21)) if random.random() < 0.25 else 0,
            units=int(_log(random, 15, pairs / 3)) if random.random() < 0.75 else 0,
            unequal=random.uniform(0, 1.5),
            shared_predictions=random.uniform(0, 0.8),
            shared_labels=random.uniform(0, 0.5),
            season=random.uniform(0, 1),
            drift=0.0 if calibrated else random.uniform(0, 0.5),
            intercept=0.0 if calibrated else random.normal(0, 0.4),
            slope=1.0 if calibrated else _log(random, 0.4, 1.6),
        )

    @property
    def name(self) -> str:
        """Its name, for seeds."""
        return f"generated {self.number}"

    @property
    def has_units(self) -> bool:
        """Whether pairs come with their unit."""
        return self.units > 0

    def frequency(self, q: np.ndarray) -> np.ndarray:
        """Return E[y | q] of predictions q (n,): the mean over phases, by how likely each is to predict q."""
        wave, odds = _waves()[:, None], logit(q)
        centre = self.centre + self.season * wave
        if self.values:
            low, high = (ndtr((logit(q + side / self.values) - centre) / self.spread) for side in (-0.5, 0.5))
            weight = np.maximum(high - low, 1e-300)
        else:
            exponent = -(((odds - centre) / self.spread) ** 2) / 2
            weight = np.exp(exponent - exponent.max(axis=0))
        return (weight * self._curve(odds, wave)).sum(axis=0) / weight.sum(axis=0)

    def squared_error(self) -> float:
        """Return the true mean of (q − E[y | q])²."""
        return float(np.mean(self._differences() ** 2))

    def draw(self, n: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return predictions float64 `(n,)`, labels bool `(n,)`, and unit codes int64 `(n,)`, None if not given."""
        unit = np.arange(n)
        if self.units:
            size = np.exp(self.unequal * random.standard_normal(self.units))
            ends = np.round(np.cumsum(size) / size.sum() * n).astype(np.int64)
            unit = np.repeat(np.arange(self.units), np.diff(ends, prepend=0))
        wave = _waves()[random.integers(_PHASES_OF_A_SEASON, size=unit[-1] + 1)[unit]]
        q = self._predictions(wave, _latent(self.shared_predictions, unit, random))
        y = ndtr(_latent(self.shared_labels, unit, random)) < self._curve(logit(q), wave)
        return q, y, unit if self.units else None

    def _predictions(self, wave: np.ndarray, latent: np.ndarray) -> np.ndarray:
        q = expit(self.centre + self.season * wave + self.spread * latent)
        return (np.floor(q * self.values) + 0.5) / self.values if self.values else q

    def _curve(self, odds: np.ndarray, wave: np.ndarray) -> np.ndarray:
        return expit(self.intercept + self.drift * wave + self.slope * odds)

    def _differences(self) -> np.ndarray:
        q = self._predictions(
            _waves()[:, None], ndtri((np.arange(_QUANTILES_PER_PHASE) + 0.5) / _QUANTILES_PER_PHASE)
        ).ravel()
        return q - self.frequency(q)


@dataclass(frozen=True)
class CorpusRegime:
    """A distribution of corpora, and how predictions fail. As it stands, a calibrated model of independent items."""

    prevalence: float
    number: int = 0
    items: int = 10_000
    smallest: int = 1
    """Items of a document, of a Pareto distribution."""
    largest: int = 1
    tail: float = 2.0
    """The exponent of that distribution."""
    shared_truth: float = 0.0
    """Correlation of the latent normals of the truth of two items of a document."""
    shared_errors: float = 0.0
    """The same of their scores."""
    periods: int = 1
    season: float = 0.0
    """Log odds that prevalence moves with the season, of `cycle` periods."""
    cycle: int = 4
    walk: float = 0.0
    """Standard deviation of a step of its random walk."""
    separation: float = 3.0
    """Distance of the means of the two classes of scores, in standard deviations."""
    useless: bool = False
    """Whether predictions are those of other items."""
    slope: float = 1.0
    """Slope of the predicted log odds in the right ones."""
    shift: float = 0.0
    """What is added to them."""
    blind: float = 0.0
    """Share of the positive items whose score is that of a negative one."""
    blind_documents: bool = False
    """Whether the model is blind to whole documents."""
    change: str = "none"
    """One of `CHANGES`: from a period on, positive items are lost; or the log odds of each period are off."""
    lost: float = 0.0
    """Share of the positive items that are lost; for `offsets`, the standard deviation of the log odds."""
    since: float = 0.5
    """Share of the series that comes before the change."""
    design: str = "two-phase"
    effort: float = 1.0
    """How much is read, from 0 to 1 on a logarithmic scale."""

    @classmethod
    def drawn(cls, seed: int, number: int) -> CorpusRegime:
        """Return the regime of a number."""
        random = generator(seed, "corpus regime", number)
        smallest, change = int(random.integers(1, 6)), str(random.choice(CHANGES, p=(0.4, 0.15, 0.15, 0.15, 0.15)))
        return cls(
            prevalence=_log(random, 0.01, 0.4),
            number=number,
            items=int(_log(random, 2000, 10_000)),
            smallest=smallest,
            largest=int(_log(random, smallest + 5, 200)),
            tail=random.uniform(1.1, 3),
            shared_truth=random.uniform(0, 0.6),
            shared_errors=random.uniform(0, 0.8),
            periods=int(random.integers(8, 37)),
            season=random.uniform(0, 1),
            cycle=int(random.integers(4, 13)),
            walk=random.uniform(0, 0.3),
            separation=random.uniform(1, 4),
            useless=bool(random.random() < 0.1),
            slope=_log(random, 0.4, 2.5),
            shift=random.normal(0, 0.7),
            blind=random.uniform(0, 0.6) if random.random() < 0.5 else 0.0,
            blind_documents=bool(random.random() < 0.5),
            change=change,
            lost=random.uniform(0.2, 0.8),
            since=random.uniform(0.2, 0.8),
            design=str(random.choice(sorted(DESIGNS))),
            effort=random.random(),
        )

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return predictions float64, labels bool, documents int64 in order, and periods int64, all (items,)."""
        size = np.minimum(self.smallest * random.random(self.items) ** (-1 / self.tail), self.largest)
        document = np.repeat(np.arange(self.items), size.astype(np.int64))[: self.items]
        time = random.integers(self.periods, size=document[-1] + 1)[document]
        period = np.arange(self.periods)
        season = self.season * np.sin(2 * np.pi * (period / self.cycle + random.random()))
        prevalence = expit(
            logit(self.prevalence) + season + np.cumsum(self.walk * random.standard_normal(self.periods))
        )
        y = _latent(self.shared_truth, document, random) < ndtri(prevalence)[time]
        lost, offset = self._changes(random)
        chance = random.random(document[-1] + 1)[document] if self.blind_documents else random.random(self.items)
        seen = y & (chance >= 1 - (1 - self.blind) * (1 - lost[time]))
        score = _latent(self.shared_errors, document, random) + self.separation * (seen - 0.5)
        odds = logit(self.prevalence) + self.separation * score
        if self.useless:
            odds = random.permutation(odds)
        return expit(self.slope * odds + self.shift + offset[time]), y, document, time

    def _changes(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return what is lost of the positive items, and the offset of log odds, of each period."""
        period, first, none = np.arange(self.periods), int(self.since * self.periods), np.zeros(self.periods)
        if self.change == "offsets":
            return none, self.lost * random.standard_normal(self.periods)
        shape: dict[str, np.ndarray] = {
            "step": period >= first,
            "ramp": np.clip((period - first) / max(self.periods - 1 - first, 1), 0, 1),
            "dip": (period >= first) & (period < first + _PERIODS_OF_A_DIP),
        }
        return self.lost * shape[self.change] if self.change in shape else none, none


def _latent(correlation: float, unit: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return standard normals, (n,), of which those of one unit are correlated."""
    shared = random.standard_normal(unit[-1] + 1)[unit]
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * random.standard_normal(len(unit))


def _waves() -> np.ndarray:
    return np.sin(2 * np.pi * (np.arange(_PHASES_OF_A_SEASON) + 0.5) / _PHASES_OF_A_SEASON)


def _log(random: np.random.Generator, low: float, high: float) -> float:
    """Return a number whose logarithm is uniform."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))
