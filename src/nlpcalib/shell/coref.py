"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from nlpcalib.errors import InputError


def run(options: argparse.Namespace) -> None:
    """Write the entities of files, and a summary where standard output does not have the answers."""
    from nlpcalib.coref.answer.reading import read_documents
    from nlpcalib.coref.answer.resolution import PACKAGED_MODEL
    from nlpcalib.coref.answer.view import page_file
    from nlpcalib.coref.model.mentions import MENTION_KINDS
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
        model=options.model or PACKAGED_MODEL,
        settings=tuple(
            (name, given[name]) for name in ("mentions", "threshold", "temperature", "new_weight", "window")
        ),
        form=options.format if options.out or not options.html else None,
        certain=options.certain,
        kinds=options.kinds or MENTION_KINDS,
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
