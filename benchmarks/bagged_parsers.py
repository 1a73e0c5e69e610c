"""Trees sampled from one parser next to the best trees of four, each trained on resampled documents.

    python benchmarks/bagged_parsers.py RESULTS [--seed 2015]

RESULTS is the folder results of a run with this seed: its simulated reports with their truth, its parser and its
coreference model. Four parsers are trained as the run's is, each on a bootstrap resample of the training documents.
Their best trees are mixed as sampled trees are. Printed is a row for each choice of trees, with CPU seconds of
training, of parsing and of finding events.
"""

import argparse
import csv
import datetime
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.io.files import read_csv
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.count.mixture import Findings, findings
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.model import load_parser
from nlpcalib.systems.text.parsing.parser import Parser
from nlpcalib.systems.text.parsing.readings import Sampling, readings
from nlpcalib.tables.periods import period_label, period_number
from reproduction.events.coverage import count_coverage_rows
from reproduction.events.series import count_series
from reproduction.events.storage import read_dates
from reproduction.events.truth import event_pairs, true_counts, true_events
from reproduction.parsing.training import ParserSettings, train
from studies.events.verb_table import verb_row

QUERY, PERIOD = Query("attack", ("attack",)), "quarter"
PARSERS, TREES, SAMPLES = 4, 10, 100


def bagged(training: Sequence[Document], seed: int) -> Iterator[Parser]:
    """Yield parsers, each trained on as many documents as there are, drawn with replacement."""
    for number in range(PARSERS):
        rng = generator(seed, "bagged parser", number)
        drawn = [training[place] for place in rng.integers(len(training), size=len(training))]
        yield Parser(train(drawn, ParserSettings(epochs=1, seed=int(rng.integers(1 << 31)))), f"bagged {number}")


def sampled(parser: Parser, reports: Sequence[Document], trees: int, seed: int) -> list[list[Document]]:
    """Return the readings of each report: with its best trees, and with each of the sampled ones."""
    return [readings(*both) for both in parser.sample_dated(reports, Sampling(verb_pattern([QUERY]), trees, seed))]


def timed(work: Callable[..., list], *arguments: Any) -> tuple[list, float]:
    """Return what the work returns, and the CPU seconds that it took."""
    start = time.process_time()
    return work(*arguments), time.process_time() - start


def main(results: Path, seed: int) -> None:
    """Print the rows as CSV, as they come."""
    shards = {
        kind: sorted((results / "events/newswire_parsed" / kind).iterdir())
        for kind in ("documents", "reports", "truth")
    }
    reports = [report for path in shards["reports"] for report in read_conllu(path)]
    dates = np.concatenate([read_dates(path) for path in shards["documents"]])
    true = true_events(chain.from_iterable(map(read_csv, shards["truth"])), QUERY)
    truth = {(country, period_label(number, PERIOD)): n for (country, number), n in true_counts(true, PERIOD).items()}
    periods = {
        row["document"]: period_label(period_number(datetime.date.fromisoformat(row["date"]), PERIOD), PERIOD)
        for path in shards["documents"]
        for row in read_csv(path)
    }
    lexicon, coref = load_lexicon(["newsroom"]), load_model(results / "coref/newsroom/likelihood/model.npz")
    writer = None

    def find(read: Sequence[Sequence[Document]]) -> list[Findings]:
        return [
            found
            for each in read
            for found in findings(each, [QUERY], lexicon, coref, samples=SAMPLES, seed=seed)
            if found.probabilities
        ]

    def show(trees: str, read: Sequence[Sequence[Document]], **seconds: float) -> None:
        nonlocal writer
        found, seconds["extract"] = timed(find, read)
        table = EventTable.of(event for each in found for event in each.probabilities)
        counted = count_series(count_events([(dates, table.of_documents)], PERIOD))
        row: dict[str, Any] = {"trees": trees, **verb_row(event_pairs(table, true), periods, counted, truth, seed)}
        for held in count_coverage_rows(counted, truth):
            if held["kind_of_cell"] == "uncertain" and held["interval"] != "map":
                row["cells"] = held["cells"]
                for name in ("coverage", "error", "expected", "width"):
                    row[f"{held['interval']}_{name}"] = held[name]
        row |= {f"cpu_{name}": seconds.get(name, 0.0) for name in ("train", "parse", "extract")}
        if writer is None:
            writer = csv.DictWriter(sys.stdout, row)
            writer.writeheader()
        writer.writerow({name: f"{value:.4g}" if isinstance(value, float) else value for name, value in row.items()})
        sys.stdout.flush()

    parser = load_parser(results / "parsing/newsroom/parser.zip")
    for trees in (1, TREES):
        read, parse = timed(sampled, parser, reports, trees, seed)
        show(f"{trees} of one parser", read, parse=parse)
    training = list(read_conllu(results / "corpora/newsroom/train.conllu"))
    parsers, learn = timed(lambda: list(bagged(training, seed)))
    several, parse = timed(lambda: [[document for document, _ in each.sample_dated(reports, None)] for each in parsers])
    best = zip(*several, strict=True)
    show(f"the best of {PARSERS} parsers", [[each[0], *each] for each in best], train=learn, parse=parse)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("--seed", type=int, default=2015, help="that of the run")
    main(**vars(parser.parse_args()))
