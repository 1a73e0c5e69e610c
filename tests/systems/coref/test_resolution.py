"""What is said of a document is what the model's distribution over antecedents implies, and nothing else."""

import itertools
import json
import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.coref import resolve
from nlpcalib.systems.coref.answer import resolution as module
from nlpcalib.systems.coref.answer.answer import annotated, answer, answer_line
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.text.document import Document, Mention, Sentence

SENTENCES = (
    Sentence(
        "1",
        ("Ana", "met", "Leila", "'s", "sister", "."),
        tags=("NNP", "VBD", "NNP", "POS", "NN", "."),
        heads=(2, 0, 5, 3, 2, 2),
        relations=("nsubj", "root", "nmod:poss", "case", "obj", "punct"),
        space_after=(True, True, False, True, False, True),
    ),
    Sentence(
        "2",
        ("She", "saw", "her", "dog", "."),
        tags=("PRP", "VBD", "PRP$", "NN", "."),
        heads=(2, 0, 4, 2, 2),
        relations=("nsubj", "root", "nmod:poss", "obj", "punct"),
    ),
)
DOCUMENT = Document("walk", SENTENCES)
ALL = {"samples": 4, "seed": 1, "at_least": 0.0}


@dataclass
class Stub:
    """A model that is sure of nothing: antecedents drawn from its seed and the number of mentions."""

    seed: int = 0
    card: dict = field(default_factory=dict)

    def conditionals(self, table):
        rows = generator(self.seed, "stub", len(table)).dirichlet(np.ones(len(table) + 1), len(table))
        return np.tril(rows[:, 1:], -1)

    def attributed(self, conditionals, table):
        return conditionals

    def constraints(self, table):
        return Constraints(table)


def enumerated(conditionals):
    """Yield the entities, named by their first mentions, that each choice of antecedents makes, and its probability."""
    new = 1 - conditionals.sum(axis=1)
    for antecedents in itertools.product(*(range(i + 1) for i in range(len(conditionals)))):
        entities, probability = [], 1.0
        for i, j in enumerate(antecedents):
            entities.append(entities[j] if j < i else i)
            probability *= conditionals[i, j] if j < i else new[i]
        yield np.array(entities), probability


@pytest.fixture(params=range(5))
def resolved(request):
    [found] = resolve([DOCUMENT], Stub(request.param))
    assert len(found.mentions) == 6
    return found


def test_pairs_in_the_answer_equal_enumeration(resolved):
    expected = sum(p * (entities[:, None] == entities) for entities, p in enumerated(resolved.conditionals))
    pairs = json.loads(answer_line(answer(resolved, **ALL)))["pairs"]
    assert [pair[:2] for pair in pairs] == [[j, i] for i in range(6) for j in range(i)]
    for earlier, later, probability in pairs:
        assert probability == pytest.approx(expected[earlier, later], abs=1e-6)


def test_probabilities_of_entities_equal_enumeration(resolved):
    whole, alone = np.zeros(len(resolved.members)), np.zeros(6)
    for entities, p in enumerated(resolved.conditionals):
        for number, members in enumerate(resolved.members):
            whole[number] += p * np.array_equal(np.flatnonzero(entities == entities[members[0]]), members)
        alone += p * (np.bincount(entities, minlength=6)[entities] == 1)
    np.testing.assert_allclose(resolved.probabilities, whole, atol=1e-12)
    for number, members in enumerate(resolved.members):
        if len(members) == 1:
            assert resolved.membership[members[0]] == resolved.coherence[number] == pytest.approx(alone[members[0]])
        else:
            pairs = [resolved.marginals[i, j] for i, j in itertools.combinations(members, 2)]
            assert resolved.coherence[number] == pytest.approx(np.mean(pairs))
            with_first = resolved.marginals[members[0], members[1:]].mean()
            assert resolved.membership[members[0]] == pytest.approx(with_first)


def test_what_is_left_out_is_accounted_for(resolved):
    complete, short = answer(resolved, **ALL), answer(resolved, samples=0, seed=0, at_least=0.2)
    assert short["pairs"] == [pair for pair in complete["pairs"] if pair[2] >= 0.2]
    assert short["omitted_pairs"]["count"] == len(complete["pairs"]) - len(short["pairs"])
    missing = sum(pair[2] for pair in complete["pairs"]) - sum(pair[2] for pair in short["pairs"])
    assert short["omitted_pairs"]["expected_coreferent"] == pytest.approx(missing, abs=2e-5)
    assert complete["omitted_pairs"] == {"count": 0, "expected_coreferent": 0.0}
    for mention in short["mentions"]:
        listed = [probability for _, probability in mention["antecedents"]]
        assert listed == sorted(listed, reverse=True)
        assert mention["new"] + sum(listed) + mention["other_antecedents"] == pytest.approx(1, abs=1e-5)


def test_samples_are_equal_for_one_seed_and_follow_the_marginals(resolved):
    np.testing.assert_array_equal(resolved.samples(50, 3), resolved.samples(50, 3))
    assert (resolved.samples(50, 3) != resolved.samples(50, 4)).any()
    drawn = resolved.samples(20_000)
    shares = (drawn[:, None] == drawn).mean(axis=2)
    # Four standard errors of independent samples; stratified ones vary less.
    assert np.abs(shares - resolved.marginals).max() < 4 * np.sqrt(0.25 / 20_000)


def test_a_document_is_resolved_as_if_it_were_alone():
    other = replace(DOCUMENT, id="other", sentences=SENTENCES[:1])
    [alone] = resolve([DOCUMENT], Stub())
    among = list(resolve([other, DOCUMENT, other], Stub()))[1]
    assert answer_line(answer(among, **ALL)) == answer_line(answer(alone, **ALL))


def test_entities_are_numbered_by_their_first_mentions_and_a_card_names_the_threshold():
    [apart] = resolve([DOCUMENT], Stub(card={"threshold": 1.0}))
    assert (apart.threshold, apart.entities.tolist()) == (1.0, [0, 1, 2, 3, 4, 5])
    [together] = resolve([DOCUMENT], Stub(card={"threshold": 1.0}), threshold=0.0)
    assert together.entities.tolist() == [0] * 6


def test_mentions_carry_their_text_and_the_documents_entities_are_replaced():
    [found] = resolve([DOCUMENT], Stub())
    texts = [mention["text"] for mention in answer(found, **ALL)["mentions"]]
    assert texts == ["Ana", "Leila's", "Leila's sister", "She", "her", "her dog"]
    spans = {(span.sentence, span.start, span.end) for span in found.mentions}
    assert {(mention.sentence, mention.start, mention.end) for mention in annotated(found).mentions} == spans


def test_a_document_without_mentions_has_an_answer():
    go = Sentence("1", ("Go", "!"), tags=("VB", "."), heads=(0, 1), relations=("root", "punct"))
    [found] = resolve([Document("go", (go,))], Stub())
    content = answer(found, **ALL)
    assert (content["mentions"], content["entities"], content["pairs"], content["samples"]) == ([], [], [], [[]] * 4)


@pytest.mark.parametrize("mentions", ["predicted", "gold"])
def test_documents_without_trees_are_refused(mentions):
    bare = Document("bare", (Sentence("s", ("Ana", "sails")),), (Mention(0, 0, 1, "ana"),))
    with pytest.raises(InputError, match=r"'s': found no tags, expected .*`parsed: true`"):
        next(resolve([bare], Stub(), mentions=mentions))


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"threshold": 1.5}, "threshold: found 1.5"),
        ({"threshold": math.nan}, "threshold"),
        ({"window": 0}, "window: found 0"),
    ],
)
def test_settings_outside_of_their_range_are_refused(setting, words):
    with pytest.raises(InputError, match=words):
        next(resolve([DOCUMENT], Stub(), **setting))


def test_documents_that_memory_could_not_hold_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_MENTIONS", 5)
    with pytest.raises(InputError, match=r"document 'walk': found 6 mentions, expected at most 5"):
        next(resolve([DOCUMENT], Stub()))
