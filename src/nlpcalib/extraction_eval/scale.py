"""Categories of events and their weights on a scale from conflict to cooperation (Lowe & King, section 4.2.1)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.extraction_eval.tables import read_rows

NONE = "none"
"""The category i = 0: the machine is unable to classify the lead, or a person finds no event of the scale in it."""

NEWSROOM = {
    "accuse": "112", "aid": "070", "apologize": "055", "attack": "190", "blockade": "191", "bombard": "195",
    "criticize": "111", "detain": "173", "expel": "174", "invade": "192", "meet": "040", "negotiate": "046",
    "praise": "051", "pressure": "100", "punish": "172", "raid": "193", "recognize": "054", "release": "084",
    "seize": "192", "support": "051", "threaten": "130", "visit": "042", "warn": "130",
}  # fmt: skip
"""The CAMEO code of each category of event in the simulated newsroom."""

_CAMEO = re.compile(r"\s*(\d{2,4}):\s*\[\s*(-?\d+(?:\.\d+)?)\s*\]")


@dataclass(frozen=True, eq=False)
class Scale:
    """Categories in a fixed order, with their weights."""

    categories: tuple[str, ...]
    """C categories, the first of them `NONE`."""
    weights: np.ndarray
    """float64 (C,): the level of conflict or cooperation G of each category, NaN for `NONE`, which has none."""

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> Scale:
        """Make a scale of the weights of all categories but `NONE`; raises `InputError` for what is no weight."""
        for category, weight in weights.items():
            if category in ("", NONE) or not math.isfinite(weight):
                raise InputError(
                    f"scale: found {category!r} with {weight}, expected a finite weight, and none for {NONE}"
                )
        return cls((NONE, *weights), np.array([math.nan, *weights.values()], dtype=np.float64))

    def choose(self, codes: Mapping[str, str]) -> Scale:
        """Return the scale of other categories, each with the weight of the category here that `codes` gives it."""
        weights = dict(zip(self.categories, self.weights.tolist(), strict=True))
        for category, code in codes.items():
            if code not in weights:
                raise InputError(f"scale: found no weight for {code!r} of {category!r}, expected one in the scale")
        return Scale.of({category: weights[code] for category, code in codes.items()})


def read_scale(path: str | Path) -> Scale:
    """Read a CSV with the columns `category` and `weight`.

    Raises `InputError`, naming the line, for a category that is missing, reserved or there twice, and a weight that
    is no number.
    """
    weights: dict[str, float] = {}
    for place, row in read_rows(path, ("category", "weight")):
        category = row["category"]
        if not category or category.lower() == NONE:
            raise InputError(f"{place}: found the category {category!r}, expected a name other than {NONE!r}")
        if category in weights:
            raise InputError(f"{place}: found the category {category!r} again, expected each once")
        try:
            weight = float(row["weight"])
        except ValueError:
            weight = math.nan
        if not math.isfinite(weight):
            raise InputError(f"{place}: found the weight {row['weight']!r}, expected a number")
        weights[category] = weight
    return Scale.of(weights)


def read_cameo_scale(path: str | Path) -> Scale:
    """Read the weights of CAMEO's codes from lines like `055:[7.0] Apologize`; comments begin with `#`.

    Raises `InputError`, naming the line, for a line of another form and for a code that is there twice.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    weights: dict[str, float] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _CAMEO.match(line)
        if match is None or match[1] in weights:
            found = "a line of another form" if match is None else f"the code {match[1]} again"
            raise InputError(
                f"{path}, line {number}: found {found}, expected each code once, as in 055:[7.0] Apologize"
            )
        weights[match[1]] = float(match[2])
    if not weights:
        raise InputError(f"{path}: found no codes, expected lines like 055:[7.0] Apologize")
    return Scale.of(weights)
