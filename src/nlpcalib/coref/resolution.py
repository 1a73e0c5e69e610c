"""What a model says of a document: mentions, antecedents, pairs and entities, each with its probability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nlpcalib.coref.attributes import mention_table
from nlpcalib.coref.constraints import Constraints
from nlpcalib.coref.decoding import cluster_marginals
from nlpcalib.coref.mentions import MENTIONS, Span
from nlpcalib.coref.model import AntecedentModel, load_model
from nlpcalib.coref.posterior import pair_marginals, sample_entities, tempered
from nlpcalib.coref.templates import History
from nlpcalib.corpora.document import Document
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

PACKAGED = Path(__file__).with_name("model.npz")
"""The model that comes with the library; its `card` says what it was trained on and how good it is."""

LIMIT = 10_000
"""Most mentions of a document: memory grows with their square, to 3.2 GB for so many."""

_THRESHOLD = 0.25
"""Of average linkage, for a model whose card names none."""


@dataclass(frozen=True, eq=False)
class Resolution:
    """The posterior of a document's N mentions, and its entities."""

    document: Document
    mentions: tuple[Span, ...]
    """Sorted; mentions are numbered from 0 in this order."""
    conditionals: np.ndarray
    """A, float64 (N, N): A[i, j] is the probability that mention j is the antecedent of mention i."""
    marginals: np.ndarray
    """C, float64 (N, N): the exact probability that two mentions share an entity."""
    entities: np.ndarray
    """int64 (N,): the entity of each mention, numbered from 0 by their first mentions."""
    threshold: float
    """Mean marginal from which on two clusters became one."""
    apart: np.ndarray | None = None
    """bool (N, N), its lower triangle: mentions that cannot be one, by gender, number and speakers."""

    @cached_property
    def new(self) -> np.ndarray:
        """The probability of each mention to begin an entity, float64 (N,)."""
        return np.clip(1 - self.conditionals.sum(axis=1), 0.0, 1.0)

    @cached_property
    def members(self) -> list[np.ndarray]:
        """The mentions of each entity, in order, int64."""
        order = np.argsort(self.entities, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.entities))[:-1]) if order.size else []

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The exact probability that each entity is one, whole and with no mention more, float64 (entities,).

        It is so if its first mention begins an entity, the others have their antecedents in it, and no other mention
        has; these choices are independent.
        """
        result = np.ones(len(self.members))
        for number, members in enumerate(self.members):
            inside = self.conditionals[:, members].sum(axis=1)
            chosen = np.clip(1 - inside, 0.0, 1.0)
            chosen[members] = inside[members]
            chosen[members[0]] = self.new[members[0]]
            result[number] = chosen.prod()
        return result

    @cached_property
    def membership(self) -> np.ndarray:
        """How probable it is that each mention belongs where it is, float64 (N,).

        That is its mean marginal with the other mentions of its entity, or the probability to be alone if it is.
        """
        result = np.empty(len(self.mentions))
        for members, probability in zip(self.members, self.probabilities, strict=True):
            others = len(members) - 1
            sums = self.marginals[np.ix_(members, members)].sum(axis=1) - 1
            result[members] = sums / others if others else probability
        return result

    @cached_property
    def coherence(self) -> np.ndarray:
        """The mean marginal of each entity's pairs, or the probability of a single mention to be alone, (entities,)."""
        return np.array([self.membership[members].mean() for members in self.members])

    def samples(self, count: int, seed: int = 0) -> np.ndarray:
        """Return sampled clusterings, int32 (N, count): each mention's entity, named by that entity's first mention.

        They depend on the seed, the document's id, the conditionals and `count`, and on nothing else; see
        `nlpcalib.coref.posterior.sample_entities`.
        """
        return sample_entities(self.conditionals, count, generator(seed, "entity samples", self.document.id))


def resolve(
    documents: Iterable[Document],
    model: AntecedentModel | None = None,
    *,
    mentions: str = "predicted",
    threshold: float | None = None,
    temperature: float = 1.0,
) -> Iterator[Resolution]:
    """Resolve coreference in documents with Penn tags and Universal Dependencies, one at a time.

    Parameters
    ----------
    documents : iterable of Document
        For example those of `nlpcalib.coref.reading.read_documents`, which parses where there are no trees.
    model : AntecedentModel, optional
        The library's own if absent.
    mentions : str
        One of `MENTIONS`.
    threshold : float, optional
        Mean marginal from which on clusters become one (`nlpcalib.coref.decoding.cluster_marginals`); the model's if
        absent.
    temperature : float
        Of the antecedents' distributions, see `nlpcalib.coref.posterior.tempered`.

    Raises `InputError` for a document without tags or trees, and for one of more than `LIMIT` mentions.
    """
    model = model or load_model(PACKAGED)
    for document in documents:
        spans = MENTIONS[mentions](document)
        yield resolve_mentions(document, spans, model, threshold=threshold, temperature=temperature)


def resolve_mentions(
    document: Document,
    spans: Sequence[Span],
    model: AntecedentModel,
    *,
    threshold: float | None = None,
    temperature: float = 1.0,
) -> Resolution:
    """Resolve coreference between given mentions of a document, sorted, in sentences with trees; see `resolve`."""
    if len(spans) > LIMIT:
        raise InputError(
            f"document {document.id!r}: found {len(spans)} mentions, expected at most {LIMIT}: memory grows with "
            "their square; divide the document, for example into chapters"
        )
    if threshold is None:
        threshold = float(model.card.get("threshold", _THRESHOLD))
    table = mention_table(document, spans)
    conditionals = tempered(model.conditionals(table), temperature)
    marginals = pair_marginals(conditionals)
    apart = Constraints(table, History(table).stems).apart()
    entities = _by_first_mention(cluster_marginals(marginals, threshold, apart))
    return Resolution(document, tuple(spans), conditionals, marginals, entities, threshold, apart)


def _by_first_mention(labels: np.ndarray) -> np.ndarray:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
