"""The probability of an event is that of the clusterings that have it."""

import datetime
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.events.queries import ATTACK

from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from nlpcalib.systems.events.read.extraction import Affiliation, CandidateEvent, find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.probability import candidate_countries, document_events
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.document import Document, Sentence

LEXICON = CountryLexicon(supplement("newsroom"))
SAMPLES = 20_000

ROWS = (
    "Iraqi/JJ/2/amod troops/NNS/4/nsubj and/CC/3/cc left/VBD/0/root",
    "American/JJ/2/amod jets/NNS/3/nsubj followed/VBD/0/root them/PRP/3/obj",
    "They/PRP/2/nsubj attacked/VBD/0/root a/DT/4/det town/NN/2/obj",
    "The/DT/2/det mayor/NN/3/nsubj spoke/VBD/0/root",
)


def document(*rows: str) -> Document:
    """Make a document of sentences whose rows are word/tag/head/relation."""
    sentences = []
    for number, row in enumerate(rows):
        words, tags, heads, relations = zip(*(cell.split("/") for cell in row.split()), strict=True)
        sentences.append(Sentence(str(number), words, tags, heads=tuple(map(int, heads)), relations=relations))
    return Document("raid", tuple(sentences), date=datetime.date(1999, 4, 1))


def resolution(one: Document, conditionals: np.ndarray, entities: list[int] | None = None) -> Resolution:
    spans = tuple(candidate_mentions(one))
    assert len(spans) == len(conditionals)
    best = np.arange(len(spans)) if entities is None else np.array(entities)
    return Resolution(one, spans, conditionals, pair_marginals(conditionals), best, threshold=0.5)


def event_probabilities(resolved, query, lexicon, **options):
    """Return the probability of an event for each country that a candidate can have."""
    evidence = find_evidence(resolved.document, [query], lexicon, resolved.mentions)
    events = document_events(resolved, query, evidence, **options)
    return list(events.probabilities) if events else []


def random_conditionals(size: int, seed: int) -> np.ndarray:
    rng = generator(seed, "conditionals")
    conditionals = np.zeros((size, size))
    for i in range(1, size):
        conditionals[i, :i] = rng.dirichlet(np.full(i + 1, 0.7))[:i]
    return conditionals


def exact_probability(
    conditionals: np.ndarray, agents: set[int], countries: dict[int, set[str]], country: str
) -> float:  # fmt: skip
    """Return the probability of an event by enumeration of all antecedents, with sets in the place of arrays."""
    total = 0.0
    for choice in itertools.product(*(range(i + 1) for i in range(len(conditionals)))):
        clusters: list[set[int]] = []
        weight = 1.0
        for mention, antecedent in enumerate(choice):
            if antecedent == mention:
                clusters.append({mention})
                weight *= 1 - math.fsum(conditionals[mention])
            else:
                next(cluster for cluster in clusters if antecedent in cluster).add(mention)
                weight *= conditionals[mention, antecedent]
        if any(
            cluster & agents and set().union(*(countries.get(mention, set()) for mention in cluster)) == {country}
            for cluster in clusters
        ):
            total += weight
    return min(total, 1.0)


def labels(agents: set[int], countries: dict[int, set[str]]) -> tuple[list[CandidateEvent], list[Affiliation]]:
    found = [
        CandidateEvent(0, 0, "attack", "agent", agent, passive=False, negated=False, modal=False)
        for agent in sorted(agents)
    ]
    return found, [Affiliation(mention, code, 0) for mention, codes in countries.items() for code in sorted(codes)]


@given(
    size=st.integers(1, 6),
    seed=st.integers(0, 10_000),
    data=st.data(),
)
@settings(max_examples=25, deadline=None)
def test_samples_agree_with_enumeration(size: int, seed: int, data: st.DataObject) -> None:
    agents = data.draw(st.sets(st.integers(0, size - 1), min_size=1))
    codes = st.sets(st.sampled_from(("FRA", "IRQ", "USA")), min_size=1, max_size=2)
    countries = data.draw(st.dictionaries(st.integers(0, size - 1), codes, min_size=1))
    conditionals = random_conditionals(size, seed)
    found, described = labels(agents, countries)
    entities = sample_entities(conditionals, SAMPLES, generator(seed, "samples"))
    columns, present = candidate_countries(found, described, entities)
    assert columns == sorted(set().union(*countries.values()))
    for column, country in enumerate(columns):
        exact = exact_probability(conditionals, agents, countries, country)
        error = 5 * math.sqrt(exact * (1 - exact) / SAMPLES) + 1e-3
        assert present[:, column].any(axis=0).mean() == pytest.approx(exact, abs=error)


def test_seven_mentions_agree_with_enumeration() -> None:
    agents, countries = {3, 6}, {0: {"IRQ"}, 1: {"USA"}, 4: {"IRQ"}, 5: {"FRA"}}
    conditionals = random_conditionals(7, 3)
    entities = sample_entities(conditionals, SAMPLES, generator(3, "samples"))
    columns, present = candidate_countries(*labels(agents, countries), entities)
    exact = [exact_probability(conditionals, agents, countries, country) for country in columns]
    np.testing.assert_allclose(present.any(axis=0).mean(axis=1), exact, atol=0.02)
    assert min(exact) > 0.02


def test_an_entity_of_two_countries_counts_for_neither() -> None:
    found, described = labels({1}, {0: {"IRQ"}, 2: {"USA"}})
    entities = np.array([[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 2, 2]])
    columns, present = candidate_countries(found, described, entities)
    assert columns == ["IRQ", "USA"]
    assert present.tolist() == [[[False, False, True, False], [False, True, False, False]]]


def test_an_event_that_hangs_on_one_link_is_as_probable_as_the_link() -> None:
    one = document("The/DT/2/det Iraqis/NNPS/3/nsubj left/VBD/0/root", "They/PRP/2/nsubj attacked/VBD/0/root")
    conditionals = np.array([[0.0, 0.0], [0.3, 0.0]])
    for entities, best in (([0, 0], True), ([0, 1], False)):
        (event,) = event_probabilities(resolution(one, conditionals, entities), ATTACK, LEXICON, samples=1000)
        assert (event.document, event.date, event.country) == ("raid", one.date, "IRQ")
        assert event.map_event == best
        assert event.probability == event.samples.mean() == pytest.approx(0.3, abs=1e-3)
        assert event.samples.shape == (1000,)


def test_a_certain_event_is_certain() -> None:
    one = document("American/JJ/2/amod jets/NNS/3/nsubj attacked/VBD/0/root")
    (event,) = event_probabilities(resolution(one, np.zeros((1, 1))), ATTACK, LEXICON, samples=7)
    assert (event.country, event.probability, event.map_event) == ("USA", 1.0, 1)


def test_entities_are_counted_once_however_often_they_attack() -> None:
    one = document(
        "American/JJ/2/amod jets/NNS/3/nsubj attacked/VBD/0/root",
        "They/PRP/2/nsubj attacked/VBD/0/root",
        "American/JJ/2/amod tanks/NNS/3/nsubj attacked/VBD/0/root",
    )
    conditionals = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.25, 0.0]])
    (event,) = event_probabilities(resolution(one, conditionals, [0, 0, 1]), ATTACK, LEXICON, samples=1000)
    assert (event.probability, event.map_event) == (1.0, 2)
    assert event.samples.mean() == pytest.approx(1.75, abs=1e-3)


def test_events_are_those_of_the_samples_of_the_resolution() -> None:
    one = document(*ROWS)
    size = len(candidate_mentions(one))
    whole = resolution(one, random_conditionals(size, 5))
    entities = whole.samples(200, seed=9)
    spans = {one.sentences[span.sentence].words[span.head]: mention for mention, span in enumerate(whole.mentions)}
    iraqi = (entities[spans["They"]] == entities[spans["troops"]]) & (
        entities[spans["They"]] != entities[spans["jets"]]
    )  # fmt: skip
    events = {event.country: event for event in event_probabilities(whole, ATTACK, LEXICON, samples=200, seed=9)}
    assert list(events) == ["IRQ", "USA"]
    np.testing.assert_array_equal(events["IRQ"].samples, iraqi)


def test_mentions_after_the_last_label_do_not_matter() -> None:
    """Exactly, by enumeration, and sample by sample."""
    agents, countries = {2}, {0: {"IRQ"}, 1: {"USA"}, 3: {"IRQ"}}
    for seed in range(5):
        conditionals = random_conditionals(7, seed)
        for country in ("IRQ", "USA"):
            assert exact_probability(conditionals[:4, :4], agents, countries, country) == pytest.approx(
                exact_probability(conditionals, agents, countries, country), abs=1e-12
            )
        few, all_of_them = (
            sample_entities(conditionals[:size, :size], 100, generator(seed, "samples")) for size in (4, 7)
        )
        np.testing.assert_array_equal(few, all_of_them[:4])


def test_what_later_mentions_refer_to_changes_nothing() -> None:
    one = document(*ROWS)
    size = len(candidate_mentions(one))
    first = random_conditionals(size, 5)
    second = first.copy()
    # The mentions after They, a town and the mayor, have no label.
    second[-2:] = np.tril(random_conditionals(size, 6), -1)[-2:]
    assert not np.array_equal(first, second)
    for before, after in zip(
        *(event_probabilities(resolution(one, each), ATTACK, LEXICON) for each in (first, second)), strict=True
    ):
        np.testing.assert_array_equal(before.samples, after.samples)


def test_only_countries_that_a_candidate_can_have_are_reported() -> None:
    one = document(*ROWS)
    spans = candidate_mentions(one)
    conditionals = np.zeros((len(spans), len(spans)))
    heads = [one.sentences[span.sentence].words[span.head] for span in spans]
    conditionals[heads.index("They"), heads.index("jets")] = 0.5
    found = event_probabilities(resolution(one, conditionals), ATTACK, LEXICON)
    assert [event.country for event in found] == ["USA"]
    assert event_probabilities(resolution(one, np.zeros_like(conditionals)), ATTACK, LEXICON) == []


def test_a_document_without_the_verb_has_no_events() -> None:
    one = document(*ROWS)
    conditionals = random_conditionals(len(candidate_mentions(one)), 1)
    assert event_probabilities(resolution(one, conditionals), Query("bomb", ("bomb",)), LEXICON) == []


def test_the_countries_of_a_query_are_reported_but_others_still_count_against_them() -> None:
    one = document(*ROWS)
    whole = resolution(one, random_conditionals(len(candidate_mentions(one)), 5))
    every = {event.country: event.probability for event in event_probabilities(whole, ATTACK, LEXICON)}
    (only,) = event_probabilities(whole, Query("attack", ("attack",), countries=("USA", "FRA")), LEXICON)
    assert (only.country, only.probability) == ("USA", every["USA"])
