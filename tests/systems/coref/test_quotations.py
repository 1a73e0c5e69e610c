"""Tellers of quotations, and the exact probabilities that follow from them."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import nlpcalib as nc
from nlpcalib.systems.coref.model.attributes import mention_table, selves_of_tellers
from nlpcalib.systems.coref.model.posterior import pair_marginals
from nlpcalib.systems.coref.model.quotations import (
    RIGHT_TELLERS,
    quotation_numbers,
    voices,
    with_tellers,
)
from nlpcalib.systems.text.document import Document, Sentence


def random_antecedents(seed, size):
    drawn = np.tril(np.random.default_rng(seed).gamma(0.5, size=(size, size)))
    drawn /= drawn.sum(axis=1, keepdims=True)
    return np.tril(drawn, -1)


def enumerated(antecedents, teller, selves):
    """Return pair marginals over all antecedents where *I* is the teller, whose own is not in the quotation."""
    size, first = len(antecedents), selves[0]
    choices = [[number] if number in selves else range(number + 1) for number in range(size)]
    chances: Counter[tuple] = Counter()
    for chosen in product(*choices):
        if teller > first and first <= chosen[teller] < teller:
            continue
        weight, entity = 1.0, list(range(size))
        for number, antecedent in enumerate(chosen):
            if number not in selves:
                is_new = antecedent == number
                weight *= 1 - antecedents[number].sum() if is_new else antecedents[number, antecedent]
        for number, antecedent in enumerate(chosen):
            target = teller if number in selves else antecedent
            old, new = entity[number], entity[target]
            entity = [new if each == old else each for each in entity]
        chances[tuple(entity)] += weight
    total = sum(chances.values())
    return sum(np.equal.outer(each, each) * (weight / total) for each, weight in chances.items())


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), case=st.sampled_from([(0, [1, 3]), (2, [3]), (3, [1, 2]), (4, [2]), (3, [2, 4])])
)
def test_marginals_are_those_of_all_clusterings_in_which_i_is_the_teller(seed, case):
    """A teller that were right for certain would have the antecedents of all clusterings where *I* is the teller."""
    antecedents = random_antecedents(seed, 5)
    found = with_tellers(antecedents, [case])
    certain = (found - (1 - RIGHT_TELLERS) * antecedents) / RIGHT_TELLERS
    named = [case[0], *case[1]][case[0] < case[1][0] :]
    certain = np.where(np.isin(np.arange(5), named)[:, None], certain, antecedents)
    np.testing.assert_allclose(pair_marginals(np.maximum(certain, 0)), enumerated(antecedents, *case), atol=1e-12)
    np.testing.assert_allclose(with_tellers(sparse.csr_array(antecedents), [case]).toarray(), found, atol=1e-15)


def test_a_teller_without_antecedents_before_its_quotation_begins_an_entity():
    antecedents = np.array([[0, 0, 0], [0.3, 0, 0], [0, 1.0, 0]])
    np.testing.assert_allclose(with_tellers(antecedents, [(2, [1])])[1], (1 - RIGHT_TELLERS) * antecedents[1])


def test_an_i_that_tells_another_quotation_has_one_distribution_of_antecedents():
    antecedents = random_antecedents(0, 5)
    found = with_tellers(antecedents, [(0, [2]), (2, [1, 4])])
    assert (found.sum(axis=1) <= 1 + 1e-12).all()
    np.testing.assert_allclose(found[2], [0, RIGHT_TELLERS, *np.zeros(3)] + (1 - RIGHT_TELLERS) * antecedents[2])


def test_nothing_is_told_where_nobody_speaks():
    antecedents = random_antecedents(0, 4)
    assert with_tellers(antecedents, []) is antecedents


@pytest.mark.parametrize(
    ("text", "teller"),
    [
        ('"I am tired," said Anna.', "Anna"),
        ('Anna laughed. "I am tired," she said.', "she"),
        ('"I was late," Tom admitted.', "Tom"),
        ('She shrugs. "I do not know."', None),
        ('The door opened. "I am here."', None),
        ('"I am here," said Tom and Anna.', None),
    ],
)
def test_the_teller_is_the_subject_of_the_verb_of_speech(text, teller):
    report = nc.find_entities(text)
    table = mention_table(report.resolution.document, report.resolution.mentions)
    told = selves_of_tellers(table)
    assert [report.mentions[number] for number, _ in told] == ([teller] if teller else [])
    for number, selves in told:
        for each in selves:
            assert report.resolution.marginals[number, each] >= RIGHT_TELLERS


@pytest.mark.parametrize("marks", ['""', "''", "‘’", "“”"])
def test_two_tellers_are_two(marks):
    before, after = marks
    report = nc.find_entities(f"{before}I am tired,{after} said Anna. {before}I am not,{after} said Tom.")
    first, second = (number for number, mention in enumerate(report.mentions) if mention == "I")
    anna, tom = report.mentions.index("Anna"), report.mentions.index("Tom")
    marginals = report.resolution.marginals
    assert marginals[first, second] < 0.2
    assert marginals[anna, tom] < 0.2


def test_each_of_two_quotations_in_a_sentence_has_the_teller_of_its_own_verb():
    found = nc.find_entities('"I left early," said Ana, and Bob replied, "I stayed late."')
    table = mention_table(found.resolution.document, found.resolution.mentions)
    tellers = [(table.words[teller][0], [int(table.start[each]) for each in selves])
               for teller, selves in selves_of_tellers(table)]  # fmt: skip
    assert tellers == [("ana", [1]), ("bob", [14])]


def test_windows_have_the_same_tellers_as_whole_documents():
    text = '"I am tired," said Anna. She slept. ' * 60
    whole = nc.find_entities(text, window=None).resolution
    parts = nc.find_entities(text, window=100).resolution
    table = mention_table(parts.document, parts.mentions)
    told = selves_of_tellers(table)
    assert len(told) == 60
    for teller, (first, *_) in told:
        for found in (whole, parts):
            assert found.conditionals[teller, first] >= RIGHT_TELLERS


@pytest.mark.parametrize(
    ("words", "spaces", "quoted"),
    [
        ('He said " no " .', (1, 1, 0, 0, 1, 0), "no"),
        ('" no " he said', (0, 0, 1, 1, 1), "no"),
        ('" no " he said', (), "no"),
        ("“ no ” he said", (), "no"),
        ("‘ no ’ he said", (), "no"),
        ("' no ' he said", (0, 0, 1, 1, 1), "no"),
        ("“ he said ‘ no ’ ”", (), "he said ‘ no ’"),
        ("‘ he said “ no ” ’ , ‘ yes ’", (), "he said “ no ”"),
        ("in the ' 90s , he said", (1, 1, 0, 1, 1, 1, 1), ""),
    ],
)
def test_straight_marks_open_after_a_space_and_close_before_one(words, spaces, quoted):
    forms = tuple(words.split())
    sentence = Sentence("1", forms, tags=("X",) * len(forms), space_after=tuple(map(bool, spaces)))
    numbers = quotation_numbers(Document("d", (sentence,)))
    assert " ".join(np.array(forms)[numbers == 1]) == quoted


def test_an_apostrophe_closes_no_quotation():
    text = "‘ the boys ’ dog is here ’ he said"
    tags = ("``", "DT", "NNS", "POS", "NN", "VBZ", "RB", "''", "PRP", "VBD")
    numbers = quotation_numbers(Document("d", (Sentence("1", tuple(text.split()), tags=tags),)))
    assert numbers.tolist() == [0, *[1] * 6, 0, 0, 0]


def test_quotations_have_the_voice_of_their_teller_or_one_of_their_own():
    quotation, teller = np.array([0, 1, 1, 2, 3, 4]), np.array([-1, 7, 7, 7, -1, -1])
    found = voices(quotation, teller)
    assert found[1] == found[2] == found[3]
    assert len(set(found.tolist())) == 4


def test_two_quoted_people_are_less_likely_one_i_than_one_writer():
    def one_i(text):
        report = nc.find_entities(text)
        first, second = (number for number, mention in enumerate(report.mentions) if mention == "I")
        return report.resolution.marginals[first, second]

    quoted = one_i("“I never knew,” the mayor told reporters. The farmer disagreed. “I wrote to him twice.”")
    written = one_i("I never knew, the mayor told reporters. The farmer disagreed. I wrote to him twice.")
    assert quoted < 0.6 < written
