"""First predictions from keywords, and patterns that would not end."""

import signal
import time

import pytest

from nlpcalib.errors import InputError
from nlpcalib.predictions import keywords
from nlpcalib.predictions.keywords import keyword_predictions


def test_predictions_follow_the_number_of_different_matches_at_the_beginning_of_words():
    texts = ["Floods again", "afflood", "flood flood", "a flood and a quake"]
    assert keyword_predictions(texts, "flood|quake").tolist() == [0.5, 0.02, 0.5, 0.8]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+\s?)+$", "(a|aa)+$", "flood|(.*a){20}$"])
def test_a_pattern_that_backtracks_without_end_is_given_up_and_leaves_no_timer(pattern, monkeypatch):
    monkeypatch.setattr(keywords, "MIN_SECONDS_ALLOWED", 0.2)
    before = signal.getsignal(signal.SIGVTALRM)
    texts = ["flood", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"]
    start = time.process_time()
    with pytest.raises(InputError, match=r"which takes too long \(in text 2\), expected a pattern without repeats"):
        keyword_predictions(texts, pattern)
    assert time.process_time() - start < 1.5
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) == before


def test_long_and_many_texts_are_searched_in_the_time_that_their_length_allows():
    texts = ["the flood came and the water rose " * 100_000, *["a flood"] * 200_000]
    assert set(keyword_predictions(texts, r"flo+d|w\w+r").tolist()) == {0.5, 0.8}
