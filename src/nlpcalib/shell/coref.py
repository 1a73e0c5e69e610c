"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError
from nlpcalib.shell.arguments import at_least, positive, probability

if TYPE_CHECKING:
    from nlpcalib.coref.answer.resolution import Resolution

_AT_LEAST, _AT_LEAST_IN_WINDOWS = 0.01, 0.2
"""Least probability listed, unless another is asked for: of a document that is resolved whole, and of a long one."""


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
    command.add_argument(
        "--separate",
        metavar="N_OR_LINE",
        help="pieces of a plain text, each a document: N blank lines or more separate them, or a line such as ***",
    )
    command.add_argument("--mentions", choices=("predicted", "gold"), default="predicted", help="gold: those in FILE")
    command.add_argument("--model", type=Path, metavar="FILE", help="another coreference model")
    command.add_argument("--parser", metavar="NAME_OR_PATH", help="another spaCy model, for documents without trees")
    command.add_argument(
        "--format",
        choices=("json", "conllu", "clusters", "resolved"),
        default="json",
        help="JSON lines (default); CoNLL-U with Entity=; JSON lines with the entities of several mentions in "
        "characters; JSON lines with pronouns replaced by names",
    )
    command.add_argument(
        "--certain",
        type=probability,
        metavar="P",
        help="least coherence of entities in clusters (default 0); least membership of pronouns that are replaced in "
        "resolved text (default 0.5)",
    )
    command.add_argument("--stream", action="store_true", help="write each document to standard output at once")
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
    from nlpcalib.io.files import atomic_open
    from nlpcalib.shell.coref_files import one_line, page_file, standard_output, write_answers

    if options.stream and (options.out or options.html):
        raise InputError("coref: found --stream with a file to write, expected standard output alone")
    if options.certain is not None and options.format not in ("clusters", "resolved"):
        raise InputError(f"coref: found --certain with --format {options.format}, expected clusters or resolved")
    first, *others = options.files
    title = f"{first.name} and {len(others)} more" if others else first.name
    written = [str(path) for path in (options.out, options.html) if path]
    with ExitStack() as stack:
        answers = page = None
        if options.out or not options.html:
            answers = stack.enter_context(
                atomic_open(options.out) if options.out else standard_output(streams=options.stream)
            )
        if options.html:
            page = stack.enter_context(page_file(options.html, title))
        content, line = partial(_content, options), partial(one_line, form=options.format, certain=options.certain)
        summary = write_answers(
            _resolutions(options), content, None if options.format == "json" else line, answers, page
        )
    if written:
        print(f"{summary.line()}; files: {', '.join(written)}")


def _resolutions(options: argparse.Namespace) -> Iterator[Resolution]:
    """Read the documents of files one at a time, and resolve them."""
    from nlpcalib.coref.answer.reading import read_documents
    from nlpcalib.coref.answer.resolution import PACKAGED, resolve
    from nlpcalib.coref.model.model import load_model
    from nlpcalib.io.progress import with_progress
    from nlpcalib.shell.coref_files import annotated_documents

    gold = options.mentions == "gold"
    read = read_documents(options.files, options.source, options.parser, mentions=gold, separate=options.separate)
    documents = with_progress(read, "document")
    return resolve(
        annotated_documents(documents) if gold else documents,
        load_model(options.model or PACKAGED),
        mentions=options.mentions,
        threshold=options.threshold,
        temperature=options.temperature,
        new_weight=options.new_weight,
        window=options.window or None,
    )


def _content(options: argparse.Namespace, resolution: Resolution) -> dict:
    from nlpcalib.coref.answer.answer import answer

    default = _AT_LEAST if resolution.window is None else _AT_LEAST_IN_WINDOWS
    at_least = default if options.at_least is None else options.at_least
    return answer(resolution, samples=options.samples, seed=options.seed, at_least=at_least)
