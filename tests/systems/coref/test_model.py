"""The antecedent model: its probabilities against loops over features, and its files."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model import model as module
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.coref.model.model import NEW_DECAY_FROM, NEW_DECAY_TO, AntecedentModel, load_model
from nlpcalib.systems.coref.model.pair_templates import PairTemplates
from nlpcalib.systems.coref.model.templates import History, antecedent_features, current_features
from nlpcalib.systems.coref.model.weights import K, Weights, size_of
from nlpcalib.systems.text.document import Document
from reproduction.coref.training import build_vocabulary


def tables(documents=3):
    reports = [report.document for report in Newsroom(seed=5).reports(0, documents)]
    return [mention_table(one, candidate_mentions(one)) for one in reports]


@pytest.fixture(scope="module")
def model():
    """A model of random weights whose vocabulary lacks features of other documents."""
    known = tables(2)
    current = build_vocabulary(list(current_features(table, History(table))) for table in known)
    antecedent = build_vocabulary(list(antecedent_features(table, History(table))) for table in known)
    vector = np.random.default_rng(0).normal(scale=0.3, size=size_of(len(current), len(antecedent)))
    weights = Weights.of(vector.astype(np.float32).astype(np.float64), len(current), len(antecedent))
    return AntecedentModel(current, antecedent, weights, {"corpus": "newsroom", "naïve": [1, 2.5]})


def slow_conditionals(model, table):
    """Return A by adding up the weight of each feature of each pair, alone and with the types."""
    history, weights, kinds = History(table), model.weights, table.type.tolist()

    def known(rows, vocabulary):
        split = [[feature.split("\t") for feature in row] for row in rows]
        return [
            [
                vocabulary[next(part for part in parts if part in vocabulary)]
                for parts in row
                if {*parts} & {*vocabulary}
            ]
            for row in split
        ]

    current = known(current_features(table, history), model.current)
    antecedent = known(antecedent_features(table, history), model.antecedent)
    templates = PairTemplates(table, history)
    allowed = templates.links(0, len(table))
    values = {name: array for group in templates.block(0, allowed).values() for name, array in group.items()}
    result, pair = np.zeros((len(table), len(table))), 0
    for i in range(len(table)):
        scores = []
        for j in range(i):
            if not allowed[i, j]:
                scores.append(-np.inf)
                continue
            a, b = kinds[i], kinds[j]
            score = sum(weights.current[feature, 1] + weights.current[feature, 2 + b] for feature in current[i])
            score += sum(
                weights.antecedent[feature, 0] + weights.antecedent[feature, 1 + a] for feature in antecedent[j]
            )
            for name, array in values.items():
                row = weights.pairs[name][int(array[pair])]
                score += row[0] + row[1 + a] + row[1 + K + K * a + b]
            scores.append(score)
            pair += 1
        scores.append(sum(weights.current[feature, 0] for feature in current[i]))
        exponents = np.exp(np.array(scores) - max(scores))
        result[i, :i] = exponents[:-1] / exponents.sum()
    return result


def test_conditionals_equal_a_sum_over_the_features_of_each_pair(model):
    for table in tables():
        np.testing.assert_allclose(model.conditionals(table), slow_conditionals(model, table), rtol=1e-11, atol=1e-300)


def test_conditionals_are_distributions_over_earlier_mentions_and_new(model):
    for table in tables():
        conditionals = model.conditionals(table)
        assert not np.triu(conditionals).any()
        assert (conditionals >= 0).all()
        assert (conditionals.sum(axis=1) < 1).all()


def test_conditionals_do_not_depend_on_how_many_pairs_are_scored_at_a_time(model, monkeypatch):
    [table] = tables(1)
    whole = model.conditionals(table)
    for block in (1, 100, 1000, 1 << 30):
        monkeypatch.setattr(module, "_BLOCK_PAIRS", block)
        np.testing.assert_allclose(model.conditionals(table), whole, rtol=1e-13, atol=0)


def test_conditionals_of_a_mention_depend_on_the_document_but_not_on_other_documents(model):
    first, second, _ = tables()
    alone = model.conditionals(second)
    model.conditionals(first)
    assert model.conditionals(second).tobytes() == alone.tobytes()


@pytest.mark.parametrize("scale", [1e3, -1e3])
def test_enormous_scores_neither_overflow_nor_make_nan(model, scale):
    vector = model.weights.vector * scale
    extreme = AntecedentModel(
        model.current, model.antecedent, Weights.of(vector, len(model.current), len(model.antecedent)), {}
    )
    for table in tables():
        conditionals = extreme.conditionals(table)
        assert np.isfinite(conditionals).all()
        assert (conditionals.sum(axis=1) <= 1 + 1e-12).all()


def test_a_document_without_mentions_and_one_with_a_single_mention_have_no_antecedents(model):
    assert model.conditionals(mention_table(Document("empty", ()), [])).shape == (0, 0)
    report = Newsroom(seed=5).document(0).document
    [only] = model.conditionals(mention_table(report, candidate_mentions(report)[:1]))
    assert only.tolist() == [0.0]


def test_a_saved_model_comes_back_with_the_same_probabilities(model, tmp_path):
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert (again.current, again.antecedent, again.card) == (model.current, model.antecedent, model.card)
    for table in tables():
        np.testing.assert_array_equal(again.conditionals(table), model.conditionals(table))


def test_single_precision_of_the_file_hardly_moves_a_probability(model, tmp_path):
    vector = np.random.default_rng(1).normal(scale=0.3, size=model.weights.vector.size)
    exact = AntecedentModel(
        model.current, model.antecedent, Weights.of(vector, len(model.current), len(model.antecedent)), {}
    )
    exact.save(tmp_path / "model.npz")
    for table in tables():
        again = load_model(tmp_path / "model.npz").conditionals(table)
        np.testing.assert_allclose(again, exact.conditionals(table), rtol=1e-5, atol=0)


def test_equal_models_give_equal_bytes(model, tmp_path):
    model.save(tmp_path / "one.npz")
    load_model(tmp_path / "one.npz").save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_model_that_cannot_be_written_leaves_nothing(model, tmp_path):
    unwritable = AntecedentModel(model.current, model.antecedent, model.weights, {"score": float("nan")})
    with pytest.raises(ValueError, match="not JSON compliant"):
        unwritable.save(tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


HEADER = {"format": module.MODEL_FORMAT, "current": ["a", "b"], "antecedent": ["c"], "card": {}}
WEIGHTS = np.zeros(size_of(2, 1), dtype=np.float32)


def archive(header=HEADER, weights=WEIGHTS):
    """Return the bytes of a file with the arrays of a model."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    file = io.BytesIO()
    np.savez(file, model=np.frombuffer(text, np.uint8), weights=weights)
    return file.getvalue()


def test_the_hand_made_file_is_a_model(tmp_path):
    (tmp_path / "model.npz").write_bytes(archive())
    assert load_model(tmp_path / "model.npz").current == {"a": 0, "b": 1}


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (archive(HEADER | {"format": module.MODEL_FORMAT + 1}), "found format"),
        (archive(HEADER | {"current": ["a", "b", "c"]}), f"found {WEIGHTS.size} weights that do not fit"),
        (archive(weights=WEIGHTS[:-1]), "weights that do not fit"),
        (archive(weights=WEIGHTS[None]), "weights that do not fit"),
        (archive(weights=WEIGHTS.astype(complex)), "weights that do not fit"),
        (archive(weights=WEIGHTS.astype(str)), "weights that do not fit"),
        (archive(weights=np.where(np.arange(WEIGHTS.size) == 7, np.float32(np.nan), WEIGHTS)), "do not fit"),
        (archive(weights=np.full_like(WEIGHTS, np.inf)), "weights that do not fit"),
        (archive(weights=np.array([{}])), "Object arrays cannot be loaded"),
        (archive(HEADER | {"current": ["a", "a"]}), "duplicate or invalid features"),
        (archive(HEADER | {"current": [1, 2]}), "duplicate or invalid features"),
        (archive(HEADER | {"current": 2}), "duplicate or invalid features"),
        (archive(HEADER | {"antecedent": [["c"]]}), "duplicate or invalid features"),
        (archive(HEADER | {"card": "c"}), "duplicate or invalid features"),
        (archive({"format": module.MODEL_FORMAT}), "'current'"),
        (archive(b"[]"), "list indices"),
        (archive(b"["), "Expecting value"),
        (archive(b"\xff"), "decode"),
        (archive(b"[" * 100_000), "recursion"),
        (b"", "found no .npz archive"),
        (b"\x80\x04N.", "found no .npz archive"),
        (b"no archive at all", "found no .npz archive"),
        (archive()[:200], "found no .npz archive"),
        (archive()[:-30], "found no .npz archive"),
    ],
)
def test_files_that_are_no_models_are_refused(tmp_path, content, found):
    path = tmp_path / "model.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=found) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "expected a coreference model saved by nlpcalib" in str(caught.value)


def test_an_array_that_is_no_archive_is_refused(tmp_path):
    np.save(tmp_path / "model.npy", np.zeros(3))
    with pytest.raises(InputError, match=r"found no \.npz archive, expected a coreference model"):
        load_model(tmp_path / "model.npy")


def test_a_damaged_byte_is_noticed_or_does_not_matter(model, tmp_path):
    path = tmp_path / "model.npz"
    model.save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in (*range(60), *range(len(whole) - 60, len(whole)), *rng.integers(len(whole), size=60).tolist()):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ int(rng.integers(1, 256))]) + whole[place + 1 :])
        try:
            again = load_model(path)
        except InputError:
            continue
        np.testing.assert_array_equal(again.weights.vector, model.weights.vector)
        assert (again.current, again.antecedent, again.card) == (model.current, model.antecedent, model.card)


def test_the_odds_of_new_decay_by_the_power_of_the_mention_s_number_between_two_bounds(model):
    reports = [report.document for report in Newsroom(seed=5).reports(0, 12)]
    together = Document("all", tuple(sentence for report in reports for sentence in report.sentences))
    table = mention_table(together, candidate_mentions(together))
    plain = model.conditionals(table)
    decayed = replace(model, card={**model.card, "new_decay": 0.5}).conditionals(table)
    size = len(plain)
    assert size > NEW_DECAY_TO
    new, before = (1 - each.sum(axis=1) for each in (decayed, plain))
    ratio = decayed.sum(axis=1)[1:] / new[1:] / (plain.sum(axis=1)[1:] / before[1:])
    weight = (np.clip(np.arange(1, size), NEW_DECAY_FROM, NEW_DECAY_TO) / NEW_DECAY_FROM) ** 0.5
    shown = (before[1:] > 1e-6) & (before[1:] < 1 - 1e-6)
    assert shown.sum() > size / 2
    np.testing.assert_allclose(ratio[shown], weight[shown], rtol=1e-6)
