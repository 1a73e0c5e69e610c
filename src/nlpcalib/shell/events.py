"""`nlpcalib events`: find events in dated documents, and count them with intervals."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.shell.arguments import DATED, LEXICON, at_least, input_paths
from nlpcalib.tables.periods import UNITS

WRITTEN = (
    "events.csv", "document_events.csv", "dyads.csv", "series.csv", "counts.png", "counts.pdf", "counts.csv",
    "query.json",
)  # fmt: skip
_AUDIT = ("audit.html", "audit_plan.json", "audit_items.parquet")
_LISTS = {
    "category": "a kind of events in the box, which its model reads: protest, assault, sanction, …",
    "verbs": "lemmas of verbs, which are read as in the paper: attack,bomb",
    "roles": "parts that a country has at verbs: agent (default), patient",
    "countries": "codes of the countries to report: USA,GBR (default: all)",
    "deduplicate": "copies: near copies of a report count once; day: one event a day for each country; or none "
    "(default: copies,day)",
}


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "events",
        help="find events in dated documents, and count them with intervals",
        description="Print how many documents report an event of each country, with intervals: of a category by "
        "a model of words, of verbs by parsed text and coreference. With --out, "
        f"write {', '.join(WRITTEN[:-1])} and {WRITTEN[-1]}.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help=DATED)
    query = command.add_argument_group("query", "--category, --verbs or --model; names are separated by commas")
    query.add_argument(
        "--model", metavar="MODEL",
        help="a model that `nlpcalib learn` wrote, or the name of a category in the box",
    )  # fmt: skip
    for key, meaning in _LISTS.items():
        query.add_argument(f"--{key}", metavar="NAMES", help=meaning)
    query.add_argument(
        "--only",
        choices=("acts",),
        help="acts: leave out what is only mentioned; of assault, protest, sanction, or a model that starts from one",
    )
    query.add_argument(
        "--date", choices=("event",), help="event: of a category, count when it happened, if the text gives a date"
    )
    command.add_argument("--period", choices=UNITS, default="month", help="of the series (default: month)")
    command.add_argument("--lexicon", default="packaged", metavar="A,B", help=LEXICON)
    command.add_argument("--parser", metavar="NAME_OR_PATH", help="another spaCy model")
    command.add_argument("--coref", type=Path, metavar="FILE", help="another coreference model")
    command.add_argument(
        "--samples", type=at_least(2), default=100, metavar="S", help="clusterings of each document (default 100)"
    )
    command.add_argument(
        "--trees", type=at_least(1), default=10, metavar="K",
        help="sampled trees of each sentence with a word of the query (default 10); 1: the best tree",
    )  # fmt: skip
    command.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the samples (default 0)")
    command.add_argument(
        "--audit",
        action="store_true",
        help=f"with --out, write a page that asks about drawn events: {', '.join(_AUDIT)}",
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the results (default: nothing is written)")
    command.set_defaults(run=run, command=command, writes=(*WRITTEN, *_AUDIT))


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
    where = "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
    print(f"{options.file}: {report}", where, sep="\n")
