"""What events are found in reports that were written to be hard, by the packaged models and by the verb *attack*.

    python benchmarks/fresh_reports.py [TABLE]

TABLE has the columns of tests/data/events/fresh_reports.csv, which is read by default; `codebook.md` beside it says how
these reports were annotated. Do not correct a model by the errors: the reports are there to judge.
"""

import argparse
import csv
from pathlib import Path

import numpy as np

import nlpcalib as nc

FRESH = Path(__file__).parents[1] / "tests" / "data" / "events" / "fresh_reports.csv"
_LEAST = 1e-4
"""Probabilities nearer to 0 or 1 are clipped in the log loss: countries that are not found have none."""


def scores(found: dict[tuple[str, str], float], true: set[tuple[str, str]]) -> str:
    """Return true and expected numbers, precision and recall at .5, and log loss for each event, as a row."""
    keys = sorted(found.keys() | true)
    p = np.array([found.get(key, 0.0) for key in keys])
    y = np.array([key in true for key in keys])
    said, q = p > 0.5, np.clip(p, _LEAST, 1 - _LEAST)
    loss = -np.log(np.where(y, q, 1 - q)).sum() / y.sum()
    hits = (said & y).sum()
    return f"{y.sum()} | {p.sum():.1f} | {hits} of {said.sum()} | {hits} of {y.sum()} | {loss:.2f}"


def main(path: Path) -> None:
    """Print a row for each category, its pairs and the verb, and whether intervals of totals hold."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = [{name: row[name] for name in ("id", "date", "text")} for row in rows]
    print("what | true | expected | precision | recall | log loss")
    for name in ("protest", "assault", "sanction", "attack"):
        report = nc.find_events(texts, name, period="year")
        events = {(row["document"], row["country"]): row["probability"] for row in report.document_events}
        for column in ("attack_literal", "attack_any") if name == "attack" else (name,):
            marks = {(row["id"], mark) for row in rows for mark in row[column].split()}
            print(f"{column} | {scores(events, {(each, mark.split('>')[0]) for each, mark in marks})}")
            pairs = {(each, mark) for each, mark in marks if ">" in mark}
            if pairs:
                dyads = {
                    (row["document"], f"{row['source']}>{row['target']}"): row["probability"] for row in report.dyads
                }
                print(f"{column}, pairs | {scores(dyads, pairs)}")
            whole = report.totals[0]
            documents = len({each for each, _ in marks})
            print(f"   documents: {documents} true, {whole['mean']:.1f} ({whole['low']} to {whole['high']})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", type=Path, nargs="?", default=FRESH)
    main(parser.parse_args().reports)
