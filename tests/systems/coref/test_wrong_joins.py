"""How often joined mentions are two people, as the command, its page and the documentation report it."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.systems.coref.marked_text import marked_texts, pairs

import nlpcalib as nc
from nlpcalib.cli.coref import coref
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.find_entities import WRONG_JOINS, find_entities, wrong_joins_line
from nlpcalib.systems.coref.resolve_files import resolve_files

PAGE = (Path(__file__).parents[3] / "docs/how-to/coref.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def measured():
    """The kind, the words, the true, the joined and the wrongly joined pairs of each text."""
    texts = list(marked_texts())
    reports = nc.find_entities([text.text for text in texts])
    rows = []
    for text, report in zip(texts, reports, strict=True):
        found = np.array(list(pairs(text, report.resolution)))
        same, joined = found.T
        rows.append((text.kind, len(text.text.split()), same.sum(), joined.sum(), (joined & ~same).sum()))
    return rows


def shares(rows, draws=4000):
    """Return the share of wrong pairs among the joined ones, and its 95 % interval by texts."""
    counts = np.array([row[3:] for row in rows])
    chosen = np.random.default_rng(0).integers(0, len(rows), (draws, len(rows)))
    joined, wrong = counts[chosen].sum(axis=1).T
    return counts[:, 1].sum() / counts[:, 0].sum(), *np.quantile(wrong / joined, [0.025, 0.975])


def test_the_texts_are_of_as_many_kinds_as_there_are():
    texts = list(marked_texts())
    assert len({text.kind for text in texts}) == len(texts) == 24
    assert all(80 <= len(text.text.split()) <= 200 for text in texts)
    assert all(len({person for person, *_ in text.marks}) >= 5 for text in texts)


def test_the_rate_is_the_measured_one(measured):
    assert shares(measured) == pytest.approx(WRONG_JOINS, abs=0.0005)


def test_the_page_has_the_rate_and_the_worst_and_the_best_texts(measured):
    share, low, high = shares(measured)
    assert f"**{share:.2f} of the joined pairs are wrong** (95 %: {low:.2f} to {high:.2f})".replace("0.", ".") in PAGE
    kinds = [(wrong / joined, kind) for kind, *_, joined, wrong in sorted(measured, key=lambda row: row[4] / row[3])]
    for rate, kind in (*kinds[:3], *kinds[-3:]):
        assert f"{kind} ({rate:.2f}".replace("(0.", "(.") in " ".join(PAGE.split())


def test_the_rate_stands_where_it_is_used():
    text = "Ana met Leila. She left."
    assert wrong_joins_line() in str(nc.find_entities(text))
    assert wrong_joins_line() not in str(nc.find_entities(text, model=PACKAGED_MODEL))  # a file that the user names
    percent = re.search(r"\d+ %", wrong_joins_line())[0]
    for document in (nc.find_entities.__doc__, nc.resolve_files.__doc__):
        assert percent in document


@pytest.mark.parametrize("door", [find_entities, resolve_files, coref], ids=["find_entities", "resolve_files", "coref"])
def test_docstrings_have_the_rate_with_its_interval(door):
    share, low, high = (f"{100 * each:.0f}" for each in WRONG_JOINS)
    assert f"{share} % ({low} to {high}) of the joined pairs of people are wrong" in " ".join(door.__doc__.split())
