"""Exact marginals of spans in linear chains: phrases, names and other runs of tokens that tags mark.

The posterior of a linear chain is a Markov chain along the sentence, with

    c[t, a, b] = P(y_t = b | y_{t-1} = a, x) = P(y_{t-1} = a, y_t = b | x) / P(y_{t-1} = a | x),

so that a span from token i to j of the type k has, in the scheme BIO, the probability

    P(y_i = B-k | x) · c[i + 1, B-k, I-k] · c[i + 2, I-k, I-k] ··· (1 − c[j + 1, I-k, I-k]).

That is the forward score of its first token, the potentials within it, and the backward score of its last token less
what goes on as I-k, over the partition function. Pipelines report a mean, maximum or product of the token marginals
instead, which is the probability of no event unless tokens are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.chains.forward_backward import Marginals
from nlpcalib.errors import InputError

OUTSIDE = "O"
_ROLES = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S", "W": "S"}
"""Letters before the hyphen in BIO, BIOES, BMES and BILOU."""
_WHOLE = {"bio": ({"B"},), "bioes": ({"S"}, {"B", "E"}), "plain": ({"P"},)}
"""Roles that make a span in each scheme: those of one of the sets."""


@dataclass(frozen=True, eq=False)
class SpanTags:
    """How K tags mark spans of L types."""

    scheme: str
    """`bio`: a span is B-k and all I-k that follow. `bioes`: it is S-k, or from B-k over I-k to E-k. `plain`: it is all
    consecutive tokens of one tag other than O. Sequences that no span explains, such as an I-k after O, are none."""
    types: tuple[str, ...]
    """Sorted."""
    role: np.ndarray
    """(K,) str: B, I, E or S of each tag, P in the scheme `plain`, and nothing outside of spans."""
    type: np.ndarray
    """(K,) int64 into `types`, −1 outside of spans."""

    @classmethod
    def of(cls, tags: Sequence[str], scheme: str | None = None) -> SpanTags:
        """Read the names of tags, by default in the scheme that they have: `B-PER`, `E-PER` …, and `O`.

        Raises `InputError` for an unknown scheme, and for tags of which no span is made in it.
        """
        parts = [tag.split("-", 1) if tag[1:2] == "-" and tag[0] in _ROLES else [] for tag in tags]
        roles = [_ROLES[part[0]] if part else "" for part in parts]
        if scheme is None:
            prefixed = all(part or tag == OUTSIDE for part, tag in zip(parts, tags, strict=True))
            scheme = "plain" if not (prefixed and any(parts)) else "bioes" if {"E", "S"} & set(roles) else "bio"
        if scheme not in _WHOLE:
            raise InputError(f"scheme: found {scheme!r}, expected bio, bioes or plain")
        if scheme == "bio" and (ends := [tag for tag, role in zip(tags, roles, strict=True) if role in ("E", "S")]):
            raise InputError(f"tags: found {ends[0]!r}, expected B-, I- and O in the scheme bio, or the scheme bioes")
        if scheme == "plain":
            roles = ["" if tag == OUTSIDE else "P" for tag in tags]
            parts = [[role, tag] if role else [] for role, tag in zip(roles, tags, strict=True)]
        types = tuple(sorted({part[1] for part in parts if part}))
        type_of = np.array([types.index(part[1]) if part else -1 for part in parts], dtype=np.int64)
        found = cls(scheme, types, np.array(roles, dtype="<U1"), type_of)
        for number, name in enumerate(types):
            own = set(found.role[found.type == number].tolist())
            if not any(roles <= own for roles in _WHOLE[scheme]):
                missing = f"E-{name}" if "B" in own else f"B-{name}"
                raise InputError(
                    f"tags: found no {missing}, expected one for the spans of {name} in the scheme {scheme}"
                )
        if not types:
            raise InputError(f"tags: found {', '.join(tags)}, expected at least one that marks a span")
        return found

    def columns(self, role: str) -> np.ndarray:
        """Return the tag of each type that has the role, (L,) int64; −1 where there is none."""
        tags = np.full(len(self.types), -1)
        chosen = np.flatnonzero(self.role == role)
        tags[self.type[chosen]] = chosen
        return tags


@dataclass(frozen=True, eq=False)
class Spans:
    """N spans, by their first token, their end and their type."""

    start: np.ndarray
    """(N,) int64: the first token, counted over all sentences."""
    end: np.ndarray
    """(N,) int64: the token after the last."""
    type: np.ndarray
    """(N,) int64 into `SpanTags.types`."""
    probability: np.ndarray
    """(N,) float64: exact marginals; 1 for the spans of a tag sequence."""

    def take(self, rows: np.ndarray) -> Spans:
        """Return some of the spans, by a mask or indices."""
        return Spans(self.start[rows], self.end[rows], self.type[rows], self.probability[rows])


def span_marginals(marginals: Marginals, tags: SpanTags, at_least: float = 0.0) -> Spans:
    """Return all spans with a marginal of at least so much and above 0, sorted by start, end and type.

    All sentences advance together, a token at a time. What is less probable than `at_least` before a span ends is
    followed no further, since no longer span is more probable: time grows with what is listed.
    """
    begin, inside = tags.columns("B"), tags.columns("I")
    last, alone = tags.columns("E"), tags.columns("S")
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []

    def listed(start: np.ndarray, size: int, kind: np.ndarray, probability: np.ndarray) -> None:
        kept = (probability >= at_least) & (probability > 0)
        found.append((start[kept], start[kept] + size, kind[kept], probability[kept]))

    mass = _opening(marginals, tags)
    if tags.scheme == "plain":
        begin = inside = tags.columns("P")
    first, later = _steps(marginals, begin, inside), _steps(marginals, inside, inside)
    if tags.scheme == "bioes":
        ends_first, ends_later = _steps(marginals, begin, last), _steps(marginals, inside, last)
        start, kind = np.nonzero(np.ones_like(mass, dtype=bool))
        listed(start, 1, kind, _single(marginals, alone).ravel())
    start, kind = np.nonzero((mass >= at_least) & (mass > 0))
    mass = mass[start, kind]
    size = 1
    while start.size:
        then = start + size  # the token after; behind the last one no span goes on
        going = (first if size == 1 else later)[then, kind]
        if tags.scheme == "bioes":
            listed(start, size + 1, kind, mass * (ends_first if size == 1 else ends_later)[then, kind])
        else:
            listed(start, size, kind, mass * (1 - going))
        mass = mass * going
        kept = (mass >= at_least) & (mass > 0)
        start, kind, mass = start[kept], kind[kept], mass[kept]
        size += 1
    if not found:
        none = np.zeros(0, dtype=np.int64)
        return Spans(none, none, none, np.zeros(0))
    starts, ends, types, values = (np.concatenate(column) for column in zip(*found, strict=True))
    joined = Spans(starts, ends, types, values)
    return joined.take(np.lexsort((joined.type, joined.end, joined.start)))


def _opening(marginals: Marginals, tags: SpanTags) -> np.ndarray:
    """Return the probability of each token to begin a span of each type, of several tokens if in BIOES, (tokens, L)."""
    if tags.scheme != "plain":
        return _single(marginals, tags.columns("B"))
    own = tags.columns("P")
    return _single(marginals, own) - _pairs(marginals, own, own)


def _single(marginals: Marginals, tags: np.ndarray) -> np.ndarray:
    """Return the marginals of L tags, (tokens, L); 0 for a tag of −1."""
    return np.where(tags >= 0, marginals.single[:, tags], 0.0)


def _pairs(marginals: Marginals, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return P(y_{t-1} = before, y_t = after | x), (tokens, L); 0 at the first token of a sentence."""
    left = np.roll(marginals.left[:, before], 1, axis=0)
    pairs = left * marginals.weights[before, after] * marginals.right[:, after]
    return np.where((before >= 0) & (after >= 0), pairs, 0.0)


def _steps(marginals: Marginals, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return P(y_t = after | y_{t-1} = before, x), (tokens + 1, L); 0 at the first tokens and behind the last."""
    pairs = _pairs(marginals, before, after)
    single = np.roll(_single(marginals, before), 1, axis=0)
    steps = np.divide(pairs, single, out=np.zeros_like(pairs), where=single > 0)
    return np.concatenate([np.clip(steps, 0.0, 1.0), np.zeros((1, len(before)))])


def spans_of(path: np.ndarray, lengths: np.ndarray, tags: SpanTags) -> Spans:
    """Return the spans of a tag sequence, (tokens,) int64, in sentences of `lengths`, as the scheme reads them."""
    role, kind = tags.role[path], tags.type[path]
    is_first = np.zeros(path.size, dtype=bool)
    starts = np.cumsum(lengths) - lengths
    is_first[starts[lengths > 0]] = True
    goes_on = np.isin(role, ["I", "E", "P"]) & np.isin(np.roll(role, 1), ["B", "I", "P"])
    goes_on &= (kind == np.roll(kind, 1)) & ~is_first
    start = np.flatnonzero(~goes_on)
    end = np.append(start, path.size)[1:]
    opening, closing = role[start], role[end - 1]
    is_span = (opening == "S") | (opening == "P")
    is_span |= (opening == "B") & ((tags.scheme == "bio") | (closing == "E"))
    start, end = start[is_span], end[is_span]
    return Spans(start, end, kind[start], np.ones(start.size))


def expected_counts(marginals: Marginals, tags: SpanTags) -> np.ndarray:
    """Return the expected number of spans of each type in each sentence, float64 (S, L)."""
    sentence = np.repeat(np.arange(len(marginals.lengths)), marginals.lengths)
    counted = _opening(marginals, tags)
    if tags.scheme == "bioes":
        counted = _single(marginals, tags.columns("S")) + _closing(marginals, tags, counted)
    sums = np.zeros((len(marginals.lengths), len(tags.types)))
    np.add.at(sums, sentence, counted)
    return sums


def _closing(marginals: Marginals, tags: SpanTags, opening: np.ndarray) -> np.ndarray:
    """Return the probability of each token to end a span of several tokens in BIOES, (tokens, L)."""
    begin, inside, last = tags.columns("B"), tags.columns("I"), tags.columns("E")
    begin_inside, inside_inside = _steps(marginals, begin, inside), _steps(marginals, inside, inside)
    begin_last, inside_last = _steps(marginals, begin, last), _steps(marginals, inside, last)
    open_inside, closing = np.zeros_like(opening), np.zeros_like(opening)
    starts = np.cumsum(marginals.lengths) - marginals.lengths
    for place in range(1, int(marginals.lengths.max(initial=0))):
        here = starts[marginals.lengths > place] + place
        opened, within = opening[here - 1], open_inside[here - 1]
        closing[here] = opened * begin_last[here] + within * inside_last[here]
        open_inside[here] = opened * begin_inside[here] + within * inside_inside[here]
    return closing


def sampled_counts(marginals: Marginals, tags: SpanTags, uniforms: np.ndarray) -> np.ndarray:
    """Return the number of spans of each type in all sentences in samples of their tags, (samples, L) float64.

    `uniforms`, (tokens, samples), are those of `Marginals.sample`.
    """
    paths = marginals.sample(uniforms)
    each = (spans_of(path, marginals.lengths, tags) for path in paths.T)
    counts = [np.bincount(spans.type, minlength=len(tags.types)) for spans in each]
    return np.array(counts, dtype=np.float64).reshape(-1, len(tags.types))


def best_by_f1(spans: Spans, expected: float) -> Spans:
    """Return the spans, none of which overlap, whose expected F1 is the highest.

    That is Σ p, doubled, over the number of spans plus the `expected` number of true ones, which is the ratio of the
    expectations (Dinkelbach 1967): at the optimum F, it takes the spans that make Σ (p − F / 2) the largest.
    """
    value, chosen = 0.0, spans.take(np.zeros(0, dtype=np.int64))
    while True:
        chosen = _heaviest(spans, spans.probability - value / 2)
        total = chosen.start.size + expected
        reached = 2 * float(chosen.probability.sum()) / total if total else 0.0
        if reached <= value:
            return chosen
        value = reached


def _heaviest(spans: Spans, weights: np.ndarray) -> Spans:
    """Return the spans without overlap whose weights have the largest sum (weighted interval scheduling)."""
    rows = np.flatnonzero(weights > 0)
    rows = rows[np.argsort(spans.end[rows], kind="stable")]
    ends = spans.end[rows]
    before = np.searchsorted(ends, spans.start[rows], side="right")  # how many end where each begins, or earlier
    best = [0.0]
    for place, weight in enumerate(weights[rows].tolist()):
        best.append(max(best[place], best[before[place]] + weight))
    chosen = []
    place = len(rows)
    while place:
        if best[place] > best[place - 1]:
            chosen.append(rows[place - 1])
            place = int(before[place - 1])
        else:
            place -= 1
    return spans.take(np.array(chosen[::-1], dtype=np.int64))
