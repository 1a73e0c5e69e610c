"""What subcommands make of the options that several of them have."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.io.files import check_file

if TYPE_CHECKING:
    from nlpcalib.api.calibrate import CalibrationReport
    from nlpcalib.calibration.pairs import Pairs
    from nlpcalib.tables.facts import TableFacts

OUTPUTS = ("out", "html")
"""Options that name what a command writes."""
_COLUMNS = ("q", "y", "unit", "document", "label")


def input_paths(options: argparse.Namespace) -> list[Path]:
    """Return the files and folders that a command reads, in the order of its options."""
    given = [value for name, value in vars(options).items() if name not in OUTPUTS]
    each = [path for value in given for path in (value if isinstance(value, list) else [value])]
    return [path for path in each if isinstance(path, Path)]


def check_limit(options: argparse.Namespace, reports: Mapping[str, CalibrationReport]) -> None:
    """Keep in `options.passed` which report, by name, is above the limit, for the end of the command."""
    over = [f"{name}: {one.answer()}" for name, one in reports.items() if one.error > (options.fail_above or 0)]
    if options.fail_above is not None and over:
        options.passed = f"{'; '.join(over)}: above {options.fail_above:g}"


def check_files(*paths: Path) -> None:
    """Raise `InputError` for a file that is not there, before what takes time is imported."""
    for path in paths:
        if str(path) != "-":
            check_file(path)


def read_pairs(path: Path, options: argparse.Namespace) -> Pairs:
    """Return the pairs of a file, or of standard input for `-`, read with the options."""
    from nlpcalib.predictions import read_predictions

    found = read_predictions(path, **reading_options(options))
    note(options, path, found.table)
    return found


def note(options: argparse.Namespace, path: Path, facts: TableFacts | None) -> None:
    """Keep what a table was taken to be, to be printed when the command has ended well."""
    if facts is not None:
        options.tables = [*getattr(options, "tables", ()), (path, facts)]


def unit_columns(options: argparse.Namespace) -> tuple[str, str]:
    """Return the columns that may name the independent unit, outermost first."""
    return options.document or "document", options.unit or "unit"


def is_table(path: Path, options: argparse.Namespace) -> bool:
    """Return whether a file is a table, which can be read again: standard input is none."""
    from nlpcalib.predictions.formats import TABLES, recognised

    if str(path) == "-":
        return False
    return (options.format or recognised(path, reading_options(options)["columns"])) in TABLES


def reading_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of reading as arguments of `read_predictions`."""
    columns = {name: getattr(options, name) for name in _COLUMNS if getattr(options, name)}
    named = {"file_format": options.format, "columns": columns, "view": options.view}
    return named | {"skip_unanswered": options.skip_unanswered}


def where(options: argparse.Namespace) -> str:
    """Return where the files of a command are, in words."""
    return "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
