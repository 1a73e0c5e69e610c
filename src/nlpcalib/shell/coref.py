"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell.arguments import at_least, positive, probability


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "coref",
        help="find the entities of documents, with probabilities",
        description="Resolve coreference in plain text, JSON lines, CoNLL-U or CoNLL-2012: antecedents, pairs, "
        "entities and samples of entities with their probabilities, one document after the other.",
    )
    command.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="plain text, JSON lines with texts, CoNLL-U or CoNLL-2012, in UTF-8; or a folder of such; - is standard "
        "input",
    )
    command.add_argument(
        "--from",
        dest="source",
        choices=("text", "jsonl", "conllu", "conll"),
        help="format of every FILE (default: recognised)",
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
        metavar="P",
        help="least probability listed (default 0.01, and 0.2 in windows; 0: all)",
    )
    command.add_argument(
        "--threshold",
        type=probability,
        metavar="P",
        help="mean probability of pairs from which on entities are merged (default: the model's)",
    )
    command.add_argument(
        "--window",
        type=_window,
        default=1000,
        metavar="N",
        help="documents of more mentions are resolved in windows of N mentions (default 1000, at least 100; 0: whole)",
    )
    command.add_argument(
        "--temperature",
        type=positive,
        metavar="T",
        help="of antecedents: above 1 flattens their probabilities, below sharpens (default: the model's)",
    )
    command.add_argument(
        "--new-weight",
        type=positive,
        default=1.0,
        metavar="W",
        help="times that a new entity is as likely: below 1 links more mentions, above 1 fewer (default 1)",
    )
    command.add_argument(
        "--samples", type=at_least(0), default=10, metavar="K", help="sampled clusterings (default 10)"
    )
    command.add_argument("--seed", type=at_least(0), default=0, metavar="S", help="seed of the samples (default 0)")
    command.set_defaults(run=run, command=command)


def _window(text: str) -> int:
    from nlpcalib.coref.model.long_documents import SMALLEST_WINDOW

    return 0 if text == "0" else at_least(SMALLEST_WINDOW)(text)


def run(options: argparse.Namespace) -> None:
    """Write the entities of files, and a summary where standard output does not have the answers."""
    from nlpcalib.shell.coref_files import answer_files

    summary = answer_files(
        options.files,
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
        threshold=options.threshold,
        temperature=options.temperature,
        new_weight=options.new_weight,
        window=options.window or None,
    )
    written = [str(path) for path in (options.out, options.html) if path]
    if written:
        print(f"{summary.line()}; files: {', '.join(written)}")
