"""Findings are warned of at the line that called the library, or refused; few lines are printed of many."""

import linecache

import numpy as np
import pytest

import nlpcalib
from nlpcalib.cli.app import shortened
from nlpcalib.errors import InputError, InputFinding, InputWarning, report_findings


def test_likely_findings_are_warnings_with_the_place_in_front_and_each_is_given_once():
    likely = InputFinding("q", "q is odd")
    with pytest.warns(InputWarning) as caught:
        report_findings([likely, InputFinding("y", "y is odd"), likely], "t.csv")
    assert [str(each.message) for each in caught] == ["t.csv: q is odd", "t.csv: y is odd"]


def test_a_certain_finding_is_refused_without_a_warning():
    with pytest.raises(InputError, match=r"^t\.csv: y is no label$"):
        report_findings([InputFinding("q", "q is odd"), InputFinding("y", "y is no label", certain=True)], "t.csv")


def test_a_warning_points_to_the_line_that_called_the_library():
    q = np.arange(40) % 2
    with pytest.warns(nlpcalib.InputWarning) as caught:
        nlpcalib.calibrate(q, q)
    assert caught[0].filename == __file__
    assert "nlpcalib.calibrate(q, q)" in linecache.getline(__file__, caught[0].lineno)


@pytest.mark.parametrize("number", [0, 2, 4, 5, 9])
def test_of_many_sentences_few_are_left_and_none_is_left_out(number):
    sentences = [f"w{each}" for each in range(number)]
    lines = shortened(sentences, 4)
    assert len(lines) == min(number, 4)
    assert "; ".join(lines) == "; ".join(sentences)
