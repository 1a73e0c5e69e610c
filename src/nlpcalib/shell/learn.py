"""`nlpcalib learn`: a model of events, learnt from labels."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell.arguments import DATED, LEXICON, at_least


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "learn",
        help="learn from labels which events dated documents report",
        description="Write a model of the events that LABELS mark in the documents of FILE, for `nlpcalib events "
        "--model`, and print how right its probabilities are on labels that it was not fitted to.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help=f"{DATED}; labelled ones are among them")
    command.add_argument(
        "labels", type=Path, nargs="+", metavar="LABELS",
        help="sheets with item and label: the codes of countries with an event (ISR USA), pairs (ISR>PSE), ~ before "
        "what is only mentioned, none, or cannot tell",
    )  # fmt: skip
    command.add_argument(
        "--category", default="", metavar="NAME",
        help="a category in the box, whose words and definition are taken, or a name of your own",
    )  # fmt: skip
    command.add_argument(
        "--words", default="", metavar="A,B", help="lemmas of verbs and nouns that often report such an event"
    )
    command.add_argument(
        "--definition", default="", metavar="TEXT", help="what annotators were asked to mark, kept in the model"
    )
    command.add_argument(
        "--start", metavar="MODEL",
        help="a model that the labels change: a file, or a category in the box; what they do not teach of pairs and "
        "acts stays",
    )  # fmt: skip
    command.add_argument("--lexicon", default="packaged", metavar="A,B", help=LEXICON)
    command.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the folds (default 0)")
    command.add_argument(
        "--out", type=Path, required=True, metavar="MODEL", help="file for the model: JSON, or .json.gz"
    )
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Write the model and print its scores."""
    from nlpcalib.api.learn import learn_events

    found = learn_events(
        options.file, options.labels, category=options.category,
        words=[word for word in options.words.split(",") if word], definition=options.definition,
        start=options.start, lexicon=options.lexicon.split(","), seed=options.seed,
    )  # fmt: skip
    found.save(options.out)
    print(found, f"file: {options.out}", sep="\n")
