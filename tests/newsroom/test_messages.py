import hashlib
import math
from itertools import islice

import numpy as np
import pytest

from newsroom.messages import posterior, simulate_messages, states, vocabulary
from nlpcalib.calibration.binning import adaptive_bins
from nlpcalib.calibration.intervals import root_mean_square
from reproduction.sentiment.duplicates import copy_key
from reproduction.sentiment.emoticons import is_happy, without_smiles


@pytest.fixture(scope="module")
def stream():
    return list(simulate_messages(7, 20_000))


def entries_of(text, words):
    """Return how often each entry of the vocabulary is in the text, found from its words alone."""
    by_word = {}
    for number, entry in enumerate(words.entries):
        for word in entry.split():
            assert word not in by_word
            by_word[word] = number
    counts = np.zeros(len(words.entries))
    for word in without_smiles(text).split():
        if word.startswith(("@user", "http")):
            continue
        known = next(
            form for form in (word, word.lower(), word.rstrip(".!?"), word.lower().rstrip(".!?")) if form in by_word
        )
        entry = by_word[known]
        counts[entry] += 1 / len(words.entries[entry].split())
    return counts


def chance(bins):
    """Return the calibration error that a calibrated model shows with these bins."""
    q = bins.mean_prediction
    return np.sqrt(np.mean(q * (1 - q) / 1000))


def test_the_true_probability_is_calibrated(stream):
    q = np.array([message.posterior for message in stream])
    y = np.array([is_happy(message.text) for message in stream])
    bins = adaptive_bins(q, y, bin_size=1000)
    assert 0.4 < root_mean_square(bins) / chance(bins) < 1.6
    z = (bins.label_frequency - bins.mean_prediction) / np.sqrt(
        bins.mean_prediction * (1 - bins.mean_prediction) / 1000
    )
    assert np.abs(z).max() < 4
    assert q.std() > 0.2


def test_a_wrong_probability_is_not_calibrated(stream):
    q = np.array([message.posterior for message in stream]) ** 1.2
    y = np.array([is_happy(message.text) for message in stream])
    bins = adaptive_bins(q, y, bin_size=1000)
    assert root_mean_square(bins) > 2 * chance(bins)


def test_the_text_alone_gives_the_true_probability(stream):
    words = vocabulary()
    plain = [message for message in islice(stream, 400) if not message.text.startswith("RT")][:150]
    counts = np.array([entries_of(message.text, words) for message in plain])
    np.testing.assert_allclose(posterior(counts, words), [message.posterior for message in plain], rtol=1e-9)


def test_the_true_probability_is_the_sum_over_moods_and_topics(stream):
    words = vocabulary()
    first, second, third = words.bounds
    share, happy = states()
    assert math.isclose(share.sum(), 1)
    message = next(message for message in stream if 0.2 < message.posterior < 0.8 and "RT" not in message.text)
    counts = entries_of(message.text, words)
    joint = {True: 0.0, False: 0.0}
    for mood in range(share.shape[0]):
        for topic in range(share.shape[1]):
            likelihood = math.prod(words.mood[mood] ** counts[first:second])
            likelihood *= math.prod(words.topic[topic] ** counts[second:third])
            joint[True] += share[mood, topic] * happy[mood, topic] * likelihood
            joint[False] += share[mood, topic] * (1 - happy[mood, topic]) * likelihood
    assert math.isclose(joint[True] / sum(joint.values()), message.posterior, rel_tol=1e-9)


def test_words_are_correlated_given_the_class(stream):
    happy = [message.text.lower() for message in stream if is_happy(message.text)]
    pizza, dinner = (np.array([word in text for text in happy]) for word in ("pizza", "hungry"))
    expected = pizza.mean() * dinner.mean()
    assert np.mean(pizza & dinner) > 3 * expected


def test_each_message_is_a_function_of_seed_and_place(stream):
    assert list(simulate_messages(7, 5)) == stream[:5]
    assert list(simulate_messages(7, 4100)) == stream[:4100]
    assert [message.text for message in simulate_messages(8, 5)] != [message.text for message in stream[:5]]
    assert list(simulate_messages(7, 0)) == []


def test_messages_are_dated_in_order_and_named_once(stream):
    times = [message.time for message in stream]
    assert times == sorted(times)
    assert len({message.id for message in stream}) == len(stream)


def test_some_messages_repeat_earlier_ones_or_say_nothing(stream):
    retweets = [message.text for message in stream if message.text.startswith("RT @")]
    assert 0.02 < len(retweets) / len(stream) < 0.04
    said = {copy_key(without_smiles(message.text)) for message in stream if not message.text.startswith("RT @")}
    assert all(copy_key(without_smiles(text)) in said for text in retweets)
    assert any(without_smiles(message.text) == "" or message.text in (":)",) for message in stream) or any(
        message.text.startswith("@user") and len(message.text.split()) <= 2 for message in stream
    )


def test_results_in_the_documentation_come_from_these_messages():
    """A seed gives the same on every machine. Whoever changes them runs the workflow and renews its pages."""
    digest = hashlib.sha256()
    for message in islice(simulate_messages(3, 10_000), 2000):
        digest.update(repr((message.id, message.time, message.text)).encode())
    assert digest.hexdigest()[:16] == "55a223bce9b5536f"
