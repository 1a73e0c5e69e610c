"""Counts by a learned model on known truth: bias and coverage, where words find most events or few.

    python benchmarks/learnt_counts.py [DRAWS [REGIME …]]

Made-up corpora of texts that name a country. Events have a word of the model, *quake* or *earthquake*, in a share of
them; the others are reported in other words. Three corpora have 396 texts, 1 in 7 with an event, and 100 random labels.
The fourth has 2,000 texts, 1 in 70 with a word, and the 150 labels of `plan_items` with `match`. Printed are the mean
sum by the true number, coverage and mean width of 95 % intervals, of `find_events` with a learned model, of `estimate`
with the same labels, and the sum of TF-IDF and logistic regression, weighted by the plan. *Mean level* has the sum and
error of the posterior mean of the count in place of what the median level expects.

In two more corpora a text names three countries, and words find .4 of the events. These are of one of the countries,
or of all three together; pairs of a text and a country are counted.
"""

import argparse
import warnings
from contextlib import suppress

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import nlpcalib as nc
from nlpcalib.errors import InputError

RARE, ONE_OF_THREE, ALL_THREE = "1 in 70 has a word", "one of three countries", "three countries together"
REGIMES = {
    "words of 95 %": 0.95, "words of 70 %": 0.7, "words of 40 %": 0.4, RARE: 0.9, ONE_OF_THREE: 0.4, ALL_THREE: 0.4,
}  # fmt: skip
"""The share of events that have a word, by corpus."""
SEVERAL = (ONE_OF_THREE, ALL_THREE)
DRAWS = 120
NAMES = {"JPN": "Japan", "PER": "Peru", "ITA": "Italy", "TUR": "Turkey", "IRN": "Iran", "MEX": "Mexico",
         "NPL": "Nepal", "CHL": "Chile"}  # fmt: skip
WORDED = (
    "A strong {word} hit {name}",
    "Rescuers search ruins in {name} after the {word}",
    "{word} kills six in {name}",
)
OTHERS = ("The ground shook in {name}", "Houses fell and people fled in {name}", "Aftershocks alarm {name}")
FALSE = ("{name} marks the {word} of 1906", "A film on the {word} opens in {name}", "{name} holds a {word} drill")
NOTHING = ("The president of {name} visits a school", "{name} wins the cup", "Shares rise in {name}", "{name} votes")


def corpus(seed: int, regime: str) -> tuple[list[dict], np.ndarray, list[list[str]]]:
    """Return texts, whether each reports an event, and the codes of the countries that have it, or would have."""
    rng = np.random.default_rng(seed)
    covered, rare = REGIMES[regime], regime == RARE
    n, rate, false = (2_000, 0.012, 0.003) if rare else (396, 1 / 7, 0.05)
    filler = [f"w{number}" for number in range(200)]
    y, texts, of_countries = rng.random(n) < rate, [], []
    for number in range(n):
        has = rng.random() < (covered if y[number] else false)
        of = (WORDED if has else OTHERS) if y[number] else (FALSE if has else NOTHING)
        if not has and rng.random() < 0.1:  # words alone do not decide
            of = OTHERS + NOTHING
        names = rng.choice(list(NAMES), 3, replace=False).tolist() if regime in SEVERAL else [rng.choice(list(NAMES))]
        told = names[:1] if regime == ONE_OF_THREE else names
        body = str(rng.choice(of)).format(
            name=" and ".join(NAMES[each] for each in told), word=rng.choice(["quake", "earthquake"])
        )
        if told != names:
            body += f". {' and '.join(NAMES[each] for each in names[1:])} send aid"
        of_countries.append(told)
        texts.append(
            {
                "id": f"d{number}",
                "date": f"20{10 + number % 10}-05-01",
                "text": f"{body} {' '.join(rng.choice(filler, 12))}.",
            }
        )
    return texts, y, of_countries


def answers(seed: int, regime: str) -> dict[str, tuple[float, float, float]]:
    """Return sums by the true number, with lower and upper ends, of each method."""
    texts, y, countries = corpus(seed, regime)
    bodies = [text["text"] for text in texts]
    nothing = (np.nan,) * 3
    peers = {"estimate": nothing, "TF-IDF": nothing}
    if regime == RARE:
        plan = nc.plan_items(texts=bodies, match="quake", budget=150, seed=seed)
        rows = list(plan.rows)
        estimate = nc.estimate(None, {int(row): int(y[row]) for row in rows}, plan=plan, texts=bodies)
    else:
        rows = np.random.default_rng(seed).permutation(len(y))[:100].tolist()
        estimate = nc.estimate(np.full(len(y), 0.5), {int(row): int(y[row]) for row in rows}, texts=bodies)
    labels = {f"d{row}": countries[row] if y[row] else [] for row in rows}
    model = nc.learn_events(texts, labels, words=["quake", "earthquake"], category="quake").model
    report = nc.find_events(texts, model, period="decade")
    if regime in SEVERAL:
        count = report.counts.together(report.counts.cells.values())
        true = float(sum(len(each) for each, event in zip(countries, y, strict=True) if event))
    else:
        count, true = report.of_any_country.together(report.of_any_country.cells.values()), float(y.sum())
        has = np.array(["quake" in body for body in bodies])
        weight = np.array([np.sum(has == has[row]) / np.sum(has[rows] == has[row]) for row in rows])
        peer = make_pipeline(TfidfVectorizer(), LogisticRegression())
        peer.fit([bodies[row] for row in rows], y[rows], logisticregression__sample_weight=weight * len(rows) / len(y))
        total = float(peer.predict_proba(bodies)[:, 1].sum())
        peers = {"estimate": (estimate.total, estimate.low, estimate.high), "TF-IDF": (total, np.nan, np.nan)}
    stated, mean = float(count.probabilities.sum()), float(count.pmf @ np.arange(count.pmf.size))
    return {
        "median level": (stated, *count.interval()),
        "mean level": (mean, np.nan, np.nan),
        **peers,
        "true": (true,) * 3,
    }


def summary(regime: str, found: list[dict[str, tuple[float, float, float]]]) -> list[str]:
    """Return bias, coverage and width of each method over draws, in words."""
    true = np.array([each["true"][0] for each in found])
    lines = []
    for method in ("median level", "mean level", "estimate", "TF-IDF"):
        total, low, high = np.array([each[method] for each in found]).T
        if np.isnan(total).any():
            continue
        line = (
            f"{regime}, {method}: sum {total.sum() / true.sum():.3f} of {true.mean():.1f}, error "
            f"{np.sqrt(np.mean((total - true) ** 2)):.1f}"
        )
        if not np.isnan(low).any():
            above, below = np.mean(true < low - 1e-6), np.mean(true > high + 1e-6)
            line += (
                f", coverage {1 - above - below:.3f} of {len(found)} (interval too high {above:.3f}, too low "
                f"{below:.3f}), width {np.mean(high - low):.1f}"
            )
        lines.append(line)
    return lines


def main(draws: int, regimes: list[str]) -> None:
    """Print each regime's bias, coverage and width."""
    warnings.simplefilter("ignore")
    for regime in regimes:
        found = []
        for seed in range(draws):
            with suppress(InputError):  # too few distinct events to learn from
                found.append(answers(seed, regime))
        print(*summary(regime, found), sep="\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("draws", nargs="?", type=int, default=DRAWS)
    parser.add_argument("regimes", nargs="*", choices=list(REGIMES), default=list(REGIMES))
    main(**vars(parser.parse_args()))
