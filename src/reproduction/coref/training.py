"""Training: L-BFGS on the likelihood of the gold antecedents, with an L2 penalty.

A mention's gold antecedents are all earlier mentions of its entity, or NEW if there are none; the likelihood sums over
them (Durrett and Klein 2013, equation 3). Their softmax-margin costs are an option, to show what they do to
calibration: the paper's model needs them to be 0.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize
from threadpoolctl import threadpool_limits

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from nlpcalib.systems.coref.model.attributes import MentionTable, mention_table
from nlpcalib.systems.coref.model.mentions import MENTIONS, candidate_mentions, corefer, entities_of
from nlpcalib.systems.coref.model.pair_templates import TEMPLATES, PairTemplates
from nlpcalib.systems.coref.model.templates import (
    Features,
    History,
    antecedent_features,
    current_features,
    feature_matrix,
)
from nlpcalib.systems.coref.model.weights import K, Weights, size_of
from nlpcalib.systems.text.document import Document
from reproduction.coref.gap import numbered_pairs
from reproduction.coref.labelled_pairs import LabelledPairs, PairLabel

MIN_FEATURE_COUNT, MIN_WORD_COUNT = 5, 10
"""Occurrences that a feature needs, and a lexical value, which counts as its back-off with fewer."""
_ROWS_PER_BLOCK = 256
_ITERATIONS_PER_CHECKPOINT = 50
"""Iterations between checkpoints. L-BFGS begins anew after each, so that a resumed training equals one in one go."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What softmax-margin training adds to the score of each kind of error; all 0 is plain likelihood."""

    false_anaphor: float = 0.0
    false_new: float = 0.0
    wrong_link: float = 0.0


class TrainingPairs:
    """The M mentions and P pairs of a corpus, ready for passes over them, at 29 bytes a pair.

    Documents follow each other, and so do the rows of pairs (i, j), j < i, of their mentions i.
    """

    def __init__(
        self,
        tables: Sequence[MentionTable],
        entities: Sequence[Sequence[str | None]],
        labels: Sequence[Sequence[PairLabel]] = (),
    ) -> None:
        """Take documents' mentions and their gold entities, `None` for a mention that no entity has.

        The last `len(labels)` documents have labels of some pairs instead of entities, and are trained on those.
        """
        histories = [History(table) for table in tables]
        current, antecedent = [], []
        for both in zip(tables, histories, strict=True):  # one table after the other, which shares what is common
            current.append(list(current_features(*both)))
            antecedent.append(list(antecedent_features(*both)))
        self.current_vocabulary = build_vocabulary(current)
        self.antecedent_vocabulary = build_vocabulary(antecedent)
        self.current = feature_matrix([row for rows in current for row in rows], self.current_vocabulary)
        self.antecedent = feature_matrix([row for rows in antecedent for row in rows], self.antecedent_vocabulary)
        self.mentions = sum(map(len, tables))
        allowed = []
        self.combinations = {group: Combinations() for group in TEMPLATES}
        for table, history in zip(tables, histories, strict=True):
            links, parts = _pair_keys(table, history)
            allowed.append(links)
            for group, keys in parts.items():
                self.combinations[group].add(keys)
        lengths = np.concatenate([links.sum(axis=1) for links in allowed] or [np.zeros(0, np.int64)])
        self.rows = np.flatnonzero(lengths)
        """Mentions that have any before them which they can link to: only they have a choice."""
        if not self.rows.size:
            raise InputError("found no document with two mentions, expected documents to train on")
        self.lengths = lengths[self.rows]
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.u_index, self.v_index = _unary_indices(tables, allowed)
        whole = len(tables) - len(labels)
        self.gold = np.concatenate(
            [_gold(names)[links] for names, links in zip(entities, allowed[:whole], strict=True)]
            + [np.zeros(links.sum(), dtype=bool) for links in allowed[whole:]]
        )
        self.anaphoric = np.add.reduceat(self.gold, self.starts, dtype=np.int64) > 0
        self.labelled = LabelledPairs(allowed[whole:], labels)
        self.whole = int(np.searchsorted(self.starts, self.gold.size - self.labelled.size))
        """Rows of documents with entities; those of documents with labels follow."""
        self.pairs = {group: combinations.finish() for group, combinations in self.combinations.items()}

    @classmethod
    def of(cls, documents: Sequence[Document], mentions: str, snippets: Sequence[Document] = ()) -> TrainingPairs:
        """Make them of annotated documents, with the mentions that `MENTIONS[mentions]` finds, and of GAP's snippets.

        Snippets are documents of `reproduction.coref.gap.with_labels`; in them, mentions are those of the trees.
        """
        spans = [MENTIONS[mentions](document) for document in documents]
        found = [candidate_mentions(document) for document in snippets]
        tables = [mention_table(*both) for both in zip([*documents, *snippets], [*spans, *found], strict=True)]
        labels = [numbered_pairs(*both) for both in zip(snippets, found, strict=True)]
        return cls(tables, [entities_of(*both) for both in zip(spans, documents, strict=True)], labels)

    @property
    def size(self) -> int:
        """Return the number of weights."""
        return size_of(len(self.current_vocabulary), len(self.antecedent_vocabulary))

    def weights(self, vector: np.ndarray) -> Weights:
        """See a vector, float64 (size,), as this corpus' weights."""
        return Weights.of(vector, len(self.current_vocabulary), len(self.antecedent_vocabulary))

    def objective(self, vector: np.ndarray, l2: float, costs: Costs) -> tuple[float, np.ndarray]:
        """Return the negative log-likelihood with the penalty `l2 / 2 · |vector|²`, and its gradient, (size,)."""
        new, scores = self._scores(self.weights(vector))
        anaphoric = np.repeat(self.anaphoric, self.lengths)
        if any(astuple(costs)):
            new += np.where(self.anaphoric, costs.false_new, 0.0)
            scores += np.where(anaphoric, np.where(self.gold, 0.0, costs.wrong_link), costs.false_anaphor)
        highest = np.maximum(np.maximum.reduceat(scores, self.starts), new)
        scores -= np.repeat(highest, self.lengths)
        new -= highest
        # Gold scores are taken against their own highest: it may be far below the row's.
        gold = np.where(self.gold, scores, -np.inf)
        best = np.where(self.anaphoric, np.maximum.reduceat(gold, self.starts), new)
        gold -= np.repeat(best, self.lengths)
        np.exp(gold, out=gold)
        within = np.where(self.anaphoric, np.add.reduceat(gold, self.starts), 1.0)
        np.exp(scores, out=scores)
        total = np.add.reduceat(scores, self.starts) + np.exp(new)
        values = np.log(total) - np.log(within) - best
        value = float(np.sum(values[: self.whole])) + l2 / 2 * float(vector @ vector)
        scores /= np.repeat(total, self.lengths)
        of_new = np.exp(new) / total
        split = self.gold.size - self.labelled.size
        loss, by_probability = self.labelled.loss(scores[split:])
        # Of a softmax, given the derivatives by its probabilities; that by P(NEW) is 0.
        products = scores[split:] * by_probability
        sums = np.add.reduceat(products, self.starts[self.whole :] - split) if self.labelled.size else np.zeros(0)
        of_labels = products - scores[split:] * np.repeat(sums, self.lengths[self.whole :])
        of_new[: self.whole] -= ~self.anaphoric[: self.whole]
        of_new[self.whole :] *= -sums
        scores -= np.divide(gold, np.repeat(within, self.lengths), out=gold)
        scores[split:] = of_labels
        return value + loss, self._gradient(of_new, scores) + l2 * vector

    def _scores(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of NEW, (rows,), and of all pairs, (P,)."""
        scores = np.take(weights.of_current(self.current).ravel(), self.u_index)
        scores += np.take(weights.of_antecedent(self.antecedent).ravel(), self.v_index)
        for group, combinations in self.combinations.items():
            scores += np.take(combinations.scores(weights, group), self.pairs[group])
        return weights.new(self.current)[self.rows], scores

    def _gradient(self, new: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return the gradient, (size,), for that with respect to the scores of NEW and of pairs."""
        weights = self.weights(np.zeros(self.size))
        of_new = np.zeros(self.mentions)
        of_new[self.rows] = new
        u, v = (np.bincount(index, scores, self.mentions * K).reshape(-1, K) for index in (self.u_index, self.v_index))
        weights.current[:] += self.current.T @ np.column_stack([of_new, u.sum(axis=1), u])
        weights.antecedent[:] += self.antecedent.T @ np.column_stack([v.sum(axis=1), v])
        for group, combinations in self.combinations.items():
            combinations.add_gradient(weights, group, np.bincount(self.pairs[group], scores, len(combinations)))
        return weights.vector

    def fingerprint(self, *settings: object) -> str:
        """Return a hash of everything that the result of a training depends on."""
        digest = hashlib.sha256(
            repr((list(self.current_vocabulary), list(self.antecedent_vocabulary), settings)).encode()
        )
        for array in (
            *(part for matrix in (self.current, self.antecedent) for part in (matrix.indptr, matrix.indices)),
            *(self.lengths, self.u_index, self.v_index, self.gold, self.labelled.labels),
            *(combinations.keys for combinations in self.combinations.values()),
            *self.pairs.values(),
        ):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


class Combinations:
    """The distinct combinations of a group's values and the two types: a pair stores its combination's number."""

    def __init__(self) -> None:
        self._distinct: list[np.ndarray] = []
        self._pairs: list[np.ndarray] = []
        self.keys = np.zeros(0, np.int64)

    def __len__(self) -> int:
        """Return the number of combinations."""
        return self.keys.size

    def add(self, keys: np.ndarray) -> None:
        """Take the keys, int64 (pairs,), of a document's pairs."""
        distinct, numbers = np.unique(keys, return_inverse=True)
        self._distinct.append(distinct)
        self._pairs.append(numbers.astype(np.int32))

    def finish(self) -> np.ndarray:
        """Return the number of each pair's combination, int32 (P,), once all documents are in."""
        self.keys, numbers = np.unique(np.concatenate(self._distinct), return_inverse=True)
        by_document = np.split(numbers.astype(np.int32), np.cumsum([part.size for part in self._distinct])[:-1])
        pairs = np.concatenate([number[part] for number, part in zip(by_document, self._pairs, strict=True)])
        del self._distinct, self._pairs
        return pairs

    def indices(self, group: str) -> dict[str, np.ndarray]:
        """Return where each combination's value of each template stands in that template's table (values, K²)."""
        keys, types = np.divmod(self.keys, K * K)
        values = {}
        for template, count in reversed(TEMPLATES[group].items()):
            keys, values[template] = np.divmod(keys, count)
        return {template: value * (K * K) + types for template, value in values.items()}

    def scores(self, weights: Weights, group: str) -> np.ndarray:
        """Return the score of each combination."""
        return np.sum([weights.of_pairs(name).ravel()[at] for name, at in self.indices(group).items()], axis=0)

    def add_gradient(self, weights: Weights, group: str, gradient: np.ndarray) -> None:
        """Add the gradient of each combination's score to that of the weights."""
        for template, at in self.indices(group).items():
            count = TEMPLATES[group][template]
            with_both = np.bincount(at, gradient, count * K * K).reshape(count, K * K)
            with_current = with_both.reshape(-1, K, K).sum(axis=2)
            alone = with_current.sum(axis=1, keepdims=True)
            weights.pairs[template][:] += np.concatenate([alone, with_current, with_both], axis=1)


def _pair_keys(table: MentionTable, history: History) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return which links of a document can be, bool (N, N), and the keys of those of each group."""
    templates = PairTemplates(table, history)
    links = np.zeros((len(table), len(table)), dtype=bool)
    parts: dict[str, list[np.ndarray]] = {group: [] for group in TEMPLATES}
    for first in range(0, len(table), _ROWS_PER_BLOCK):
        last = min(first + _ROWS_PER_BLOCK, len(table))
        links[first:last, :last] = templates.links(first, last)
        rows, columns = np.nonzero(links[first:last, :last])
        types = table.type[first + rows] * K + table.type[columns]
        for group, values in templates.block(first, links[first:last, :last]).items():
            keys = np.zeros(types.size, dtype=np.int64)
            for template, count in TEMPLATES[group].items():
                keys *= count
                keys += values[template]
            keys *= K * K
            keys += types
            parts[group].append(keys)
    return links, {group: np.concatenate([np.zeros(0, np.int64), *part]) for group, part in parts.items()}


def _unary_indices(tables: Sequence[MentionTable], allowed: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return where each pair's entries of U and V stand in those tables (M, K), int32 (P,) each."""
    u, v, offset = [], [], 0
    for table, links in zip(tables, allowed, strict=True):
        i, j = np.nonzero(links)
        u.append(((offset + i) * K + table.type[j]).astype(np.int32))
        v.append(((offset + j) * K + table.type[i]).astype(np.int32))
        offset += len(table)
    return np.concatenate(u), np.concatenate(v)


def _gold(entities: Sequence[str | None]) -> np.ndarray:
    """Return whether mentions i and j < i share an entity, bool (N, N)."""
    matrix = np.zeros((len(entities), len(entities)), dtype=bool)
    matrix[np.tril_indices(len(entities), -1)] = corefer(entities)
    return matrix


def fit(
    pairs: TrainingPairs, *, l2: float, iterations: int, costs: Costs, checkpoint: Path, library: str = ""
) -> Weights:
    """Return the weights after `iterations` of L-BFGS, or at the optimum if it comes first.

    Every few iterations they are written to `checkpoint`. A file there that belongs to the same training is gone on
    from, with the same result to the bit; any other is ignored and replaced. A training is the same with the same data
    and settings, the same versions of NumPy and SciPy, and the same checksum of this code, which `library` is.
    """
    versions = (library, np.__version__, scipy.__version__)
    fingerprint = pairs.fingerprint(l2, iterations, _ITERATIONS_PER_CHECKPOINT, asdict(costs), versions)
    done, vector = _read_checkpoint(checkpoint, fingerprint, pairs.size)
    if done:
        logging.info("going on from iteration %d, found in %s", done, checkpoint)
    while done < iterations:
        # Several threads would split sums, and the last bits depend on how many there are.
        with threadpool_limits(1):
            result = optimize.minimize(
                pairs.objective,
                vector,
                args=(l2, costs),
                jac=True,
                method="L-BFGS-B",
                options={
                    "maxiter": min(_ITERATIONS_PER_CHECKPOINT, iterations - done),
                    "maxfun": 10 * _ITERATIONS_PER_CHECKPOINT,
                },
            )
        vector = result.x
        logging.info("iteration %d of %d: objective %.3f", done + result.nit, iterations, result.fun)
        # A round that ends early is the last: to go on from it would be another training.
        done = done + _ITERATIONS_PER_CHECKPOINT if result.nit == _ITERATIONS_PER_CHECKPOINT else iterations
        _write_checkpoint(checkpoint, fingerprint, done, vector)
    return pairs.weights(vector)


def _read_checkpoint(path: Path, fingerprint: str, size: int) -> tuple[int, np.ndarray]:
    try:
        found = read_arrays(path, ("fingerprint", "done", "vector"), expected="expected a checkpoint")
    except (FileNotFoundError, InputError):
        return 0, np.zeros(size)
    if found["fingerprint"].tobytes() != fingerprint.encode() or found["vector"].shape != (size,):
        return 0, np.zeros(size)
    return int(found["done"]), found["vector"]


def _write_checkpoint(path: Path, fingerprint: str, done: int, vector: np.ndarray) -> None:
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, fingerprint=np.frombuffer(fingerprint.encode(), np.uint8), done=done, vector=vector)


def build_vocabulary(documents: Iterable[Features]) -> dict[str, int]:
    """Return the features that occur at least MIN_FEATURE_COUNT times, numbered in alphabetical order.

    A lexical value that occurs fewer than MIN_WORD_COUNT times counts as its back-off instead.
    """
    counts = Counter(feature for features in documents for row in features for feature in row)
    words: Counter[str] = Counter()
    for feature, count in counts.items():
        value, lexical, _ = feature.partition("\t")
        if lexical:
            words[value] += count
    kept: Counter[str] = Counter()
    for feature, count in counts.items():
        value, lexical, backoff = feature.partition("\t")
        kept[backoff if lexical and words[value] < MIN_WORD_COUNT else value] += count
    return {
        name: number
        for number, name in enumerate(sorted(name for name, count in kept.items() if count >= MIN_FEATURE_COUNT))
    }
