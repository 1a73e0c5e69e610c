"""`nlpcalib compare`: which of several models is better calibrated and more accurate on the same rows?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError
from nlpcalib.shell.arguments import check_files, check_limit, input_paths, is_table, note, reading_options, where

if TYPE_CHECKING:
    from nlpcalib.calibration.pairs import Pairs
    from nlpcalib.predictions.arrays import ClassPredictions


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    paths = [options.first, *options.others]
    check_files(*paths)
    from nlpcalib.api.compare import compare_predictions
    from nlpcalib.io.sets import atomic_set

    plain = [Path(str(path).removesuffix(".gz")).with_suffix("") for path in paths]
    names = [path.name for path in plain]
    if len(set(names)) < len(names):
        names = [str(path) for path in plain]
    if len(set(names)) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    first, *others = (_read(path, options) for path in paths)
    ids = _ids(options.first, options)
    joined = "rows taken to be in the same order: no column id in all"
    concerned = paths
    try:
        others_ids = [_ids(path, options) for path in options.others]
        if ids and all(others_ids):
            from nlpcalib.predictions.same_rows import joined_by_id

            for place, of in enumerate(others_ids):
                concerned = [options.first, options.others[place]]
                others[place] = joined_by_id(others[place], ids, of)
            concerned, joined = paths, "joined by id"
        report = compare_predictions([first, *others], names=names, level=options.level)
    except InputError as error:
        raise InputError(f"{', '.join(map(str, concerned))}: {error}") from None
    if options.out is not None:
        with atomic_set(options.out, "comparison.json", input_paths(options)) as folder:
            report.save(folder, title=options.title, style=options.style)
    check_limit(options, dict(zip(names[1:], report.reports[1:], strict=True)))
    worse = [row for row in report.rows() if row["first"] == names[0] and row["better"] == names[0]]
    if options.fail_if_worse and worse:
        found = "; ".join(f"{row['second']} is shown worse than {names[0]} in {row['measure']}" for row in worse)
        options.passed = "; ".join(filter(None, [getattr(options, "passed", ""), found]))
    print(f"{report.reports[0].measured}, {joined}", *report.lines(), where(options), sep="\n")


def _read(path: Path, options: argparse.Namespace) -> Pairs | ClassPredictions:
    """Return a model's predictions, with all classes where each row has the same ones, else of the likeliest answer."""
    from nlpcalib.calibration.pairs import ALL_CLASSES, Pairs
    from nlpcalib.predictions.arrays import regrouped
    from nlpcalib.predictions.formats import read_pairs_or_classes

    reading = reading_options(options)
    found = read_pairs_or_classes(path, **reading)
    if isinstance(found, Pairs) and found.view == ALL_CLASSES:
        found = regrouped(found) or read_pairs_or_classes(path, **{**reading, "view": "top"})
    note(options, path, found.table)
    return found


def _ids(path: Path, options: argparse.Namespace) -> Sequence[str]:
    """Return the ids of a table, without blanks around them; empty if it has no column `id`."""
    from nlpcalib.tables.columns import ids_of
    from nlpcalib.tables.table import Table

    if not is_table(path, options):
        return []
    table = Table(path, options.format)
    return ids_of(table.read({"id": "text"})["id"], table) if "id" in table.names else []
