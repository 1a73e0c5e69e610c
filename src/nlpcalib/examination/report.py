"""Findings become warnings, or the error of what cannot be right."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from nlpcalib.errors import InputError, InputFinding, InputWarning


def report_findings(findings: Sequence[InputFinding], place: object = "") -> None:
    """Raise `InputError` for the first finding that is certain; warn of the others, by `InputWarning`.

    `place`, a file for one, stands in front of each message. A warning points to the line that called the library.
    """
    front = f"{place}: " if str(place) else ""
    certain = next((finding for finding in findings if finding.certain), None)
    if certain is not None:
        raise InputError(f"{front}{certain.sentence}")
    for sentence in dict.fromkeys(finding.sentence for finding in findings):
        warnings.warn(f"{front}{sentence}", InputWarning, stacklevel=_level_of_caller())


def shortened(sentences: Sequence[str], most: int) -> list[str]:
    """Return at most so many sentences, the last of which has all that are left."""
    different = list(dict.fromkeys(sentences))
    rest = "; ".join(different[most - 1 :])
    return [*different[: most - 1], *([rest] if rest else [])]


def _level_of_caller() -> int:
    """Return how many frames above the caller of this function the first one outside of the library is."""
    package, level, frame = str(Path(__file__).parents[1]), 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level
