"""`nlpcalib explore`: a page that shows predictions, linked to what they are of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import File, LabelQuestion, NameList, Quiet, ReadingParameters, Seed, Yes
from nlpcalib.cli.paths import check_paths


def explore(
    file: File,
    labels: Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    html: Path,
    yes: Yes = None,
    label_question: LabelQuestion = None,
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
    labels
        Annotated sheets or exports of annotation tools, by id; other rows are left out.
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
    check_paths([file, *([vectors] if vectors else [])], labels or (), outputs=[html])
    from nlpcalib.questions.explore import explore as answer

    report = answer(
        file, labels, yes=yes, label_question=label_question, period=period, show=show, vectors=vectors,
        reading=reading, seed=seed,
    )  # fmt: skip
    report.save(html)
    print_answer(explore, [f"{file}: {report}", f"files: {html}"], [(file, report.facts)], quiet=quiet)
