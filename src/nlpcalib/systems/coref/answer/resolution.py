"""The output of a model for a document: mentions, antecedents, pairs and entities, with their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from nlpcalib.errors import InputError, argument
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.long_documents import (
    entity_sums,
    long_posterior,
    marginal_sums,
    windowed_conditionals,
)
from nlpcalib.systems.coref.model.mentions import MENTIONS, Span
from nlpcalib.systems.coref.model.model import AntecedentModel, load_model
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities, tempered
from nlpcalib.systems.text.document import Document

PACKAGED_MODEL = Path(__file__).parents[1] / "model" / "model.npz"
"""The packaged model; its `card` has its training data and scores."""

MAX_MENTIONS = 10_000
"""Most mentions of a document that is resolved whole: memory grows with their square, to 3.2 GB at this limit."""


@dataclass(frozen=True, eq=False)
class Resolution:
    """The posterior of a document's N mentions, and its entities."""

    document: Document
    mentions: tuple[Span, ...]
    """Sorted; mentions are numbered from 0 in this order."""
    conditionals: Any
    """A, float64 (N, N): A[i, j] is the probability that mention j is the antecedent of mention i.

    An array, or a sparse one (`scipy.sparse.csr_array`) where the document was resolved in windows."""
    marginals: Any
    """C, float64 (N, N): the exact probability that two mentions share an entity.

    Sparse if the conditionals are, and then only for j < i, see `long_documents.long_posterior`."""
    entities: np.ndarray
    """int64 (N,): the entity of each mention, numbered from 0 by their first mentions."""
    threshold: float
    """Smallest mean marginal at which two clusters merged."""
    temperature: float = 1.0
    """Temperature of the antecedents' distributions."""
    window: int | None = None
    """Window of mentions in which antecedents were sought; None for the whole document."""
    left_out: float = 0.0
    """Total probability of the antecedents that windows left out."""
    never_meet: np.ndarray | None = None
    """y of `long_documents`, float64 (N,), for a document in windows."""

    @cached_property
    def new(self) -> np.ndarray:
        """The probability that each mention begins an entity, float64 (N,)."""
        return np.clip(1 - self.conditionals.sum(axis=1), 0.0, 1.0)

    @cached_property
    def members(self) -> list[np.ndarray]:
        """The mentions of each entity, in order, int64."""
        order = np.argsort(self.entities, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.entities))[:-1]) if order.size else []

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The exact probability of each entity, with all its mentions and no other, float64 (entities,).

        The first mention begins an entity, the other mentions have antecedents in it, and no other mention has. These
        choices are independent, so the probability is a product.
        """
        links = sparse.coo_array(self.conditionals)
        rows, entities = np.array(links.coords[0], np.int64), self.entities[links.coords[1]]
        # The probability that each mention has its antecedent in each entity, where it is positive.
        places, where = np.unique(rows * len(self.members) + entities, return_inverse=True)
        inside = np.bincount(where, links.data, places.size)
        rows, entities = np.divmod(places, max(len(self.members), 1))
        own = self.entities[rows] == entities
        result = np.ones(len(self.members))
        np.multiply.at(result, entities[~own], np.clip(1 - inside[~own], 0.0, 1.0))
        chosen = np.zeros(len(self.mentions))
        chosen[rows[own]] = inside[own]
        firsts = [members[0] for members in self.members]
        chosen[firsts] = self.new[firsts]
        np.multiply.at(result, self.entities, chosen)
        return result

    @cached_property
    def membership(self) -> np.ndarray:
        """The probability that each mention belongs to its entity, float64 (N,).

        It is the mean marginal with the other mentions of the entity, or P(alone) for a single mention.
        """
        others = np.bincount(self.entities)[self.entities] - 1
        if self.never_meet is None:
            sums = (self.marginals * (self.entities[:, None] == self.entities)).sum(axis=1) - 1
        else:
            sums = entity_sums(self.conditionals, self.never_meet, self.marginals, self.members)
        return np.where(others > 0, sums / np.maximum(others, 1), self.probabilities[self.entities])

    @cached_property
    def coherence(self) -> np.ndarray:
        """The mean marginal of each entity's pairs, or P(alone) for a single mention, float64 (entities,)."""
        return np.array([self.membership[members].mean() for members in self.members])

    @cached_property
    def expected_pairs(self) -> float:
        """The expected number of coreferent pairs in the document."""
        if self.never_meet is None:
            total = self.marginals.sum()
        else:
            total = marginal_sums(self.conditionals, self.never_meet, np.ones((len(self.mentions), 1))).sum()
        return float(total - len(self.mentions)) / 2

    def antecedents(self, mention: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a mention's possible antecedents in order, int64, and their probabilities, float64."""
        if self.never_meet is None:
            return np.arange(mention), self.conditionals[mention, :mention]
        row = slice(*self.conditionals.indptr[mention : mention + 2])
        return self.conditionals.indices[row], self.conditionals.data[row]

    def pairs(self, at_least: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return later mention, earlier mention, int, and marginal, float64, for all pairs, or those in windows.

        Pairs less probable than `at_least` are left out. The others are sorted by the later mention, then by the
        earlier one.
        """
        if self.never_meet is None:
            later, earlier = np.nonzero(np.tril(self.marginals >= at_least, -1))
            return later, earlier, self.marginals[later, earlier]
        places = np.flatnonzero(self.marginals.data >= at_least)
        later = np.searchsorted(self.marginals.indptr, places, side="right") - 1
        return later, self.marginals.indices[places], self.marginals.data[places]

    def samples(self, count: int, seed: int = 0) -> np.ndarray:
        """Return sampled clusterings, int32 (N, count): each mention's entity, numbered by the entity's first mention.

        They depend only on the seed, the document's id, the conditionals and `count`; see
        `nlpcalib.systems.coref.model.posterior.sample_entities`.
        """
        return sample_entities(self.conditionals, count, generator(seed, "entity samples", self.document.id))


def resolve(
    documents: Iterable[Document],
    model: AntecedentModel | None = None,
    *,
    mentions: str = "predicted",
    threshold: float | None = None,
    temperature: float = 1.0,
    window: int | None = None,
) -> Iterator[Resolution]:
    """Resolve coreference in documents with Penn tags and Universal Dependencies, one at a time.

    Parameters
    ----------
    documents : iterable of Document
        For example those of `systems.coref.answer.reading.read_documents`, which parses documents without trees.
    model : AntecedentModel, optional
        By default the packaged model.
    mentions : str
        A key of `MENTIONS`.
    threshold : float, optional
        Smallest mean marginal at which clusters merge (`systems.coref.model.decoding.cluster_marginals`); by default
        the model's.
    temperature : float
        Temperature of the antecedents' distributions (`systems.coref.model.posterior.tempered`).
    window : int, optional
        Documents with more mentions than this are resolved in windows of this many
        (`nlpcalib.systems.coref.model.long_documents`); by default, every document is resolved whole.

    Raises `InputError` for a document without tags or trees, and for more than `MAX_MENTIONS` mentions.
    """
    model = model or load_model(PACKAGED_MODEL)
    for document in documents:
        spans = MENTIONS[mentions](document)
        yield resolve_mentions(
            *(document, spans, model),
            threshold=threshold,
            temperature=temperature,
            window=window,
        )


def resolve_mentions(
    document: Document,
    spans: Sequence[Span],
    model: AntecedentModel,
    *,
    threshold: float | None = None,
    temperature: float = 1.0,
    window: int | None = None,
) -> Resolution:
    """Resolve coreference between given mentions of a document, sorted, in sentences with trees; see `resolve`."""
    if threshold is None:
        threshold = float(model.card.get("threshold", 0.25))
    if not 0 <= threshold <= 1:
        raise InputError(f"threshold: found {threshold:g}, expected a probability in [0, 1]")
    table = mention_table(document, spans)
    apart = model.constraints(table).among
    if window is not None and len(spans) > window:
        links, left_out = windowed_conditionals(model, table, window, temperature)
        links = model.attributed(links, table)
        return resolution_of(document, spans, links, threshold, apart, temperature, window, left_out)
    if len(spans) > MAX_MENTIONS:
        raise InputError(
            f"document {document.id!r}: found {len(spans)} mentions, expected at most {MAX_MENTIONS}: memory grows "
            f"with their square; set {argument('window')}, or divide the document"
        )
    conditionals = model.attributed(tempered(model.conditionals(table), temperature), table)
    return resolution_of(document, spans, conditionals, threshold, apart, temperature)


def resolution_of(
    document: Document,
    spans: Sequence[Span],
    conditionals: Any,
    threshold: float,
    apart: Callable[[np.ndarray], np.ndarray] | None = None,
    temperature: float = 1.0,
    window: int | None = None,
    left_out: float = 0.0,
) -> Resolution:
    """Return exact marginals and decoded entities for antecedents A; `cluster_marginals` describes `apart`.

    With a `window`, A is sparse, and pairs within windows are kept.
    """
    never_meet = None
    if window is not None:
        marginals, never_meet, labels = long_posterior(conditionals, window, threshold, apart)
    else:
        marginals = pair_marginals(conditionals)
        labels = cluster_marginals(marginals, threshold, apart)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return Resolution(
        *(document, tuple(spans), conditionals, marginals, np.argsort(np.argsort(first))[inverse], threshold),
        *(temperature, window, left_out, never_meet),
    )
