"""`nlpcalib recalibrate`: better probabilities from labels, tested on labels that they were not fitted to."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from nlpcalib.shell.arguments import (
    add_reading,
    add_title,
    at_least,
    check_files,
    input_paths,
    is_table,
    note,
    reading_options,
    share,
    unit_columns,
)

TABLES = ("recalibrated.parquet", "recalibrated.csv", "recalibrated.tsv")
WRITTEN = (
    "by_label.csv",
    "comparison.csv",
    "map.json",
    "models.csv",
    "recalibration.csv",
    "recalibration.json",
    "reliability.csv",
    "reliability.pdf",
    "reliability.png",
)
METHODS = ("shrinkage", "temperature", "logistic", "beta", "isotonic", "venn_abers")


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "recalibrate",
        help="improve probabilities by their labels, and measure by how much",
        description="Fit a map from predictions to better ones, and print the error before and after. Each prediction "
        "is recalibrated by labels of other units. Classes of a table are recalibrated together. With --out, write "
        "recalibrated.csv, .tsv or .parquet, which is FILE with other predictions, "
        f"{', '.join(WRITTEN[1:-1])} and {WRITTEN[-1]}; if FILE names what is predicted, "
        f"{WRITTEN[0]} too. With --map, apply a map to FILE, a table that needs no labels.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="predictions with labels, as for calibrate")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the results (default: nothing is written)")
    command.add_argument(
        "--map",
        type=Path,
        metavar="MAP",
        help="map.json of an earlier call: recalibrate FILE by it, without labels; --folds, --seed and --level have no "
        "effect",
    )
    command.add_argument(
        "--method",
        choices=METHODS,
        help="kind of map (default shrinkage; not with --map); for a table with a column for each class shrinkage or "
        "temperature",
    )
    command.add_argument(
        "--folds", type=at_least(2), metavar="F", help="folds of the test (default 5; 10 up to 1,000 labels)"
    )
    command.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the folds (default 0)")
    command.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the intervals (default .95)")
    add_title(command)
    add_reading(command)
    command.set_defaults(run=run, command=command, writes=TABLES + WRITTEN + ("recalibrated.json",))


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
    where = "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
    print(f"{options.file}: {report.before.measured}, {first}", *rest, where, sep="\n")


def _apply(options: argparse.Namespace) -> None:
    """Write the table of FILE with predictions that a map recalibrates."""
    from nlpcalib.errors import InputError, counted
    from nlpcalib.io.files import write_json
    from nlpcalib.io.sets import atomic_set
    from nlpcalib.predictions.rewritten import prediction_columns, read_prediction_columns, write_with_predictions
    from nlpcalib.recalibration.saved_map import OF_CLASSES, fingerprint, read_map
    from nlpcalib.tables.guards import unlabelled_facts
    from nlpcalib.tables.table import Table

    if options.method is not None:
        raise InputError(
            f"recalibrate: found --map and --method {options.method}, expected one of them: a map has its own"
        )
    if options.out is None:
        raise InputError("recalibrate: found --map and no --out, expected a folder for the recalibrated table")
    fitted = read_map(options.map)
    if fitted.form in OF_CLASSES and not fitted.classes:
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
    seen = (fitted.fitted_to or {}).get("predictions") == fingerprint(q, q)["predictions"]
    doubt = (
        ["The map was fitted to these predictions and has seen their labels: new ones will be worse."] if seen else []
    )
    print(
        f"{options.file}: {counted(len(recalibrated), 'prediction')} recalibrated",
        *doubt,
        f"files: {options.out}",
        sep="\n",
    )
