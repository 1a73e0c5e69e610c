"""The output of a model for a document: mentions, antecedents, pairs and entities, each with its probability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from nlpcalib.coref.model.attributes import mention_table
from nlpcalib.coref.model.decoding import cluster_marginals
from nlpcalib.coref.model.kinds import Temperature, temperatures_of
from nlpcalib.coref.model.long_documents import (
    entity_sums,
    expected_pairs,
    long_posterior,
    marginal_sums,
    windowed_conditionals,
)
from nlpcalib.coref.model.mentions import MENTIONS, Span
from nlpcalib.coref.model.model import AntecedentModel, load_model
from nlpcalib.coref.model.posterior import pair_marginals, sample_entities, tempered, weigh_new
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.text.document import Document

PACKAGED_MODEL = Path(__file__).parents[1] / "model" / "model.npz"
"""The model that comes with the library; its `card` has its training data and its scores."""

MAX_MENTIONS = 10_000
"""Most mentions of a document: memory grows with their square, to 3.2 GB for so many."""

_DEFAULT_THRESHOLD = 0.25
"""Of average linkage, for a model whose card names none."""


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

    Sparse as the conditionals are, and then C[i, j] of j < i only, see `long_documents.LongPosterior`."""
    entities: np.ndarray
    """int64 (N,): the entity of each mention, numbered from 0 by their first mentions."""
    threshold: float
    """Mean marginal from which on two clusters became one."""
    temperature: Temperature = 1.0
    """That the model's distributions of antecedents were tempered with, or those by kind of mention."""
    new_weight: float = 1.0
    """Times that NEW is as likely as in the tempered distributions."""
    window: int | None = None
    """Mentions in which antecedents were looked for, if not in the whole document."""
    left_out: float = 0.0
    """Sum of the probabilities of antecedents that were left out, in windows."""
    never_meet: np.ndarray | None = None
    """y, float64 (N,), of `long_documents`, in windows."""

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
        links = sparse.coo_array(self.conditionals)
        rows, entities = np.array(links.coords[0], np.int64), self.entities[links.coords[1]]
        # The probability of each mention to have its antecedent in each entity, where there is any.
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
    def _together(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of each mention's marginals with the others of its entity, float64 (N,), and how many these are."""
        others = np.bincount(self.entities)[self.entities] - 1
        if self.never_meet is None:
            shared = self.entities[:, None] == self.entities
            return (self.marginals * shared).sum(axis=1) - 1, others
        return entity_sums(self.conditionals, self.never_meet, self.marginals, self.entities), others

    @cached_property
    def membership(self) -> np.ndarray:
        """How probable it is that each mention belongs where it is, float64 (N,).

        That is its mean marginal with the other mentions of its entity, or the probability to be alone if it is.
        """
        sums, others = self._together
        return np.where(others > 0, sums / np.maximum(others, 1), self.probabilities[self.entities])

    @cached_property
    def coherence(self) -> np.ndarray:
        """The mean marginal of each entity's pairs, or the probability of a single mention to be alone, (entities,)."""
        return np.array([self.membership[members].mean() for members in self.members])

    @cached_property
    def expected_pairs(self) -> float:
        """The expected number of pairs that share an entity, of all pairs of the document."""
        if self.never_meet is None:
            return float(self.marginals.sum() - len(self.mentions)) / 2
        return expected_pairs(self.conditionals, self.never_meet)

    def antecedents(self, mention: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a mention's possible antecedents in order, int64, and the probability of each, float64."""
        if self.never_meet is None:
            return np.arange(mention), self.conditionals[mention, :mention]
        row = slice(*self.conditionals.indptr[mention : mention + 2])
        return self.conditionals.indices[row], self.conditionals.data[row]

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the later and the earlier mention, int64, and the marginal, float64, of all pairs, or of a window's.

        They are in the order of the later mention, then of the earlier one.
        """
        if self.never_meet is None:
            later, earlier = np.tril_indices(len(self.mentions), -1)
            return later, earlier, self.marginals[later, earlier]
        listed = self.marginals.tocoo()
        return listed.row, listed.col, listed.data

    def marginals_of(self, mention: int) -> np.ndarray:
        """Return the probability of each mention to share an entity with this one, exactly, float64 (N,)."""
        if self.never_meet is None:
            return self.marginals[mention]
        chosen = np.zeros((len(self.mentions), 1))
        chosen[mention] = 1
        return marginal_sums(self.conditionals, self.never_meet, chosen)[:, 0]

    def clusters(self, *, as_strings: bool = True) -> list[list]:
        """Return the entities of several mentions, each a list of its mentions: words, or (start, end) in characters.

        Characters are those of the document's source, or of its words where there is none.
        """
        from nlpcalib.coref.answer.offsets import Offsets

        offsets = Offsets(self.document)
        places = [offsets.of(span) for span in self.mentions]
        shown = [offsets.text[slice(*place)] for place in places] if as_strings else places
        return [[shown[number] for number in members] for members in self.members if len(members) > 1]

    def samples(self, count: int, seed: int = 0) -> np.ndarray:
        """Return sampled clusterings, int32 (N, count): each mention's entity, named by that entity's first mention.

        They depend on the seed, the document's id, the conditionals and `count`, and on nothing else; see
        `nlpcalib.coref.model.posterior.sample_entities`.
        """
        return sample_entities(self.conditionals, count, generator(seed, "entity samples", self.document.id))


def resolve(
    documents: Iterable[Document],
    model: AntecedentModel | None = None,
    *,
    mentions: str = "predicted",
    threshold: float | None = None,
    temperature: Temperature | None = None,
    new_weight: float = 1.0,
    window: int | None = None,
) -> Iterator[Resolution]:
    """Resolve coreference in documents with Penn tags and Universal Dependencies, one at a time.

    Parameters
    ----------
    documents : iterable of Document
        For example those of `nlpcalib.coref.answer.reading.read_documents`, which parses where there are no trees.
    model : AntecedentModel, optional
        The library's own if absent.
    mentions : str
        One of `MENTIONS`.
    threshold : float, optional
        Mean marginal from which on clusters become one (`nlpcalib.coref.model.decoding.cluster_marginals`); the model's
        if absent.
    temperature : float or mapping of `nlpcalib.coref.model.kinds.KINDS` to float, optional
        Of the antecedents' distributions, see `nlpcalib.coref.model.posterior.tempered`; the model's if absent.
    new_weight : float
        Times that NEW is as likely at the temperature, see `nlpcalib.coref.model.posterior.weigh_new`.
    window : int, optional
        Documents of more mentions than this are resolved in windows of as many, see
        `nlpcalib.coref.model.long_documents`; shorter ones, and all if absent, are resolved whole.

    Raises `InputError` for a document without tags or trees, and for one of more than `MAX_MENTIONS` mentions.
    """
    model = model or load_model(PACKAGED_MODEL)
    for document in documents:
        spans = MENTIONS[mentions](document)
        yield resolve_mentions(
            *(document, spans, model),
            threshold=threshold,
            temperature=temperature,
            new_weight=new_weight,
            window=window,
        )


def resolve_mentions(
    document: Document,
    spans: Sequence[Span],
    model: AntecedentModel,
    *,
    threshold: float | None = None,
    temperature: Temperature | None = None,
    new_weight: float = 1.0,
    window: int | None = None,
) -> Resolution:
    """Resolve coreference between given mentions of a document, sorted, in sentences with trees; see `resolve`."""
    if threshold is None:
        threshold = float(model.card.get("threshold", _DEFAULT_THRESHOLD))
    if not 0 <= threshold <= 1:
        raise InputError(f"threshold: found {threshold:g}, expected a probability in [0, 1]")
    if window is not None and window < 1:
        raise InputError(f"window: found {window}, expected at least one mention")
    if temperature is None:
        temperature = model.card.get("temperature", 1.0)
    table = mention_table(document, spans)
    temperatures, apart = temperatures_of(table, temperature), model.constraints(table).among
    if window is not None and len(spans) > window:
        links, left_out = windowed_conditionals(model, table, window, temperatures, new_weight)
        return resolution_of(document, spans, links, threshold, apart, temperature, new_weight, window, left_out)
    if len(spans) > MAX_MENTIONS:
        raise InputError(
            f"document {document.id!r}: found {len(spans)} mentions, expected at most {MAX_MENTIONS}: memory grows with "
            "their square; name a `window` (on the shell --window), or divide the document"
        )
    conditionals = weigh_new(tempered(model.conditionals(table), temperatures), new_weight)
    return resolution_of(document, spans, conditionals, threshold, apart, temperature, new_weight)


def resolution_of(
    document: Document,
    spans: Sequence[Span],
    conditionals: Any,
    threshold: float,
    apart: Callable[[np.ndarray], np.ndarray] | None = None,
    temperature: Temperature = 1.0,
    new_weight: float = 1.0,
    window: int | None = None,
    left_out: float = 0.0,
) -> Resolution:
    """Return what antecedents A imply: exact marginals and decoded entities; `apart` as `cluster_marginals` takes it.

    With a `window`, A is sparse, and pairs of the mentions in it are kept.
    """
    never_meet = None
    if window is not None:
        found = long_posterior(conditionals, window, threshold, apart)
        marginals, labels, never_meet = found.marginals, found.entities, found.never_meet
    else:
        marginals = pair_marginals(conditionals)
        labels = cluster_marginals(marginals, threshold, apart)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return Resolution(
        *(document, tuple(spans), conditionals, marginals, np.argsort(np.argsort(first))[inverse], threshold),
        *(temperature, new_weight, window, left_out, never_meet),
    )
