"""Counts of quarters that were read completely, and the intervals that the packaged models and rules have for them.

    python benchmarks/events_cells.py ARCHIVES

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. tests/data/events/gold_cells.tsv has
every item of Wikipedia's current events that names the country in eight quarters, drawn at random, read once by the
codebook. Items that the models were taught by are left out. Printed are, for each country, quarter and kind, the number
of items with an event, and the exact 95 % intervals of the models' and the rules' probabilities. `shared` is the
models' interval with the effect that items of a country and quarter share, fitted to the seven other quarters. Last
comes the dispersion of the models' counts, as `event_dispersion.py` has it.
"""

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from event_dispersion import dispersion

from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.estimation.shared_effect import fit_shared_effect
from nlpcalib.seeding import generator
from nlpcalib.systems.events.learn.candidates import country_candidates
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from reproduction.corpora.readers.current_events import read_current_events

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import GOLD, KINDS, gold_rows, silver_rows

Cells = dict[tuple[str, str, str], np.ndarray]
"""By kind, country and quarter: the model's and the rules' probabilities and the truth of items, float64 (n, 3)."""


def read_cells(archives: Path) -> Cells:
    """Return the cells with their items but those that taught models."""
    taught = {row["id"] for row in gold_rows() if row["corpus"] == "current_events"}
    with GOLD.with_name("gold_cells.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["id"] not in taught]
    wanted = {row["id"] for row in rows}
    every = read_current_events(archives / "wikipedia_current_events.zip", 0.01)
    texts = {text.id: text for text in every if text.id in wanted}
    said = {name: read for (corpus, name), _, read in silver_rows() if corpus == "current_events"}
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    cells: dict[tuple[str, str, str], list[tuple[float, float, bool]]] = defaultdict(list)
    for kind, category in KINDS.items():
        model = read_model(category)
        for row in rows:
            found = [
                c for c in country_candidates(texts[row["id"]], lexicon, model.triggers) if c.country == row["country"]
            ]
            true = row["country"] in {entry.lstrip("~").split(">")[0] for entry in row[kind].split()}
            p, rules = model.probabilities(found).sum(), said[row["id"]].get((category, row["country"]), 0.0)
            cells[kind, row["country"], row["quarter"]].append((p, rules, true))
    return {place: np.array(values, dtype=float) for place, values in sorted(cells.items())}


def units(cells: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the models' probabilities, the truth and the cell of all items."""
    every = list(cells)
    q, _, y = np.concatenate(every).T
    return q, y > 0, np.repeat(np.arange(len(every)), list(map(len, every)))


def main(archives: Path) -> None:
    """Print a line for each cell, and sums."""
    cells = read_cells(archives)
    held, width = Counter[str](), Counter[str]()
    for (kind, *place), values in cells.items():
        shared = fit_shared_effect(*units(cells[key] for key in cells if [*key[1:]] != place))
        model, rules, true = values.T
        count, line = int(true.sum()), ""
        intervals = {
            "model": PoissonBinomial(model).interval(),
            "rules": PoissonBinomial(rules).interval(),
            "shared": shared.interval(model)[:2],
        }
        for system, (low, high) in intervals.items():
            held[system] += low <= count <= high
            width[system] += high - low
            line += f"; {system} {low} to {high}{'' if low <= count <= high else ' misses'}"
        expected = f"{model.sum():.1f} expected by the model, {rules.sum():.1f} by rules"
        print(f"{kind:9}{' '.join(place)}, {len(values)} items: {count} read, {expected}{line}")
    for system in held:
        print(f"{system}: {held[system]} of {len(cells)} held, mean width {width[system] / len(cells):.2f}")
    for kinds in (KINDS, ("force",)):
        asked = units(values for (kind, *_), values in cells.items() if kind in kinds)
        print(f"dispersion of {', '.join(kinds)}: {dispersion(*asked, generator(0, *kinds))}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    main(**vars(parser.parse_args()))
