"""`nlpcalib explore`: a page that shows predictions, linked to what they are of."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError, counted
from nlpcalib.shell.arguments import check_files, is_table, note, read_pairs, unit_columns

if TYPE_CHECKING:
    from nlpcalib.figures.explorer import ExplorerRows
    from nlpcalib.tables.table import ColumnKind


def run(options: argparse.Namespace) -> None:
    """Write the page."""
    check_files(options.file)
    from nlpcalib.figures.explorer import write_explorer

    rows, notes = _read(options)
    if rows.period is not None:
        _check_order(rows.period, f"{options.file}, column {options.period}")
    write_explorer(options.html, options.file.name, rows, notes=notes, seed=options.seed)
    print(f"{options.file}: {counted(rows.q.size, 'row')}", f"files: {options.html}", sep="\n")


def _check_order(periods: Sequence[str], place: str) -> None:
    """Warn of periods whose texts do not sort in time: the page has them in the order of their texts."""
    from nlpcalib.estimation.borrowing import period_order

    try:
        time = period_order({period for period in periods if period}, place)
        for before, after in pairwise(sorted(time)):
            if time[before] > time[after]:
                raise InputError(f"{place}: found the period {before!r} before {after!r}, expected the order of time")
    except InputError as error:
        warnings.warn(f"{error}; the page has them in alphabetical order", stacklevel=2)


def _read(options: argparse.Namespace) -> tuple[ExplorerRows, list[str]]:
    """Return the rows of a file, with the answer of `nlpcalib calibrate` if they have labels."""
    from nlpcalib.examination.report import report_findings
    from nlpcalib.figures.explorer import ExplorerRows
    from nlpcalib.predictions.facts import unlabelled_facts
    from nlpcalib.tables.columns import probabilities, texts
    from nlpcalib.tables.table import Table

    extra = [name for name in options.show.split(",") if name]
    table = Table(options.file, options.format) if is_table(options.file, options) else None
    if table is None and (extra or options.period):
        raise InputError(f"{options.file}: found --period or --show, expected them with a table in a file alone")
    asked: dict[str, ColumnKind] = dict.fromkeys([*extra, *([options.period] if options.period else [])], "text")
    if table is None or options.y or {"y", "gold"} & set(table.names):
        from nlpcalib.api.calibrate import measure_pairs
        from nlpcalib.figures.explorer import pairs_rows

        pairs = read_pairs(options.file, options)
        rows = pairs_rows(pairs)
        read = {} if table is None else {name: texts(each) for name, each in zip(asked, table.read(asked), strict=True)}
        period = read.get(options.period)
        shown = {name: read[name] for name in extra}
        return replace(rows, period=period, shown={**rows.shown, **shown}), measure_pairs(pairs).lines()[:3]
    named = {name: getattr(options, name) or name for name in ("label", "unit", "document")}
    named = {name: column for name, column in named.items() if column in table.names or getattr(options, name)}
    q = options.q or "q"
    kinds: dict[str, ColumnKind] = {q: "number"}
    found = table.read(kinds | dict.fromkeys(named.values(), "text") | asked)
    read = {name: texts(found[name]) for name in (*named.values(), *asked)}
    shown = {name: read[named[name]] for name in named if name != "label"} | {name: read[name] for name in extra}
    label = read[named["label"]] if "label" in named else None
    values = probabilities(found[q], table.place)
    facts = unlabelled_facts(table, [q], values, [*named.values(), *asked], "--unit {}", unit_columns(options))
    report_findings(facts.findings, options.file)
    note(options, options.file, facts)
    return ExplorerRows(values, None, label, read.get(options.period), shown), []
