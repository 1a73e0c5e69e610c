import math

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB

from nlpcalib.errors import InputError
from reproduction.sentiment.classifier import LogLinear, evaluation_of, excess_confidence, f1_score
from reproduction.sentiment.features import FeatureSets, binary_features, feature_sets, words_of
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.tokenizer import tokenize
from reproduction.sentiment.training import (
    fit_logistic_regression,
    fit_naive_bayes,
    select_classifier,
    write_classifier_selection,
)

TEXTS = {
    "train": ["Good good day", "bad day", "good :D", "so bad", "day off"],
    "dev": ["GOOD", "bad new"],
    "test": ["unknown words"],
}
Y = {
    "train": np.array([True, False, True, False, True]),
    "dev": np.array([True, False]),
    "test": np.array([True]),
}


@pytest.fixture
def sets():
    return feature_sets(TEXTS, Y)


@pytest.fixture(scope="module")
def random_data():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    dense = rng.random((300, 25)) < np.where(y[:, None], rng.random(25), rng.random(25)) * 0.5
    words = [f"w{number:02d}" for number in range(25)]
    rows = [[word for word, here in zip(words, row, strict=True) if here] for row in dense]
    return binary_features(rows, words), dense, y, words


def test_features_say_which_words_are_there(sets):
    assert sets.vocabulary == (":d", "bad", "day", "good", "off", "so")
    assert sets.features["train"].toarray().tolist()[0] == [0, 0, 1, 1, 0, 0]
    assert sets.features["dev"].toarray().tolist() == [[0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0]]
    assert sets.features["test"].nnz == 0


def test_features_are_those_of_scikit_learn():
    vectorizer = CountVectorizer(
        binary=True,
        tokenizer=lambda text: [token.lower() for token in tokenize(text)],
        lowercase=False,
        token_pattern=None,
    )
    expected = vectorizer.fit_transform(TEXTS["train"])
    words = sorted(vectorizer.vocabulary_)
    ours = binary_features([words_of(text) for text in TEXTS["train"]], words)
    np.testing.assert_array_equal(ours.toarray(), expected.toarray())


def test_features_survive_the_file(sets, tmp_path):
    sets.save(tmp_path / "f.npz")
    again = FeatureSets.load(tmp_path / "f.npz")
    assert again.vocabulary == sets.vocabulary
    for name in TEXTS:
        np.testing.assert_array_equal(again.features[name].toarray(), sets.features[name].toarray())
        np.testing.assert_array_equal(again.y[name], sets.y[name])
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match="expected features saved by"):
        FeatureSets.load(tmp_path / "bad.npz")
    with pytest.raises(InputError, match="found no words"):
        feature_sets({"train": [" "]}, {"train": np.array([True])})


def test_naive_bayes_is_what_a_pencil_gives(sets):
    model = fit_naive_bayes(sets.features["train"], sets.y["train"], sets.vocabulary, 1.0)
    # "good": in 2 of 3 happy messages and in none of 2 others; each count plus 1, each total plus 2.
    happy = {":d": 2, "bad": 1, "day": 3, "good": 3, "off": 2, "so": 1}
    other = {":d": 1, "bad": 3, "day": 2, "good": 1, "off": 1, "so": 2}
    for row, there in enumerate(({"good"}, {"bad"})):
        odds = 3 / 2
        for word in sets.vocabulary:
            p, q = happy[word] / 5, other[word] / 4
            odds *= p / q if word in there else (1 - p) / (1 - q)
        posterior = model.posterior(sets.features["dev"])[row]
        assert math.isclose(posterior, odds / (1 + odds), rel_tol=1e-12)


@pytest.mark.parametrize("pseudocount", [0.01, 1.0, 10.0])
def test_naive_bayes_is_that_of_scikit_learn(random_data, pseudocount):
    features, _, y, words = random_data
    model = fit_naive_bayes(features, y, words, pseudocount)
    expected = BernoulliNB(alpha=pseudocount).fit(features, y).predict_proba(features)[:, 1]
    np.testing.assert_allclose(model.posterior(features), expected, rtol=1e-10)


@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
def test_logistic_regression_is_at_the_minimum_of_its_loss(random_data, c):
    features, dense, y, words = random_data
    model = fit_logistic_regression(features, y, words, c)

    def loss(weights):
        margin = np.where(y, 1, -1) * (dense @ weights[1:] + weights[0])
        return c * np.logaddexp(0, -margin).sum() + 0.5 * weights[1:] @ weights[1:]

    best = minimize(loss, np.zeros(26), options={"gtol": 1e-9, "maxiter": 5000})
    fitted = np.concatenate([[model.intercept], model.weights])
    assert loss(fitted) <= best.fun * (1 + 1e-9)
    np.testing.assert_allclose(fitted, best.x, atol=2e-3)


def test_one_class_cannot_be_trained_on(random_data):
    features, _, y, words = random_data
    for fit in (fit_naive_bayes, fit_logistic_regression):
        with pytest.raises(InputError, match="found 300 happy of 300 training messages, expected both classes"):
            fit(features, np.ones_like(y), words, 1.0)


def test_the_best_f1_is_chosen_and_the_first_of_equals(random_data, tmp_path):
    features, _, y, words = random_data
    models = [LogLinear(tuple(words), np.zeros(25), intercept, value) for intercept, value in ((-1, 5), (1, 3), (2, 1))]
    best, scores = select_classifier(((model.hyperparameter, model) for model in models), features, y, bin_size=100)
    assert (best.hyperparameter, best.dev_f1) == (3, scores[1].f1)
    assert [score.f1 for score in scores] == [0.0, scores[2].f1, scores[2].f1]
    write_classifier_selection(tmp_path / "s.csv", scores, best.hyperparameter)
    assert [line.split(",")[-1] for line in (tmp_path / "s.csv").read_text().splitlines()] == [
        "chosen",
        "False",
        "True",
        "False",
    ]
    with pytest.raises(InputError, match="found no models to choose from"):
        select_classifier([], features, y, bin_size=100)


def test_a_model_survives_the_file(random_data, tmp_path):
    features, _, y, words = random_data
    model = fit_naive_bayes(features, y, words, 1.0)
    for stored in (model, model.with_dev_f1(0.7)):
        stored.save(tmp_path / "m.npz")
        again = LogLinear.load(tmp_path / "m.npz")
        assert (again.vocabulary, again.intercept, again.hyperparameter, again.dev_f1) == (
            tuple(words), stored.intercept, 1.0, stored.dev_f1,
        )  # fmt: skip
        np.testing.assert_array_equal(again.weights, stored.weights)
    (tmp_path / "m.npz").write_bytes(b"")
    with pytest.raises(InputError, match="expected a model saved by"):
        LogLinear.load(tmp_path / "m.npz")


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    q, y = np.array([0.9, 0.6, 0.5, 0.2]), np.array([True, False, True, True])
    assert evaluation_of(q, y) == {"f1": 0.4, "precision": 0.5, "recall": 1 / 3, "accuracy": 0.25}
    assert f1_score(np.zeros(4), y) == 0
    assert excess_confidence(q, y) == pytest.approx((0.9 + 0.6 + 0.5 + 0.8) / 4 - 0.25)
    assert evaluation_of(np.zeros(4), y)["precision"] is None


def test_pairs_have_a_message_each():
    pairs = happy_pairs(np.array([0.25, 0.5]), np.array([True, False]), ["b", "a"])
    assert [pairs.unit.names[code] for code in pairs.unit.codes] == ["b", "a"]
    assert pairs.predicted.names == ("happy",)
    with pytest.raises(InputError, match="found 2 predictions, 1 labels and 2 messages"):
        happy_pairs(np.zeros(2), np.zeros(1, bool), ["a", "b"])


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"weights": np.zeros(3)}, r"weights of float64 and shape \(3,\)"),
        ({"weights": np.array([1.0, np.nan])}, "weights that are not finite"),
        ({"intercept": np.zeros(2)}, "intercept of float64"),
    ],
)
def test_a_classifier_whose_numbers_do_not_fit_is_refused(tmp_path, change, found):
    LogLinear(("a", "b"), np.zeros(2), 0.5, 1.0).save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as stored:
        arrays = dict(stored) | change
    np.savez(tmp_path / "m.npz", **arrays)
    with pytest.raises(InputError, match=rf"m\.npz: found {found}"):
        LogLinear.load(tmp_path / "m.npz")


@pytest.mark.parametrize(
    "change",
    [{"x_columns": np.array([7])}, {"x_ends": np.array([0, 2, 1])}, {"x_y": np.ones(2)}, {"x_y": np.ones(5, bool)}],
)
def test_features_that_are_no_matrix_are_refused(tmp_path, change):
    arrays = {"x_columns": np.array([0]), "x_ends": np.array([0, 1]), "x_y": np.ones(1, bool)}
    np.savez(tmp_path / "f.npz", vocabulary=np.frombuffer(b"a", np.uint8), **arrays)
    assert FeatureSets.load(tmp_path / "f.npz").features["x"].shape == (1, 1)
    np.savez(tmp_path / "f.npz", vocabulary=np.frombuffer(b"a", np.uint8), **(arrays | change))
    with pytest.raises(InputError, match=r"f\.npz: .*expected features saved by FeatureSets\.save"):
        FeatureSets.load(tmp_path / "f.npz")
