"""Learning curves of events: log loss and sum of probabilities on unseen items, by the number of labelled items.

    python benchmarks/events_curve.py ARCHIVES [KIND …]

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. Seven kinds are taken for categories of
a user's own: a few words or none, no silver labels, no packaged model. Three are of the gold standard; their unseen
items are those that are kept for judging. Four are of `own_kinds.tsv`, one reader's labels of items with and without
the words; their unseen items are weighted by how many of all items they stand for.

Labelled items are drawn at random, three quarters of the kind's stratum and one of the others. Scores are means of ten
draws: log loss for each event, with the words and without, expected by true, what of it is in items of the other
stratum, and the mean distance of stated and true in five bins of equal size.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.systems.events.learn.candidates import forms_of
from nlpcalib.systems.events.learn.labels import labelled_candidates
from nlpcalib.systems.events.learn.model import EventModel, learn
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.systems.events.read.selection import words_of
from nlpcalib.systems.text.dated import DatedText

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import GOLD, READ_TWICE, annotated, gold_rows, kept_for_judging, news_items, sources

WORDS = {
    "force": ("attack", "bomb", "kill", "strike", "fight"),
    "protest": ("protest", "demonstrate", "demonstration", "rally", "riot"),
    "sanction": ("sanction", "embargo", "tariff", "ban", "impose"),
    "earthquake": ("earthquake", "quake", "tremor", "aftershock", "magnitude"),
    "election": ("election", "vote", "ballot", "poll", "elect"),
    "crash": ("crash", "collide", "collision", "derail", "sink", "capsize"),
    "conviction": ("convict", "conviction", "sentence", "jail", "verdict"),
}
SIZES = (50, 100, 200, 400)
DRAWS = 10
TEACH = {"words": 220, "others": 100}
"""Of the items of `own_kinds.tsv`, in the order in which they were drawn, those that may teach."""
DRAWN = {"earthquake": 1_131, "election": 7_925, "crash": 3_369, "conviction": 2_907}
"""Items of current events with a word of the kind, from which those of its stratum were drawn."""
ITEMS = 113_488
"""Items of current events."""
Texts = Mapping[tuple[str, str], DatedText]


@dataclass(frozen=True)
class Kind:
    """A kind of events, and its labelled items: of its stratum and of the other."""

    name: str
    labels: Mapping[str, frozenset[str]]
    teach: tuple[list[DatedText], list[DatedText]]
    unseen: tuple[list[DatedText], list[DatedText]]
    weights: tuple[float, float] = (1.0, 1.0)
    """Of an unseen item."""


def kinds(texts: Texts) -> Iterator[Kind]:
    """Yield those of the gold standard, and those of `own_kinds.tsv`."""
    for name in ("force", "protest", "sanction"):
        rows = [row for row in gold_rows(READ_TWICE) if annotated(row, name)]
        labels = {row["id"]: frozenset(sources(row, name)) for row in rows}
        teach, unseen = (
            tuple(
                [
                    texts[row["corpus"], row["id"]]
                    for row in rows
                    if kept_for_judging(row) == kept and (row["stratum"] == name) == inside
                ]
                for inside in (True, False)
            )
            for kept in (False, True)
        )
        yield Kind(name, labels, teach, unseen)
    with GOLD.with_name("own_kinds.tsv").open(encoding="utf-8", newline="") as file:
        every = list(csv.DictReader(file, delimiter="\t"))
    for name, inside in DRAWN.items():
        rows = [row for row in every if row["kind"] == name]
        labels = {row["id"]: frozenset(row["countries"].replace("none", "").split()) for row in rows}
        strata = [
            [texts["current_events", row["id"]] for row in rows if row["stratum"] == stratum] for stratum in TEACH
        ]
        teach = tuple(stratum[:size] for stratum, size in zip(strata, TEACH.values(), strict=True))
        unseen = tuple(stratum[size:] for stratum, size in zip(strata, TEACH.values(), strict=True))
        weights = tuple(total / len(part) for total, part in zip((inside, ITEMS - inside), unseen, strict=True))
        yield Kind(name, labels, teach, unseen, weights)


def main(archives: Path, asked: Sequence[str]) -> None:
    """Print the curves of the kinds that are asked for, or of all."""
    texts = dict(news_items(archives))
    bags = [{word.lower() for word in words_of(text.text)} for text in texts.values()]
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    for kind in kinds(texts):
        if asked and kind.name not in asked:
            continue
        forms = forms_of(WORDS[kind.name]).keys()
        share = float(np.mean([not forms.isdisjoint(bag) for bag in bags]))
        for size in SIZES:
            drawn = min(size * 3 // 4, len(kind.teach[0])), min(size - size * 3 // 4, len(kind.teach[1]))
            scores: dict[bool, list[tuple[float, ...]]] = {True: [], False: []}
            for draw in range(DRAWS):
                rng = np.random.default_rng(draw)
                chosen = [
                    part[place]
                    for part, number in zip(kind.teach, drawn, strict=True)
                    for place in rng.choice(len(part), number, replace=False)
                ]
                for given in (True, False):
                    category = EventModel(kind.name, "", WORDS[kind.name] if given else ())
                    data = labelled_candidates(chosen, kind.labels, category, lexicon)
                    try:
                        model = learn(category, data.found, data.y, data.unit, share=share, seed=draw)[0]
                    except InputError:
                        continue
                    tests = [labelled_candidates(part, kind.labels, category, lexicon) for part in kind.unseen]
                    p, y = (
                        np.concatenate(each)
                        for each in zip(*((model.probabilities(test.found), test.y) for test in tests), strict=True)
                    )
                    weight = np.repeat(kind.weights, [len(test.y) for test in tests])
                    true = weight @ y
                    parts = np.array_split(np.argsort(p), 5)
                    distance = float(np.mean([abs(p[part].mean() - y[part].mean()) for part in parts]))
                    loss = float(-(weight @ np.log(np.where(y > 0, p, 1 - p))) / true)
                    other = kind.weights[1] * p[len(tests[0].y) :].sum() / true
                    scores[given].append((loss, weight @ p / true, other, distance))
            with_words, without = (np.mean(scores[given], axis=0) for given in (True, False))
            print(
                f"{kind.name:10} {sum(drawn):4} items: loss {with_words[0]:.2f} with words, {without[0]:.2f} without; "
                f"expected {with_words[1]:.2f} ({with_words[2]:.2f} in others), distance {with_words[3]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("asked", nargs="*", choices=(*WORDS, []), metavar="KIND")
    main(**vars(parser.parse_args()))
