"""Exact marginals of spans, and expected counts, next to the token marginals that they are made of.

Data are simulated: 3,000 sentences of 3 to 44 tokens, random transitions, and at each token one tag that the scores
favour by 5 nats, which is O in seven of ten. Listed are spans with a probability of .01 or more. All run on one thread.

    python benchmarks/span_marginals.py [--repeats 7] [--types 4]
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse

import numpy as np
from side_by_side import interleaved_seconds, ratio

from nlpcalib.seeding import generator
from nlpcalib.systems.chains.forward_backward import forward_backward
from nlpcalib.systems.chains.spans import SpanTags, expected_span_counts, span_marginals

LETTERS = {"bio": "BI", "bioes": "BIES", "plain": ""}


def main(repeats: int, types: int) -> None:
    """Print, for each scheme, the times of spans and counts over that of the token marginals."""
    for scheme, letters in LETTERS.items():
        rng = generator(0, "span benchmark", scheme)
        names = [f"T{number}" for number in range(types)]
        tags = ["O", *(f"{letter}-{name}" for name in names for letter in letters)] if letters else ["O", *names]
        lengths = rng.integers(3, 45, 3000)
        tokens, size = int(lengths.sum()), len(tags)
        scores = rng.normal(size=(tokens, size))
        favoured = np.where(rng.random(tokens) < 0.7, 0, rng.integers(1, size, tokens))
        scores[np.arange(tokens), favoured] += 5
        chain = scores, lengths, rng.normal(size=(size, size)), rng.normal(size=size)
        marginals, marks = forward_backward(*chain), SpanTags.of(tags)
        seconds = interleaved_seconds(
            {
                "tokens": lambda chain=chain: forward_backward(*chain),
                "spans": lambda found=marginals, marks=marks: span_marginals(found, marks, 0.01),
                "counts": lambda found=marginals, marks=marks: expected_span_counts(found, marks),
            },
            repeats,
        )
        print(f"{scheme}: {tokens} tokens, {size} tags", end="")
        for name in ("spans", "counts"):
            times = ratio(seconds[name], seconds["tokens"])
            print(f"; {name} {times['median']:.2f} ({times['min']:.2f} to {times['max']:.2f})", end="")
        print(" times the token marginals")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--types", type=int, default=4)
    main(**vars(parser.parse_args()))
