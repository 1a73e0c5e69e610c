"""Acts of force in long articles: MUC-3's messages, judged by the keys of development, from 100 and 300 labels.

    python benchmarks/long_articles.py ARCHIVES

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. A message's labels are the countries of
its perpetrators in MUC-4's keys. Messages are divided once: `DEVELOPED` for development, and the others are judged. In
each of two random orders the first messages of development teach. Printed are the packaged model, models of labels
alone, and models that start from the packaged one: log loss for each true pair, precision and recall at p of .5 or
more, both for the longest list of likely pairs whose mean probability is at least .5, and the sum of probabilities by
the true number. The last is printed too for what labels alone give: their rate of events.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nlpcalib.systems.events.learn.candidates import country_candidates
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.learn.model import EventModel, learn
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.muc4_keys import read_muc4_keys

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_scores import loss_per_event, over_orders

from studies.estimation.perpetrators import incident_countries, perpetrators_lexicon

LABELLED, DEVELOPED, ORDERS, DIVISION = (100, 300), 500, 4, 99
MIN_PRECISION = 0.5


def score(p: np.ndarray, y: np.ndarray, true: int) -> dict[str, float]:
    """Return log loss, precision and recall at .5 and where the model states `MIN_PRECISION`, and expected by true."""
    said, order = p >= 0.5, np.argsort(-p)
    listed = order[: np.count_nonzero(np.cumsum(p[order]) >= MIN_PRECISION * np.arange(1, len(p) + 1))]
    return {
        "loss": loss_per_event(p, y),
        "precision": y[said].mean(),
        "recall": y[said].sum() / true,
        f"precision where {MIN_PRECISION} is stated": y[listed].mean(),
        f"recall where {MIN_PRECISION} is stated": y[listed].sum() / true,
        "expected": p.sum() / y.sum(),
    }


def systems(archives: Path) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield each system, with the number of labels that taught it, and its scores, for each order."""
    true = incident_countries(read_muc4_keys(archives / "muc4_keys.zip"), perpetrators_lexicon())
    base, lexicon = read_model("assault"), load_lexicon(["packaged", *DEFAULT_ACTORS])
    category = EventModel(base.name, base.definition, base.words)
    texts = [text for text in read_muc3(archives / "muc3.zip", 0.01) if text.id in true]
    found, y, unit = [], [], []
    for number, text in enumerate(texts):
        for one in country_candidates(text, lexicon, base.triggers):
            found.append(one)
            y.append(float(one.country in true[text.id]))
            unit.append(number)
    y, unit = np.array(y), np.array(unit)
    divided = np.random.default_rng(DIVISION).permutation(len(texts))
    developed, judged = divided[:DEVELOPED], divided[DEVELOPED:]
    test = np.flatnonzero(np.isin(unit, judged))
    pairs = sum(len(true[texts[number].id]) for number in judged)
    ways = [("labels", {}), ("from assault", {"start": base})]
    for seed in range(ORDERS):
        yield "packaged", score(base.probabilities([found[one] for one in test]), y[test], pairs)
        order = np.random.default_rng(seed).permutation(developed)
        for size in LABELLED:
            train = np.flatnonzero(np.isin(unit, order[:size]))
            rate = np.full(len(test), y[train].mean())
            yield f"{size} labels, their rate alone", score(rate, y[test], pairs)
            for name, options in ways:
                chosen = [found[one] for one in train]
                model, _ = learn(category, chosen, y[train], unit[train], seed=seed, **options)
                p = model.probabilities([found[one] for one in test])
                yield f"{size} labels, {name}", score(p, y[test], pairs)


def main(archives: Path) -> None:
    """Print the scores."""
    print("\n".join(over_orders(systems(archives))))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    main(**vars(parser.parse_args()))
