"""Options that several subcommands have, and values that they accept."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.io.files import check_file

if TYPE_CHECKING:
    from nlpcalib.api.calibrate import CalibrationReport
    from nlpcalib.calibration.pairs import Pairs

YES = "the label that counts as positive (default: yes, true, 1)"
QUESTION = "the question whose answers are the labels, in exports of projects with several; a column, in sheets"
SETTLED = "labels that decide where annotators differ: disagreements.csv of nlpcalib estimate --out, filled in"
BY = "columns of FILE whose groups are estimated too; year(date), quarter(date), month(date)"
BORROW = (
    "what groups share (default: none). None: each rests on its own labels, and nothing is assumed. Changing rates: "
    "the last column is a period, and how often predictions are wrong may change between periods. Same rates: "
    "predictions are wrong as often in all groups"
)
DATED = "documents with id, date and text: CSV, TSV or JSON lines, also with .gz"
LEXICON = "names of countries: packaged (default), then tables of your own, which correct it"
_COLUMNS = {
    "q": "the prediction",
    "y": "what is right",
    "unit": "the independent unit",
    "document": "what units lie in, where they nest",
    "label": "what is predicted",
}


OUTPUTS = ("out", "html")
"""Options that name what a command writes."""


def input_paths(options: argparse.Namespace) -> list[Path]:
    """Return the files and folders that a command reads, in the order of its options."""
    given = [value for name, value in vars(options).items() if name not in OUTPUTS]
    each = [path for value in given for path in (value if isinstance(value, list) else [value])]
    return [path for path in each if isinstance(path, Path)]


def at_least(smallest: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `smallest` on."""

    def whole_number(text: str) -> int:
        if not text.isdecimal() or int(text) < smallest:
            raise argparse.ArgumentTypeError(f"found '{text}', expected a whole number of at least {smallest}")
        return int(text)

    return whole_number


def _number(holds: Callable[[float], bool], expected: str) -> Callable[[str], float]:
    """Return a reader of numbers for which a condition holds."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not holds(value):
            raise argparse.ArgumentTypeError(f"found '{text}', expected {expected}")
        return value

    return number


probability = _number(lambda value: 0 <= value <= 1, "a probability in [0, 1]")
share = _number(lambda value: 0 < value < 1, "a number between 0 and 1")
positive = _number(lambda value: 0 < value < float("inf"), "a positive number")


def add_limit(command: argparse.ArgumentParser, of: str) -> None:
    """Add `--fail-above`; `of` names the models it is for."""
    command.add_argument(
        "--fail-above", type=probability, metavar="E", help=f"exit status 3 if the calibration error{of} is above E"
    )


def check_limit(options: argparse.Namespace, reports: Mapping[str, CalibrationReport]) -> None:
    """Keep in `options.passed` which report, by name, is above the limit, for the end of the command."""
    over = [f"{name}: {one.answer()}" for name, one in reports.items() if one.error > (options.fail_above or 0)]
    if options.fail_above is not None and over:
        options.passed = f"{'; '.join(over)}: above {options.fail_above:g}"


def add_reading(command: argparse.ArgumentParser, *, view: bool = True) -> None:
    """Add the options for reading a file of predictions; without `view` all classes are read."""
    add_quiet(command)
    reading = command.add_argument_group("reading")
    formats = "parquet, csv, tsv, lm-eval, hf-text, hf-tokens, spacy-cats, logprobs, verbalised, sampled, conllu, …"
    reading.add_argument(
        "--from", "--format", dest="format", metavar="NAME", help=f"format of FILE: {formats} (default: recognised)"
    )
    if view:
        reading.add_argument(
            "--view",
            choices=("top", "classes"),
            default="top",
            help="of answers that exclude each other: the most probable one (default), or each",
        )
    else:
        command.set_defaults(view="classes")
    reading.add_argument(
        "--skip-unanswered",
        action="store_true",
        help="leave out answers in words that state no probability, and report how many",
    )
    for name, meaning in _COLUMNS.items():
        reading.add_argument(f"--{name}", metavar="COLUMN", help=f"column or key of {meaning} (default: {name})")


def add_title(command: argparse.ArgumentParser) -> None:
    """Add `--no-title` and `--style`."""
    command.add_argument("--no-title", dest="title", action="store_false", help="leave the title of the figure out")
    command.add_argument(
        "--style", choices=("house", "paper"), default="house",
        help="paper: a figure as wide as a column, in a serif, without a title (default: house)",
    )  # fmt: skip


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


def note(options: argparse.Namespace, path: Path, facts: Mapping[str, Any] | None) -> None:
    """Keep what a table was taken to be, to be printed when the command has ended well."""
    if facts is not None:
        options.tables = [*getattr(options, "tables", ()), (path, facts)]


def unit_columns(options: argparse.Namespace) -> tuple[str, str]:
    """Return the columns that may name the independent unit, outermost first."""
    return options.document or "document", options.unit or "unit"


def add_quiet(command: argparse.ArgumentParser) -> None:
    """Add `--quiet`."""
    command.add_argument(
        "--quiet", action="store_true", help="do not summarise what FILE was taken to be; warnings stay"
    )


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
