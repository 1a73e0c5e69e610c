"""The columns of a table that say on which side of the diagonal each region of a curve lies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def direction_columns(calibration: Mapping[str, Any]) -> dict[str, str]:
    """Return each region's direction, and its gap in halves of its interval: beyond 1 it has a direction."""
    regions = calibration["direction"]["regions"]
    scores = [
        math.nan if region["low"] is None else 2 * region["gap"] / (region["high"] - region["low"])
        for region in regions
    ]
    return {
        "directions": " ".join(region["direction"] for region in regions),
        "direction_scores": " ".join(f"{score:.4f}" for score in scores),
    }
