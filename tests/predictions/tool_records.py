"""Pairs of a file in another tool's format, as its reader makes them, for tests of the readers."""

from pathlib import Path

import nlpcalib as nc
from nlpcalib.predictions.formats.registry import read_format, record_format
from nlpcalib.predictions.read_records import _Reading


def read_predictions(path, *, file_format=None, columns=None, view="top"):
    """Return the pairs of the likeliest answers, or of all, in the format that is named or recognised."""
    form = record_format(path, file_format, columns or {})
    if form is None:
        found = nc.read(path, format=file_format, **(columns or {})).pairs()
    else:
        found = read_format(Path(path), form, columns or {}, view, _Reading(form).given, labelled=True)
    if not hasattr(found, "top_label"):
        return found
    return found.top_label() if view == "top" else found.class_wise()
