"""What each hyperparameter of a tagger does to its calibration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from nlpcalib.calibration.binning import adaptive_bins
from nlpcalib.calibration.direction import underconfident_share
from nlpcalib.calibration.intervals import root_mean_square
from nlpcalib.systems.chains.pairs import tag_pairs
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.selection import AccuracyRow


class CandidateRow(TypedDict):
    """A row of `candidate_rows`."""

    value: float
    accuracy: float
    calibration_error: float
    """Algorithm 1 over all tags of all tokens."""
    underconfident_share: float | None
    """See `nlpcalib.calibration.direction`."""
    chosen: bool


def candidate_rows(
    candidates: Iterable[tuple[float, LinearChain]],
    selection: Sequence[AccuracyRow],
    dev: TaggedCorpus,
    *,
    bin_size: int,
) -> list[CandidateRow]:
    """Return what each hyperparameter does to calibration on `dev`, next to accuracy, in the order of `selection`.

    Calibration plays no part in the choice, so that a model does not depend on `bin_size`.
    """
    rows: list[CandidateRow] = []
    for (value, chain), known in zip(candidates, selection, strict=True):
        tags, gold = dev.gold_in(chain.tags)
        pairs = tag_pairs(chain.marginals(dev.tokens, dev.lengths), gold, tags, dev.units)
        bins = adaptive_bins(pairs.q, pairs.y, bin_size=bin_size)
        rows.append(
            {
                "value": float(value),
                "accuracy": known["accuracy"],
                "calibration_error": root_mean_square(bins),
                "underconfident_share": underconfident_share(bins),
                "chosen": known["chosen"],
            }
        )
    return rows
