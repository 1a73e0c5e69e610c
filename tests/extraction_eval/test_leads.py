"""The machine's category of a lead is that of the dictionary, and the truth that of the newsroom's own account."""

import dataclasses
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from newsroom.deeds import event_types
from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.extraction_eval import drawn_leads, per_category, plan_leads
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.comparison import actor_table
from reproduction.extraction_eval.frequencies import frequency_rows
from reproduction.extraction_eval.leads import coded_leads, true_categories
from reproduction.extraction_eval.population import true_labels
from reproduction.extraction_eval.scale import NONE, Scale, load_scale

ROOT = Path(__file__).parents[2]
DICTIONARY = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["extraction_eval"]["dictionary"]
CATEGORY_OF = {verb: category for category, entry in DICTIONARY.items() for verb in entry["verbs"]}
NEWSROOM = Newsroom(seed=3)


def sentence(text, tags, heads, relations):
    words = tuple(text.split())
    return Sentence(
        id="1",
        words=words,
        tags=tuple(tags.split()),
        heads=tuple(map(int, heads.split())),
        relations=tuple(relations.split()),
        space_after=(True,) * len(words),
    )


def events_of(report):
    return [{key: str(value) for key, value in asdict(event).items()} for event in report.events]


def truth_of(report, document=None, categories=DICTIONARY):
    return list(true_categories(document or report.document, report.document, events_of(report), categories))


def test_a_lead_has_the_category_of_its_first_verb_with_a_countrys_agent():
    document = Document(
        "d",
        (
            sentence("Troops attacked Iran .", "NNS VBD NNP .", "2 0 2 2", "nsubj root obj punct"),
            sentence(
                "Iran blamed Iraq and attacked it .",
                "NNP VBD NNP CC VBD PRP .",
                "2 0 2 5 2 5 2",
                "nsubj root obj cc conj obj punct",
            ),
            sentence("Iran slept .", "NNP VBD .", "2 0 2", "nsubj root punct"),
        ),
    )
    rows = list(coded_leads(next(resolve([document])), CATEGORY_OF, load_lexicon(["packaged"])))
    assert [row["lead"] for row in rows] == ["d/1", "d/2", "d/3"]
    assert [row["category"] for row in rows] == [NONE, "accuse", NONE]
    assert [row["actor"] for row in rows] == [NONE, "IRN", NONE]
    assert rows[1]["text"] == "Iran blamed Iraq and attacked it ."


def test_actors_read_whole_have_their_true_rates():
    # US acts in 3 leads and the machine finds 2 of them; one of its 3 answers is wrong. The truth of all leads is read.
    machine, truth = np.array([0, 0, 1, 1, 1, 2]), np.array([0, 1, 1, 1, 2, 2])
    ids = tuple(f"l{row}" for row in range(6))
    actors = Codings((NONE, "USA", "IRN"), ids, ids, ("",) * 6, machine)
    rows = {(row["measure"], row["actor"]): row for row in actor_table(actors, truth, k=10, samples=100, seed=0)}
    for measure, rate in (("truth_given_answer", 2 / 3), ("answer_given_truth", 2 / 3)):
        row = rows[measure, "USA"]
        assert row["leads"] == row["annotated"] == 3
        assert row["truth"] == row["stratified"] == pytest.approx(rate)
        assert (row["stratified_low"], row["stratified_high"]) == pytest.approx((rate, rate))


def test_the_dictionary_has_all_categories_of_the_newsroom_and_cameo_their_weights():
    known = {event.category for kind in ("politics", "force") for event in event_types(kind).items}
    assert set(DICTIONARY) == {*known, "comment"}
    weights = load_scale("packaged").choose({name: entry["cameo"] for name, entry in DICTIONARY.items()}).weights[1:]
    by_category = dict(zip(DICTIONARY, weights, strict=True))
    assert by_category["attack"] == -10
    assert by_category["comment"] == 0
    assert by_category["apologize"] == 7


def test_a_lead_has_the_first_event_of_a_country_in_truth():
    for report in NEWSROOM.reports(0, 60):
        truth = truth_of(report)
        assert [row["lead"] for row in truth] == [
            f"{report.document.id}/{number + 1}" for number in range(len(report.document.sentences))
        ]
        for number, row in enumerate(truth):
            there = [event for event in report.events if event.sentence == number and event.agent_country]
            assert row["category"] == (there[0].category if there else NONE)


def test_what_the_scale_does_not_have_is_no_event():
    report = next(each for each in NEWSROOM.reports(0, 60) if any(event.category == "attack" for event in each.events))
    kept = {row["category"] for row in truth_of(report, categories=["attack"])}
    assert kept == {NONE, "attack"}


def test_the_truth_is_found_however_the_machine_divides_the_text():
    """Two sentences of the machine for one that was written, words cut differently, and all sentences in one."""
    reports = NEWSROOM.reports(0, 60)
    report = next(each for each in reports if sum(bool(event.agent_country) for event in each.events) > 2)
    events = [event for event in report.events if event.agent_country]
    pieces = []
    for number, each in enumerate(report.document.sentences):
        cuts = {event.verb_index for event in events if event.sentence == number}
        places = [0, *sorted(cuts - {0}), len(each.words)]
        for start, end in pairwise(places):
            words = tuple("".join(each.words[start:end]))
            pieces.append(Sentence(id="1", words=words))
    divided = dataclasses.replace(report.document, sentences=tuple(pieces))
    found = [row["category"] for row in truth_of(report, divided) if row["category"] != NONE]
    assert found == [event.category for event in events]
    words = tuple(word for each in report.document.sentences for word in each.words)
    joined = dataclasses.replace(report.document, sentences=(Sentence(id="1", words=words),))
    assert [row["category"] for row in truth_of(report, joined)] == [events[0].category]
    shorter = dataclasses.replace(joined, sentences=(Sentence(id="1", words=words[:-1]),))
    with pytest.raises(InputError, match=r"characters in the machine's sentences, expected the \d+ that were written"):
        truth_of(report, shorter)


def codings(*machine):
    leads = tuple(f"l{number}" for number in range(len(machine)))
    return Codings((NONE, "a", "b", "c"), leads, leads, leads, np.array(machine))


def test_true_labels_stand_in_the_order_of_the_codings_or_are_refused():
    rows = [{"lead": "l1", "category": "b"}, {"lead": "l0", "category": NONE}]
    assert true_labels(rows, codings(1, 1)).tolist() == [0, 2]
    with pytest.raises(InputError, match="found no row for 'l2', expected one for each of 3 leads"):
        true_labels(rows, codings(1, 1, 1))
    with pytest.raises(InputError, match="found the lead 'l1' with the category 'b', expected a lead and a category"):
        true_labels(rows, codings(1))


def test_frequencies_are_those_of_the_machine_and_say_what_random_reading_costs():
    coded = codings(0, 0, 0, 0, 0, 2, 2, 1)
    drawn = drawn_leads(coded, plan_leads(coded, per_category(coded.sizes, 1), seed=0))
    rows = frequency_rows(coded, Scale.of({"a": -10.0, "b": 3.0, "c": 1.0}), drawn)
    assert [(row["category"], row["leads"], row["sampled"], row["random_leads"]) for row in rows] == [
        (NONE, 5, 4, 1.6),
        ("b", 2, 1, 4.0),
        ("a", 1, 1, 8.0),
        ("c", 0, 0, None),
    ]


def test_the_packaged_weights_are_those_of_the_registry(retrieved):
    archive = retrieved("lexicon")
    registered, packaged = load_scale("registry", archive), load_scale("packaged")
    weights = dict(zip(registered.categories, registered.weights, strict=True))
    for code, weight in zip(packaged.categories[1:], packaged.weights[1:], strict=True):
        assert weights[code] == weight
