"""`nlpcalib explore`: a page that shows predictions, linked to what they are of."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import File, NameList, Quiet, ReadingParameters, Seed
from nlpcalib.cli.paths import check_paths


def explore(
    file: File,
    /,
    *,
    html: Path,
    period: str | None = None,
    show: NameList = (),
    vectors: Path | None = None,
    seed: Seed = 0,
    quiet: Quiet = False,
    reading: ReadingParameters = None,
) -> None:
    """Write a page to explore predictions in.

    Writes one page of HTML with the reliability curve, the histogram, labels and periods of FILE. A brush over one
    selects rows: the other charts and the table below them show those alone. The page opens without a network. It needs
    the extra `explorer`: pip install ".[explorer]" in a clone.

    Example: nlpcalib explore predictions.csv --html page.html

    Parameters
    ----------
    file
        Predictions as for calibrate, or a table with q and no labels.
    html
        The page to write.
    period
        Column of dates or periods, written so that they sort in time.
    show
        Further columns of the rows, such as id and text, of a table.
    vectors
        Vectors of the texts from any encoder: .npy with a row for each text, or Parquet with id and vector. The page
        then has groups of similar texts, named by their words, instead of labels.
    seed
        Seed of the sample of a long FILE (default 0).
    """
    check_paths([file, *([vectors] if vectors else [])], outputs=[html])
    from nlpcalib.api.explore import explore as answer

    report = answer(file, period=period, show=show, vectors=vectors, reading=reading, seed=seed)
    report.save(html)
    print_answer(explore, [f"{file}: {report}", f"files: {html}"], [(file, report.facts)], quiet=quiet)
