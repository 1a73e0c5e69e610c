"""Measure how much longer a sample of entities takes than the MAP assignment: workflow/sampling_time.csv.

    python tools/sampling_time.py

By the model in the package, on reports of the newsroom: attributes of mentions and probabilities of antecedents, then
the best antecedent of each mention or a sample (paper, section 5.2). *choice* is the last step alone. The MAP
assignment here takes exp and normalisation too, as the library has one function of both. No run and no test repeats the
times, which depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np

from newsroom.reports import Newsroom
from nlpcalib.io.files import write_csv
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.mentions import MENTIONS
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.coref.model.posterior import sample_entities
from reproduction.coref.clusters import best_antecedents

TABLE = Path(__file__).parents[1] / "workflow/sampling_time.csv"
REPORTS, ROUNDS = 20, 15


def duration(function: Callable[[np.ndarray], np.ndarray], conditionals: list[np.ndarray]) -> float:
    """Return the processor seconds of a choice of antecedents in all documents."""
    start = process_time()
    for each in conditionals:
        function(each)
    return process_time() - start


def main() -> None:
    """Write the median ratios of paired rounds, with 95 % intervals by ranks."""
    model, rng = load_model(PACKAGED_MODEL), np.random.default_rng(0)
    documents = [report.document for report in Newsroom(seed=3).reports(0, REPORTS)]
    spans = [MENTIONS["predicted"](document) for document in documents]
    ratios: dict[str, list[float]] = {"all": [], "choice": []}
    for _ in range(ROUNDS):
        start = process_time()
        found = [model.conditionals(mention_table(*each)) for each in zip(documents, spans, strict=True)]
        scored = process_time() - start
        best = duration(best_antecedents, found)
        drawn = duration(lambda each: sample_entities(each, 1, rng), found)
        ratios["all"].append((scored + drawn) / (scored + best))
        ratios["choice"].append(drawn / best)
    rows = []
    for part, values in ratios.items():
        ranked = sorted(values)
        row = {"part": part, "documents": REPORTS, "mentions": sum(map(len, spans))}
        rows.append({**row, "ratio": ranked[ROUNDS // 2], "low": ranked[3], "high": ranked[-4]})
    write_csv(TABLE, rows)


if __name__ == "__main__":
    main()
