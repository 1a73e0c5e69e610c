"""Data frames of pandas, which the library itself does without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nlpcalib.errors import InputError


def frame_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows with the same keys as a data frame; `InputError` without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError("to_frame: this needs pandas: pip install pandas; the rows are a list without it") from None
    return pd.DataFrame(list(rows))
