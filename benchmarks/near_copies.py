"""Near copies among the items of open corpora that have a word of an act of force, with pairs to read.

    python benchmarks/near_copies.py ARCHIVES [PAIRS]

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. Printed are, for each corpus, the
number of copies, the time per million words and so many pairs, drawn at random, of a copy and its first report.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from nlpcalib.systems.events.read.copies import near_copies
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from reproduction.corpora.readers.current_events import read_current_events
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.wikinews import read_wikinews

CORPORA = {
    "wikipedia_current_events": read_current_events,
    "wikinews_2019_2020": read_wikinews,
    "muc3": read_muc3,
}


def main(archives: Path, pairs: int) -> None:
    """Print counts, times and pairs."""
    pattern = verb_pattern([Query.from_mapping({"name": "force", "category": ["assault"]})])
    for name, read in CORPORA.items():
        texts = [text for text in read(archives / f"{name}.zip", 0.01) if pattern.search(text.text)]
        # MUC-3 is in capitals, which would make names of all words.
        said = [text.text.lower() if text.text.isupper() else text.text for text in texts]
        start = time.process_time()
        first = near_copies([text.id for text in texts], np.array([text.date for text in texts], "datetime64[D]"), said)
        seconds = 1e6 * (time.process_time() - start) / sum(len(text.split()) for text in said)
        copies = np.flatnonzero(first != np.arange(len(first)))
        print(f"{name}: {len(copies)} copies of {len(texts)} items; {seconds:.1f} s of CPU per million words")
        for place in np.random.default_rng(1).permutation(copies)[:pairs]:
            for text in (texts[first[place]], texts[place]):
                print(f"  {text.date} {text.text[:300]}")
            print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("pairs", type=int, nargs="?", default=0, metavar="PAIRS")
    main(**vars(parser.parse_args()))
