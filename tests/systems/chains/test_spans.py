"""Marginals of spans against the enumeration of all tag sequences, in every scheme."""

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpcalib.errors import InputError
from nlpcalib.systems import chains
from nlpcalib.systems.chains.forward_backward import forward_backward
from nlpcalib.systems.chains.readers import token_classification
from nlpcalib.systems.chains.spans import (
    SpanTags,
    best_by_f1,
    expected_span_counts,
    sampled_span_counts,
    span_marginals,
    spans_of,
    tokens_without_span,
)

TAGS = {
    "bio": ("O", "B-X", "I-X", "B-Y", "I-Y"),
    "bioes": ("O", "B-X", "I-X", "E-X", "S-X", "S-Y"),
    "io": ("O", "I-X", "I-Y"),
    "iob1": ("O", "B-X", "I-X", "I-Y"),
    "plain": ("O", "X", "Y"),
    "penn": ("VB", "PRP", "RB", "DT", "JJ", "NN"),
}
PHRASES = {"NP": "D?J*N+|P", "ADJP": "R*J+"}
"""Regular expressions over the first letters of Penn tags."""


def read_by_hand(path, scheme):
    """Return the spans of one tag sequence, read from left to right: (start, end, type)."""
    if scheme == "penn":
        letters = "".join(tag[0] for tag in path)
        return [(*each.span(), kind) for kind, read in PHRASES.items() for each in re.finditer(read, letters)]
    found, start, kind = [], None, None
    for place, tag in enumerate([*path, "O"]):
        role, _, name = tag.partition("-") if scheme != "plain" else (tag, "", tag)
        if scheme == "plain":
            if start is not None and name != kind:
                found.append((start, place, kind))
                start = None
            if start is None and tag != "O":
                start, kind = place, name
        elif scheme in ("bio", "io", "iob1"):
            if start is not None and not (role == "I" and name == kind):
                found.append((start, place, kind))
                start = None
            if role == "B" or (scheme != "bio" and role == "I" and start is None):
                start, kind = place, name
        else:
            if start is not None and role == "E" and name == kind:
                found.append((start, place + 1, kind))
            if start is not None and not (role == "I" and name == kind):
                start = None
            if role == "S":
                found.append((place, place + 1, name))
            if role == "B":
                start, kind = place, name
    return found


def chain(seed, lengths, tags, scale):
    rng = np.random.default_rng(seed)
    shapes = ((sum(lengths), len(tags)), (len(tags), len(tags)), (len(tags),))
    scores, transition, initial = (rng.normal(0, scale, shape) for shape in shapes)
    return scores, np.array(lengths), transition, initial


def enumerated(scores, transition, initial, tags, scheme):
    """Return the marginal of every span of one sentence, over all tag sequences."""
    paths = np.array(list(product(range(len(tags)), repeat=len(scores))))
    totals = initial[paths[:, 0]] + scores[np.arange(len(scores)), paths].sum(axis=1)
    totals += transition[paths[:, :-1], paths[:, 1:]].sum(axis=1)
    chances = np.exp(totals - totals.max())
    spans = Counter()
    for path, chance in zip(paths.tolist(), (chances / chances.sum()).tolist(), strict=True):
        for span in read_by_hand([tags[tag] for tag in path], scheme):
            spans[span] += chance
    return spans


def listed(spans, read):
    rows = zip(spans.start.tolist(), spans.end.tolist(), spans.type.tolist(), spans.probability.tolist(), strict=True)
    return {(start, end, read.types[kind]): value for start, end, kind, value in rows}


@pytest.mark.parametrize("scheme", TAGS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.3, 2.0, 12.0]))
def test_span_marginals_equal_enumeration_in_every_scheme(scheme, seed, scale):
    tags, lengths = TAGS[scheme], [4, 0, 1, 3]
    scores, sizes, transition, initial = chain(seed, lengths, tags, scale)
    read = SpanTags.of(tags, scheme)
    assert scheme == "penn" or SpanTags.of(tags).scheme == scheme
    marginals = forward_backward(scores, sizes, transition, initial)
    found = listed(span_marginals(marginals, read), read)
    expected, counts, start = {}, np.zeros((len(lengths), len(read.types))), 0
    for sentence, length in enumerate(lengths):
        if length:
            spans = enumerated(scores[start : start + length], transition, initial, tags, scheme)
            expected |= {(start + i, start + j, kind): value for (i, j, kind), value in spans.items()}
            for (*_, kind), value in spans.items():
                counts[sentence, read.types.index(kind)] += value
        start += length
    assert found.keys() <= expected.keys()
    assert max(abs(found.get(span, 0.0) - value) for span, value in expected.items()) < 1e-12
    np.testing.assert_allclose(expected_span_counts(marginals, read), counts, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scheme", TAGS)
def test_spans_of_a_path_are_those_read_from_left_to_right(scheme):
    tags, lengths = TAGS[scheme], np.array([3, 0, 2])
    read = SpanTags.of(tags, scheme)
    for path in product(range(len(tags)), repeat=5):
        names = [tags[tag] for tag in path]
        expected = read_by_hand(names[:3], scheme)
        expected += [(start + 3, end + 3, kind) for start, end, kind in read_by_hand(names[3:], scheme)]
        assert sorted(listed(spans_of(np.array(path), lengths, read), read)) == sorted(expected), names


@pytest.mark.parametrize("scheme", TAGS)
def test_only_what_is_probable_enough_is_listed(scheme):
    scores, lengths, transition, initial = chain(1, [9, 14], TAGS[scheme], 1.0)
    read = SpanTags.of(TAGS[scheme], scheme)
    marginals = forward_backward(scores, lengths, transition, initial)
    every, some = (listed(span_marginals(marginals, read, least), read) for least in (0.0, 0.05))
    assert some == {span: value for span, value in every.items() if value >= 0.05}


def test_what_is_exactly_as_probable_as_asked_is_listed():
    coin = forward_backward(np.zeros((1, 2)), np.array([1]), np.zeros((2, 2)), np.zeros(2))
    read = SpanTags.of(("O", "X"))
    assert [span_marginals(coin, read, least).probability.tolist() for least in (0.5, 0.51)] == [[0.5], []]


def test_samples_have_the_expected_counts():
    scores, lengths, transition, initial = chain(2, [30] * 20, TAGS["bio"], 1.0)
    read = SpanTags.of(TAGS["bio"])
    marginals = forward_backward(scores, lengths, transition, initial)
    counts = sampled_span_counts(marginals, read, np.random.default_rng(0).random((600, 400)))
    expected = expected_span_counts(marginals, read).sum(axis=0)
    assert (np.abs(counts.mean(axis=0) - expected) < 4 * counts.std(axis=0) / 20).all()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_other_spans_have_a_higher_expected_f1(seed):
    scores, lengths, transition, initial = chain(seed, [3], TAGS["bio"], 1.0)
    read = SpanTags.of(TAGS["bio"])
    marginals = forward_backward(scores, lengths, transition, initial)
    spans = span_marginals(marginals, read)
    expected = float(expected_span_counts(marginals, read).sum())

    def value(chosen):
        return 2 * chosen.probability.sum() / (chosen.start.size + expected)

    candidates = [spans_of(np.array(path), lengths, read) for path in product(range(5), repeat=3)]
    known = listed(spans, read)
    for each in candidates:
        chances = [known[span] for span in listed(each, read)]
        assert value(best_by_f1(spans, expected)) >= 2 * sum(chances) / (len(chances) + expected) - 1e-12


def test_posteriors_and_spans_cannot_be_changed(all_frozen):
    assert all_frozen(chains)


@pytest.mark.parametrize(
    ("tags", "scheme", "message"),
    [
        (("O", "I-X"), "bio", "found no B-X"),
        (("O", "B-X"), "iob", "found 'iob', expected bio, bioes, io, iob1, ioe1, ioe2, plain or penn"),
        (TAGS["bioes"], "bio", "found 'E-X', expected none in the scheme bio, or the scheme bioes"),
        (TAGS["bio"], "io", "found 'B-X', expected none in the scheme io, or the scheme iob1"),
        (("O", "B-X", "X"), None, "found 'X' next to 'B-X', expected a role and a type in each, or scheme='bio'"),
        (
            ("LABEL_0", "LABEL_1"),
            None,
            "found LABEL_0, LABEL_1, expected O, or roles such as in B-PER, or scheme='plain'",
        ),
        (("O", "B", "I", "V"), None, "found 'V' next to 'B'"),
        (("O", "B-X", "U-X"), "bio", "found 'U-X'"),
        (TAGS["bio"], "bioes", "found no E-X, expected one for the spans of X in the scheme bioes"),
        (("O",), None, "found O, expected at least one that marks a span"),
        (("DT", "NN"), "penn", "found DT, NN, expected Penn tags, with NN and JJ"),
    ],
)
def test_tags_that_mark_no_span_are_refused(tags, scheme, message):
    with pytest.raises(InputError, match=message):
        SpanTags.of(tags, scheme)


@pytest.mark.parametrize(
    ("tags", "scheme", "types"),
    [
        (("O", "B", "I"), "bio", "span"),
        (("B", "M", "E", "S"), "bioes", "span"),
        (("o", "b-per", "i-per"), "bio", "per"),
        (("O", "B_PER", "I_PER"), "bio", "PER"),
        (("O", "PER-B", "PER-I"), "bio", "PER"),
        (("[CLS]", "O", "B-PER", "I-PER", "<PAD>"), "bio", "PER"),
        (("B-LOC", "I-LOC", "I-PER", "O"), "iob1", "LOC PER"),
        (("O", "I-LOC", "I-PER"), "io", "LOC PER"),
        (("O", "person", "group"), "plain", "group person"),
        (("O", "NP", "S", "VP"), "plain", "NP S VP"),
        (("O", "B-", "I-"), "bio", "span"),
    ],
)
def test_names_of_tags_show_their_scheme(tags, scheme, types):
    read = SpanTags.of(tags)
    assert (read.scheme, " ".join(read.types)) == (scheme, types)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_how_tags_are_written_does_not_change_spans(data, seed):
    roles = data.draw(st.sampled_from(("BI", "I", "BIES", "BMES", "BILU")))
    writing = data.draw(st.sampled_from(("{role}-X", "{role}_X", "X-{role}", "X:{role}", "{role}")))
    plain = ["O", *(f"{role}-X" for role in roles)]
    written = ["O", *(writing.format(role=role) for role in roles), "[SEP]"]
    scores, lengths, transition, initial = chain(seed, [5, 0, 2], written, 2.0)
    forbidden = np.where(np.arange(len(written)) == len(written) - 1, -5000.0, 0.0)  # the special label never occurs
    found = []
    for tags in (plain, written):
        size = len(tags)
        marginals = forward_backward((scores + forbidden)[:, :size], lengths, transition[:size, :size], initial[:size])
        spans = span_marginals(marginals, SpanTags.of(tags))
        found.append({(each[0], each[1]): value for each, value in listed(spans, SpanTags.of(tags)).items()})
    assert found[0] == pytest.approx(found[1], abs=1e-12)


@pytest.mark.parametrize("scheme", ["bio", "bioes", "io", "iob1", "plain"])
def test_tokens_without_span_are_those_of_no_span_read_from_left_to_right(scheme):
    tags, lengths = TAGS[scheme], np.array([2, 0, 2])
    for path in product(range(len(tags)), repeat=4):
        names = [tags[tag] for tag in path]
        covered = {place for start, end, _ in read_by_hand(names[:2], scheme) for place in range(start, end)}
        covered |= {2 + place for start, end, _ in read_by_hand(names[2:], scheme) for place in range(start, end)}
        expected = [place for place, name in enumerate(names) if name != "O" and place not in covered]
        assert tokens_without_span(np.array(path), lengths, SpanTags.of(tags)).tolist() == expected


def test_a_token_classifiers_scores_are_those_of_the_first_piece_of_each_word():
    logits = np.arange(20.0).reshape(2, 5, 2)
    words = [[None, 0, 0, 1, None], [None, 0, 1, 1]]
    for id2label in ({0: "O", 1: "B-X"}, {"1": "B-X", "0": "O"}):
        found = token_classification(logits, words, id2label)
        assert found["tags"] == ["O", "B-X"]
        assert [each.tolist() for each in found["scores"]] == [[[2, 3], [6, 7]], [[12, 13], [14, 15]]]
    with pytest.raises(InputError, match="id2label: found the keys 1, 2, expected 0 to 1"):
        token_classification(logits, words, {1: "O", 2: "B-X"})


@pytest.mark.parametrize(
    ("shape", "words", "message"),
    [
        ((2, 5), [[0], [0]], r"found the shape \(2, 5\), expected \(texts, positions, 2\)"),
        ((2, 5, 3), [[0], [0]], r"found the shape \(2, 5, 3\)"),
        ((2, 5, 2), [[0]], "found 1 texts, expected 2 of at most 5 positions"),
        ((2, 5, 2), [[0], [0] * 6], "expected 2 of at most 5 positions"),
    ],
)
def test_logits_that_do_not_fit_their_words_are_refused(shape, words, message):
    with pytest.raises(InputError, match=message):
        token_classification(np.zeros(shape), words, {0: "O", 1: "B-X"})
