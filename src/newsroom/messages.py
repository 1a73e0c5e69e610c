"""A simulated stream of short dated messages, for each of which the true probability of being happy is known.

Who writes is in a mood and on a topic. The mood decides, with the topic, how likely the message is to be happy, and
which of the words of a mood are likely; the topic decides which of its words are. Other words are the same for
all. Given both, words are independent; given the class alone they are not, since words of one topic come together, and
some come together always ("climate change"). So Naive Bayes is wrong here in the way it is wrong about real messages.

No word is of two entries of the vocabulary, so a text shows which entries it was made of, and the true P(happy | text)
is a sum over moods and topics. Its class does not depend on what else a text has: names, addresses, punctuation,
capitals, and where the emoticon stood. The stream does not drift.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

MOODS = ("glad", "fond", "amused", "plain", "weary", "sad", "angry")
_MOOD_SHARE = (0.15, 0.13, 0.12, 0.22, 0.14, 0.13, 0.11)
_MOOD_LOGIT = (3.0, 2.3, 1.0, -1.2, -2.2, -3.0, -3.4)
"""Log-odds of a happy message in each mood, before the topic's."""
_TOPIC_LOGIT_SPREAD = 0.7

_SOURCE_SHARE = np.cumsum((0.50, 0.16, 0.34))
"""Cumulative shares of the entries that all messages use, of those of moods, and of those of topics."""
_LOYALTY = {"mood": (0.5, 0.98), "topic": (0.8, 0.99)}
"""The smallest and largest share of an entry's uses that are due to its own mood or topic."""
_COINED_WORDS = {"common": 3000, "mood": 60, "topic": 250}
"""Rare words, made of syllables, after those of the lexicon: in all, for each mood, for each topic."""
_ZIPF_EXPONENT = 1.5
_MEAN_ENTRIES, _MIN_ENTRIES = 8.0, 3

_FIRST_TIME = calendar.timegm((2014, 1, 1, 0, 0, 0))
_SECONDS_BETWEEN_MESSAGES = 600
"""Seconds between messages."""
_MESSAGES_PER_BLOCK = 4096

_RETWEET_SHARE, _COPY_SHARE, _EMPTY_SHARE, _NAMED_SHARE, _LINK_SHARE = 0.03, 0.01, 0.005, 0.2, 0.06
_SMILES = (":)", ":-)", "=)", ":))", "(:")
_SMILE_SHARE = np.cumsum((0.8, 0.09, 0.04, 0.05, 0.02))
_ENDS = ("", ".", "!", "!!", "...", "?")
_END_SHARE = np.cumsum((0.5, 0.18, 0.14, 0.06, 0.08, 0.04))
_SYLLABLES = [consonant + vowel for consonant in "bdfgjklmnprstvz" for vowel in "aeiou"]


class SimulatedMessage(NamedTuple):
    """One message of the stream, and its truth."""

    id: str
    """Its place in the stream, seven digits."""
    time: int
    """Seconds since 1970, UTC."""
    text: str
    posterior: float
    """The true P(happy | text without the emoticon)."""


class Vocabulary(NamedTuple):
    """E entries, words or phrases, and how likely each is."""

    entries: list[str]
    bounds: tuple[int, int, int]
    """Entries before the first are for all, then those of moods, then those of topics, up to the last."""
    topics: tuple[str, ...]
    common: np.ndarray
    """float64 (entries for all,): probabilities."""
    mood: np.ndarray
    """float64 (M, entries of moods): probabilities in each mood."""
    topic: np.ndarray
    """float64 (T, entries of topics): probabilities on each topic."""


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the stream, the same for every seed."""
    listed: dict[str, dict[str, list[str]]] = {"common": {}, "mood": {}, "topic": {}}
    text = (Path(__file__).with_suffix("") / "words.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        kind, name, column = line.split("\t")
        listed[kind][name] = column.split(", ")
    used = [
        word for names in listed.values() for entries in names.values() for entry in entries for word in entry.split()
    ]
    if len(set(used)) < len(used):
        twice = sorted({word for word in used if used.count(word) > 1})
        raise InputError(f"messages/words.tsv: found {', '.join(twice)} in two entries, expected each word in one")
    coined = (word for word in _coined_words() if word not in set(used))
    for kind, names in listed.items():
        for entries in names.values():
            entries.extend(next(coined) for _ in range(_COINED_WORDS[kind]))
    flat = {kind: [entry for entries in names.values() for entry in entries] for kind, names in listed.items()}
    common, mood, topic = np.cumsum([len(entries) for entries in flat.values()]).tolist()
    return Vocabulary(
        entries=[entry for entries in flat.values() for entry in entries],
        bounds=(common, mood, topic),
        topics=tuple(listed["topic"]),
        common=_zipf(len(flat["common"])),
        mood=_shared("mood", [len(listed["mood"][name]) for name in MOODS]),
        topic=_shared("topic", [len(entries) for entries in listed["topic"].values()]),
    )


def _coined_words() -> Iterator[str]:
    for number in range(len(_SYLLABLES) ** 3):
        # Neighbours in the list should not look alike, so the number is spread over all syllables.
        spread = number * 190_027 % len(_SYLLABLES) ** 3
        first, rest = divmod(spread, len(_SYLLABLES) ** 2)
        yield _SYLLABLES[first] + _SYLLABLES[rest // len(_SYLLABLES)] + _SYLLABLES[rest % len(_SYLLABLES)]


def _zipf(size: int) -> np.ndarray:
    weight = (np.arange(size) + 3.0) ** -_ZIPF_EXPONENT
    return weight / weight.sum()


def _shared(kind: str, sizes: Sequence[int]) -> np.ndarray:
    """Return each state's distribution over all states' entries, most of it on its own."""
    low, high = _LOYALTY[kind]
    own = np.concatenate([_zipf(size) for size in sizes])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    loyalty = generator(0, "loyalty", kind).uniform(low, high, own.size)
    weight = np.where(owner == np.arange(len(sizes))[:, None], loyalty, (1 - loyalty) / (len(sizes) - 1)) * own
    return weight / weight.sum(axis=1, keepdims=True)


@cache
def states() -> tuple[np.ndarray, np.ndarray]:
    """Return P(mood, topic) and P(happy | mood, topic), both float64 (M, T)."""
    rng = generator(0, "states")
    topics = len(vocabulary().topics)
    share = np.array(_MOOD_SHARE)[:, None] * rng.dirichlet(np.full(topics, 2.0), len(MOODS))
    logit = np.array(_MOOD_LOGIT)[:, None] + _TOPIC_LOGIT_SPREAD * rng.standard_normal(topics)
    return share / share.sum(), 1 / (1 + np.exp(-logit))


def simulate_messages(seed: int, number: int) -> Iterator[SimulatedMessage]:
    """Yield the first `number` messages of the stream `seed`, ten minutes apart from 1 January 2014 on.

    Each is a function of the seed and its place in the stream alone. Some repeat or retweet a message before them, some
    are nothing but a name or an emoticon. `posterior` is the true P(happy | text) of the text without the emoticon.
    """
    for block in range(-(-number // _MESSAGES_PER_BLOCK)):
        start = block * _MESSAGES_PER_BLOCK
        for offset, (text, posterior, time) in enumerate(_message_block(seed, block)):
            if start + offset == number:
                return
            yield SimulatedMessage(f"{start + offset:07d}", time, text, posterior)


def posterior(counts: np.ndarray, vocabulary: Vocabulary) -> np.ndarray:
    """Return the true P(happy | text), (N,), of messages in which entry e occurs `counts[n, e]` times, (N, E)."""
    first, second, third = vocabulary.bounds
    log_mood = counts[:, first:second] @ np.log(vocabulary.mood).T
    log_topic = counts[:, second:third] @ np.log(vocabulary.topic).T
    return _posterior(log_mood, log_topic)


def _posterior(log_mood: np.ndarray, log_topic: np.ndarray) -> np.ndarray:
    share, happy = states()
    log_mood = np.exp(log_mood - log_mood.max(axis=1, keepdims=True))
    log_topic = np.exp(log_topic - log_topic.max(axis=1, keepdims=True))
    joint = np.einsum("nm,nt,mt->n", log_mood, log_topic, share * happy, optimize=True)
    return joint / np.einsum("nm,nt,mt->n", log_mood, log_topic, share, optimize=True)


def _message_block(seed: int, block: int) -> Iterator[tuple[str, float, int]]:
    words = vocabulary()
    first, second, _ = words.bounds
    share, happy = states()
    rng = generator(seed, "messages", block)
    state = np.searchsorted(np.cumsum(share.ravel()), rng.random(_MESSAGES_PER_BLOCK)).clip(max=share.size - 1)
    mood, topic = np.divmod(state, share.shape[1])
    smiles = rng.random(_MESSAGES_PER_BLOCK) < happy.ravel()[state]
    lengths = _MIN_ENTRIES + rng.poisson(rng.gamma(2.0, (_MEAN_ENTRIES - _MIN_ENTRIES) / 2.0, _MESSAGES_PER_BLOCK))
    owner = np.repeat(np.arange(_MESSAGES_PER_BLOCK), lengths)
    source = np.searchsorted(_SOURCE_SHARE, rng.random(owner.size)).clip(max=2)
    draw = rng.random(owner.size)
    entry = np.empty(owner.size, np.int64)
    log_mood, log_topic = np.zeros((_MESSAGES_PER_BLOCK, len(MOODS))), np.zeros((_MESSAGES_PER_BLOCK, share.shape[1]))
    entry[source == 0] = _draw(words.common[None], np.zeros(np.sum(source == 0), int), draw[source == 0])
    for number, table, latent, start, total in (
        (1, words.mood, mood, first, log_mood),
        (2, words.topic, topic, second, log_topic),
    ):
        here = source == number
        drawn = _draw(table, latent[owner[here]], draw[here])
        entry[here] = start + drawn
        for row, logs in enumerate(np.log(table)):
            total[:, row] = np.bincount(owner[here], weights=logs[drawn], minlength=_MESSAGES_PER_BLOCK)
    truth = _posterior(log_mood, log_topic)
    yield from _message_texts(
        rng,
        np.split(entry, np.cumsum(lengths)[:-1]),
        smiles,
        truth,
        _FIRST_TIME + _SECONDS_BETWEEN_MESSAGES * _MESSAGES_PER_BLOCK * block,
    )


def _draw(table: np.ndarray, row: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    # Row r's cumulative probabilities lie between r and r + 1, so one search serves all rows.
    cumulative = (np.cumsum(table, axis=1) + np.arange(len(table))[:, None]).ravel()
    flat = np.searchsorted(cumulative, uniform + row, side="right")
    return np.minimum(flat - row * table.shape[1], table.shape[1] - 1)


def _message_texts(
    rng: np.random.Generator, entries: Sequence[np.ndarray], smiles: np.ndarray, truth: np.ndarray, start: int
) -> Iterator[tuple[str, float, int]]:
    words = vocabulary().entries
    size = len(entries)
    time = (
        start + _SECONDS_BETWEEN_MESSAGES * np.arange(size) + rng.integers(_SECONDS_BETWEEN_MESSAGES, size=size)
    ).tolist()
    named, linked, empty, repeated, middle, capital = (
        rng.random((6, size))
        < [[_NAMED_SHARE], [_LINK_SHARE], [_EMPTY_SHARE], [_RETWEET_SHARE + _COPY_SHARE], [0.1], [0.5]]
    ).tolist()
    retweeted = (rng.random(size) < _RETWEET_SHARE / (_RETWEET_SHARE + _COPY_SHARE)).tolist()
    earlier = (rng.random(size) * np.arange(size)).astype(int).tolist()
    user = rng.integers(100_000, size=size).tolist()
    smile = np.searchsorted(_SMILE_SHARE, rng.random(size)).clip(max=len(_SMILES) - 1).tolist()
    end = np.searchsorted(_END_SHARE, rng.random(size)).clip(max=len(_ENDS) - 1).tolist()
    texts: list[str] = []
    values = truth.tolist()
    for i, (chosen, happy) in enumerate(zip(entries, smiles.tolist(), strict=True)):
        if repeated[i] and i:
            text = texts[earlier[i]]
            texts.append(f"RT @user{user[i]}: {text}" if retweeted[i] else text)
            values[i] = values[earlier[i]]
            yield texts[i], values[i], time[i]
            continue
        parts = [] if empty[i] else [words[number] for number in chosen.tolist()]
        if parts:
            parts[-1] += _ENDS[end[i]]
            if capital[i]:
                parts[0] = parts[0][0].upper() + parts[0][1:]
        if happy:
            parts.insert(len(parts) // 2 if middle[i] else len(parts), _SMILES[smile[i]])
        if named[i] or not parts:
            parts.insert(0, f"@user{user[i]}")
        if linked[i]:
            parts.append(f"http://example.org/{user[i]}")
        texts.append(" ".join(parts))
        yield texts[i], values[i], time[i]
