"""The columns of a table that say on which side of the diagonal each region of a curve lies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def direction_columns(calibration: Mapping[str, Any]) -> dict[str, str]:
    """Return each region's direction, and its gap in halves of its interval: beyond 1 it has a direction."""
    regions = calibration["direction"]["regions"]
    return {
        "directions": " ".join(region["direction"] for region in regions),
        "direction_scores": " ".join(f"{_score(region):.4f}" for region in regions),
    }


def _score(region: Mapping[str, Any]) -> float:
    if region["low"] is None:
        return math.nan
    width = region["high"] - region["low"]  # 0 where all units err alike
    return region["gap"] * (2 / width if width else math.inf)
