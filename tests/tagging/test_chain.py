import json
import time

import numpy as np
import pytest

from nlpcalib.errors import InputError
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain


@pytest.fixture
def chain():
    rng = np.random.default_rng(0)
    attributes = ("the", "a\0b", "naïve", "\ud800", "", "tab\there")
    return LinearChain(
        ("NN", "VB", "''"),
        attributes,
        rng.normal(size=(7, 3)),
        rng.normal(size=(3, 3)),
        rng.normal(size=3),
        {"model": "hmm", "pseudocount": 0.25, "versions": {"numpy": "2"}},
    )


def assert_equal(one, other):
    assert one.tags == other.tags
    assert one.attributes == other.attributes
    assert one.metadata == other.metadata
    for name in ("state", "transition", "initial"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_saved_model_comes_back_exactly(chain, tmp_path):
    chain.save(tmp_path / "model.npz")
    assert_equal(LinearChain.load(tmp_path / "model.npz"), chain)
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


def test_the_same_model_saves_as_the_same_bytes_at_any_time(chain, tmp_path, monkeypatch):
    chain.save(tmp_path / "one")
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(2e9))
    LinearChain.load(tmp_path / "one").save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_model_that_cannot_be_saved_leaves_the_old_one(chain, tmp_path):
    path = tmp_path / "model.npz"
    chain.save(path)
    before = path.read_bytes()
    for value, error in ((object(), TypeError), (float("nan"), ValueError)):
        with pytest.raises(error):
            chain.with_metadata(bad=value).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_token_scores_as_the_row_of_its_word_and_unknown_words_as_the_last_row(chain):
    scores = chain.scores(Attributes.of_words(["naïve", "unheard", "the", "naïve"]))
    np.testing.assert_array_equal(scores, chain.state[[2, 6, 0, 2]])


def test_a_token_of_several_attributes_scores_as_their_sum(chain):
    tokens = Attributes.of_lists([["the", "naïve"], [], ["unheard"], ["", "the", "the"]])
    expected = [chain.state[0] + chain.state[2], np.zeros(3), chain.state[6], chain.state[4] + 2 * chain.state[0]]
    np.testing.assert_allclose(chain.scores(tokens), expected, atol=1e-15)


def test_lists_of_one_word_score_as_words(chain):
    words = ["the", "unheard", "", "the"]
    lists = Attributes.of_lists([word] for word in words)
    np.testing.assert_array_equal(chain.scores(lists), chain.scores(Attributes.of_words(words)))
    picked = np.array([3, 1])
    np.testing.assert_array_equal(chain.scores(lists.take(picked)), chain.scores(lists)[picked])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tags": ("A", "A")}, "tags repeat a name"),
        ({"attributes": ("x", "x")}, "attributes repeat a name"),
        ({"state": np.zeros((2, 2))}, r"state has shape \(2, 2\)"),
        ({"transition": np.zeros((2, 3))}, r"transition has shape \(2, 3\)"),
        ({"initial": np.array([0.0, np.inf])}, "initial has values that are not finite"),
    ],
)
def test_potentials_that_do_not_fit_are_refused(change, message):
    fields = {
        "tags": ("A", "B"),
        "attributes": ("x", "y"),
        "state": np.zeros((3, 2)),
        "transition": np.zeros((2, 2)),
        "initial": np.zeros(2),
    }
    with pytest.raises(InputError, match=message):
        LinearChain(**(fields | change))


def rewrite(path, **changes):
    """Save the archive at `path` again with arrays changed, or removed where None."""
    with np.load(path) as archive:
        arrays = {**archive, **changes}
    with path.open("wb") as file:
        np.savez(file, **{name: array for name, array in arrays.items() if array is not None})


def header_of(path, **changes):
    with np.load(path) as archive:
        header = json.loads(archive["header"].tobytes()) | changes
    return np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "no mark of its format"),
        ({"version": 2}, "found version 2; expected 1"),
        ({"tags": "NN"}, "tags are not a list of strings"),
        ({"attributes": [1, 2, 3, 4, 5, 6]}, "attributes are not a list of strings"),
        ({"tags": ["NN", "VB"]}, "state has shape"),
        ({"metadata": []}, "metadata is not a mapping"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(chain, tmp_path, changes, message):
    path = tmp_path / "model.npz"
    chain.save(path)
    rewrite(path, header=header_of(path, **changes))
    with pytest.raises(InputError, match=message) as caught:
        LinearChain.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"header": None}, "header"),
        ({"transition": None}, "transition"),
        ({"header": np.frombuffer(b"[1]", dtype=np.uint8)}, "no mark of its format"),
        ({"header": np.frombuffer(b"\xff{", dtype=np.uint8)}, "saved by LinearChain.save"),
        ({"initial": np.zeros(3, dtype=np.float32)}, "initial is float32; expected float64"),
        ({"transition": np.full((3, 3), -np.inf)}, "transition has values that are not finite"),
        ({"state": np.array([{"pickled": 1}], dtype=object)}, "saved by LinearChain.save"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(chain, tmp_path, changes, message):
    path = tmp_path / "model.npz"
    chain.save(path)
    rewrite(path, **changes)
    with pytest.raises(InputError, match=message):
        LinearChain.load(path)


def test_damaged_files_are_refused_or_read_as_what_was_saved(chain, tmp_path):
    path, damaged = tmp_path / "model.npz", tmp_path / "damaged.npz"
    chain.save(path)
    data = path.read_bytes()
    rng = np.random.default_rng(1)
    variants = [data[:length] for length in range(0, len(data), 37)]
    for position in rng.integers(0, len(data), 300):
        flipped = bytearray(data)
        flipped[position] ^= 1 << int(rng.integers(8))
        variants.append(bytes(flipped))
    refused = 0
    for variant in variants:
        damaged.write_bytes(variant)
        try:
            assert_equal(LinearChain.load(damaged), chain)
        except InputError:
            refused += 1
    assert refused > len(variants) / 2


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        LinearChain.load(tmp_path / "none.npz")
