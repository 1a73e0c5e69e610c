"""Findings become warnings, or the error of what cannot be right."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from nlpcalib.errors import Finding, InputError, InputWarning

MAX_WARNINGS = 4
"""Warnings of one file or call: with the line that describes a table they are five lines."""
_PACKAGE = str(Path(__file__).parents[1])


def report_findings(findings: Sequence[Finding], place: object = "") -> None:
    """Raise `InputError` for the first finding that is certain; warn of the others, by `InputWarning`.

    `place`, a file for one, stands in front of each message. A warning points to the line that called the library.
    Beyond `MAX_WARNINGS`, the last warning has all that are left.
    """
    front = f"{place}: " if str(place) else ""
    certain = next((finding for finding in findings if finding.certain), None)
    if certain is not None:
        raise InputError(f"{front}{certain.sentence}")
    sentences = list(dict.fromkeys(finding.sentence for finding in findings))
    if len(sentences) > MAX_WARNINGS:
        sentences = [*sentences[: MAX_WARNINGS - 1], "; ".join(sentences[MAX_WARNINGS - 1 :])]
    for sentence in sentences:
        warnings.warn(f"{front}{sentence}", InputWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Return how many frames above the caller of this function the first one outside of the library is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
