"""What holds of the templates of any document, however strange its trees."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsroom.reports import Newsroom
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.lexicon import GENDERS, NUMBERS, TYPES
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions, gold_mentions
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.pair_templates import TEMPLATES, PairTemplates
from nlpcalib.systems.coref.model.posterior import pair_marginals
from nlpcalib.systems.coref.model.templates import History, antecedent_features, bucket, current_features
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.coref.training import Costs, TrainingPairs

WORDS = ("I", "you", "himself", "Ana", "Ruiz", "A.", "AR", "the", "boats", "boat", '"', "``", "''", "|", "-", "'s")
TAGS = ("NN", "NNS", "NNP", "PRP", "PRP$", "DT", "POS", "VBD", "``", "''", "CC", "SYM")
RELATIONS = ("nsubj", "nsubj:pass", "obj", "appos", "flat", "compound", "conj", "nmod:poss", "root", "dep")
KINDS = ("pronoun", "proper", "nominal", "demonstrative")


@st.composite
def sentences(draw):
    size = draw(st.integers(1, 6))
    column = lambda values: draw(st.lists(values, min_size=size, max_size=size).map(tuple))  # noqa: E731
    return Sentence(
        "s",
        column(st.sampled_from(WORDS)),
        column(st.sampled_from(TAGS)),
        heads=column(st.integers(0, size)),
        relations=column(st.sampled_from(RELATIONS)),
        speaker=draw(st.sampled_from((None, "Ana", "Ana Ruiz", "Mr. Ruiz", "?"))),
    )


@st.composite
def documents(draw):
    """Return a document of arbitrary trees, cycles among them, with arbitrary sorted spans."""
    one = Document("d", tuple(draw(st.lists(sentences(), max_size=5))))
    places = [
        (number, start, end)
        for number, sentence in enumerate(one.sentences)
        for start in range(len(sentence.words))
        for end in range(start + 1, len(sentence.words) + 1)
    ]
    chosen = draw(st.lists(st.sampled_from(places), max_size=12, unique=True)) if places else []
    return one, [
        Span(*place, draw(st.integers(place[1], place[2] - 1)), draw(st.sampled_from(KINDS)))
        for place in sorted(chosen)
    ]


def all_values(table):
    groups = PairTemplates(table, History(table)).block(0, np.tri(len(table), k=-1, dtype=bool))
    return {name: values for group in groups.values() for name, values in group.items()}


def check_ranges(table):
    """Check that every value is a whole number below its template's radix, and every code names something."""
    pairs = len(table) * (len(table) - 1) // 2
    for group, values in PairTemplates(table, History(table)).block(0, np.tri(len(table), k=-1, dtype=bool)).items():
        assert values.keys() == TEMPLATES[group].keys()
        for name, array in values.items():
            assert array.shape == (pairs,)
            assert array.dtype.kind in "biu"
            assert ((array >= 0) & (array < TEMPLATES[group][name])).all(), name
    for column, names in ((table.type, TYPES), (table.number, NUMBERS), (table.gender, GENDERS)):
        assert ((column >= 0) & (column < len(names))).all()
    for features in (current_features, antecedent_features):
        rows = list(features(table, History(table)))
        assert len(rows) == len(table)
        assert all(feature.count("\t") <= 1 for row in rows for feature in row)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_values_are_below_their_radix_whatever_the_document(drawn):
    one, spans = drawn
    check_ranges(mention_table(one, spans))


@pytest.mark.parametrize("spans_of", [gold_mentions, candidate_mentions])
def test_values_are_below_their_radix_in_simulated_documents(spans_of):
    for report in Newsroom(seed=8).reports(0, 30):
        check_ranges(mention_table(report.document, spans_of(report.document)))


def test_values_are_below_their_radix_in_a_long_document():
    sentences = tuple(sentence for report in Newsroom(seed=8).reports(0, 15) for sentence in report.document.sentences)
    one = Document("long", sentences)
    spans = candidate_mentions(one)
    assert len(spans) > 600
    check_ranges(mention_table(one, spans))


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_values_are_those_of_loops_over_pairs(drawn):
    table = mention_table(*drawn)
    found, pair = all_values(table), 0

    def agree(i, j):
        persons = {GENDERS[table.gender[i]], GENDERS[table.gender[j]]}
        either = persons in ({"male", "person"}, {"female", "person"})
        return all(
            column[i] == column[j] or 0 in (column[i], column[j]) or (either and column is table.gender)
            for column in (table.number, table.gender)
        )

    for i in range(len(table)):
        for j in range(i):
            one, other = set(table.words[i]), set(table.words[j])
            share = one & other
            before = [k for k in range(i) if table.heads[k] == table.heads[j]]
            apart = table.sentence[i] - table.sentence[j]
            expected = {
                "distance": min(bucket(np.array(i - j - 1)), 11),
                "sentences": min(bucket(np.array(apart)), 8),
                "between": min(sum(agree(i, k) for k in range(j + 1, i)), 4),
                "exact": table.words[i] == table.words[j],
                "overlap": bool(share) * (1 + (share == one) + 2 * (share == other)),
                "seen": min(bucket(np.array(len(before))), 9),
                "since": min(sum(k > j for k in before), 2),
                "nearest": (table.heads[i] == table.heads[j]) * min(sum(k > j for k in before), 3),
                "nested": (table.start[j] <= table.start[i] < table.end[i] <= table.end[j])
                + 2 * (table.start[i] <= table.start[j] < table.end[j] <= table.end[i]),
                "speaker": 0
                if -1 in (table.speaker[i], table.speaker[j])
                else 1
                if table.speaker[i] == table.speaker[j]
                else 2 + (table.turn[i] - table.turn[j] != 1),
            }
            for name, value in expected.items():
                assert found[name][pair] == value, name
            pair += 1


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.data())
def test_blocks_of_rows_are_parts_of_the_whole(drawn, data):
    table = mention_table(*drawn)
    if not len(table):
        return
    first = data.draw(st.integers(0, len(table) - 1))
    last = data.draw(st.integers(first + 1, len(table)))
    templates = PairTemplates(table, History(table))
    earlier = np.tri(last - first, last, first - 1, dtype=bool)
    np.testing.assert_array_equal(templates.links(first, last), templates.links(0, len(table))[first:last, :last])
    part = templates.block(first, earlier)
    rows = slice(first * (first - 1) // 2, last * (last - 1) // 2)
    for name, values in all_values(table).items():
        [group] = (group for group, names in TEMPLATES.items() if name in names)
        np.testing.assert_array_equal(part[group][name], values[rows])


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.integers(0, 2**32))
def test_a_corpus_of_one_strange_document_can_be_trained_on_and_applied_to(drawn, seed):
    table = mention_table(*drawn)
    if len(table) < 2:
        return
    rng = np.random.default_rng(seed)
    if not PairTemplates(table, History(table)).links(0, len(table)).any():
        return
    pairs = TrainingPairs([table], [rng.choice(["1", "2"], len(table)).tolist()])
    vector = rng.normal(size=pairs.size)
    value, gradient = pairs.objective(vector, 1.0, Costs())
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
    model = AntecedentModel(pairs.current_vocabulary, pairs.antecedent_vocabulary, pairs.weights(vector), {})
    assert np.isfinite(pair_marginals(model.conditionals(table))).all()
