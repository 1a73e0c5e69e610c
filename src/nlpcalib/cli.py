"""The `nlpcalib` command."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import nlpcalib
from nlpcalib.errors import InputError
from nlpcalib.io.destinations import check_outputs
from nlpcalib.io.shell import run_command
from nlpcalib.shell import estimate
from nlpcalib.shell.estimate import add_sampling, run_sampling

REPORT = (
    "bins.csv",
    "by_label.csv",
    "by_label.html",
    "calibration.json",
    "reliability.csv",
    "reliability.pdf",
    "reliability.png",
)
"""What `calibrate` writes into its folder."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, which `run_command` describes, after one line on standard error."""

    def command() -> None:
        options = _parser().parse_args(arguments)
        warnings.showwarning = lambda message, *_, **__: print(f"nlpcalib: warning: {message}", file=sys.stderr)
        _check_outputs(options)
        options.run(options)

    return run_command("nlpcalib", command)


def _check_outputs(options: argparse.Namespace) -> None:
    """Raise `InputError` before any work where an output cannot be written, or would replace what is read."""
    given = {name: value for name, value in vars(options).items() if isinstance(value, Path)}
    outputs = [given.pop(name) for name in ("out", "html") if name in given]
    inputs = [*given.values(), *(Path(name) for name in [getattr(options, "parser", None)] if name)]
    if names := getattr(options, "writes", ()):
        check_outputs(inputs, folder=options.out, names=names)
    else:
        check_outputs(inputs, outputs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="nlpcalib", description=nlpcalib.__doc__)
    parser.add_argument("--version", action="version", version=f"nlpcalib {nlpcalib.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    calibrate = commands.add_parser(
        "calibrate",
        help="measure the calibration of anyone's predictions",
        description="Write calibration.json, bins.csv, by_label.csv and a reliability diagram for a table of pairs.",
    )
    calibrate.add_argument(
        "file", type=Path, metavar="FILE", help="Parquet, CSV or TSV with columns q, y[, label, unit]"
    )
    calibrate.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the results")
    calibrate.add_argument(
        "--bin-size", type=_at_least(1), default=5000, metavar="N", help="β, pairs per bin (default 5000)"
    )
    calibrate.add_argument(
        "--samples", type=_at_least(2), default=10_000, metavar="S", help="draws of Algorithm 2 (default 10000)"
    )
    calibrate.add_argument("--seed", type=_at_least(0), default=0, metavar="K", help="seed of the draws (default 0)")
    calibrate.set_defaults(run=_calibrate, writes=REPORT)

    verify = commands.add_parser(
        "verify",
        help="check that the files of a folder belong together",
        description="Compare the files that calibrate wrote into a folder with the checksums in calibration.json.",
    )
    verify.add_argument("folder", type=Path, metavar="DIR", help="folder of results")
    verify.add_argument("file", type=Path, nargs="?", metavar="FILE", help="table that they should come from")
    verify.set_defaults(run=_verify)

    coref = commands.add_parser(
        "coref",
        help="find the entities of a document, with probabilities",
        description="Resolve coreference in plain text, CoNLL-U or CoNLL-2012: antecedents, pairs, entities and "
        "samples of entities with their probabilities, one document after the other.",
    )
    coref.add_argument("file", type=Path, metavar="FILE", help="plain text, CoNLL-U or CoNLL-2012, in UTF-8")
    coref.add_argument(
        "--from", dest="source", choices=("text", "conllu", "conll"), help="format of FILE (default: recognised)"
    )
    coref.add_argument("--mentions", choices=("predicted", "gold"), default="predicted", help="gold: those in FILE")
    coref.add_argument("--model", type=Path, metavar="FILE", help="another coreference model")
    coref.add_argument("--parser", metavar="NAME_OR_PATH", help="another spaCy model, for documents without trees")
    coref.add_argument(
        "--format", choices=("json", "conllu"), default="json", help="JSON lines (default), or CoNLL-U with Entity="
    )
    coref.add_argument("--out", type=Path, metavar="FILE", help="file for the answers (default: standard output)")
    coref.add_argument("--html", type=Path, metavar="FILE", help="page to look at")
    coref.add_argument(
        "--at-least",
        type=_probability,
        default=0.01,
        metavar="P",
        help="least probability listed (default 0.01; 0: all)",
    )
    coref.add_argument("--samples", type=_at_least(0), default=10, metavar="K", help="sampled clusterings (default 10)")
    coref.add_argument("--seed", type=_at_least(0), default=0, metavar="S", help="seed of the samples (default 0)")
    coref.set_defaults(run=_coref)

    plan = commands.add_parser(
        "plan",
        help="choose whom to read, so that labels lead to a number that holds",
        description="Write plan.json, a blind sheet and a page with the items of FILE to annotate. Call it again with "
        "--labels for the second phase.",
    )
    plan.add_argument(
        "file", type=Path, metavar="FILE", help="Parquet, CSV or TSV with q[, id, text, unit] of each item"
    )
    add_sampling(plan)
    plan.set_defaults(run=run_sampling, writes=("plan.json",))
    estimate.add(commands)
    return parser


def _at_least(smallest: int):
    def whole_number(text: str) -> int:
        if not text.isdecimal() or int(text) < smallest:
            raise argparse.ArgumentTypeError(f"found '{text}', expected a whole number of at least {smallest}")
        return int(text)

    return whole_number


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"found '{text}', expected a probability in [0, 1]")
    return value


def _calibrate(options: argparse.Namespace) -> None:
    # Imported here because a command that fails on its arguments should not wait for a plotting library.
    from nlpcalib.calibration.pairs import read_pairs
    from nlpcalib.plots.reliability import report_calibration

    pairs = read_pairs(options.file)
    report_calibration(pairs, options.out, bin_size=options.bin_size, samples=options.samples, seed=options.seed)


def _verify(options: argparse.Namespace) -> None:
    from nlpcalib.io.sets import checksum, read_set

    found = read_set(options.folder, "calibration.json")
    if options.file and found.get("input") != checksum(options.file):
        raise InputError(f"{options.folder}: found results of another table, expected those of {options.file}")
    print(f"{options.folder}: {1 + len(found['files'])} files of one run, of the table {found.get('input')}")


def _coref(options: argparse.Namespace) -> None:
    from nlpcalib.coref.command import answer_file

    answer_file(
        options.file,
        source=options.source,
        mentions=options.mentions,
        model=options.model,
        parser=options.parser,
        target=options.format,
        out=options.out,
        page=options.html,
        samples=options.samples,
        seed=options.seed,
        at_least=options.at_least,
    )
