"""Acts of force in long articles: MUC-3's messages, judged by the keys of development, from 100 and 300 labels.

    python benchmarks/long_articles.py ARCHIVES

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. A message's labels are the countries of
its perpetrators in MUC-4's keys. In each of four random orders the first messages teach, and those after the first 300
are judged. Printed are the packaged model, models of labels alone and models that start from the packaged one, each
with and without the features of long items: log loss for each true pair, precision and recall at p of .5 or more, the
largest recall at a precision of .5, and the sum of probabilities by the true number.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from nlpcalib.events.learn.candidates import Candidate, country_candidates
from nlpcalib.events.learn.model import EventModel, learn, read_model
from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.muc4_keys import read_muc4_keys

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from studies.estimation.perpetrators import incident_countries, perpetrators_lexicon

LABELLED, TAUGHT, ORDERS = (100, 300), 300, 4
MIN_PRECISION = 0.5


def score(p: np.ndarray, y: np.ndarray, true: int) -> tuple[float, ...]:
    """Return log loss, precision and recall at .5, recall at `MIN_PRECISION`, and expected by true."""
    q, said, order = np.clip(p, 1e-6, 1 - 1e-6), p >= 0.5, np.argsort(-p)
    hits = np.cumsum(y[order])
    enough = hits / np.arange(1, len(y) + 1) >= MIN_PRECISION
    loss = -np.log(np.where(y > 0, q, 1 - q)).sum() / y.sum()
    best = hits[enough].max(initial=0) / true
    return loss, y[said].mean(), y[said].sum() / true, best, p.sum() / y.sum()


def short(found: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without the features of long items."""
    return [
        replace(one, features=tuple(each for each in one.features if not each.startswith("long "))) for one in found
    ]


def main(archives: Path) -> None:
    """Print the scores."""
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
    scores: dict[str, list[tuple[float, ...]]] = {}
    for seed in range(ORDERS):
        order = np.random.default_rng(seed).permutation(len(texts))
        test = np.flatnonzero(np.isin(unit, order[TAUGHT:]))
        pairs = sum(len(true[texts[number].id]) for number in order[TAUGHT:])
        judged = base.probabilities([found[one] for one in test])
        scores.setdefault("packaged", []).append(score(judged, y[test], pairs))
        for size in LABELLED:
            train = np.flatnonzero(np.isin(unit, order[:size]))
            for name, features in (("short", short(found)), ("long", found)):
                for begun, start in (("labels", None), ("assault", base)):
                    chosen = [features[one] for one in train]
                    model, _ = learn(category, chosen, y[train], unit[train], start=start, seed=seed)
                    judged = model.probabilities([features[one] for one in test])
                    scores.setdefault(f"{size} labels, from {begun}, {name} features", []).append(
                        score(judged, y[test], pairs)
                    )
    for name, values in scores.items():
        loss, precision, recall, best, expected = np.mean(values, axis=0)
        error = np.std(values, axis=0, ddof=1)[0] / ORDERS**0.5
        print(
            f"{name}: loss {loss:.2f} ± {error:.2f}, precision {precision:.2f} and recall {recall:.2f} at .5, "
            f"recall {best:.2f} at precision .5, expected {expected:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    main(**vars(parser.parse_args()))
