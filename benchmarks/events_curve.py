"""Learning curves of events: log loss and sum of probabilities on unseen items, by the number of labelled items.

    python benchmarks/events_curve.py ARCHIVES

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. Three kinds of the gold standard are
taken for categories of a user's own: five words or none, no silver labels, no packaged model. Labelled items are drawn
at random, three quarters of the kind's stratum and one of the others, of those that are not kept for judging. Scores
are means of ten draws: log loss for each event, with the words and without, expected by true, and the mean distance of
stated and true in five bins of equal size.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.events.learn.labels import labelled_candidates
from nlpcalib.events.learn.model import EventModel, first_guess, learn
from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, load_lexicon

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import READ_TWICE, annotated, gold_rows, kept_for_judging, news_items, sources

WORDS = {
    "force": ("attack", "bomb", "kill", "strike", "fight"),
    "protest": ("protest", "demonstrate", "demonstration", "rally", "riot"),
    "sanction": ("sanction", "embargo", "tariff", "ban", "impose"),
}
SIZES = (50, 100, 200, 400)
DRAWS = 10


def main(archives: Path) -> None:
    """Print the curves."""
    every = gold_rows(READ_TWICE)
    wanted = {(row["corpus"], row["id"]) for row in every}
    texts = {key: text for key, text in news_items(archives) if key in wanted}
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    for kind, words in WORDS.items():
        rows = [row for row in every if annotated(row, kind)]
        labels = {row["id"]: frozenset(sources(row, kind)) for row in rows}
        unseen = [texts[row["corpus"], row["id"]] for row in rows if kept_for_judging(row)]
        own, other = (
            [
                texts[row["corpus"], row["id"]]
                for row in rows
                if not kept_for_judging(row) and (row["stratum"] == kind) == inside
            ]
            for inside in (True, False)
        )
        for size in SIZES:
            drawn = min(size * 3 // 4, len(own)), min(size - size * 3 // 4, len(other))
            scores: dict[bool, list[tuple[float, ...]]] = {True: [], False: []}
            for draw in range(DRAWS):
                rng = np.random.default_rng(draw)
                chosen = [
                    part[place]
                    for part, number in zip((own, other), drawn, strict=True)
                    for place in rng.choice(len(part), number, replace=False)
                ]
                for given in (True, False):
                    category = EventModel(kind, "", words if given else ())
                    data = labelled_candidates(chosen, labels, category, lexicon)
                    test = labelled_candidates(unseen, labels, category, lexicon)
                    try:
                        model = learn(category, data.found, data.y, data.unit, start=first_guess(category), seed=draw)[
                            0
                        ]
                    except InputError:
                        continue
                    p, y = model.probabilities(test.found), test.y
                    parts = np.array_split(np.argsort(p), 5)
                    distance = float(np.mean([abs(p[part].mean() - y[part].mean()) for part in parts]))
                    loss = float(-np.log(np.where(y > 0, p, 1 - p)).sum() / y.sum())
                    scores[given].append((loss, float(p.sum() / y.sum()), distance))
            with_words, without = (np.mean(scores[given], axis=0) for given in (True, False))
            print(
                f"{kind:9} {sum(drawn):4} items: loss {with_words[0]:.2f} with words, {without[0]:.2f} without; "
                f"expected {with_words[1]:.2f}, distance {with_words[2]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    main(**vars(parser.parse_args()))
