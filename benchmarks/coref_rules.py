"""Rules about people as fitted costs in place of exclusions, on documents that taught neither the model nor the costs.

    python benchmarks/coref_rules.py CORPORA LITBANK GAP

The arguments are those of `coref_before_after.py`. A cost is the log odds against a link to which its rule applies.
Costs are fitted to the antecedents in OntoGUM's training documents of the model's genres and in LitBank's training
fold, by maximum likelihood, with the model's weights as they are. Printed are the costs; the log loss of held-out
antecedents with exclusions, with costs and without rules; and what costs change in pairs, in the columns of
`coref_before_after.py`.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from coref_before_after import PACKAGED_MODEL, TAUGHT, compare, load_model, load_parser, measure, read_conllu
from scipy.optimize import minimize

from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.mentions import candidate_mentions, corefer, entities_of
from nlpcalib.systems.text.document import Document
from reproduction.corpora.readers.litbank import read_litbank

EXCLUDED = -np.log(1e-4)
"""The cost that stands for an exclusion in log losses, as `coref_before_after.py` clips probabilities."""
_by_people = Constraints._by_people


def with_costs(costs: np.ndarray):
    """Return a context in which the rules that exclude have these costs."""

    def rules(self, table):
        rest = iter(costs)
        return {
            name: replace(rule, cost=next(rest)) if np.isinf(rule.cost) else rule
            for name, rule in _by_people(self, table).items()
        }

    return patch.object(Constraints, "_by_people", rules)


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
            true[p == 0] = 0
            together = applies @ (1 << np.arange(len(self.names)))
            for i in np.flatnonzero(np.tril(together * (p > 0), -1).any(axis=1)):
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

    def loss(self, costs: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log loss of the true antecedents, and its gradient by the costs."""
        power = np.exp(-(self.rules @ costs))
        every, right = self.every * power, self.right * power
        total = np.bincount(self.rows, every) + self.new
        of_true = np.where(self.anaphoric, np.bincount(self.rows, right), self.new)
        share = every / total[self.rows] - np.where(self.anaphoric, 1 / of_true, 0)[self.rows] * right
        return float(np.log(total / of_true).sum()), -share @ self.rules


def main() -> None:
    """Fit the costs, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("corpora", "litbank", "gap"):
        options.add_argument(name, type=Path)
    given = options.parse_args()
    gum = {part: list(read_conllu(given.corpora / "ontogum" / f"{part}.conllu")) for part in ("train", "dev", "test")}
    taught = [document for document in gum["train"] if document.metadata["genre"] in TAUGHT]
    other = [d for documents in gum.values() for d in documents if d.metadata["genre"] not in TAUGHT]
    training = Antecedents([*taught, *read_litbank(given.litbank, "train")])
    size = len(training.names)
    costs = minimize(training.loss, np.full(size, 3.0), jac=True, method="L-BFGS-B", bounds=[(0, 15)] * size).x
    print("rule,cost", *(f"{name!r},{cost:.2f}" for name, cost in zip(training.names, costs, strict=True)), sep="\n")
    for name, documents in (("OntoGUM", other), ("LitBank", read_litbank(given.litbank, "test"))):
        held = Antecedents(documents)
        losses = [held.loss(each)[0] for each in (np.full(size, EXCLUDED), costs, np.zeros(size))]
        print(f"{name}: log loss of antecedents, excluded, with costs, without:", *(f"{each:.0f}" for each in losses))
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "exclusions"), Path(folder, "costs")
        for path, context in ((before, nullcontext()), (after, with_costs(costs))):
            with context:
                path.write_text("".join(json.dumps(row) + "\n" for row in measure(**vars(given))), "utf-8")
        compare(before, after)


if __name__ == "__main__":
    main()
