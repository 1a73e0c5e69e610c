"""The teller of each quotation: the subject of its verb of speech, as labels of turns name the speaker of a turn.

*I* in a quotation is its teller. The links that follow are certain, so antecedents stay independent, and all that is
computed from them stays exact: *I* has the teller before it as its antecedent, or the earlier *I* of the same teller.
Where the teller comes after its *I* (*"I am tired," said Ana*), the two change places: *I* has the antecedents of the
teller, and the teller has *I*.

With A[2, 0] = .6 and A[2, 1] = .2 for a teller, mention 2, of the *I* that is mention 1, the teller's antecedents other
than *I* are divided by their sum with NEW, .8:

>>> a = np.array([[0, 0, 0], [0.3, 0, 0], [0.6, 0.2, 0]])
>>> with_rows(a, rows_of_tellers(a, [(2, [1])])).round(3).tolist()
[[0.0, 0.0, 0.0], [0.75, 0.0, 0.0], [0.0, 1.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.tree import Tree

_DOUBLE_MARKS = (frozenset(("``", "“", "«")), frozenset(("''", "”", "»")), '"')
"""Marks that open, marks that close, and the straight mark, which does either."""
_SINGLE_MARKS = (frozenset(("‘",)), frozenset(("’",)), "'")
_APOSTROPHES = ("'", "’")
_QUOTES = frozenset().union(*_DOUBLE_MARKS, *_SINGLE_MARKS)
_SPEECH_RELATIONS = ("ccomp", "parataxis")
"""Relations between a verb of speech and what is said, in either direction."""
LinkRows = dict[int, dict[int, float]]
"""The antecedents of some mentions, with their probabilities."""
_MIN_KEPT_MASS = 1e-9
"""Least probability of a teller's antecedents before its quotation, with NEW; below it, its *I* is NEW."""


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
            is_mark &= tag != "POS" or word not in _APOSTROPHES
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


def tellers(
    document: Document,
    trees: Mapping[int, Tree],
    offsets: Sequence[int],
    quotations: np.ndarray,
    is_speech: Callable[[str], bool],
) -> np.ndarray:
    """Return the head word of each quotation's teller, int64 (quotations + 1,); -1 if nobody is known to be.

    It is the subject of the nearest verb outside the quotation, in a sentence with words of it, of those that are
    `is_speech` or have the quotation as their complement; or of a verb of speech alone in the next sentence (*"Is he
    asleep?" she asked.*). Otherwise it is the teller or the subject of the sentence before (*She shrugs. "I do not
    know."*), if that is *I*, *he*, *she* or a name. These sentences are in the same paragraph. A coordinated subject is
    none.
    """
    found = np.full(int(quotations.max(initial=0)) + 1, -1, dtype=np.int64)
    if found.size == 1:
        return found
    inside = [quotations[first:last] for first, last in pairwise(offsets)]
    for number, tree in sorted(trees.items()):
        if not inside[number].any():
            continue
        subjects = {}
        for verb, word in enumerate(tree.words):
            if not inside[number][verb] and (is_speech(word) or _has_quoted_complement(tree, inside[number], verb)):
                subject = _subject(tree, verb, offsets[number])
                if subject < 0 and verb and tree.words[verb - 1] in _QUOTES:
                    subject = _subject(tree, verb, offsets[number], "obj")
                if subject >= 0 and not quotations[subject]:
                    subjects[verb] = subject
        for quoted in np.unique(inside[number][inside[number] > 0]).tolist() if subjects else ():
            if found[quoted] < 0:
                places = np.flatnonzero(inside[number] == quoted)
                found[quoted] = subjects[min(subjects, key=lambda verb: np.abs(places - verb).min())]
    if (found[1:] < 0).any():
        within = _within_paragraphs(document)
        words = [word for sentence in document.sentences for word in sentence.words]
        first_word, last_word = _ends(quotations), _ends(quotations[::-1])
        last_word = {number: quotations.size - 1 - place for number, place in last_word.items()}
        for number in (1 + np.flatnonzero(found[1:] < 0)).tolist():
            if number not in first_word:
                continue
            # The marks around a quotation stand before its first word and after its last.
            start, stop = first_word[number], last_word[number]
            outer = np.clip([start - 2, start, stop, stop + 2], 0, quotations.size - 1)
            before, first, last, after = (np.searchsorted(offsets, outer, side="right") - 1).tolist()
            if after > last and within[last + 1 : after + 1].all() and not inside[after].any():
                tree, root = trees[after], _root(trees[after])
                if is_speech(tree.words[root]) and not tree.dependents(root, "ccomp", "xcomp", "obj"):
                    found[number] = _subject(tree, root, offsets[after])
            if found[number] < 0 and before < first and within[before + 1 : first + 1].all():
                if found[number - 1] >= offsets[before]:
                    # After a question, the turn of somebody else may follow.
                    asked = words[last_word[number - 1]] == "?" and "\n" not in document.source.strip()
                    found[number] = -1 if asked else found[number - 1]
                elif not inside[before].any():
                    teller = _subject(trees[before], _root(trees[before]), offsets[before])
                    if teller >= 0 and _is_person(trees[before], teller - offsets[before]):
                        found[number] = teller
    return found


def told_by(trees: Mapping[int, Tree], offsets: Sequence[int], words: np.ndarray) -> np.ndarray:
    """Return who said each quotation, see `MentionTable.told`, from the head words of tellers."""
    told = np.zeros(words.size, dtype=np.int64)
    for number, word in enumerate(words.tolist()):
        if word >= 0:
            sentence = int(np.searchsorted(offsets, word, side="right")) - 1
            told[number] = 1 if trees[sentence].words[word - offsets[sentence]] in ("i", "we") else 2
    return told


def _ends(quotations: np.ndarray) -> dict[int, int]:
    """Return the place of each quotation's first word."""
    numbers, places = np.unique(quotations, return_index=True)
    return dict(zip(numbers.tolist(), places.tolist(), strict=True))


def _root(tree: Tree) -> int:
    return next((word for word, head in enumerate(tree.heads) if head < 0), 0)


def _subject(tree: Tree, verb: int, offset: int, relation: str = "nsubj") -> int:
    """Return the subject of a verb, numbered in the document; -1 if there is none or several are coordinated.

    After a quotation, the subject may stand after its verb (*"Come in," said the cook*) and be parsed as an object.
    """
    subjects = tree.dependents(verb, relation)
    return offset + subjects[0] if subjects and not tree.dependents(subjects[0], "conj") else -1


def _is_person(tree: Tree, word: int) -> bool:
    return tree.words[word] in ("i", "he", "she") or tree.tags[word] == "NNP"


def _within_paragraphs(document: Document) -> np.ndarray:
    """Return whether each sentence follows another on its line of the source, bool; never with speakers' labels."""
    result = np.zeros(len(document.sentences), dtype=bool)
    if not document.source or any(sentence.speaker is not None for sentence in document.sentences):
        return result
    letters = np.flatnonzero([not character.isspace() for character in document.source])
    seen = 0
    for number, sentence in enumerate(document.sentences):
        if 0 < seen < letters.size:
            result[number] = "\n" not in document.source[letters[seen - 1] : letters[seen]]
        seen += sum(len(word) for word in sentence.words)
    return result


def _has_quoted_complement(tree: Tree, inside: np.ndarray, verb: int) -> bool:
    if not tree.tags[verb].startswith("VB"):
        return False
    above = tree.heads[verb]
    return (above >= 0 and inside[above] > 0 and tree.relations[verb] in _SPEECH_RELATIONS) or any(
        inside[child] for child in tree.dependents(verb, *_SPEECH_RELATIONS)
    )


def rows_of_tellers(conditionals: Any, told: Sequence[tuple[int, Sequence[int]]]) -> LinkRows:
    """Return the rows of A, (N, N) or sparse, of tellers and their *I*: the antecedents of a mention, by its number.

    `told` has a teller and its *I*, sorted, for each teller: numbers of mentions.
    """
    rows: LinkRows = {}
    for teller, (first, *others) in told:
        rows |= {later: {before: 1.0} for before, later in pairwise((first, *others))}
        if teller < first:
            rows[first] = {teller: 1.0}
            continue
        row = conditionals[[teller]].toarray()[0] if sparse.issparse(conditionals) else conditionals[teller]
        kept = 1 - float(row[first:].sum())
        rows[first] = {j: float(row[j]) / kept for j in np.flatnonzero(row[:first]).tolist() if kept > _MIN_KEPT_MASS}
        rows[teller] = {first: 1.0}
    return rows


def with_rows(conditionals: Any, rows: LinkRows) -> Any:
    """Return A, (N, N) or sparse, with other antecedents for some mentions."""
    if not rows:
        return conditionals
    places = [(i, j, value) for i, row in rows.items() for j, value in row.items()]
    replaced, columns, values = (np.array(each) for each in zip(*places, strict=True)) if places else ([], [], [])
    unchanged = np.ones(conditionals.shape[0])
    unchanged[list(rows)] = 0.0
    if sparse.issparse(conditionals):
        certain = sparse.coo_array((values, (replaced, columns)), shape=conditionals.shape)
        return sparse.csr_array(sparse.diags_array(unchanged) @ conditionals + certain)
    result = conditionals * unchanged[:, None]
    result[replaced, columns] = values
    return result
