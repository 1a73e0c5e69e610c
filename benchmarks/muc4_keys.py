"""How many of the incidents in MUC-4's answer keys a query of MUC-3 finds.

    python benchmarks/muc4_keys.py RESULTS QUERY

RESULTS is the folder results of a run with configs/open.yaml (the query incident) or with benchmarks/muc4_acts.yaml
laid over it (acts). Printed is the share of the keys' pairs of a message and a perpetrator's country that have a
probability of one half or more, and how many pairs are found in messages of the keys. Precision cannot be judged:
combat between armed forces is no incident for MUC.
"""

import argparse
from collections import Counter
from pathlib import Path

from nlpcalib.io.files import read_csv


def main(results: Path, query: str) -> None:
    """Print the shares of a query."""
    rows = read_csv(results / "estimation" / "muc3" / query / "reference.csv")
    true = {(row["document"], country) for row in rows for country in row["countries"].split()}
    messages = {row["document"] for row in rows}
    probabilities = {
        (row["document"], row["country"]): float(row["probability"])
        for row in read_csv(results / "events" / "muc3" / query / "document_events.csv")
    }
    found = {pair for pair, probability in probabilities.items() if probability >= 0.5 and pair[0] in messages}
    hits = found & true
    print(f"{query}: {len(hits)} of {len(true)} pairs of the keys = {len(hits) / len(true):.3f}; {len(found)} found")
    for country, _ in Counter(country for _, country in true).most_common(3):
        own = [sum(pair[1] == country for pair in pairs) for pairs in (hits, true)]
        print(f"  {country}: {own[0]} of {own[1]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("query", metavar="QUERY")
    main(**vars(parser.parse_args()))
