"""Each rule about people with a fitted cost in place of its exclusion, on documents that taught neither.

    python benchmarks/coref_rules.py CORPORA LITBANK GAP

The arguments are those of `coref_before_after.py`. A cost is the log odds against a link to which the rule applies. It
is fitted, with the model's weights as they are and the other rules as exclusions, to the antecedents in OntoGUM's
training documents of the model's genres, which taught the model too, and in LitBank's training fold. A row for each
rule, and for all of them together, has the cost, and for held-out documents how it changes the log loss of antecedents,
in all, and that of pairs, for each mention with the 95 % interval by documents. Entities keep the exclusions.
"""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

import numpy as np
from coref_before_after import (
    MEASURES,
    PACKAGED_MODEL,
    TAUGHT,
    changes,
    load_model,
    load_parser,
    measure,
    read_conllu,
)
from scipy.optimize import minimize

from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.mentions import candidate_mentions, corefer, entities_of
from nlpcalib.systems.text.document import Document
from reproduction.corpora.readers.litbank import read_litbank

EXCLUDED = -np.log(1e-4)
"""The cost that stands for an exclusion in log losses, as `coref_before_after.py` clips probabilities."""
_by_people, _among = Constraints._by_people, Constraints.among


def with_costs(costs: np.ndarray):
    """Return a context in which the rules that exclude have these costs for antecedents, and exclude in entities."""

    def rules(self, table):
        rest, found = iter(costs.tolist()), _by_people(self, table)
        self.excluding = [rule for rule in found.values() if np.isinf(rule.cost)]
        return {name: replace(rule, cost=next(rest)) if np.isinf(rule.cost) else rule for name, rule in found.items()}

    def among(self, mentions):
        return np.any([_among(self, mentions), *(rule.between(mentions, mentions) for rule in self.excluding)], axis=0)

    return patch.multiple(Constraints, _by_people=rules, among=among)


class Antecedents:
    """Mentions with antecedents that some rule is about: probabilities by which rules apply together."""

    def __init__(self, documents: Iterable[Document]) -> None:
        """Score all links by the packaged model without rules that exclude."""
        parser, model = load_parser(), load_model(PACKAGED_MODEL)
        keys, cells, self.new, self.anaphoric = [], [], [], []
        for document in map(parser.parse_tokens, documents):
            spans = candidate_mentions(document)
            table, every = mention_table(document, spans), np.arange(len(spans))
            found = _by_people(Constraints(table), table).items()
            self.names = [name for name, rule in found if np.isinf(rule.cost)]
            applies = np.stack([rule.between(every, every) for _, rule in found if np.isinf(rule.cost)], -1)
            with with_costs(np.zeros(len(self.names))):
                p = model.conditionals(table)
            true = np.zeros_like(p)
            true[np.tril_indices(len(spans), -1)] = corefer(entities_of(spans, document))
            reached = (true * p).any(axis=1) | ~true.any(axis=1)  # elsewhere no rule decides
            together = applies @ (1 << np.arange(len(self.names)))
            for i in np.flatnonzero(np.tril(together * (p > 0), -1).any(axis=1) & reached):
                which, place = np.unique(together[i, :i], return_inverse=True)
                keys.append(which)
                cells += [(len(self.new), *pair) for pair in zip(
                    np.bincount(place, p[i, :i]), np.bincount(place, p[i, :i] * true[i, :i]), strict=True
                )]  # fmt: skip
                self.new.append(1 - p[i].sum())
                self.anaphoric.append(true[i].any())
        self.rules = (np.concatenate(keys)[:, None] >> np.arange(len(self.names))) & 1
        rows, self.every, self.right = np.array(cells).T
        self.rows = rows.astype(int)

    def loss(self, costs: np.ndarray) -> float:
        """Return the log loss of the true antecedents."""
        power = np.exp(-(self.rules @ costs))
        total = np.bincount(self.rows, self.every * power) + self.new
        of_true = np.where(self.anaphoric, np.bincount(self.rows, self.right * power), self.new)
        return float(np.log(total / of_true).sum())


def main() -> None:
    """Fit the costs, and print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("corpora", "litbank", "gap"):
        options.add_argument(name, type=Path)
    given = options.parse_args()
    gum = {part: list(read_conllu(given.corpora / "ontogum" / f"{part}.conllu")) for part in ("train", "dev", "test")}
    taught = [document for document in gum["train"] if document.metadata["genre"] in TAUGHT]
    other = [d for documents in gum.values() for d in documents if d.metadata["genre"] not in TAUGHT]
    training = Antecedents([*taught, *read_litbank(given.litbank, "train")])
    held = {"OntoGUM": Antecedents(other), "LitBank": Antecedents(read_litbank(given.litbank, "test"))}
    excluded = np.full(len(training.names), EXCLUDED)

    def fitted(own: np.ndarray) -> np.ndarray:
        start = np.where(own, 3.0, excluded)
        bounds = [(0, 15) if each else (EXCLUDED, EXCLUDED) for each in own]
        return minimize(training.loss, start, method="L-BFGS-B", bounds=bounds).x

    def pairs() -> list[dict]:
        return list(takewhile(lambda row: row["corpus"] != "GAP", measure(**vars(given))))

    one_each = np.eye(len(training.names), dtype=bool)
    before = pairs()
    print("rule,cost", *(f"{corpus}: antecedents,{corpus}: pairs" for corpus in held), sep=",")
    for name, own in zip((*training.names, "all"), (*one_each, one_each.any(axis=0)), strict=True):
        costs = fitted(own)
        with with_costs(np.where(own, costs, np.inf)):
            after = pairs()
        cells = [f'"{name}"', f"{costs[own][0]:.2f}" if own.sum() == 1 else ""]
        for corpus, documents in held.items():
            first, second = ([row for row in rows if row["corpus"] == corpus] for rows in (before, after))
            cells.append(f"{documents.loss(costs) - documents.loss(excluded):+.0f}")
            change, low, high = changes(first, second, *MEASURES["log loss"][:1])
            cells.append(f"{change:+.3f} ({low:+.3f} to {high:+.3f})")
        print(*cells, sep=",", flush=True)


if __name__ == "__main__":
    main()
