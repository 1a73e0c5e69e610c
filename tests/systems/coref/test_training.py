"""Training of the antecedent model: its objective against a slow one, its gradient, and its checkpoints."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.lexicon import TYPES
from nlpcalib.systems.coref.model.mentions import candidate_mentions, entities_of, gold_mentions
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.pair_templates import TEMPLATES, PairTemplates
from nlpcalib.systems.coref.model.templates import History, antecedent_features, current_features, feature_matrix
from nlpcalib.systems.coref.model.weights import Weights, size_of
from nlpcalib.systems.text.document import Document, Mention, Sentence
from reproduction.coref import training
from reproduction.coref.training import Costs, TrainingPairs, build_vocabulary, corefer, fit

MARGINS = Costs(false_anaphor=0.1, false_new=3.0, wrong_link=1.0)


def corpus(spans_of, documents=6, seed=3):
    """Return the mention tables and entities of simulated reports; the last document has no mention at all."""
    reports = [report.document for report in Newsroom(seed=seed).reports(0, documents)]
    reports.append(Document("empty", ()))
    spans = [spans_of(one) for one in reports]
    tables = [mention_table(one, found) for one, found in zip(reports, spans, strict=True)]
    return tables, [entities_of(found, one) for found, one in zip(spans, reports, strict=True)]


@pytest.fixture(scope="module")
def gold():
    return corpus(gold_mentions)


@pytest.fixture(scope="module")
def predicted():
    """Candidates of two reports, most of them in no entity."""
    return corpus(candidate_mentions, documents=2)


def random_weights(pairs, scale=0.3, seed=0):
    return np.random.default_rng(seed).normal(scale=scale, size=pairs.size)


def slow_objective(pairs, tables, entities, vector, l2, costs):
    """Return the objective by loops over mentions and the conditionals of a model of the same weights."""
    model = AntecedentModel(pairs.current_vocabulary, pairs.antecedent_vocabulary, pairs.weights(vector), {})
    value = l2 / 2 * (vector**2).sum()
    for table, names in zip(tables, entities, strict=True):
        for i, row in enumerate(model.conditionals(table)):
            probabilities = [*row[:i], 1 - row.sum()]
            # Where constraints exclude all that is right, the mention counts as new.
            gold = [names[i] is not None and names[j] == names[i] and row[j] > 0 for j in range(i)]
            cost = [costs.wrong_link * (not right) if any(gold) else costs.false_anaphor for right in gold]
            gold.append(not any(gold))
            cost.append(0.0 if gold[-1] else costs.false_new)
            weighted = np.array(probabilities) * np.exp(cost)
            # A first mention has no choice; its cost-free NEW contributes nothing.
            value -= np.log(weighted[gold].sum() / weighted.sum())
    return value


@pytest.mark.parametrize("costs", [Costs(), MARGINS])
@pytest.mark.parametrize("mentions", ["gold", "predicted"])
def test_objective_equals_a_slow_one(mentions, costs, request):
    tables, entities = request.getfixturevalue(mentions)
    pairs = TrainingPairs(tables, entities)
    vector = random_weights(pairs)
    value, _ = pairs.objective(vector, 0.7, costs)
    assert value == pytest.approx(slow_objective(pairs, tables, entities, vector, 0.7, costs), rel=1e-10)


@pytest.mark.parametrize("costs", [Costs(), MARGINS])
def test_gradient_equals_finite_differences(gold, predicted, costs):
    for tables, entities in (gold, predicted):
        pairs = TrainingPairs(tables, entities)
        vector = random_weights(pairs)
        _, gradient = pairs.objective(vector, 0.7, costs)
        rng = np.random.default_rng(1)
        # All weights at once, and single ones that some feature of the corpus uses.
        used = rng.choice(np.flatnonzero(np.abs(gradient - 0.7 * vector) > 1e-3), 12, replace=False)
        for direction in (*rng.normal(size=(5, pairs.size)), *(np.arange(pairs.size) == used[:, None])):
            ahead, behind = (pairs.objective(vector + step * direction, 0.7, costs)[0] for step in (1e-5, -1e-5))
            assert (ahead - behind) / 2e-5 == pytest.approx(gradient @ direction, rel=1e-5, abs=1e-5)


def test_objective_is_finite_and_right_where_gold_antecedents_are_almost_impossible(gold):
    tables, entities = gold
    pairs = TrainingPairs(tables, entities)
    vector = np.zeros(pairs.size)
    pairs.weights(vector).current[:, 0] = 100.0
    value, gradient = pairs.objective(vector, 0.0, Costs())
    assert np.isfinite(gradient).all()
    # NEW has the score u, each of n antecedents 0; k of them are gold, or NEW is.
    u = pairs.weights(vector).new(pairs.current)[pairs.rows]
    links = np.add.reduceat(pairs.gold, pairs.starts, dtype=np.int64)
    assert u[links > 0].max() > 700
    gold_score = np.where(links > 0, np.log(np.maximum(links, 1)), u)
    assert value == pytest.approx((np.logaddexp(u, np.log(pairs.lengths)) - gold_score).sum(), rel=1e-12)


def test_without_weights_every_antecedent_is_as_likely_as_new(gold):
    tables, entities = gold
    pairs = TrainingPairs(tables, entities)
    value, _ = pairs.objective(np.zeros(pairs.size), 1.0, Costs())
    links = np.add.reduceat(pairs.gold, pairs.starts, dtype=np.int64)
    assert value == pytest.approx(np.log((pairs.lengths + 1) / np.maximum(links, 1)).sum(), rel=1e-12)


def test_mentions_of_no_entity_corefer_with_none():
    np.testing.assert_array_equal(corefer(["x", None, "x", None, "y"]), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert corefer([]).size == corefer(["x"]).size == 0
    names = np.random.default_rng(0).choice(["a", "b", "c"], 20).tolist()
    expected = {(i, j): one == other for (j, one), (i, other) in combinations(enumerate(names), 2)}
    np.testing.assert_array_equal(corefer(names), [expected[i, j] for i in range(20) for j in range(i)])


def test_combinations_stand_for_the_values_of_every_template(gold):
    tables, entities = gold
    pairs = TrainingPairs(tables, entities)
    kinds = len(TYPES)
    for group, templates in TEMPLATES.items():
        found = pairs.combinations[group].indices(group)
        assert np.unique(pairs.combinations[group].keys).size == len(pairs.combinations[group])
        start = 0
        for table in tables:
            values = PairTemplates(table, History(table))
            allowed = values.links(0, len(table))
            groups, count = values.block(0, allowed), int(allowed.sum())
            for template in templates:
                i, j = np.nonzero(allowed)
                types = table.type[i] * kinds + table.type[j]
                np.testing.assert_array_equal(
                    found[template][pairs.pairs[group][start : start + count]],
                    groups[group][template] * kinds**2 + types,
                )
            start += count
        assert start == pairs.gold.size


def test_training_reaches_the_optimum_and_learns(gold, tmp_path):
    tables, entities = gold
    pairs = TrainingPairs(tables, entities)
    weights = fit(pairs, l2=1.0, iterations=1000, costs=Costs(), checkpoint=tmp_path / "checkpoint")
    value, gradient = pairs.objective(weights.vector, 1.0, Costs())
    # Strongly convex with modulus l2: how far the optimum is follows from the gradient.
    assert (gradient**2).sum() / 2 < 1e-4 * value
    assert value < pairs.objective(np.zeros(pairs.size), 1.0, Costs())[0] / 2


def interrupt_after(monkeypatch, checkpoints):
    """Make training stop when it has written as many checkpoints."""
    write, written = training._write_checkpoint, []

    def writing(*arguments):
        write(*arguments)
        written.append(arguments)
        if len(written) == checkpoints:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "_write_checkpoint", writing)


@pytest.mark.parametrize("checkpoints", [1, 2, 3])
def test_resumed_training_equals_straight_training_to_the_bit(gold, tmp_path, monkeypatch, checkpoints):
    pairs = TrainingPairs(*gold)
    monkeypatch.setattr(training, "_ITERATIONS_PER_CHECKPOINT", 5)
    settings = {"l2": 0.1, "iterations": 13, "costs": Costs()}
    straight = fit(pairs, **settings, checkpoint=tmp_path / "straight")
    with monkeypatch.context() as context:
        interrupt_after(context, checkpoints)
        with pytest.raises(KeyboardInterrupt):
            fit(pairs, **settings, checkpoint=tmp_path / "stopped")
    passes, objective = [], TrainingPairs.objective
    monkeypatch.setattr(TrainingPairs, "objective", lambda *rest: (passes.append(1), objective(*rest))[1])
    resumed = fit(TrainingPairs(*gold), **settings, checkpoint=tmp_path / "stopped")
    assert resumed.vector.tobytes() == straight.vector.tobytes()
    # What was done is not done again.
    assert len(passes) < 2 * (13 - 5 * checkpoints) + 3 if checkpoints < 3 else not passes


def test_a_training_that_has_converged_is_not_gone_on_with(gold, tmp_path):
    pairs = TrainingPairs(*gold)
    settings = {"l2": 10.0, "iterations": 500, "costs": Costs(), "checkpoint": tmp_path / "checkpoint"}
    first = fit(pairs, **settings).vector.tobytes()
    assert fit(pairs, **settings).vector.tobytes() == first


def test_foreign_and_damaged_checkpoints_are_ignored(gold, tmp_path):
    pairs = TrainingPairs(*gold)
    path, settings = tmp_path / "checkpoint", {"l2": 1.0, "iterations": 4, "costs": Costs()}
    expected = fit(pairs, **settings, checkpoint=tmp_path / "unused").vector.tobytes()
    others = [
        (TrainingPairs(gold[0][:4], gold[1][:4]), settings),
        (TrainingPairs(gold[0], [names[::-1] for names in gold[1]]), settings),
        (pairs, settings | {"l2": 2.0}),
        (pairs, settings | {"costs": MARGINS}),
        (pairs, settings | {"iterations": 3}),
        (pairs, settings | {"library": "0123456789abcdef"}),
    ]
    for other, changed in others:
        path.unlink(missing_ok=True)
        fit(other, **changed, checkpoint=path)
        assert fit(pairs, **settings, checkpoint=path).vector.tobytes() == expected
    whole = path.read_bytes()
    np.save(tmp_path / "array.npy", np.zeros(3))
    flipped = [whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :] for place in range(0, 120)]
    array = (tmp_path / "array.npy").read_bytes()
    for damaged in (b"", b"no archive", whole[:50], whole[: len(whole) // 2], whole[:-10], array, *flipped):
        path.write_bytes(damaged)
        done, vector = training._read_checkpoint(path, pairs.fingerprint(), pairs.size)
        assert done == 0
        assert not vector.any()
    assert fit(pairs, **settings, checkpoint=path).vector.tobytes() == expected
    assert path.read_bytes() == whole


def test_training_does_not_depend_on_what_was_trained_before(gold, predicted):
    first = TrainingPairs(*gold)
    TrainingPairs(*predicted)
    second = TrainingPairs(*gold)
    assert first.fingerprint() == second.fingerprint()
    for costs in (Costs(), MARGINS):
        one, other = (pairs.objective(random_weights(pairs), 1.0, costs) for pairs in (first, second))
        assert one[0] == other[0]
        assert one[1].tobytes() == other[1].tobytes()


def test_documents_without_pairs_are_refused():
    with pytest.raises(InputError, match="found no document with two mentions, expected documents to train on"):
        TrainingPairs(*corpus(lambda _: [], documents=1))


@pytest.mark.parametrize("mentions", ["predicted", "gold"])
def test_documents_without_trees_are_refused(mentions):
    one = Document("d", (Sentence("s", ("Ana", "sails")),), (Mention(0, 0, 1, "ana"),))
    with pytest.raises(InputError, match=r"'s': found no tags, expected .*`parsed: true`"):
        TrainingPairs.of([one], mentions)


def test_frequent_words_are_kept_and_rare_ones_backed_off():
    frequent, rare = ("head=boat\thead=NN", 10), ("head=ship\thead=NN", 9)
    features = [[feature] for feature, count in (frequent, rare, ("type=a", 5), ("type=b", 4)) for _ in range(count)]
    vocabulary = build_vocabulary([features[::2], features[1::2]])
    assert vocabulary == {"head=NN": 0, "head=boat": 1, "type=a": 2}
    found = feature_matrix(
        [["type=a", "head=unseen\thead=NN"], [], ["head=boat\thead=NN", "head=x\thead=JJ"]], vocabulary
    )
    np.testing.assert_array_equal(found.toarray(), [[1, 0, 1], [0, 0, 0], [0, 1, 0]])
    assert feature_matrix([], {}).shape == (0, 0)


def test_a_bar_in_a_word_does_not_cut_it():
    vocabulary = build_vocabulary([[["head=a|b\thead=NN"]] * 10 + [["head=a|c\thead=NN"]] * 10])
    assert vocabulary == {"head=a|b": 0, "head=a|c": 1}


def test_weights_are_views_of_one_vector_without_gaps_or_overlaps():
    vector = np.arange(size_of(3, 2), dtype=float)
    weights = Weights.of(vector, 3, 2)
    parts = [weights.current, weights.antecedent, *weights.pairs.values()]
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in parts]), vector)
    assert all(np.shares_memory(part, vector) for part in parts)
    assert all(before.ravel()[-1] + 1 == after.ravel()[0] for before, after in pairwise(parts))


def test_features_of_mentions_are_those_of_the_vocabulary(gold):
    tables, entities = gold
    pairs = TrainingPairs(tables, entities)
    assert pairs.current.shape == (pairs.mentions, len(pairs.current_vocabulary))
    for features, vocabulary, matrix in (
        (current_features, pairs.current_vocabulary, pairs.current),
        (antecedent_features, pairs.antecedent_vocabulary, pairs.antecedent),
    ):
        rows = [row for table in tables for row in features(table, History(table))]
        names = list(vocabulary)
        for number, row in enumerate(rows):
            known = [part for feature in row for part in feature.split("\t")[:2] if part in vocabulary]
            found = [names[column] for column in matrix.indices[matrix.indptr[number] : matrix.indptr[number + 1]]]
            # A word that is kept comes without its back-off.
            assert set(found) <= set(known)
            assert all(feature in found for feature in row if "\t" not in feature and feature in vocabulary)


def test_a_training_that_was_stopped_does_not_go_on_with_other_code(gold, tmp_path, monkeypatch):
    pairs, path = TrainingPairs(*gold), tmp_path / "checkpoint"
    monkeypatch.setattr(training, "_ITERATIONS_PER_CHECKPOINT", 5)
    settings = {"l2": 0.1, "iterations": 13, "costs": Costs(), "checkpoint": path}
    with monkeypatch.context() as context:
        interrupt_after(context, 2)
        with pytest.raises(KeyboardInterrupt):
            fit(pairs, **settings, library="before")
    stopped = path.read_bytes()
    passes, objective = [], TrainingPairs.objective
    monkeypatch.setattr(TrainingPairs, "objective", lambda *rest: (passes.append(1), objective(*rest))[1])
    for library in ("before", "after"):
        path.write_bytes(stopped)
        passes.clear()
        fit(pairs, **settings, library=library)
        assert (len(passes) >= 13) == (library == "after")
