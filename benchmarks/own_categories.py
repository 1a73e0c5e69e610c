"""A category of one's own next to what else a user could do: with 50, 100 and 300 labels, in four random orders.

    python benchmarks/own_categories.py ARCHIVES VECTORS [KIND …] [--sums]

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. VECTORS is a Parquet file with `id` and
`vector` of the items of `strikes.tsv`, `resignations.tsv` and `own_kinds.tsv` in `tests/data/events`. The first items
of an order teach, the last test. Printed are means over orders: log loss for each true country of an item
with its standard error, the expected calibration error in ten equal bins, and the sum of the probabilities by the true
number.

Peers give each country that an item names the probability of the item: logistic regression on TF-IDF, and on the
vectors, with a penalty by five-fold log loss; and spaCy's `textcat`, its default architecture in 20 epochs. The rate of
events among the labels alone shows how alike those that teach and those that test are.

With --sums, sums of `learn` alone are compared with the rate of the labels instead, in 60 orders and with 100 labels.
VECTORS is not read then.
"""

import argparse
import csv
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.systems.events.learn.labels import Labelled, labelled_candidates
from nlpcalib.systems.events.learn.model import NO_KEYWORD_FEATURE, EventModel, learn
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.tables.vectors import read_vectors

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import GOLD, news_items
from tools.event_scores import loss_per_event, over_orders

WORDS = {
    "strike": ("strike", "walkout", "stoppage", "picket", "union"),
    "conviction": ("convict", "conviction", "sentence", "jail", "verdict"),
    "crash": ("crash", "collide", "collision", "derail", "sink", "capsize"),
    "election": ("election", "vote", "ballot", "poll", "elect"),
    "resignation": ("resign", "resignation", "quit", "step"),
}
LABELLED = (50, 100, 300)
"""Labelled items that teach."""
TESTED, OTHERS_TESTED = {"strike": 110, "resignation": 80}, 280
"""Items that test, of two kinds and of the others."""
FILES = {"strike": "strikes.tsv", "resignation": "resignations.tsv"}
ORDERS, ORDERS_OF_SUMS, LABELLED_OF_SUMS = 4, 60, 100
EPOCHS = 20
BINS = 10


def regression_probabilities(train: object, y: np.ndarray, test: object) -> np.ndarray:
    """Return probabilities by scikit-learn's logistic regression."""
    from sklearn.linear_model import LogisticRegressionCV

    model = LogisticRegressionCV(Cs=np.logspace(-1, 3, 5), cv=5, scoring="neg_log_loss", max_iter=500)
    return model.fit(train, y).predict_proba(test)[:, 1]


def textcat_probabilities(train: Sequence[str], y: np.ndarray, test: Sequence[str], seed: int) -> np.ndarray:
    """Return probabilities by spaCy's `textcat`."""
    import spacy
    from spacy.training import Example
    from spacy.util import fix_random_seed, minibatch

    fix_random_seed(seed)
    pipeline = spacy.blank("en")
    pipeline.add_pipe("textcat")
    cats = [{"yes": float(each), "no": 1.0 - float(each)} for each in y]
    pairs = zip(train, cats, strict=True)
    examples = [Example.from_dict(pipeline.make_doc(text), {"cats": each}) for text, each in pairs]
    pipeline.initialize(lambda: examples)
    for _ in range(EPOCHS):
        random.shuffle(examples)
        for batch in minibatch(examples, 8):
            pipeline.update(batch, drop=0.2)
    return np.array([doc.cats["yes"] for doc in pipeline.pipe(test)])


def labels_of(kind: str) -> dict[str, frozenset[str]]:
    """Return the countries with an event in each item that was read for a kind; `unnamed` is an event of none."""
    with GOLD.with_name(FILES.get(kind, "own_kinds.tsv")).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row.get("kind", kind) == kind]
    return {row["id"]: frozenset(row["countries"].replace("none", "").split()) for row in rows}


def score(p: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Return log loss for each event, expected calibration error, and expected by true."""
    places = np.minimum((p * BINS).astype(int), BINS - 1)
    gap = sum(abs(p[places == each].sum() - y[places == each].sum()) for each in np.unique(places)) / len(p)
    return {"loss": loss_per_event(p, y), "calibration error": gap, "expected": p.sum() / y.sum()}


@dataclass(frozen=True)
class Split:
    """The candidates that teach and those that test, in a random order of the items of a kind."""

    train: Labelled
    test: Labelled
    share: float
    """The share of the items that teach with a word of the kind."""

    @classmethod
    def of(cls, category: EventModel, texts: Mapping[str, object], seed: int, number: int) -> "Split":
        """Return the split in which the first `number` items teach."""
        labels, lexicon = labels_of(category.name), load_lexicon(["packaged", *DEFAULT_ACTORS])
        ids = np.array(sorted(labels))
        order = ids[np.random.default_rng(seed).permutation(len(ids))]
        parts = order[:number], order[-TESTED.get(category.name, OTHERS_TESTED) :]
        train, test = (labelled_candidates([texts[name] for name in part], labels, category, lexicon) for part in parts)
        has = [not category.triggers.keys().isdisjoint(texts[name].text.lower().split()) for name in parts[0]]
        return cls(train, test, float(np.mean(has)))


def sums(kind: str, texts: Mapping[str, object]) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the sum of the probabilities of `learn` by the true number for each order, and what explains it.

    For items with a word, sums by the true number are those by the labels' rate, times that rate by the test items'.
    """
    category = EventModel(kind, "", WORDS[kind])
    for seed in range(ORDERS_OF_SUMS):
        split = Split.of(category, texts, seed, LABELLED_OF_SUMS)
        train, test = split.train, split.test
        fitted = learn(category, train.found, train.y, train.unit, share=split.share, seed=seed)[0]
        p = fitted.probabilities(test.found)
        taught, own = (
            np.array([NO_KEYWORD_FEATURE not in one.features for one in part.found]) for part in (train, test)
        )
        rate = train.y[taught].mean()
        yield (
            kind,
            {
                "expected": p.sum() / test.y.sum(),
                "with a word": p[own].sum() / test.y[own].sum(),
                "with a word, by the labels' rate": p[own].mean() / rate,
                "labels' rate by the test items'": rate / test.y[own].mean(),
                "without a word, of all true": p[~own].sum() / test.y.sum(),
            },
        )


def systems(kind: str, texts: Mapping[str, object], encoded: object) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the system with its number of labels, and its scores, for each order."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    category = EventModel(kind, "", WORDS[kind])
    for seed in range(ORDERS):
        for number in LABELLED:
            split = Split.of(category, texts, seed, number)
            train, test = split.train, split.test
            bodies = [[texts[one.item].text for one in part.found] for part in (train, test)]
            features = [encoded.of([one.item for one in part.found]) for part in (train, test)]
            tfidf = TfidfVectorizer(sublinear_tf=True).fit(bodies[0])
            found = {
                "TF-IDF": regression_probabilities(tfidf.transform(bodies[0]), train.y, tfidf.transform(bodies[1])),
                "vectors": regression_probabilities(features[0], train.y, features[1]),
                "textcat": textcat_probabilities(bodies[0], train.y, bodies[1], seed),
            }
            fitted = learn(category, train.found, train.y, train.unit, share=split.share, seed=seed)[0]
            found["learn"] = fitted.probabilities(test.found)
            found["their rate alone"] = np.full(len(test.y), train.y.mean())
            for name, p in found.items():
                yield f"{kind}, {number} labels, {name}", score(p, test.y)


def main(archives: Path, vectors: Path, kinds: Sequence[str], compare_sums: bool) -> None:
    """Print the scores."""
    asked = kinds or list(WORDS)
    wanted = {name for kind in asked for name in labels_of(kind)}
    texts = {name: text for (corpus, name), text in news_items(archives) if name in wanted and corpus != "wikinews"}
    encoded = None if compare_sums else read_vectors(vectors, list(wanted))
    for kind in asked:
        scored = sums(kind, texts) if compare_sums else systems(kind, texts, encoded)
        print("\n".join(over_orders(scored)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("vectors", type=Path, metavar="VECTORS")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--sums", dest="compare_sums", action="store_true")
    main(**vars(parser.parse_args()))
