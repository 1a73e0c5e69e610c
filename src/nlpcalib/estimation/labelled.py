"""The probability sample that labels make of a plan's items."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import Sample
from nlpcalib.sampling.labels import some
from nlpcalib.sampling.plan import Frame, Plan


def labelled_sample(plan: Plan, frame: Frame, ids: Sequence[str], labels: Mapping[str, float]) -> Sample:
    """Return the sample of the last part of a plan whose items all have labels; a part contains those before it.

    Parameters
    ----------
    plan : Plan
        What is read.
    frame : Frame
        The N items that it was drawn from.
    ids : sequence of str
        The id of each item.
    labels : mapping
        0 or 1 by id, NaN where the annotator could not tell. Items outside of the plan may be there.

    Warns of a later part that is not complete. Raises `InputError`, naming items, if labels of the first are missing.
    """
    parts = [frame.rows_of(plan.drawn(frame, part)) for part in range(len(plan.read))]
    number = max((n for n, rows in enumerate(parts) if all(ids[row] in labels for row in rows)), default=None)
    if number is None:
        missing = [ids[row] for row in parts[0] if ids[row] not in labels]
        raise InputError(
            f"found no label of {some(missing)}; expected one of each item of the plan, 'cannot tell' included"
        )
    rows = parts[number]
    if number + 1 < len(parts):
        unused = sum(ids[row] in labels for row in parts[-1]) - len(rows)
        warnings.warn(f"part {number + 2} of the plan is not complete: {unused} labels are not used", stacklevel=4)
    y = np.array([labels[ids[row]] for row in rows], dtype=np.float64)
    strata = frame.strata(plan.design)
    weights = replace(plan, read=plan.read[: number + 1]).weights
    if frame.unit is None:
        return Sample(strata, weights, rows, y)
    return Sample(strata[frame.unit], weights, rows, y, np.unique(frame.unit[rows], return_inverse=True)[1])
