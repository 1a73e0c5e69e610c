"""`nlpcalib.find_spans`: which spans does a tagger see, how probable is each, and how many are there?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, argument, counted, report_findings, some
from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect, fit_shared_effect
from nlpcalib.examination.classes import examine_classes
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.formats.records import Record
from nlpcalib.predictions.formats.token_scores import are_probabilities, read_scores
from nlpcalib.questions.answer import InWords
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.forward_backward import MAX_TRANSITION_SPREAD, Marginals, forward_backward, viterbi
from nlpcalib.systems.chains.pairs import tag_pairs
from nlpcalib.systems.chains.recalibration import CHAIN_RECALIBRATIONS, ChainLikelihood, PotentialWeights, fit_weights
from nlpcalib.systems.chains.spans import (
    Spans,
    SpanTags,
    best_by_f1,
    expected_span_counts,
    sampled_span_counts,
    span_marginals,
    spans_of,
    tokens_without_span,
)

AT_LEAST = 0.01
"""Least probability of a span that is listed."""


class SpanRow(TypedDict):
    """A span; places are tokens of its sentence, the end exclusive."""

    sentence: int
    start: int
    end: int
    label: str
    probability: float


class SpanCount(TypedDict):
    """How many spans of a type there are; see `SpanReport.counts`."""

    label: str
    mean: float
    low: float
    high: float
    best: int
    """In the best path."""


class DocumentCount(TypedDict):
    """How many spans of a type a document has; see `SpanReport.document_counts`."""

    document: str
    label: str
    mean: float
    low: int
    high: int


_MIN_BEGINNING_PROBABILITY = 1e-6
"""Least probability of spans that make up the probability that one begins."""


@dataclass(frozen=True, eq=False, repr=False)
class SpanReport(InWords):
    """The posterior of a linear chain, and the spans that its tags mark."""

    tags: tuple[str, ...]
    """K of them."""
    marks: SpanTags
    scores: np.ndarray
    """(tokens, K) float64: log-potentials of all sentences one after the other."""
    lengths: np.ndarray
    """(S,) int64: tokens of each sentence."""
    transition: np.ndarray
    """(K, K) float64."""
    initial: np.ndarray
    """(K,) float64."""
    records: Sequence[Record] = ()
    """The S lines of a file that sentences were read from."""
    inputs: tuple[Path, ...] = ()
    """The file that was read."""

    @cached_property
    def marginals(self) -> Marginals:
        """Exact marginals of tokens, `single`, and of two consecutive tags, `pair(i, j)`."""
        return forward_backward(self.scores, self.lengths, self.transition, self.initial)

    @cached_property
    def best_path(self) -> np.ndarray:
        """The most probable tags, (tokens,) int64 into `tags`."""
        return viterbi(self.scores, self.lengths, self.transition, self.initial)

    def samples(self, number: int, seed: int = 0) -> np.ndarray:
        """Return tags drawn from the posterior, (tokens, number) int64 into `tags`."""
        return self.marginals.sample(self._uniforms(number, seed))

    def spans(self, at_least: float = AT_LEAST) -> list[SpanRow]:
        """Return a row for each span with at least this probability, its exact marginal."""
        return self.rows(span_marginals(self.marginals, self.marks, at_least))

    def best_spans(self) -> list[SpanRow]:
        """Return the spans, without overlap, that have the highest expected F1 over all sentences."""
        candidates = span_marginals(self.marginals, self.marks, AT_LEAST)
        return self.rows(best_by_f1(candidates, float(expected_span_counts(self.marginals, self.marks).sum())))

    def spans_of(self, path: Any) -> list[SpanRow]:
        """Return the spans of tags, (tokens,) int64 into `tags`, such as the gold ones or a sample."""
        return self.rows(spans_of(self._checked(path), self.lengths, self.marks))

    def counts(self, *, samples: int = 100, level: float = 0.95, seed: int = 0) -> list[SpanCount]:
        """Return a row for each type: the exact expected number of spans, with the quantiles of samples of all tags.

        The interval holds what the chain leaves open, if its probabilities are calibrated. Raises `InputError` for a
        `level` that is not between 0 and 1, and for less than one sample.
        """
        if not 0 < level < 1:
            raise InputError(f"level: found {level}, expected a number between 0 and 1")
        expected = expected_span_counts(self.marginals, self.marks).sum(axis=0)
        drawn = sampled_span_counts(self.marginals, self.marks, self._uniforms(samples, seed))
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        best = np.bincount(spans_of(self.best_path, self.lengths, self.marks).type, minlength=len(expected))
        columns = (self.marks.types, expected.tolist(), low.tolist(), high.tolist(), best.tolist())
        return [
            {"label": label, "mean": mean, "low": bottom, "high": top, "best": number}
            for label, mean, bottom, top, number in zip(*columns, strict=True)
        ]

    def document_counts(
        self, documents: Sequence[str], *, effects: Mapping[str, SharedEffect] | None = None, level: float = 0.95
    ) -> list[DocumentCount]:
        """Return a row for each document and type; `documents` are the names of the S sentences' documents.

        Without the `effects` of `fit_effects`, spans of a document are taken for independent, and intervals may be too
        narrow. Raises `InputError` for another number of names, and for a `level` that is not between 0 and 1.
        """
        names, group = self._documents(documents)
        rows: list[DocumentCount] = []
        for label, begins in zip(
            self.marks.types,
            self._begins(span_marginals(self.marginals, self.marks, _MIN_BEGINNING_PROBABILITY)),
            strict=True,
        ):
            effect = (effects or {}).get(label, INDEPENDENT)
            for number, name in enumerate(names):
                q = begins[group == number]
                low, high, _ = effect.interval(q, level=level)
                rows.append({"document": name, "label": label, "mean": float(q.sum()), "low": low, "high": high})
        return rows

    def fit_effects(self, gold: Any, documents: Sequence[str]) -> dict[str, SharedEffect]:
        """Return what the spans of each type share in a document, from gold tags, see `fit`, of two documents or more.

        Recalibrate first: effects do not change the expected numbers. Raises `InputError` for gold tags in another
        scheme than that of the scores.
        """
        _, group = self._documents(documents)
        true = self._begins(spans_of(self._gold_path(gold), self.lengths, self.marks))
        found = self._begins(span_marginals(self.marginals, self.marks, _MIN_BEGINNING_PROBABILITY))
        return {
            label: fit_shared_effect(q, y > 0, group) for label, q, y in zip(self.marks.types, found, true, strict=True)
        }

    def token_pairs(self, gold: Any) -> Pairs:
        """Return a prediction–label pair for each tag and token; `gold` is that of `fit`, and sentences are units."""
        names = [str(number) for number in range(1, len(self.lengths) + 1)]
        return tag_pairs(self.marginals, self._checked(gold), self.tags, names)

    def fit(self, gold: Any, *, method: str = "temperature") -> PotentialWeights:
        """Return weights of the potentials, fitted to gold tags that the chain was not trained on.

        Parameters
        ----------
        gold : array_like of shape (tokens,), or sequence of such, one for each sentence
            Tags, by name or as indices into `tags`.
        method : str
            "temperature", "two_temperatures" or "vector", see `systems.chains.recalibration`. Only "vector" has a bias
            of each tag, which corrects expected numbers of spans.

        Raises `InputError` for another method, or tags that are none.
        """
        path = self._checked(gold)
        if method not in CHAIN_RECALIBRATIONS:
            raise InputError(f"method: found {method!r}, expected one of {', '.join(CHAIN_RECALIBRATIONS)}")
        filled = self.lengths > 0
        likelihood = ChainLikelihood(self.scores, self.transition, self.initial, path, self.lengths[filled])
        return PotentialWeights.of(fit_weights(likelihood, method))

    def weighted(self, weights: PotentialWeights) -> SpanReport:
        """Return the report of the recalibrated chain, see `fit`."""
        return replace(
            self,
            scores=weights.state * self.scores,
            transition=weights.transition * self.transition + weights.bias,
            initial=weights.transition * self.initial + weights.bias,
        )

    def rows(self, spans: Spans) -> list[SpanRow]:
        """Return spans with places in their sentences."""
        starts = np.cumsum(self.lengths) - self.lengths
        sentence = np.repeat(np.arange(len(self.lengths)), self.lengths)[spans.start]
        columns = (sentence, spans.start - starts[sentence], spans.end - starts[sentence])
        return [
            {"sentence": number, "start": start, "end": end, "label": self.marks.types[kind], "probability": value}
            for number, start, end, kind, value in zip(
                *(column.tolist() for column in (*columns, spans.type, spans.probability)), strict=True
            )
        ]

    def left_out(self, at_least: float = AT_LEAST) -> str:
        """Return how many of the expected spans `save` writes and leaves out, since each of these is too improbable."""
        expected = float(expected_span_counts(self.marginals, self.marks).sum())
        q = span_marginals(self.marginals, self.marks, at_least).probability
        left = max(expected - float(q.sum()), 0.0)
        below = f"; left out: {left:,.1f} of {expected:,.1f} expected, each below {at_least:g}" if at_least else ""
        return f"{counted(q.size, 'span')}{below}"

    def save(self, path: str | Path, at_least: float = AT_LEAST) -> None:
        """Write a CSV with a row for each span of at least this probability `q`.

        Where the file that was read has tokens, a row has the `text`; where it has gold tags, `y` is whether they mark
        the span.
        """
        write_csv(path, list(self._table(at_least)))

    def _table(self, at_least: float) -> Iterator[dict[str, Any]]:
        gold = self._gold()
        for row in self.spans(at_least):
            number = row["sentence"]
            record = self.records[number] if self.records else None
            words = record.values.get("tokens", [])[row["start"] : row["end"]] if record else []
            unit = (record.unit("id") or str(record.number)) if record else str(number + 1)
            place = {"unit": unit, "start": row["start"], "end": row["end"], "predicted": row["label"]}
            text = {"text": " ".join(words)} if words else {}
            key = (number, row["start"], row["end"], row["label"])
            yield place | text | {"q": row["probability"]} | ({"y": int(key in gold)} if gold is not None else {})

    def gold_path(self) -> np.ndarray | None:
        """Return the gold tags of the file that was read as indices, (tokens,) int64, None if no sentence has any."""
        if not any("gold" in record.values for record in self.records):
            return None
        return self._gold_path([self.tags.index(tag) for record in self.records for tag in record.values["gold"]])

    def _gold(self) -> set[tuple] | None:
        """Return the spans of the gold tags of the file that was read, None if no sentence has any."""
        if (path := self.gold_path()) is None:
            return None
        return {(row["sentence"], row["start"], row["end"], row["label"]) for row in self.spans_of(path)}

    def lines(self, seed: int = 0) -> list[str]:
        """Return the counts in words, with intervals from samples of this seed."""
        gold, counts = self._gold(), self.counts(seed=seed)
        true = Counter(label for *_, label in gold or ())
        sizes = f"{counted(len(self.lengths), 'sentence')}, {counted(len(self.scores), 'token')}"
        outside = f"; read as outside: {', '.join(self.marks.outside)}" if self.marks.outside else ""
        lines = [f"{sizes}, scheme {self.marks.scheme}{outside}"]
        lines += [
            f"{row['label']}: {row['mean']:,.1f} spans expected, 95 % interval {row['low']:,.0f} to "
            f"{row['high']:,.0f}, {row['best']:,} in the best path"
            + (f", {true[row['label']]:,} in gold" if gold is not None else "")
            for row in counts
        ]
        missed = [row["label"] for row in counts if not row["low"] <= true[row["label"]] <= row["high"]]
        if gold is not None and missed:
            lines.append(f"Gold is outside the interval for {', '.join(missed)}: recalibrate.")
        return lines

    def record(self, seed: int = 0) -> dict[str, Any]:
        """Return the number of sentences and tokens, the scheme, and the counts with intervals of this seed."""
        sizes = {"sentences": len(self.lengths), "tokens": len(self.scores)}
        gold = self._gold()
        true = {} if gold is None else {"gold": Counter(label for *_, label in gold)}
        return {**sizes, "scheme": self.marks.scheme, "counts": self.counts(seed=seed), **true}

    def _begins(self, spans: Spans) -> np.ndarray:
        """Return the probability that a span of each type begins at each token, (L, tokens)."""
        sums = np.zeros((len(self.marks.types), len(self.scores)))
        np.add.at(sums, (spans.type, spans.start), spans.probability)
        return np.minimum(sums, 1.0)

    def _documents(self, documents: Sequence[str]) -> tuple[list[str], np.ndarray]:
        """Return the names of documents, in order of first occurrence, and the number of each token's, (tokens,)."""
        if len(documents) != len(self.lengths):
            expected = f"one for each of {counted(len(self.lengths), 'sentence')}"
            raise InputError(f"documents: found {counted(len(documents), 'name')}, expected {expected}")
        names = list(dict.fromkeys(documents))
        return names, np.repeat([names.index(name) for name in documents], self.lengths)

    def _checked(self, path: Any) -> np.ndarray:
        tags = self._indices(path)
        if tags.shape != (len(self.scores),):
            raise InputError(f"tags: found the shape {tags.shape}, expected ({len(self.scores)},), one for each token")
        wrong = np.flatnonzero(~np.isin(tags, np.arange(len(self.tags))))
        if wrong.size:
            found = f"tags: found {tags[wrong[0]]} at token {wrong[0]}"
            raise InputError(f"{found}, expected an index from 0 to {len(self.tags) - 1}")
        return tags.astype(np.int64)

    def _indices(self, path: Any) -> np.ndarray:
        """Return tags, as indices or names, of all tokens or by sentence, as indices of all tokens."""
        nested = isinstance(path, Sequence) and len(path) > 0
        if nested and all(isinstance(each, Sequence | np.ndarray) and not isinstance(each, str) for each in path):
            lengths = [len(each) for each in path]
            if len(lengths) != len(self.lengths):
                expected = f"expected those of {len(self.lengths):,}"
                raise InputError(f"tags: found those of {counted(len(lengths), 'sentence')}, {expected}")
            for number, (found, own) in enumerate(zip(lengths, self.lengths.tolist(), strict=True), 1):
                if found != own:
                    raise InputError(f"tags: found {counted(found, 'tag')} of sentence {number}, expected {own}")
            path = [tag for each in path for tag in each]
        tags = np.asarray(path)
        if tags.dtype.kind not in "UO":
            return tags
        index = {name: number for number, name in enumerate(self.tags)}
        if strangers := sorted({str(tag) for tag in tags.ravel()} - index.keys()):
            raise InputError(
                f"tags: found {some(strangers)}, expected some of {', '.join(self.tags)}, or their indices"
            )
        return np.array([index[str(tag)] for tag in tags.ravel()], dtype=np.int64).reshape(tags.shape)

    def _gold_path(self, gold: Any) -> np.ndarray:
        """Return gold tags as indices, (tokens,) int64; refuse those that are in another scheme than the scores."""
        path = self._checked(gold)
        if self.marks.scheme != "penn":  # most Penn tags stand outside of the phrases that they may be in
            for token in tokens_without_span(path, self.lengths, self.marks)[:1].tolist():
                sentence = int(np.searchsorted(np.cumsum(self.lengths), token, side="right"))
                number = token - int(self.lengths[:sentence].sum())
                place = self.records[sentence].place if self.records else f"sentence {sentence + 1}"
                before = f"after {self.tags[path[token - 1]]}" if number else "first"
                other = {"bio": ("iob1", "beginning"), "ioe2": ("ioe1", "end")}.get(self.marks.scheme)
                way = (
                    f", or {argument('scheme', other[0])}, which reads it as the {other[1]} of a span"
                    if other is not None
                    else ""
                )
                raise InputError(
                    f"{place}: found gold {self.tags[path[token]]} {before} at token {number + 1}, in no span of the "
                    f"scheme {self.marks.scheme}, expected gold in this scheme{way}"
                )
        return path

    def _uniforms(self, number: int, seed: int) -> np.ndarray:
        if number < 1:
            raise InputError(f"samples: found {number}, expected a whole number of at least 1")
        return generator(seed, "span samples").random((len(self.scores), number))


def find_spans(
    scores: Any,
    tags: Sequence[str] = (),
    *,
    lengths: Any = None,
    transition: Any = None,
    initial: Any = None,
    scheme: str | None = None,
) -> SpanReport:
    """Return the spans that a linear chain finds, with exact marginals and counts.

    Parameters
    ----------
    scores : path, array_like of shape (tokens, K), or sequence of arrays (n, K), one for each sentence
        Log-potentials of the K tags at each token: emission scores of an HMM or CRF, or logits. A file of JSON lines
        has scores and tags: {labels, transitions?, initial?} first, then {logits, tokens?, gold?, id?} for each
        sentence. −∞ forbids a tag: it is replaced by 600 below the row's lowest number.
    tags : sequence of K str
        Names of tags in BIO, IOB1, IO, IOE, BIOES, BMES or BILOU, such as B-PER, PER_B or B, or plain ones. O and
        labels in brackets, such as [CLS], are outside. Not needed for a file.
    lengths : array_like, shape (S,), optional
        Number of tokens of each sentence, if all scores are in one array.
    transition : array_like, shape (K, K), optional
        Log-potentials from a tag (row) to the next. Without them tokens are independent, as in a token classifier. −∞,
        for what is forbidden, is raised to 600 below the largest.
    initial : array_like, shape (K,), optional
        Log-potentials of the first tag.
    scheme : str, optional
        "bio", "bioes", "io", "iob1", "ioe1", "ioe2" or "plain" (default: recognised). In a scheme of roles that you
        name, tags without a role are outside. "penn" finds noun phrases and adjective phrases in Penn tags, see
        `nlpcalib.systems.chains.spans.SpanTags`.

    Raises
    ------
    InputError
        If shapes do not fit, scores are probabilities, NaN, +∞ or −∞ for all tags, tags mark no span, or only some of
        them state a role.
    """
    if isinstance(scores, str | Path):
        path = Path(scores)
        chain, records = read_scores(path)
        try:
            report = _chain(**chain, scheme=scheme)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        report = replace(report, records=records, inputs=(path,))
        if (gold := report.gold_path()) is not None:
            report_findings(examine_classes(report.marginals.single, gold, report.tags), path)
        return report
    return _chain(scores, tags, lengths=lengths, transition=transition, initial=initial, scheme=scheme)


def _chain(
    scores: Any, tags: Sequence[str], *, lengths: Any = None, transition: Any = None, initial: Any = None,
    scheme: str | None = None,
) -> SpanReport:  # fmt: skip
    names = tuple(tags)
    marks = SpanTags.of(names, scheme)
    size = len(names)
    if lengths is None:
        sentences = [_numbers(sentence, f"scores, sentence {number}") for number, sentence in enumerate(scores, 1)]
        sentences = [each if each.size else np.zeros((0, size)) for each in sentences]
        for number, sentence in enumerate(sentences, 1):
            if sentence.shape[1:] != (size,):
                raise InputError(
                    f"scores, sentence {number}: found the shape {sentence.shape}, expected (tokens, {size})"
                )
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        scores = np.concatenate([np.zeros((0, size)), *sentences])
    potentials = np.zeros((size, size)) if transition is None else _numbers(transition, "transition")
    first = np.zeros(size) if initial is None else _numbers(initial, "initial")
    potentials, first = (
        np.maximum(each, each.max(initial=-np.inf) - MAX_TRANSITION_SPREAD) for each in (potentials, first)
    )
    each = _numbers(scores, "scores")
    if each.ndim == 2 and each.size:
        if are_probabilities(each):
            raise InputError(
                "scores: found probabilities: each row has a sum of about 1, expected logits or log-potentials, such "
                "as the logarithms of these"
            )
        lowest = np.where(np.isfinite(each), each, np.inf).min(axis=1, keepdims=True)
        each = np.where(np.isneginf(each) & np.isfinite(lowest), lowest - MAX_TRANSITION_SPREAD, each)
    report = SpanReport(names, marks, each, np.asarray(lengths), potentials, first)
    _ = report.marginals  # computed here, so that what does not fit is refused here
    return report


def _numbers(values: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: found no array of numbers ({error}), expected rows of one length") from None
