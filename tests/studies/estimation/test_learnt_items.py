"""Labels teach the probabilities that counts start from, and no label is in its own document's probability."""

import logging
from dataclasses import replace

import numpy as np
from scipy.special import expit

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.sampling.samples import Sample, simple_random_sample
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from studies.estimation.items import EventItems
from studies.estimation.learnt_items import learnt_items

LEXICON = load_lexicon(["packaged"])
QUERY = Query("attack", ("attack",))
D = 240
NAMES = {"ISR": "Israel", "SYR": "Syria", "USA": "America"}
CODES = tuple(NAMES)


def corpus() -> tuple[EventItems, dict[str, str], np.ndarray]:
    """Return items, texts and truth of documents in which the first of two countries attacks, or both talk."""
    rng = np.random.default_rng(2)
    texts, y = {}, np.zeros((1 + len(CODES), D))
    for row in range(D):
        first, second = rng.choice(len(CODES), 2, replace=False)
        attacks = rng.random() < 0.4
        what = "attacked" if attacks else rng.choice(["talked to", "met", "visited"])
        number = " ".join(map(str, rng.integers(100, 999, 6)))
        texts[f"d{row:03}"] = f"{NAMES[CODES[first]]} {what} {NAMES[CODES[second]]} on report {number}."
        y[[0, 1 + first], row] = attacks
    starts = ("2001-01-01", "2002-01-01")
    items = EventItems(
        tuple(texts), np.arange(D) // (D // 2), ("2001", "2002"), starts, ("any", *CODES), np.full((4, D), 0.3)
    )
    return items, texts, y


def labels_of(items: EventItems, y: np.ndarray, rows: np.ndarray) -> dict[str, frozenset[str]]:
    return {items.documents[row]: frozenset(np.array(CODES)[y[1:, row] > 0]) for row in rows}


def samples_of(y: np.ndarray, rows: np.ndarray) -> list[Sample]:
    return [simple_random_sample(D, rows, own[rows]) for own in y]


def test_intervals_are_narrower_and_hold_the_truth() -> None:
    items, texts, y = corpus()
    rows = np.sort(np.random.default_rng(1).choice(D, 100, replace=False))
    samples = samples_of(y, rows)
    learnt = learnt_items(items, samples, labels_of(items, y, rows), texts.items(), QUERY, LEXICON)
    for group, (sample, truth) in enumerate(zip(samples, y.sum(axis=1), strict=True)):
        before, after = (estimate_totals(each.q[group], sample)[0] for each in (items, learnt))
        assert after.low <= truth <= after.high
        assert after.high - after.low < 0.6 * (before.high - before.low)


def test_the_label_of_a_document_is_not_in_its_own_probability() -> None:
    items, texts, y = corpus()
    rows = np.arange(0, D, 2)
    labels = labels_of(items, y, rows)
    other = labels | {"d000": frozenset(CODES) - labels["d000"]}
    first, second = (
        learnt_items(items, samples_of(y, rows), each, texts.items(), QUERY, LEXICON).q for each in (labels, other)
    )
    assert np.abs(first[:, 0] - second[:, 0]).max() < np.abs(first[:, 1:] - second[:, 1:]).max()


def test_labels_choose_what_is_right_already(caplog) -> None:
    """Where no word reports an event, few labels teach less than probabilities that are right."""
    items, texts, y = corpus()
    rows = np.arange(0, D, 8)
    rng = np.random.default_rng(0)
    q = expit(3 * rng.normal(size=(len(CODES), D)) - 1)
    happened = rng.random(q.shape) < q
    right = replace(items, q=np.vstack([1 - np.prod(1 - q, axis=0), q]))
    silent = {name: text.replace("attacked", "met") for name, text in texts.items()}
    with caplog.at_level(logging.INFO):
        for own, of in ((np.vstack([happened.any(axis=0), happened]).astype(float), silent), (y, texts)):
            given = samples_of(own, rows), labels_of(items, own, rows), of.items(), QUERY, LEXICON
            assert (learnt_items(right, *given) is right) == (of is silent)
    first, second = (line for line in caplog.messages if "loss of a label" in line)
    assert first.endswith(("used are those as stated", "used are those recalibrated"))
    assert second.endswith("used are those learnt")


def test_a_country_that_is_not_named_and_too_few_labels_change_nothing(caplog) -> None:
    items, texts, y = corpus()
    rows = np.arange(100)
    learnt = learnt_items(items, samples_of(y, rows), labels_of(items, y, rows), texts.items(), QUERY, LEXICON)
    absent = np.array([[name not in text for text in texts.values()] for name in NAMES.values()])
    assert (learnt.q[1:][absent] == 0.3).all()
    with caplog.at_level(logging.WARNING):
        few = samples_of(y, rows[:3]), labels_of(items, y, rows[:3])
        same = learnt_items(items, *few, texts.items(), QUERY, LEXICON)
    assert same is items
    assert "probabilities stay as they are" in caplog.text
