"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from nlpcalib.errors import InputError
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
        choices=("json", "conllu", "clusters", "people", "resolved"),
        default="json",
        help="JSON lines (default); CoNLL-U with Entity=; JSON lines with the entities of several mentions in "
        "characters; JSON lines with the number of different people; JSON lines with pronouns replaced by names",
    )
    command.add_argument(
        "--certain",
        type=probability,
        metavar="P",
        help="least coherence of entities in clusters (default 0); least membership of pronouns that are replaced in "
        "resolved text (default 0.5)",
    )
    command.add_argument(
        "--kinds",
        type=_kinds,
        metavar="KIND,…",
        help="kinds of mentions that clusters list: pronoun, proper, nominal, demonstrative (default: all)",
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
    command.add_argument(
        "--jobs", type=at_least(1), default=1, metavar="N", help="processes; the answers are the same (default 1)"
    )
    command.set_defaults(run=run, command=command)


def _window(text: str) -> int:
    from nlpcalib.coref.model.long_documents import SMALLEST_WINDOW

    return 0 if text == "0" else at_least(SMALLEST_WINDOW)(text)


def _kinds(text: str) -> tuple[str, ...]:
    from nlpcalib.coref.model.mentions import KINDS

    kinds = tuple(text.split(","))
    if not set(kinds) <= set(KINDS):
        raise argparse.ArgumentTypeError(f"found '{text}', expected some of {', '.join(KINDS)}, with commas")
    return kinds


def run(options: argparse.Namespace) -> None:
    """Write the entities of files, and a summary where standard output does not have the answers."""
    from nlpcalib.coref.answer.reading import read_documents
    from nlpcalib.coref.answer.resolution import PACKAGED
    from nlpcalib.coref.answer.view import page_file
    from nlpcalib.coref.model.mentions import KINDS
    from nlpcalib.io.files import atomic_open
    from nlpcalib.io.processes import map_in_processes
    from nlpcalib.io.progress import with_progress
    from nlpcalib.shell import coref_files

    if options.stream and (options.out or options.html):
        raise InputError("coref: found --stream with a file to write, expected standard output alone")
    if options.certain is not None and options.format not in ("clusters", "resolved"):
        raise InputError(f"coref: found --certain with --format {options.format}, expected clusters or resolved")
    if options.kinds is not None and options.format != "clusters":
        raise InputError(f"coref: found --kinds with --format {options.format}, expected clusters")
    given = {**vars(options), "window": options.window or None}
    gold = options.mentions == "gold"
    read = read_documents(options.files, options.source, options.parser, mentions=gold, separate=options.separate)
    answering = coref_files.Answering(
        model=options.model or PACKAGED,
        settings={name: given[name] for name in ("mentions", "threshold", "temperature", "new_weight", "window")},
        form=options.format if options.out or not options.html else None,
        certain=options.certain,
        kinds=options.kinds or KINDS,
        samples=options.samples,
        seed=options.seed,
        at_least=options.at_least,
        pages=options.html is not None,
    )
    answered = map_in_processes(answering, coref_files.annotated_documents(read) if gold else read, options.jobs)
    first, *others = options.files
    title = f"{first.name} and {len(others)} more" if others else first.name
    written = [str(path) for path in (options.out, options.html) if path]
    with ExitStack() as stack:
        answers = page = None
        if options.out or not options.html:
            answers = stack.enter_context(
                atomic_open(options.out) if options.out else coref_files.standard_output(streams=options.stream)
            )
        if options.html:
            page = stack.enter_context(page_file(options.html, title))
        summary = coref_files.write_answers(with_progress(answered, "document"), answers, page)
    if written:
        print(f"{coref_files.summary_line(summary)}; files: {', '.join(written)}")
