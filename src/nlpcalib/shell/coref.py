"""`nlpcalib coref`: find the entities of a document, with probabilities."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell.arguments import at_least, positive, probability


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "coref",
        help="find the entities of a document, with probabilities",
        description="Resolve coreference in plain text, CoNLL-U or CoNLL-2012: antecedents, pairs, entities and "
        "samples of entities with their probabilities, one document after the other.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="plain text, CoNLL-U or CoNLL-2012, in UTF-8")
    command.add_argument(
        "--from", dest="source", choices=("text", "conllu", "conll"), help="format of FILE (default: recognised)"
    )
    command.add_argument("--mentions", choices=("predicted", "gold"), default="predicted", help="gold: those in FILE")
    command.add_argument("--model", type=Path, metavar="FILE", help="another coreference model")
    command.add_argument("--parser", metavar="NAME_OR_PATH", help="another spaCy model, for documents without trees")
    command.add_argument(
        "--format", choices=("json", "conllu"), default="json", help="JSON lines (default), or CoNLL-U with Entity="
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="file for the answers (default: standard output)")
    command.add_argument("--html", type=Path, metavar="FILE", help="page to look at")
    command.add_argument(
        "--at-least",
        type=probability,
        default=0.01,
        metavar="P",
        help="least probability listed (default 0.01; 0: all)",
    )
    command.add_argument(
        "--temperature",
        type=positive,
        default=1.0,
        metavar="T",
        help="of antecedents: above 1 flattens their probabilities, below sharpens (default 1)",
    )
    command.add_argument(
        "--samples", type=at_least(0), default=10, metavar="K", help="sampled clusterings (default 10)"
    )
    command.add_argument("--seed", type=at_least(0), default=0, metavar="S", help="seed of the samples (default 0)")
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Write the entities of a file."""
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
        temperature=options.temperature,
    )
