"""Documents are counted at each step, and a word that finds nothing is named."""

import logging

import numpy as np
import pytest

from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.learn.files import write_model
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.query import Query
from studies.events.funnel import funnel_row, inflected_from, with_model_words, word_counts, word_rows

QUERY = Query("hostile", ("attack", "strike", "bombed", "besiege"))
TEXTS = ["He struck and strikes.", "Attacked. ATTACKS of jets", "A stroke, a heart-attack", "Peace"]


def table(probabilities: list[float]) -> EventTable:
    number = len(probabilities)
    return EventTable(
        np.array([f"d{row // 2}" for row in range(number)]),
        np.full(number, "1999-05-01", dtype="datetime64[D]"),
        np.array(["IRQ", "USA"] * number)[:number],
        np.array(probabilities),
        np.zeros(number, dtype=bool),
        np.zeros((number, 2), dtype=bool),
    )


def test_forms_are_counted_by_their_lemma() -> None:
    found, occurrences, documents = word_counts(TEXTS, QUERY)
    assert found == 3
    assert occurrences == {"attack": 3, "strike": 2}
    assert documents == {"attack": 2, "strike": 1}


def test_nouns_are_words_too_and_a_noun_and_verb_is_counted_once() -> None:
    query = Query("hostile", ("attack",), nouns=("attack", "shelling"), model="assault")
    _, occurrences, _ = word_counts(["The attacks and the shelling"], query)
    assert occurrences == {"attack": 1, "shelling": 1}
    rows = word_rows(query, occurrences, {}, [])
    assert [row["word"] for row in rows] == ["attack", "shelling"]
    # A model finds countries, and no word of its own does.
    assert [(row["candidates"], row["warning"]) for row in rows] == [(None, "")] * 2


def test_a_model_of_ones_own_has_the_words_of_its_file_and_none_without(tmp_path) -> None:
    for name, words in (("quake", ("quake", "shake")), ("none", ())):
        write_model(tmp_path / f"{name}.json", EventModel(name, "", words))
    quake, none = (
        with_model_words(Query.from_mapping({"name": name, "model": str(tmp_path / f"{name}.json")}))
        for name in ("quake", "none")
    )
    found, occurrences, _ = word_counts(["Two quakes shook Peru.", "Shaking hands", "Peace"], quake)
    assert (found, occurrences) == (2, {"quake": 1, "shake": 2})
    rows = word_rows(quake, occurrences, {}, [])
    assert [(row["word"], row["candidates"], row["warning"]) for row in rows] == [
        ("shake", None, ""),
        ("quake", None, ""),
    ]
    found, occurrences, documents = word_counts(TEXTS, none)
    row = funnel_row(none, 4, found, 4, table([0.9]))
    assert (row["with_word"], row["share_of_with_word"], row["share_of_read"]) == (None, None, 0.25)
    assert word_rows(none, occurrences, documents, []) == []
    assert with_model_words(QUERY) is QUERY


def test_nouns_are_counted_in_each_plural() -> None:
    query = Query("q", (), nouns=("embargo", "veto", "airman"), model="x")
    _, occurrences, _ = word_counts(["Embargoes, embargos, two vetoes and airmen"], query)
    assert occurrences == {"embargo": 2, "veto": 1, "airman": 1}


def test_documents_are_counted_once_at_each_step(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        row = funnel_row(QUERY, 10, 4, 5, table([0.9, 0.8, 0.5, 0.1]))
    assert [row[name] for name in ("read", "with_word", "parsed", "candidate", "probable")] == [10, 4, 5, 2, 1]
    assert row["expected"] == pytest.approx(2.3)
    assert (row["share_of_read"], row["share_of_with_word"]) == (0.1, 0.25)
    assert "10 documents read, 4 with a word of the query, 5 parsed" in caplog.text
    assert funnel_row(QUERY, 0, 0, 0, table([]))["share_of_read"] is None


def test_a_word_that_is_nowhere_or_inflected_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    candidates = [{"verb": "attack", "probability": 0.5}, {"verb": "attack", "probability": 0.25}]
    rows = {row["word"]: row for row in word_rows(QUERY, {"attack": 3, "strike": 2}, {"attack": 2}, candidates)}
    assert (rows["attack"]["candidates"], rows["attack"]["expected"], rows["attack"]["warning"]) == (2, 0.75, "")
    assert rows["strike"]["warning"] == ""
    assert "expected the lemma bomb" in rows["bombed"]["warning"]
    assert "found nowhere" in rows["besiege"]["warning"]
    assert "query hostile, besiege: found nowhere" in caplog.text


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("attacked", "attack"), ("invading", "invade"), ("raids", "raid"), ("struck", "strike"), ("shot", "shoot"),
        ("clashed", "clash"), ("denies", "deny"), ("occupied", "occupy"), ("seized", "seize"),
    ],
)  # fmt: skip
def test_inflected_forms_have_a_lemma(word: str, lemma: str) -> None:
    assert inflected_from(word) == lemma


@pytest.mark.parametrize(
    "word",
    [
        "attack", "bomb", "need", "feed", "bring", "proceed", "harass", "focus", "pass", "found", "wound", "saw",
        "read", "shed", "shell", "strike", "embed", "bias", "canvas", "lens", "gas",
    ],
)  # fmt: skip
def test_lemmas_are_no_forms(word: str) -> None:
    assert inflected_from(word) is None


def test_sums_do_not_depend_on_the_order_of_candidates():
    rows = [{"verb": "attack", "probability": value} for value in (0.1, 0.2, 0.3, 1e-9, 0.7)]
    forwards, backwards = (word_rows(Query("attack", ("attack",)), {}, {}, part) for part in (rows, rows[::-1]))
    assert forwards == backwards
