"""Categories of events and their weights on a scale from conflict to cooperation (Lowe & King, section 4.2.1)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.tables.table import read_rows
from reproduction.corpora.retrieval.archives import read_archive

NONE = "none"
"""The category i = 0: the machine is unable to classify the lead, or a person finds no event of the scale in it."""

SCALE_FILE = "CAMEO.SCALE.txt"
"""The file of the corpus `lexicon` that has the weights of CAMEO's codes."""

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
    check_file(path)
    return _cameo_scale(path.read_bytes(), str(path))


def load_scale(source: str, archive: Path | str | None = None) -> Scale:
    """Return a scale with the weights of CAMEO's codes, or of categories of the user's own.

    Parameters
    ----------
    source : str
        "packaged" for the library's table of some of CAMEO's codes, "registry" for that of the corpus `lexicon`, or the
        path of a table that `read_scale` reads.
    archive : path, optional
        The corpus `lexicon` of the registry, for "registry".
    """
    if source == "packaged":
        return read_scale(Path(__file__).with_suffix("") / "goldstein.csv")
    if source != "registry":
        return read_scale(source)
    if archive is None:
        raise InputError("scale: found no archive, expected that of the corpus lexicon")
    for member, stream in read_archive(archive, f"*{SCALE_FILE}"):
        scale = _cameo_scale(stream.read(), f"{archive}: {member}")
    return scale


def _cameo_scale(content: bytes, name: str) -> Scale:
    weights: dict[str, float] = {}
    for number, line in enumerate(content.decode("utf-8", errors="replace").split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _CAMEO.match(line)
        if match is None or match[1] in weights or not math.isfinite(float(match[2])):
            found = "a line of another form" if match is None else f"the code {match[1]} again, or a weight too large"
            raise InputError(
                f"{name}, line {number}: found {found}, expected each code once, as in 055:[7.0] Apologize"
            )
        weights[match[1]] = float(match[2])
    if not weights:
        raise InputError(f"{name}: found no codes, expected lines like 055:[7.0] Apologize")
    return Scale.of(weights)
