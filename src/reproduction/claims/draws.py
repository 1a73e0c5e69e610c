"""Draws of simulated text with other seeds: how claims came out in them, and what they were made from.

A draw counts for a run that is made from the same: the code that writes the text and trains the models, and the
configuration but its seed. A draw of an old text, or of an old model, is never cited.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nlpcalib.io.files import read_csv
from reproduction.workflow.imports import code_checksum

HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
"""How a claim came out in a draw; else it is unclear or not applicable."""
NOT_APPLICABLE = "not applicable"
"""The claim is about something that this corpus does not have, or that was not drawn with it: no draw of the claim."""
DRAW_SEEDS = tuple(str(seed) for seed in range(1, 11))
"""The seeds of `workflow/draws.csv`."""

SOURCE = Path(__file__).parents[2]
_CHAINS = tuple(f"nlpcalib/systems/chains/{name}.py" for name in ("forward_backward", "pairs", "recalibration"))
_TAGGING = ("tagging", ("reproduction/tagging", *_CHAINS))
_COREF = ("reproduction/coref", "nlpcalib/systems/coref/model")
_EXTRACTION = ("reproduction/parsing", "nlpcalib/systems/text/parsing", "nlpcalib/systems/events/read")
_MADE_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    "sentiment": ("sentiment", ("reproduction/sentiment",)),
    "tagging": _TAGGING,
    "thesis": _TAGGING,
    "tweets": _TAGGING,
    "coref": ("coref", _COREF),
    "events": ("events", ("reproduction/events", *_COREF, *_EXTRACTION, "nlpcalib/systems/events/count")),
    "extraction_eval": ("extraction_eval", ("reproduction/extraction_eval", *_EXTRACTION)),
    "synthetic": ("simulation", ("reproduction/simulation",)),
}
"""The section of the configuration of each chapter, and the modules and folders that make its predictions."""


def made_from(configuration: Mapping[str, Any], chapter: str, dataset: str) -> str:
    """Return a checksum, 16 hexadecimal digits, of what makes a dataset's text and a chapter's predictions.

    It is of code without its comments and docstrings, and of the settings of the chapter, the dataset and calibration.
    Which datasets a chapter has does not count, so that chapters can be drawn one at a time.
    """
    section, places = _MADE_BY[chapter]
    settings = [
        _without_datasets(configuration[section]),
        configuration["datasets"].get(dataset.partition("/")[0]),
        configuration["calibration"],
    ]
    code = [_checksum(SOURCE / place) for place in ("newsroom", *places)]
    return hashlib.sha256(json.dumps([settings, code], sort_keys=True).encode()).hexdigest()[:16]


def _without_datasets(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {key: _without_datasets(each) for key, each in value.items() if key != "datasets"}


def _checksum(place: Path) -> str:
    files = [place] if place.is_file() else sorted(place.rglob("*"))
    code = [path for path in files if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".md"]
    lines = [f"{path.relative_to(SOURCE).as_posix()} {code_checksum(path)}\n" for path in code]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class DrawCounts(NamedTuple):
    """How a claim came out in draws of the text with other seeds, by the present version of its judge."""

    made: int
    """Draws that count: all of `DRAW_SEEDS`, or fewer."""
    hold: int
    """Those in which the claim holds."""
    fail: int
    """Those in which it does not."""


NO_DRAWS = DrawCounts(0, 0, 0)
DrawKey = tuple[str, str, str, str]
"""Dataset, place and text of a claim, and the version of its judge."""


def read_draws(path: str | Path) -> dict[str, dict[DrawKey, DrawCounts]]:
    """Return the draws of each claim, by what they were made from, from the table that tools/draws.py writes."""
    outcomes: dict[str, dict[DrawKey, list[str]]] = {}
    for row in read_csv(path):
        key = row["dataset"], row["place"], row["claim"], row["version"]
        if row["outcome"] != NOT_APPLICABLE:
            outcomes.setdefault(row["made_from"], {}).setdefault(key, []).append(row["outcome"])
    return {
        made: {key: DrawCounts(len(each), each.count(HOLDS), each.count(DOES_NOT_HOLD)) for key, each in found.items()}
        for made, found in outcomes.items()
    }
