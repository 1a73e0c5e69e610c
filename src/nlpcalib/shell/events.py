"""`nlpcalib events`: find events in dated documents, and count them with intervals."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.shell.arguments import input_paths, where

_LISTS = ("category", "verbs", "roles", "countries", "deduplicate")
"""Options of the query that are names with commas between them."""


def run(options: argparse.Namespace) -> None:
    """Print the counts and, if a folder is named, write the tables and the figure."""
    from nlpcalib.api.events import BROKEN, find_events
    from nlpcalib.io.progress import with_progress
    from nlpcalib.io.sets import atomic_set
    from nlpcalib.text.dated_files import read_dated_file

    given = vars(options)
    query = {key: given[key].split(",") for key in _LISTS if given[key]}
    query |= {key: given[key] for key in ("only", "date") if given[key]}
    if not options.model and not query.keys() & {"category", "verbs"}:
        raise InputError("events: found no query, expected --category, --verbs or --model")
    if options.audit and options.out is None:
        raise InputError("events: found --audit and no --out, expected a folder for the page")
    # Reading is fast; parsing takes hundreds of times as long.
    total = sum(1 for _ in read_dated_file(options.file, BROKEN)) if sys.stderr.isatty() else None
    report = find_events(
        with_progress(read_dated_file(options.file, BROKEN), "document", total), query, period=options.period,
        lexicon=options.lexicon.split(","), parser=options.parser, model=options.model, coref=options.coref,
        samples=options.samples, trees=options.trees, seed=options.seed, audit=options.audit,
    )  # fmt: skip
    if options.out is not None:
        own = [Path(options.model)] if options.model and Path(options.model).is_file() else []
        with atomic_set(options.out, "query.json", [*input_paths(options), *own]) as folder:
            report.save(folder)
    print(f"{options.file}: {report}", where(options), sep="\n")
