"""`nlpcalib spans`: the probability of each span that a tagger sees, from its scores of tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import File, Json, Probability, Seed
from nlpcalib.cli.paths import check_paths


def spans(
    file: File,
    /,
    *,
    out: Path | None = None,
    scheme: Literal["bio", "bioes", "io", "iob1", "ioe1", "ioe2", "plain", "penn"] | None = None,
    at_least: Probability = 0.01,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Compute the exact probability of each span from a tagger's token scores.

    Prints the expected number of spans of each type. With --out, writes a row for each span with its probability q and,
    if FILE has gold tags, y.

    Example: nlpcalib spans scores.jsonl --out spans.csv

    Parameters
    ----------
    file
        JSON lines: first {labels or id2label, transitions?, initial?}, then {logits, tokens?, gold?, id?} for each
        sentence.
    out
        CSV file for the spans (default: nothing is written).
    scheme
        How labels mark spans (default: recognised). penn: noun and adjective phrases of Penn tags. In a scheme of
        roles, labels without a role are outside.
    at_least
        Least probability to write (default .01).
    seed
        Seed of the intervals (default 0).
    """
    check_paths([], [file], outputs=[out])
    from nlpcalib.systems.chains.find_spans import find_spans

    report = find_spans(file, scheme=scheme)
    if out is not None:
        report.save(out, at_least)
    first, *counts = report.lines(seed)
    written = "no file written: name one with --out" if out is None else f"file: {out}, {report.left_out(at_least)}"
    content = report.record(seed) if as_json else None
    print_answer([f"{file}: {first}", *counts, written], [], content=content)
