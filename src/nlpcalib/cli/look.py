"""`nlpcalib look`: what is this file?"""

from __future__ import annotations

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import File, Json


def look(file: File, /, *, as_json: Json = False) -> None:
    """Describe a file: its rows, items, labels, annotators and classes, and which commands can read it.

    Example: nlpcalib look labels.csv

    Parameters
    ----------
    file
        Table, annotated sheet, export of an annotation tool, log of verdicts, or another tool's predictions.
    """
    from nlpcalib.questions.look import look as answer

    report = answer(file)
    print_answer(report.lines(), [], content=report.record() if as_json else None)
