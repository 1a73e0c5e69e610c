"""Exact marginals of spans in linear chains: phrases, names and other runs of tokens that tags mark.

    P(span of type k from i to j | x) =
        P(y_i = B-k | x) · c[i + 1, B-k, I-k] · c[i + 2, I-k, I-k] ··· (1 − c[j + 1, I-k, I-k])

* c[t, a, b] = P(y_t = b | y_{t-1} = a, x) is a transition of the posterior.
* i and j are the first and the last token of the span. The formula is that of the scheme BIO.

A type of spans has tags that may begin one, tags that may end one, and links: pairs of consecutive tags within one. A
span goes from token i to j if its tags are linked, the first may begin it, the last may end it, and neither is linked
to the tag outside. The posterior of a chain is a Markov chain along the sentence, so that the probability of all these
events is a product of matrices.

Pipelines report a mean, maximum or product of the token marginals instead, which is the probability of no event unless
tokens are independent.

Two tokens have nine pairs of the tags O, B-X and I-X, here equally likely. Two of them have the span of the first token
alone (B-X before O or B-X), one has that of both, and three that of the second:

>>> from nlpcalib.systems.chains.forward_backward import forward_backward
>>> found = forward_backward(np.zeros((2, 3)), np.array([2]), np.zeros((3, 3)), np.zeros(3))
>>> spans = span_marginals(found, SpanTags.of(["O", "B-X", "I-X"]))
>>> list(zip(spans.start.tolist(), spans.end.tolist(), (9 * spans.probability).round(6).tolist(), strict=True))
[(0, 1, 2.0), (0, 2, 1.0), (1, 2, 3.0)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError, argument, some
from nlpcalib.predictions.formats.tag_names import OUTSIDE, TYPE_OF_BARE_TAGS, hidden_roles, is_outside, roles_and_types
from nlpcalib.systems.chains.forward_backward import Marginals

SCHEMES = ("bio", "bioes", "io", "iob1", "ioe1", "ioe2", "plain", "penn")
"""Schemes of tags that mark spans, explained in `SpanTags`."""
_NEEDED_ROLES = {"bio": "B", "bioes": "BE", "io": "I", "iob1": "I", "ioe1": "I", "ioe2": "E", "plain": "P"}
"""Roles without which a scheme has no spans; a type may also have S alone."""
_FIRST_ROLES = {"bio": "B", "bioes": "BS", "io": "I", "iob1": "BI", "ioe1": "IE", "ioe2": "IE", "plain": "P"}
"""Roles that begin a span in each scheme."""
_LAST_ROLES = {"bio": "BI", "bioes": "ES", "io": "I", "iob1": "BI", "ioe1": "IE", "ioe2": "E", "plain": "P"}
"""Roles that end a span in each scheme."""
_LINKED_ROLES = {
    "bio": ("BI", "II"), "bioes": ("BI", "BE", "II", "IE"), "io": ("II",), "iob1": ("BI", "II"), "ioe1": ("II", "IE"),
    "ioe2": ("II", "IE"), "plain": ("PP",)
}  # fmt: skip
"""Roles of consecutive tags within a span in each scheme."""

_PENN_PHRASES = {
    "ADJP": ("RB RBR RBS", "JJ JJR JJS"),
    "NP": ("PDT", "DT PRP$ WP$ POS", "CD JJ JJR JJS", "NN NNS NNP NNPS"),
}
"""Penn tags of phrases in the order in which they stand; those of the last two sets repeat."""
_PENN_ALONE = {"ADJP": "", "NP": "PRP"}
"""Penn tags that are a phrase each."""

_MAX_ZERO_PROBABILITY = np.finfo(np.float64).tiny
"""Largest probability that counts as 0 where it divides: below it a quotient overflows."""


@dataclass(frozen=True, eq=False)
class SpanTags:
    """How K tags mark spans of L types."""

    scheme: str
    """`bio`: a span is B-k and all I-k that follow. `bioes`: it is S-k, or from B-k over I-k to E-k. `io`: it is all
    consecutive I-k. `iob1`: the same, but a B-k begins a new one. `ioe1` and `ioe2` are the mirror images of `iob1` and
    `bio`: an E-k ends a span that another of its type follows, or every span. `plain`: it is all consecutive tokens of
    one tag other than O. Sequences that no span explains, such as an I-k after O in `bio`, are none. `penn`: noun
    phrases without what follows their last noun, and adjectives with their adverbs."""
    types: tuple[str, ...]
    """Sorted."""
    first: np.ndarray
    """bool (L, K): tags that may begin a span."""
    last: np.ndarray
    """bool (L, K): tags that may end one."""
    linked: np.ndarray
    """bool (L, K, K): pairs of consecutive tags within one."""
    outside: tuple[str, ...] = ()
    """Tags other than O that mark no span, such as [CLS]; none are listed for `penn`."""

    @classmethod
    def of(cls, tags: Sequence[str], scheme: str | None = None) -> SpanTags:
        """Read the names of tags: `B-PER`, `PER_B` or `B` …, and `O`. Labels in brackets, such as `[CLS]`, are outside.

        By default the names show the scheme. `plain` has O and none that states a role, `io` has I alone, and `ioe2` I
        and E alone. `iob1` lacks the B of some type, and `ioe1` the E. In a scheme of roles that you name, all tags
        without a role are outside.

        Raises `InputError` for an unknown scheme, for tags that are no texts or there twice, and for tags of which no
        span is made in it. Without a scheme, it is also raised for tags of which only some state a role, for plain
        names that differ by a role alone (BPER and IPER), and for plain names without O.
        """
        _check_names(tags)
        if scheme is not None and scheme not in SCHEMES:
            raise InputError(f"scheme: found {scheme!r}, expected {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}")
        if scheme == "penn":
            return cls._of_penn(tags)
        marking = [tag for tag in tags if not is_outside(tag)]
        parts = {} if scheme == "plain" else roles_and_types(marking)
        other = f", or another {argument('scheme')}" if scheme is None else ""
        if scheme is None:
            scheme = _scheme_of(marking, parts)
            if scheme == "plain" and len(marking) == len(tags):
                raise InputError(
                    f"tags: found {some(tags)}, expected O, or roles such as in B-PER, or "
                    f"{argument('scheme', 'plain')}, in which each tag is a type and no token is outside"
                )
        if scheme == "plain":
            parts = {tag: ("P", tag) for tag in marking}
        types = tuple(sorted({name for _, name in parts.values()}))
        if not types:
            raise InputError(f"tags: found {some(tags)}, expected at least one that marks a span")
        for tag, (letter, _) in parts.items():
            if letter not in "".join(_LINKED_ROLES[scheme]) + _FIRST_ROLES[scheme]:
                fitting = "bioes" if letter in "ES" else "iob1"
                raise InputError(f"tags: found {tag!r}, expected none in the scheme {scheme}, or the scheme {fitting}")
        role = np.array([[own if kind == name else "" for own, kind in (parts.get(tag, ("", "")) for tag in tags)]
                         for name in types])  # fmt: skip
        for name, row in zip(types, role, strict=True):
            own = set(row.tolist())
            missing = [] if own <= {"", "S"} else [letter for letter in _NEEDED_ROLES[scheme] if letter not in own]
            if missing:
                raise InputError(
                    f"tags: found no {missing[0]}-{name}, expected one for the spans of {name} in the scheme "
                    f"{scheme}{other}"
                )
        linked = np.any(
            [(role == pair[0])[:, :, None] & (role == pair[1])[:, None] for pair in _LINKED_ROLES[scheme]], axis=0
        )
        first, last = (np.isin(role, list(roles[scheme])) for roles in (_FIRST_ROLES, _LAST_ROLES))
        outside = tuple(tag for tag in tags if tag not in parts and tag.upper() != OUTSIDE)
        return cls(scheme, types, first, last, linked, outside)

    @classmethod
    def _of_penn(cls, tags: Sequence[str]) -> SpanTags:
        """Read Penn tags, which stand in the order of `_PENN_PHRASES`: each step up or on is a link."""
        levels, alone = [], []
        for name, sets in _PENN_PHRASES.items():
            level_of = {tag: level for level, names in enumerate(sets, 2 - len(sets)) for tag in names.split()}
            levels.append([level_of.get(tag, np.nan) for tag in tags])
            alone.append([tag in _PENN_ALONE[name].split() for tag in tags])
        level, single = np.array(levels), np.array(alone)
        if not (level == 1).any(axis=1).all():
            raise InputError(f"tags: found {some(tags)}, expected Penn tags, with NN and JJ, in the scheme penn")
        before, after = level[:, :, None], level[:, None]
        linked = (before < after) | ((before == after) & (before >= 0))
        return cls("penn", tuple(_PENN_PHRASES), np.isfinite(level) | single, (level == 1) | single, linked)


def _scheme_of(tags: Sequence[str], parts: Mapping[str, tuple[str, str]]) -> str:
    """Return the scheme of tags that are not outside, by the roles and types of `parts`."""
    roles = {role for role, _ in parts.values()}
    # A lone S, E or M is also a plain name, such as S for a sentence; bare roles have B or I among them.
    if not roles or (TYPE_OF_BARE_TAGS in {kind for _, kind in parts.values()} and not roles & {"B", "I"}):
        if pair := hidden_roles(tags):
            raise InputError(
                f"tags: found {pair[0]!r} and {pair[1]!r}, expected roles of one letter, such as in B-PER, or "
                f"{argument('scheme', 'plain')} to read each tag as a type"
            )
        return "plain"
    for tag in tags:
        if tag not in parts:
            some = next(iter(parts))
            raise InputError(
                f"tags: found {tag!r} next to {some!r}, expected a role and a type in each, or "
                f"{argument('scheme', 'bio')} (or another) to read {tag!r} as outside, or "
                f"{argument('scheme', 'plain')} to read each tag as a type"
            )
    kinds = {kind for _, kind in parts.values()}
    if roles == {"I", "E"}:
        return "ioe2" if kinds == {kind for role, kind in parts.values() if role == "E"} else "ioe1"
    if roles & {"E", "S"}:
        return "bioes"
    begun = {kind for role, kind in parts.values() if role == "B"}
    return "io" if not begun else "bio" if begun == kinds else "iob1"


def _check_names(tags: Sequence[str]) -> None:
    """Raise `InputError` for names that are no texts, or not each once."""
    if not tags or not all(isinstance(tag, str) for tag in tags) or len(set(tags)) < len(tags):
        found = some([str(tag) for tag in tags]) or "none"
        raise InputError(f"tags: found {found}, expected at least one name, each a text and there once")


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
    found = []
    for number, kind in enumerate(_kinds(marginals, tags)):
        start, mass, size = np.arange(len(kind.single)), kind.opening(), 1
        while size == 1 or start.size:
            total = mass.sum(axis=1)
            kept = (total >= at_least) & (total > 0)
            start, mass = start[kept], mass[kept]
            ended = kind.ended(mass, start + size - 1)
            listed = (ended >= at_least) & (ended > 0)
            begun = start[listed]
            found.append(Spans(begun, begun + size, np.full(begun.size, number), ended[listed]))
            mass = kind.going(mass, start + size - 1)
            size += 1
    return _joined(found)


@dataclass(frozen=True, eq=False)
class _Kind:
    """The U tags of a type in a posterior. Masses are P(a span goes from its first token to t, y_t | x), (n, U)."""

    marginals: Marginals
    used: np.ndarray
    """int64 (U,)."""
    first: np.ndarray
    last: np.ndarray
    """bool (U,)."""
    links: np.ndarray
    """float64 (U, U): the weights of linked tags."""
    single: np.ndarray
    """float64 (tokens, U)."""
    next_right: np.ndarray
    """float64 (tokens, U): the backward factors of the next token; 0 at the end of a sentence."""
    scale: np.ndarray
    """float64 (tokens, U): left / single."""

    def opening(self) -> np.ndarray:
        """Return the masses of spans at their first tokens, (tokens, U)."""
        left = self.marginals.left[:, self.used]
        within = np.zeros_like(self.single)
        within[1:] = (left[:-1] @ self.links) * self.next_right[:-1]
        return np.where(self.first, np.maximum(self.single - within, 0.0), 0.0)

    def going(self, mass: np.ndarray, token: np.ndarray | slice) -> np.ndarray:
        """Return the masses one token further: of the next tags that are linked."""
        return ((mass * self.scale[token]) @ self.links) * self.next_right[token]

    def ended(self, mass: np.ndarray, token: np.ndarray | slice) -> np.ndarray:
        """Return how probable it is that spans end with these tokens, (n,)."""
        closing = np.where(self.last, mass, 0.0)
        return np.maximum(closing.sum(axis=1) - self.going(closing, token).sum(axis=1), 0.0)


def _kinds(marginals: Marginals, tags: SpanTags) -> Iterator[_Kind]:
    for first, last, linked in zip(tags.first, tags.last, tags.linked, strict=True):
        used = np.flatnonzero(first | last | linked.any(axis=0) | linked.any(axis=1))
        among = np.ix_(used, used)
        single, right = marginals.single[:, used], marginals.right[:, used]
        scale = np.divide(
            marginals.left[:, used], single, out=np.zeros_like(single), where=single > _MAX_ZERO_PROBABILITY
        )
        after = np.concatenate([right[1:], np.zeros_like(right[:1])])
        links = marginals.weights[among] * linked[among]
        yield _Kind(marginals, used, first[used], last[used], links, single, after, scale)


def _joined(found: Sequence[Spans]) -> Spans:
    """Return all of these spans, sorted by start, end and type."""
    start, end, kind = (np.concatenate([getattr(each, name) for each in found]) for name in ("start", "end", "type"))
    joined = Spans(start, end, kind, np.concatenate([each.probability for each in found]))
    return joined.take(np.lexsort((joined.type, joined.end, joined.start)))


def spans_of(path: np.ndarray, lengths: np.ndarray, tags: SpanTags) -> Spans:
    """Return the spans of a tag sequence, (tokens,) int64, in sentences of `lengths`, as the scheme reads them."""
    starts = np.cumsum(lengths) - lengths
    found = []
    for number, (first, last, linked) in enumerate(zip(tags.first, tags.last, tags.linked, strict=True)):
        apart = np.ones(path.size + 1, dtype=bool)
        apart[1:-1] = ~linked[path[:-1], path[1:]]
        apart[starts] = True
        bounds = np.flatnonzero(apart)
        start, end = bounds[:-1], bounds[1:]
        spans = first[path[start]] & last[path[end - 1]]
        start, end = start[spans], end[spans]
        found.append(Spans(start, end, np.full(start.size, number), np.ones(start.size)))
    return _joined(found)


def tokens_without_span(path: np.ndarray, lengths: np.ndarray, tags: SpanTags) -> np.ndarray:
    """Return the tokens, int64, whose tags mark a span, but in a sequence that no span explains, such as O I-k."""
    covered = np.zeros(path.size + 1, dtype=np.int64)
    spans = spans_of(path, lengths, tags)
    np.add.at(covered, spans.start, 1)
    np.add.at(covered, spans.end, -1)
    marking = (tags.first | tags.last | tags.linked.any(axis=1) | tags.linked.any(axis=2)).any(axis=0)
    return np.flatnonzero(marking[path] & (np.cumsum(covered[:-1]) == 0))


def expected_span_counts(marginals: Marginals, tags: SpanTags) -> np.ndarray:
    """Return the expected number of spans of each type in each sentence, float64 (S, L)."""
    sentence = np.repeat(np.arange(len(marginals.lengths)), marginals.lengths)
    starts = np.cumsum(marginals.lengths) - marginals.lengths
    sums = np.zeros((len(marginals.lengths), len(tags.types)))
    for number, kind in enumerate(_kinds(marginals, tags)):
        mass = kind.opening()
        if kind.last.all():
            np.add.at(sums[:, number], sentence, mass.sum(axis=1))
            continue
        for place in range(1, int(marginals.lengths.max(initial=0))):
            here = starts[marginals.lengths > place] + place
            mass[here] += kind.going(mass[here - 1], here - 1)
        np.add.at(sums[:, number], sentence, kind.ended(mass, slice(None)))
    return sums


def sampled_span_counts(marginals: Marginals, tags: SpanTags, uniforms: np.ndarray) -> np.ndarray:
    """Return the number of spans of each type in all sentences in samples of their tags, (samples, L) float64.

    `uniforms`, (tokens, samples), are those of `Marginals.sample`.
    """
    paths = marginals.sample(uniforms)
    each = (spans_of(path, marginals.lengths, tags) for path in paths.T)
    counts = [np.bincount(spans.type, minlength=len(tags.types)) for spans in each]
    return np.array(counts, dtype=np.float64).reshape(-1, len(tags.types))


def best_by_f1(spans: Spans, expected: float) -> Spans:
    """Return the spans, none of which overlap, whose expected F1 is the highest.

    F1 is here the ratio of expectations: 2 Σ p over the number of spans plus the `expected` number of true ones. At the
    optimum F, the best spans make Σ (p − F / 2) the largest (Dinkelbach 1967).
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
