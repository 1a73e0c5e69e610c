"""Fit the packaged models of events to silver and gold labels, and judge them by items that were kept unseen.

    python tools/event_weights.py ARCHIVES [--only NAMES] [--out FOLDER] [--judged TABLE]

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. Silver labels are those of
tests/data/events/silver.tsv.xz, which rules gave.

Scores are printed of countries that an item names: cross-fitted on the labels that the design was chosen by, and then
of models fitted to these on the items kept for judging, the third sample and half of the fourth. Next to the layer are
rules, rules recalibrated by a Platt map, a keyword count, a bag of words on the same labels, and the layer without
silver, with silver alone and with the rules' output as features. Pairs follow, by P(source) · P(target | source).

With --out, models fitted to all labels are written for the package. Each starts from silver if that lowers the
cross-fitted loss of all labels, and its card has both losses. Labels alone teach targets and acts.
--judged gets every score. A category takes two to five minutes of CPU.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from nlpcalib.examination.texts import first_of_equal
from nlpcalib.io.files import write_csv
from nlpcalib.recalibration.fitting import fit_logistic
from nlpcalib.systems.events.learn.candidates import ARROW, Candidate, country_candidates, pair_candidates
from nlpcalib.systems.events.learn.files import write_model
from nlpcalib.systems.events.learn.logistic import fit_l2
from nlpcalib.systems.events.learn.model import EventModel, card_of, design_of, learn, model_of
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.text.dated import DatedText

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import (
    KINDS,
    annotated,
    dyads,
    gold_rows,
    kept_for_judging,
    news_items,
    silver_rows,
    sources,
)

_STRENGTH, _LEAST = 0.1, 10
"""Of silver models: C, and candidates that have a feature."""
_BINS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
_LEAST_WEIGHT, _DIGITS = 0.01, 3
ANNOTATION = (
    "two readings of an item by a large language model with the codebook, settled by a third, and one reading of the "
    "items of the fifth sample; items were drawn with known probabilities"
)
Key = tuple[str, str]
Silver = dict[Key, dict[tuple[str, str], float]]


@dataclass(frozen=True, eq=False)
class Labelled:
    """Candidates of labelled items."""

    found: list[Candidate]
    y: np.ndarray
    unit: np.ndarray
    weight: np.ndarray
    rules: np.ndarray
    """What rules say of each."""
    unnamed: int
    """Events of countries that their item does not name, which no candidate is."""

    def part(self, chosen: np.ndarray) -> "Labelled":
        """Return some of the candidates."""
        found = [one for one, own in zip(self.found, chosen, strict=True) if own]
        y, unit, weight, rules = (a[chosen] for a in (self.y, self.unit, self.weight, self.rules))
        return Labelled(found, y, unit, weight, rules, self.unnamed)


def labelled(
    rows: Sequence[dict], texts: dict[Key, DatedText], model: EventModel, kind: str, rules: Silver, *, pairs: bool
) -> Labelled:
    """Return the candidates of the items of some rows, countries or `pairs`."""
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    keys = [(row["corpus"], row["id"]) for row in rows]
    unit = first_of_equal([texts[key].text for key in keys])
    found, columns, unnamed = [], [], 0
    for row, key, own in zip(rows, keys, unit, strict=True):
        true, named = (dyads if pairs else sources)(row, kind), set()
        for one in (pair_candidates if pairs else country_candidates)(texts[key], lexicon, model.triggers):
            found.append(one)
            named.add(one.country)
            said = rules[key].get((model.name, one.country), 0.0)
            columns.append((one.country in true, own, 1 / float(row["inclusion"]), said))
        unnamed += len(true - named)
    y, units, weight, read = map(np.array, zip(*columns, strict=True))
    return Labelled(found, y.astype(float), units, weight, read, unnamed)


def scores(kind: str, labels: str, system: str, p: np.ndarray, data: Labelled, draws: int = 500) -> dict[str, object]:
    """Return what is reported of a system: its probabilities `p` (N,) of candidates."""
    q, y = np.clip(p, 1e-6, 1 - 1e-6), data.y
    loss = -(y * np.log(q) + (1 - y) * np.log1p(-q))
    said, sure, place = p >= 0.5, p >= 0.99, np.digitize(p, _BINS)
    units, code = np.unique(data.unit, return_inverse=True)
    sums = np.array([np.bincount(code, each, minlength=len(units)) for each in (loss, y)])
    drawn = np.random.default_rng(0).multinomial(len(units), np.full(len(units), 1 / len(units)), size=draws)
    ratio = (drawn @ sums[0]) / (drawn @ sums[1])
    bins = {
        f"bin {number}": f"{p[own].mean():.3f} {y[own].mean():.3f} {own.sum()}"
        for number in range(len(_BINS) + 1)
        if (own := place == number).any()
    }
    return {
        "kind": kind, "labels": labels, "system": system, "candidates": len(y), "true": int(y.sum()),
        "unnamed": data.unnamed,
        "precision": y[said].mean() if said.any() else np.nan, "recall": y[said].sum() / y.sum(),
        "brier": ((p - y) ** 2).sum(), "loss": loss.sum() / y.sum(),
        "low": np.quantile(ratio, 0.025), "high": np.quantile(ratio, 0.975),
        "expected": p.sum() / y.sum(), "expected in corpus": (p * data.weight).sum() / (y * data.weight).sum(),
        "sure": int(sure.sum()), "sure and true": int(y[sure].sum()), **bins,
    }  # fmt: skip


def only_bag(found: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with the words of their items alone."""
    return [replace(one, features=tuple(each for each in one.features if each.startswith("item "))) for one in found]


def with_rules(data: Labelled) -> list[Candidate]:
    """Return candidates with what rules say as features."""
    extra = {True: ("rules say yes",), False: ("rules say no",)}
    return [
        replace(one, features=(*one.features, *extra[bool(read >= 0.5)]))
        for one, read in zip(data.found, data.rules, strict=True)
    ]


def silver_candidates(
    category: EventModel, texts: dict[Key, DatedText], silver: Silver
) -> tuple[list[Candidate], np.ndarray]:
    """Return the candidates of items, and what rules say of them."""
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    found, y = [], []
    for key, said in silver.items():
        for one in country_candidates(texts[key], lexicon, category.triggers):
            found.append(one)
            y.append(said.get((category.name, one.country), 0.0))
    return found, np.array(y)


def silver_model(category: EventModel, texts: dict[Key, DatedText], silver: Silver) -> EventModel:
    """Return the model of a category that silver labels teach."""
    found, y = silver_candidates(category, texts, silver)
    design, names, scale, _ = design_of(found, None, _LEAST, np.ones(len(y), dtype=bool))
    return model_of(category, fit_l2(design, y, _STRENGTH), names, scale, None)


def held_out_choice(
    category: EventModel, silver: EventModel, data: Labelled, draws: int = 500
) -> tuple[EventModel, np.ndarray, dict[str, object]]:
    """Return the model of the smaller cross-fitted loss, from `silver` or from labels alone, and what was compared.

    It comes with its cross-fitted probabilities, float64 (N,). Losses are in nats for each event, and their difference
    has a 95 % bootstrap interval over items; where it contains 0, the two do not differ.
    """
    tried = {
        name: learn(category, data.found, data.y, data.unit, start=start)
        for name, start in (("silver", silver), ("labels alone", None))
    }
    losses = {name: -np.log(np.where(data.y > 0, p, 1 - p)) for name, (_, p) in tried.items()}
    units, code = np.unique(data.unit, return_inverse=True)
    sums = [
        np.bincount(code, each, minlength=len(units)) for each in (losses["silver"] - losses["labels alone"], data.y)
    ]
    drawn = np.random.default_rng(0).multinomial(len(units), np.full(len(units), 1 / len(units)), size=draws)
    low, high = np.quantile((drawn @ sums[0]) / (drawn @ sums[1]), [0.025, 0.975])
    chosen = min(tried, key=lambda name: losses[name].sum())
    compared: dict[str, object] = {name: round(float(each.sum() / data.y.sum()), 4) for name, each in losses.items()}
    compared |= {f"expected, {name}": round(float(p.sum() / data.y.sum()), 4) for name, (_, p) in tried.items()}
    compared |= {"difference": [round(float(low), 4), round(float(high), 4)], "chosen": chosen}
    return *tried[chosen], compared


def line(row: dict[str, object]) -> str:
    """Return a row of scores as text."""
    bins = " ".join("/".join(str(value).split()[:2]) for name, value in row.items() if name.startswith("bin "))
    return (
        f"{row['kind']:9}{row['labels']:10}{row['system']:24}P {row['precision']:.2f} R {row['recall']:.2f} "
        f"Brier {row['brier']:6.1f} loss {row['loss']:5.2f} [{row['low']:.2f}, {row['high']:.2f}] "
        f"expected {row['expected']:.2f}, corpus {row['expected in corpus']:.2f} "
        f"sure {row['sure and true']}/{row['sure']} bins {bins}"
    )


def judged_by(
    category: EventModel, kind: str, rows: Sequence[dict], texts: dict[Key, DatedText], silver: Silver, rules: Silver
) -> tuple[EventModel, list[dict[str, object]]]:
    """Return a category's model of all labels, and the scores of it and of other systems."""
    start = silver_model(category, texts, silver)
    read = [row for row in rows if annotated(row, kind)]
    every = labelled(read, texts, category, kind, rules, pairs=False)
    judging = {row["id"] for row in read if kept_for_judging(row)}
    unseen = np.array([one.item in judging for one in every.found])
    seen, kept = every.part(~unseen), every.part(unseen)
    keyword = [any(each.startswith("item trigger") for each in one.features) for one in every.found]
    word = np.where(keyword, 1.0, 0.0)
    platt = fit_logistic(np.clip(seen.rules, 0.01, 0.99), seen.y)
    systems = {
        "rules": (seen.rules, kept.rules),
        "rules, Platt map": tuple(platt(np.clip(each.rules, 0.01, 0.99)) for each in (seen, kept)),
        "keyword": (word[~unseen], word[unseen]),
        "silver alone": (start.probabilities(seen.found), start.probabilities(kept.found)),
    }
    for system, first, form in (
        ("bag of words", None, lambda data: only_bag(data.found)),
        ("layer without silver", None, lambda data: data.found),
        ("layer with rules", start, with_rules),
        ("layer", start, lambda data: data.found),
    ):
        model, crossed = learn(category, form(seen), seen.y, seen.unit, start=first)
        systems[system] = (crossed, model.probabilities(form(kept)))
    parts = enumerate((("seen", seen), ("unseen", kept)))
    table = [scores(kind, name, system, p[at], data) for at, (name, data) in parts for system, p in systems.items()]
    model, crossed, compared = held_out_choice(category, start, every)
    print(f"{kind}: {compared}", flush=True)
    table.append(scores(kind, "all", "layer, cross-fitted", crossed, every))
    card = card_of(crossed, every.y, every.unit, every.unnamed) | {"held-out loss": compared}
    card |= {"items": len(read), "silver items": len(silver), "annotation": ANNOTATION}
    model = replace(model, card=card)
    if packaged_categories()[category.name].role == "agent":
        pairs = labelled(read, texts, category, kind, rules, pairs=True)
        apart = np.array([one.item in judging for one in pairs.found])
        whole = np.full(len(pairs.y), True)
        for name, own, teach, data, p in (
            ("unseen", apart, ~apart, kept, systems["layer"][1]),
            ("all", whole, whole, every, crossed),
        ):
            among, of_source = pairs.part(own), dict(zip(_sources(data), p.tolist(), strict=True))
            targets, given_source = targets_model(category, every, pairs, teach)
            both = np.array([of_source[key] for key in _sources(among)]) * given_source[own]
            table.append(scores(f"{kind} pairs", name, "layer", both, among))
        card = card_of(both, pairs.y, pairs.unit, pairs.unnamed)
        model = replace(model, targets=replace(targets, card=card))
    print(*map(line, table), sep="\n", flush=True)
    return model, table


def _sources(data: Labelled) -> list[tuple[str, str]]:
    """Return the item and the country, or source, of each candidate."""
    return [(one.item, one.country.partition(ARROW)[0]) for one in data.found]


def targets_model(
    category: EventModel, sources: Labelled, pairs: Labelled, teach: np.ndarray
) -> tuple[EventModel, np.ndarray]:
    """Return the weights of targets given a source, and cross-fitted P(target | source) of N pairs, float64 (N,).

    Labels of pairs whose source has an event teach it, among those to `teach`, bool (N,).
    """
    true = {key for key, y in zip(_sources(sources), sources.y, strict=True) if y}
    given = np.array([key in true for key in _sources(pairs)])
    learnt, crossed = learn(category, pairs.found, np.where(given & teach, pairs.y, np.nan), pairs.unit)
    return EventModel(category.name, category.definition, category.words, learnt.intercept, learnt.weights), crossed


def acts_model(model: EventModel, kind: str, texts: dict[Key, DatedText]) -> EventModel:
    """Return the weights of acts among events, of the samples in which what is only mentioned has a mark."""
    lexicon = load_lexicon(["packaged", *DEFAULT_ACTORS])
    found, y, unit = [], [], []
    for number, row in enumerate(gold_rows(("fourth", "fifth"))):
        events = sources(row, kind)
        acts = sources({f"{kind}_final": " ".join(e for e in row[f"{kind}_final"].split() if e[0] != "~")}, kind)
        for one in country_candidates(texts[row["corpus"], row["id"]], lexicon, model.triggers):
            if one.country in events:
                found.append(one)
                y.append(one.country in acts)
                unit.append(number)
    truth, units = np.array(y, dtype=float), np.array(unit)
    learnt, crossed = learn(model, found, truth, units)
    share = truth.mean()
    entropy = -(np.log(share) + (1 - share) / share * np.log1p(-share))
    card = card_of(crossed, truth, units, 0)
    print(
        f"{kind}: {card['events']} acts among {len(y)} events, log loss {card['log_loss']}, of a constant {entropy:.4f}"
    )
    return EventModel(model.name, model.definition, model.words, learnt.intercept, learnt.weights, card)


def main(archives: Path, only: Sequence[str], out: Path | None, judged: Path | None) -> None:
    """Fit, judge and write."""
    rows = gold_rows()
    taught = {(row["corpus"], row["id"]) for row in rows}
    by_use: dict[str, Silver] = {"teach": {}, "gold": {}}
    for key, use, said in silver_rows():
        by_use[use][key] = said
    wanted = taught.union(*by_use.values())
    texts = {key: text for key, text in news_items(archives) if key in wanted}
    silver = by_use["teach"]
    print(f"{len(silver)} items with silver labels, {len(taught)} with gold labels")
    kind_of = {category: kind for kind, category in KINDS.items()}
    table = []
    for name in only or packaged_categories():
        words = packaged_categories()[name]
        category = EventModel(name, words.definition, tuple(dict.fromkeys((*words.verbs, *words.nouns))))
        model, found = judged_by(category, kind_of[name], rows, texts, silver, by_use["gold"])
        table += found
        model = replace(model, acts=acts_model(category, kind_of[name], texts))
        if out is not None:
            out.mkdir(exist_ok=True)
            path = out / f"{name}.json.gz"
            write_model(path, model, least=_LEAST_WEIGHT, digits=_DIGITS)
            print(f"{path}: {path.stat().st_size:,} bytes")
    if judged is not None:
        columns = dict.fromkeys(name for row in table for name in row)
        write_csv(judged, [{name: row.get(name, "") for name in columns} for row in table])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("--only", nargs="+", default=(), choices=tuple(packaged_categories()), metavar="NAMES")
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--judged", type=Path, metavar="TABLE")
    options = parser.parse_args()
    main(options.archives, options.only, options.out, options.judged)
