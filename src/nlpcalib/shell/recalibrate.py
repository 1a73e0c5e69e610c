"""`nlpcalib recalibrate`: better probabilities from labels, tested on labels that they were not fitted to."""

from __future__ import annotations

import argparse
from dataclasses import replace

from nlpcalib.shell.arguments import (
    check_files,
    input_paths,
    is_table,
    note,
    reading_options,
    unit_columns,
    where,
)


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    check_files(options.file)
    if options.map is not None:
        _apply(options)
        return
    from nlpcalib.api.recalibrate import recalibrate_predictions
    from nlpcalib.io.sets import atomic_set
    from nlpcalib.predictions.formats import read_pairs_or_classes

    found = read_pairs_or_classes(options.file, **reading_options(options))
    note(options, options.file, found.table)
    report = recalibrate_predictions(
        found,
        method=options.method,
        folds=options.folds,
        level=options.level,
        seed=options.seed,
    )
    if options.view == "classes" and report.before.class_wise and report.after.class_wise:
        report = replace(report, before=report.before.class_wise, after=report.after.class_wise)
    if options.out is not None:
        like = options.file if is_table(options.file, options) else None
        with atomic_set(options.out, "recalibration.json", input_paths(options)) as folder:
            report.save(folder, title=options.title, style=options.style, like=like, column=options.q)
    first, *rest = report.lines()
    print(f"{options.file}: {report.before.measured}, {first}", *rest, where(options), sep="\n")


def _apply(options: argparse.Namespace) -> None:
    """Write the table of FILE with predictions that a map recalibrates."""
    from nlpcalib.errors import InputError, counted
    from nlpcalib.io.files import write_json
    from nlpcalib.io.sets import atomic_set
    from nlpcalib.predictions.rewritten import prediction_columns, read_prediction_columns, write_with_predictions
    from nlpcalib.recalibration.saved_map import CLASS_FORMS, fingerprint_of_labels, read_map
    from nlpcalib.tables.guards import unlabelled_facts
    from nlpcalib.tables.table import Table

    if options.method is not None:
        raise InputError(
            f"recalibrate: found --map and --method {options.method}, expected one of them: a map has its own"
        )
    if options.out is None:
        raise InputError("recalibrate: found --map and no --out, expected a folder for the recalibrated table")
    fitted = read_map(options.map)
    if fitted.form in CLASS_FORMS and not fitted.classes:
        raise InputError(
            f"{options.map}: found a map of several classes without their names, expected them in 'classes'"
        )
    table = Table(options.file, options.format)
    columns = prediction_columns(table, options.q, fitted.classes)
    q = read_prediction_columns(table, columns, len(fitted.classes))
    recalibrated = fitted(q)
    note(options, options.file, unlabelled_facts(table, columns, q, (), "--unit {}", unit_columns(options)))
    with atomic_set(options.out, "recalibrated.json", input_paths(options)) as folder:
        write_with_predictions(folder, table, columns, recalibrated)
        write_json(folder / "recalibrated.json", {"table": options.tables[-1][1]})
    seen = (fitted.fitted_to or {}).get("predictions") == fingerprint_of_labels(q, q)["predictions"]
    doubt = (
        ["The map was fitted to these predictions and has seen their labels: new ones will be worse."] if seen else []
    )
    print(
        f"{options.file}: {counted(len(recalibrated), 'prediction')} recalibrated",
        *doubt,
        where(options),
        sep="\n",
    )
