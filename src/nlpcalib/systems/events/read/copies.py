"""Near copies: reports that were reprinted, shortened or updated, found by their words (Broder 1997).

Two texts are near copies if

* the Jaccard similarity of their shingles, |A ∩ B| / |A ∪ B| over runs of three words, is at least .5,
* they are at most a week apart, and
* all names and numbers of one are in the other. On the same day, numbers may differ, since tolls are updated.

The last condition separates copies from formulas (Malta, or Spain, reports its first case). A word is a name if it is
mostly capitalised in all texts. A copy of a copy belongs to the same report.

Candidates come from MinHash with banding (Leskovec, Rajaraman & Ullman 2014, section 3.4). The minima of a hash
function over two sets agree with a probability equal to their similarity s. Texts that agree in all three values of one
of 32 bands meet, with the probability 1 − (1 − s³)³²: .986 at s = .5 and .9999 at s = .65. Each text is compared only
with its neighbours in time among those that it meets, so time grows linearly with the texts. The similarity of
candidates is then exact.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.own_tables import own_rows

_MIN_SIMILARITY = 0.5
"""Smallest Jaccard similarity of two copies."""
_MAX_DAYS_APART = 7
"""Most days between two copies."""
_WORDS_PER_SHINGLE = 3
_HASH_BANDS, _HASHES_PER_BAND = 32, 3
_MAX_NEIGHBOURS = 4
_BLOCK_SHINGLES = 1 << 20
"""Shingles of pairs that are compared at a time, which bounds the memory."""
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_NUMBER_WORDS = frozenset(word for (word,) in own_rows(__file__, "numbers"))


@dataclass(frozen=True)
class _Words:
    """The hashes of a text's words, uint64. They depend only on letters, so the order of texts does not matter."""

    shingles: np.ndarray
    """Distinct shingles, sorted."""
    names: np.ndarray
    """Distinct capitalised words; all texts together decide which of them are names."""
    numbers: np.ndarray


def near_copies(ids: Sequence[str], dates: np.ndarray, texts: Iterable[str]) -> np.ndarray:
    """Return the index of the first report that each of N texts copies, int64 (N,); its own index if it is no copy.

    On the same day, the first report is the one whose id sorts first, so the order of texts does not matter.

    Parameters
    ----------
    ids : sequence of N str
        Distinct ids.
    dates : ndarray of datetime64, shape (N,)
    texts : iterable of N str
        Memory takes about 8 bytes for each word.

    Raises `InputError` unless each text has an id and a date.
    """
    read, names = _read(texts)
    if not len(read) == len(ids) == dates.size or np.isnat(dates).any():
        raise InputError(
            f"near copies: found {len(read)} texts, {len(ids)} ids and {dates.size} dates, expected one of each"
        )
    if len(read) < 2:
        return np.arange(len(read))
    day = dates.astype("datetime64[D]").astype(np.int64)
    rank = np.empty(len(read), dtype=np.int64)
    rank[np.lexsort((np.array(ids, dtype=np.str_), day))] = np.arange(len(read))
    shingles = [words.shingles for words in read]
    pairs = _candidates(shingles, day, rank)
    pairs = pairs[_similarities(shingles, pairs) >= _MIN_SIMILARITY]
    same = [_is_same_report(read[one], read[other], names, day[one] == day[other]) for one, other in pairs.tolist()]
    return _first_of_group(pairs[np.array(same, dtype=bool)], rank)


def first_reports(ids: Sequence[str], dates: np.ndarray, texts: Iterable[str]) -> dict[str, tuple[str, np.datetime64]]:
    """Return the id and date of the first report for each copy that `near_copies` finds, sorted by the copy's id."""
    first = near_copies(ids, dates, texts)
    copies = {ids[place]: (ids[of], dates[of]) for place, of in enumerate(first.tolist()) if place != of}
    return dict(sorted(copies.items()))


def _read(texts: Iterable[str]) -> tuple[list[_Words], frozenset[int]]:
    """Return the hashed words of each text, and the hashes of names."""
    known: dict[str, int] = {}
    capital: Counter[str] = Counter()
    every: Counter[str] = Counter()

    def hashes(words: Iterable[str]) -> np.ndarray:
        return np.array([known[word] for word in words], dtype=np.uint64)

    read = []
    for text in texts:
        found = _LETTERS_OR_DIGITS.findall(text)
        words = [word.lower() for word in found]
        for word in words:
            if word not in known:
                known[word] = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        capitals = [lower for word, lower in zip(found, words, strict=True) if word[0] != lower[0]]
        capital.update(capitals)
        every.update(words)
        numbers = {word for word in words if word in _NUMBER_WORDS or word[0].isdigit()}
        read.append(_Words(_shingles(hashes(words)), hashes(sorted({*capitals} - numbers)), hashes(sorted(numbers))))
    return read, frozenset(known[word] for word, number in capital.items() if 2 * number > every[word])


def _is_same_report(one: _Words, other: _Words, names: frozenset[int], same_day: bool) -> bool:
    """Return whether all names of one text are in the other, and on different days all numbers."""
    own = [np.array([each for each in words.names.tolist() if each in names], np.uint64) for words in (one, other)]
    if not same_day:
        own = [np.concatenate([has, words.numbers]) for has, words in zip(own, (one, other), strict=True)]
    return bool(np.isin(own[0], own[1]).all() or np.isin(own[1], own[0]).all())


def _shingles(words: np.ndarray) -> np.ndarray:
    """Return the distinct shingles of a text, sorted; a text shorter than a shingle is one shingle."""
    size = max(len(words) - _WORDS_PER_SHINGLE + 1, 1)
    mixed = np.zeros(size, dtype=np.uint64)
    for place in range(min(_WORDS_PER_SHINGLE, len(words))):
        mixed = _mixed(mixed + words[place : place + size])
    return np.unique(mixed)


def _mixed(values: np.ndarray) -> np.ndarray:
    """Mix the bits of uint64 values by a bijection."""
    values = (values ^ (values >> np.uint64(31))) * _HASH_MULTIPLIER
    return values ^ (values >> np.uint64(29))


def _candidates(shingles: Sequence[np.ndarray], day: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return distinct pairs of texts that meet in a band and are neighbours in time there, int64 (P, 2)."""
    flat = np.concatenate(shingles)
    starts = np.cumsum([0, *map(len, shingles[:-1])])
    salts = _mixed(np.arange(1, 1 + _HASH_BANDS * _HASHES_PER_BAND, dtype=np.uint64) * _HASH_MULTIPLIER).reshape(
        _HASH_BANDS, _HASHES_PER_BAND
    )
    found = []
    for band in salts:
        key = np.zeros(len(shingles), dtype=np.uint64)
        for salt in band:
            key = _mixed(key + np.minimum.reduceat(_mixed(flat ^ salt), starts))
        order = np.lexsort((rank, key))
        for lag in range(1, 1 + _MAX_NEIGHBOURS):
            first, second = order[:-lag], order[lag:]
            near = (key[first] == key[second]) & (day[second] - day[first] <= _MAX_DAYS_APART)
            found.append(np.stack([first[near], second[near]], axis=1))
    return np.unique(np.concatenate(found), axis=0)


def _similarities(shingles: Sequence[np.ndarray], pairs: np.ndarray) -> np.ndarray:
    """Return the Jaccard similarity of each pair of texts, float64 (P,)."""
    sizes = np.array([len(each) for each in shingles])
    both = sizes[pairs].sum(axis=1)
    shared = np.zeros(len(pairs), dtype=np.int64)
    for part in np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(np.cumsum(both) // _BLOCK_SHINGLES)) + 1):
        if not len(part):
            continue
        number = np.repeat(part, both[part])
        values = np.concatenate([shingles[text] for text in pairs[part].ravel()])
        order = np.lexsort((values, number))
        number, values = number[order], values[order]
        same = (number[1:] == number[:-1]) & (values[1:] == values[:-1])
        shared += np.bincount(number[1:][same], minlength=len(pairs))
    return shared / (both - shared)


def _first_of_group(pairs: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return the first text, by rank, in each text's group, int64 (N,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(rank)
    links = coo_array((np.ones(len(pairs), dtype=np.int8), tuple(pairs.T)), shape=(size, size))
    _, group = connected_components(links, directed=False)
    order = np.lexsort((rank, group))
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) != 0])
    return order[starts][group]
