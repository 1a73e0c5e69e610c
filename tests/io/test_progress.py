"""Long runs note how far they are; quick ones, and those that nobody looks at, are silent."""

import io
import logging
import sys
import time

import pytest

from nlpcalib.io.progress import time_left, with_progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Let every look at the clock take four seconds."""
    now = iter(range(0, 10_000, 4))
    monkeypatch.setattr(time, "monotonic", lambda: next(now))


def test_a_terminal_has_a_line_with_the_time_left_which_goes_in_the_end(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    assert list(with_progress("abcd", "document", 200)) == list("abcd")
    lines = stream.getvalue().split("\r\x1b[K")
    assert lines[1] == "1 of 200 documents, about 13 min left"
    assert lines[4:] == ["4 of 200 documents, about 13 min left", ""]


def test_a_log_has_a_line_a_minute(clock, caplog):
    caplog.set_level(logging.INFO)
    assert len(list(with_progress(range(40), "sentence"))) == 40
    assert caplog.messages == ["15 sentences, 0.25 a second", "30 sentences, 0.25 a second"]


def test_nothing_is_written_where_nobody_looks(clock, capsys):
    assert list(with_progress("abc", "document", 3)) == list("abc")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "10 s"), (62, "60 s"), (100, "2 min"), (3000, "50 min"), (9000, "2.5 h")]
)
def test_durations_are_in_words(seconds, words):
    assert time_left(seconds) == words
