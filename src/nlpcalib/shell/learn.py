"""`nlpcalib learn`: a model of events, learnt from labels."""

from __future__ import annotations

import argparse


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
