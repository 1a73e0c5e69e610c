"""Vectors of an encoder as features of a category of one's own: labour strikes, with 50, 100 and 200 labels.

    python benchmarks/event_vectors.py ARCHIVES VECTORS

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml, VECTORS a Parquet file with `id` and
`vector` of the items of `tests/data/events/strikes.tsv`. Four random orders of the items: the first teach, the last 110
test. Printed are means with their standard errors: log loss for each true country of an item, and the sum of the
probabilities by the true number.

Two peers give each country of an item the probability of the item: logistic regression on TF-IDF, and on the vectors,
with a penalty by five-fold log loss.
"""

import argparse
import csv
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nlpcalib.events.learn.labels import labelled_candidates
from nlpcalib.events.learn.model import EventModel, learn
from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.text.vectors import read_vectors

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import GOLD, news_items

STRIKE = EventModel("strike", "", ("strike", "walkout", "stoppage", "picket", "union"))
LABELLED = (50, 100, 200)
TEST_ITEMS = 110
ORDERS = 4


def item_probabilities(train: object, y: np.ndarray, test: object) -> np.ndarray:
    """Return probabilities by scikit-learn's logistic regression."""
    from sklearn.linear_model import LogisticRegressionCV

    model = LogisticRegressionCV(Cs=np.logspace(-1, 3, 5), cv=5, scoring="neg_log_loss", max_iter=500)
    return model.fit(train, y).predict_proba(test)[:, 1]


def main(archives: Path, vectors: Path) -> None:
    """Print the scores."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    with GOLD.with_name("strikes.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    labels = {row["id"]: frozenset(row["countries"].replace("none", "").split()) for row in rows}
    texts = {name: text for (_, name), text in news_items(archives) if name in labels}
    encoded = read_vectors(vectors, list(labels), "encoder")
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    ids = np.array(sorted(labels))
    scores: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for seed in range(ORDERS):
        order = ids[np.random.default_rng(seed).permutation(len(ids))]
        for number in LABELLED:
            train, test = (
                labelled_candidates([texts[name] for name in part], labels, STRIKE, lexicon)
                for part in (order[:number], order[-TEST_ITEMS:])
            )
            share = float(np.mean([not STRIKE.triggers.keys().isdisjoint(texts[name].text.lower().split())
                                   for name in order[:number]]))  # fmt: skip
            bodies = [[texts[one.item].text for one in part.found] for part in (train, test)]
            features = [encoded.of([one.item for one in part.found]) for part in (train, test)]
            tfidf = TfidfVectorizer(sublinear_tf=True).fit(bodies[0])
            found: Mapping[str, np.ndarray] = {
                "TF-IDF": item_probabilities(tfidf.transform(bodies[0]), train.y, tfidf.transform(bodies[1])),
                "vectors": item_probabilities(features[0], train.y, features[1]),
            }
            for name, given in (("learn", None), ("learn, vectors", encoded)):
                fitted = learn(STRIKE, train.found, train.y, train.unit, share=share, vectors=given, seed=seed)[0]
                found = {**found, name: fitted.probabilities(test.found, given)}
            for name, each in found.items():
                p = np.clip(each, 1e-6, 1 - 1e-6)
                loss = -np.log(np.where(test.y > 0, p, 1 - p)).sum() / test.y.sum()
                scores.setdefault((number, name), []).append((loss, p.sum() / test.y.sum()))
    for (number, name), values in scores.items():
        (loss, expected), error = np.mean(values, axis=0), np.std(values, axis=0, ddof=1)[0] / ORDERS**0.5
        print(f"{number:4} labels, {name:15} loss {loss:.2f} ± {error:.2f}, expected {expected:.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("vectors", type=Path, metavar="VECTORS")
    main(**vars(parser.parse_args()))
