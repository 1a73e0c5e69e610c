"""The teller of each quotation: the subject of its verb of speech, as labels of turns name the speaker of a turn.

*I* in a quotation is its teller with the probability RIGHT_TELLERS: *I* has the teller before it as its antecedent, or
the earlier *I* of the same teller. Where the teller comes after its *I* (*"I am tired," said Ana*), the two change
places: *I* has the antecedents of the teller, and the teller has *I*. With the rest of the probability, each has the
antecedents that the model gives it.

With A[2, 0] = .6 and A[2, 1] = .2 for a teller, mention 2, of the *I* that is mention 1, the teller's antecedents other
than *I* are divided by their sum with NEW, .8. Then A'[1, 0] = .95 · .6 / .8 + .05 · .3 = .727:

>>> a = np.array([[0, 0, 0], [0.3, 0, 0], [0.6, 0.2, 0]])
>>> with_tellers(a, [(2, [1])]).round(3).tolist()
[[0.0, 0.0, 0.0], [0.727, 0.0, 0.0], [0.03, 0.96, 0.0]]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.tree import Tree

_DOUBLE_MARKS = (frozenset(("``", "“", "«")), frozenset(("''", "”", "»")), '"')
"""Marks that open, marks that close, and the straight mark, which does either."""
_SINGLE_MARKS = (frozenset(("‘",)), frozenset(("’",)), "'")
RIGHT_TELLERS = 0.95
"""Share of tellers that are right, by the *I* in their quotations, with the errors of the parser.

401 of 424 *I* are right in training documents of LitBank and OntoGUM, and 168 of 173 in held-out ones. The parser's own
probability of a subject would take many sampled trees.
"""


def quotation_numbers(document: Document) -> np.ndarray:
    """Return the number of the quotation around each word, 0 outside quotations and for their marks, int64 (words,).

    A straight mark opens after a space and closes before one. Without spaces, its tag shows which, or else it closes an
    open quotation. Single marks count in a document with more quotations in single marks than in double ones, such as a
    British novel; one that its tag shows to be an apostrophe does not, nor does one that nothing closes.
    """
    double, _ = _numbers(document, *_DOUBLE_MARKS)
    single, closed = _numbers(document, *_SINGLE_MARKS)
    single[~np.isin(single, closed)] = 0
    return single if len(closed) > double.max(initial=0) else double


def _numbers(
    document: Document, opening: frozenset[str], closing: frozenset[str], straight: str
) -> tuple[np.ndarray, list[int]]:
    """Return the number of the quotation around each word, and the numbers of quotations that are closed."""
    numbers, closed, inside, count, spaced = [], [], False, 0, True
    for sentence in document.sentences:
        spaces = sentence.space_after or (True,) * len(sentence.words)
        for word, tag, space in zip(sentence.words, sentence.tags, spaces, strict=True):
            is_mark = word in opening or word in closing or word == straight
            is_mark &= tag != "POS" or word not in ("'", "’")
            if is_mark:
                shown = spaced if spaced != space else tag == "``" or (tag != "''" and not inside)
                opens = word in opening or (word not in closing and shown)
                if inside and not opens:
                    closed.append(count)
                count += opens
                inside = opens
            numbers.append(count if inside and not is_mark else 0)
            spaced = space
    return np.array(numbers, dtype=np.int64), closed


def tellers(trees: Mapping[int, Tree], offsets: Sequence[int], quotations: np.ndarray) -> np.ndarray:
    """Return the head word of each quotation's teller, int64 (quotations + 1,); -1 if nobody is known to be.

    It is the subject of the nearest verb outside the quotation, in a sentence with words of it, of those that have the
    quotation as their complement.
    """
    found = np.full(int(quotations.max(initial=0)) + 1, -1, dtype=np.int64)
    inside = [quotations[first:last] for first, last in pairwise(offsets)]
    for number, tree in sorted(trees.items()):
        if not inside[number].any():
            continue
        subjects = {}
        for verb in range(len(tree.words)):
            if not inside[number][verb] and _has_quoted_complement(tree, inside[number], verb):
                subject = _subject(tree, verb)
                if subject >= 0 and not inside[number][subject]:
                    subjects[verb] = offsets[number] + subject
        for quoted in np.unique(inside[number][inside[number] > 0]).tolist() if subjects else ():
            if found[quoted] < 0:
                places = np.flatnonzero(inside[number] == quoted)
                found[quoted] = subjects[min(subjects, key=lambda verb: np.abs(places - verb).min())]
    return found


def voices(quotation: np.ndarray, teller: np.ndarray) -> np.ndarray:
    """Return whose *I* the words of each mention would have, int64 (N,), from two columns of `MentionTable`.

    It is 0 for the writer's, outside quotations, and in a quotation that of its teller's word, or of its own number.
    """
    return np.where(quotation == 0, 0, np.where(teller >= 0, teller + 1, -quotation))


def _subject(tree: Tree, verb: int) -> int:
    """Return the subject of a verb, or -1 if there is none or several are coordinated.

    After a quotation, the subject may stand after its verb (*"Come in," said the cook*) and be parsed as an object.
    """
    after_quotation = verb and any(tree.words[verb - 1] in marks for marks in (*_DOUBLE_MARKS, *_SINGLE_MARKS))
    subjects = tree.dependents(verb, "nsubj") or (tree.dependents(verb, "obj") if after_quotation else [])
    return subjects[0] if subjects and not tree.dependents(subjects[0], "conj") else -1


def _has_quoted_complement(tree: Tree, inside: np.ndarray, verb: int) -> bool:
    if not tree.tags[verb].startswith("VB"):
        return False
    above, relations = tree.heads[verb], ("ccomp", "parataxis")  # of speech and what is said, in either direction
    return (above >= 0 and inside[above] > 0 and tree.relations[verb] in relations) or any(
        inside[child] for child in tree.dependents(verb, *relations)
    )


def with_tellers(conditionals: Any, told: Sequence[tuple[int, Sequence[int]]]) -> Any:
    """Return A, (N, N) or sparse, where *I* is the teller of its quotation with the probability RIGHT_TELLERS.

    `told` has a teller and its *I*, sorted, for each teller: numbers of mentions. Antecedents stay independent, so what
    follows from A is exact.
    """
    rows: dict[int, dict[int, float]] = {}
    for teller, (first, *others) in told:
        rows |= {later: {before: 1.0} for before, later in pairwise((first, *others))}
        if teller < first:
            rows[first] = {teller: 1.0}
            continue
        row = conditionals[[teller]].toarray()[0] if sparse.issparse(conditionals) else conditionals[teller]
        # Without antecedents before its quotation, and NEW, the teller has none for its *I*.
        kept = 1 - float(row[first:].sum())
        rows[first] = {j: float(row[j]) / kept for j in np.flatnonzero(row[:first]).tolist() if kept > 1e-9}
        rows[teller] = {first: 1.0}
    if not rows:
        return conditionals
    own, stated = np.ones(conditionals.shape[0]), sparse.dok_array(conditionals.shape)
    own[list(rows)] = 1 - RIGHT_TELLERS
    for mention, antecedents in rows.items():
        for antecedent, value in antecedents.items():
            stated[mention, antecedent] = RIGHT_TELLERS * value
    result = sparse.diags_array(own) @ conditionals + stated
    return sparse.csr_array(result) if sparse.issparse(result) else result
