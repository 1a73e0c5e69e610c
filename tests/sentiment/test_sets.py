import numpy as np
import pytest

from newsroom.messages import simulate_messages
from nlpcalib.errors import InputError
from reproduction.corpora.messages import MessageTable
from reproduction.sentiment.duplicates import copy_key, first_copies
from reproduction.sentiment.emoticons import is_happy
from reproduction.sentiment.sets import balanced_sets, label_messages, read_set, write_set

SIZES = {"train": 600, "dev": 200, "test": 400}


def table(messages, happy=None):
    ids, times, texts = zip(*messages, strict=True)
    return MessageTable(list(ids), np.array(times), list(texts), happy, None)


@pytest.fixture(scope="module")
def simulated():
    messages = list(simulate_messages(3, 6000))
    return MessageTable(
        [message.id for message in messages],
        np.array([message.time for message in messages]),
        [message.text for message in messages],
        None,
        np.array([message.posterior for message in messages]),
    )


@pytest.fixture(scope="module")
def sets(simulated):
    labelled, _ = label_messages(simulated)
    return balanced_sets(labelled, SIZES, seed=1)


def test_sets_are_balanced_and_as_large_as_asked(sets):
    assert {name: len(messages) for name, messages in sets.items()} == SIZES
    assert all(messages.y.mean() == 0.5 for messages in sets.values())


def test_sets_follow_each_other_in_time(sets):
    for earlier, later in (("train", "dev"), ("dev", "test")):
        assert sets[earlier].time.max() < sets[later].time.min()
    assert all((np.diff(messages.time) >= 0).all() for messages in sets.values())


def test_no_message_retweet_or_near_copy_is_in_two_sets(sets):
    keys = [copy_key(text) for messages in sets.values() for text in messages.text]
    assert len(set(keys)) == len(keys) == sum(SIZES.values())


def test_no_trace_of_the_emoticon_is_left(sets):
    assert not any(is_happy(text) for messages in sets.values() for text in messages.text)


def test_the_true_probability_is_carried_over_to_the_balanced_set(simulated):
    labelled, _ = label_messages(simulated)
    sets = balanced_sets(
        labelled,
        {"train": 2, "dev": 2, "test": 5000},
        cuts=[200_000 + labelled.time[0], 400_000 + labelled.time[0]],
        seed=1,
    )
    before, after = labelled.posterior.mean(), sets["test"].posterior.mean()
    assert before < 0.42
    assert abs(after - 0.5) < 0.02
    q, y = sets["test"].posterior, sets["test"].y
    assert abs((q - y).mean()) < 4 * np.sqrt(np.sum(q * (1 - q))) / len(q)


def test_the_same_seed_draws_the_same_messages(simulated, sets):
    labelled, _ = label_messages(simulated)
    again = balanced_sets(labelled, SIZES, seed=1)
    assert all(again[name].id == sets[name].id for name in sets)
    assert balanced_sets(labelled, SIZES, seed=2)["test"].id != sets["test"].id


def test_sets_begin_where_the_cuts_say():
    messages = table([(str(n), n, f"word {chr(97 + n)}{chr(98 + n)} {':)' if n % 2 else ''}") for n in range(12)])
    labelled, _ = label_messages(messages)
    cut = balanced_sets(labelled, {"train": 10, "dev": 10, "test": 10}, cuts=[5, 7], seed=0)
    assert cut["train"].time.max() < 5 <= cut["dev"].time.min()
    assert cut["dev"].time.max() < 7 <= cut["test"].time.min()


def test_messages_of_one_second_are_never_divided():
    messages = table(
        [(str(n), n // 40, f"w{chr(97 + n // 26)}{chr(97 + n % 26)} x {':)' if n % 2 else ''}") for n in range(240)]
    )
    labelled, _ = label_messages(messages)
    sets = balanced_sets(labelled, {"train": 60, "dev": 60, "test": 60}, seed=0)
    assert not set(sets["train"].time) & set(sets["dev"].time)
    assert not set(sets["dev"].time) & set(sets["test"].time)


def test_the_first_of_near_copies_stays_whatever_its_label():
    messages = table(
        [
            ("a", 30, "Good morning @bob!! :)"),
            ("b", 10, "good MORNING"),
            ("c", 20, "RT @ann: Good morning"),
            ("d", 40, "another :)"),
            ("e", 10, ":) "),
            ("f", 50, "last"),
        ]
    )
    labelled, steps = label_messages(messages)
    assert steps == {"messages": 6, "happy": 3, "with_words": 5, "without_copies": 3, "while_both_occur": 1}
    assert labelled.id == ("d",)


def test_only_the_time_in_which_both_classes_occur_stays():
    happy = np.array([True, False, True, False, False, False])
    messages = table([(str(n), n, f"word {chr(97 + n)}{chr(98 + n)}") for n in range(6)], happy)
    labelled, _ = label_messages(messages)
    assert labelled.id == ("1", "2")
    assert labelled.y.tolist() == [False, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RT @ann: see http://a.b/c now", "see http://x.y now"),
        ("RT @ann RT @bob: Hello World", "hello, world!!"),
        ('"@ann: Hello world"', "hello world"),
        ("sooooo good", "soo good"),
        ("12 days", "13 days"),
        ("@ann @bob yes", "@carl yes"),
    ],
)
def test_near_copies_have_one_key(one, other):
    assert copy_key(one) == copy_key(other)


def test_different_messages_have_different_keys():
    assert len({copy_key(text) for text in ("hello world", "hello word", "!!!", "??", "42", "été", "@ann")}) == 7
    assert first_copies(["a", "b", "a!", "c"]).tolist() == [True, True, False, True]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a b", "c d"], "found no message with the emoticon among 2"),
        (["a b :)", "c d :)"], "found no message without it among 2"),
        ([":)", ":)"], r"found no message with the emoticon among 0 \(of 2"),
    ],
)
def test_one_class_alone_is_refused(texts, message):
    with pytest.raises(InputError, match=message):
        label_messages(table([(str(n), n, text) for n, text in enumerate(texts)]))


def test_classes_that_are_at_no_time_together_are_refused():
    told = (
        "found messages with the emoticon from 1970-01-01T00:00:00Z to 1970-01-01T00:00:01Z and without it from "
        "1970-01-01T00:00:02Z to 1970-01-01T00:00:03Z, expected both at the same time"
    )
    with pytest.raises(InputError, match=f"^{told}$"):
        label_messages(table([("a", 0, "one :)"), ("b", 1, "two :)"), ("c", 2, "three"), ("d", 3, "four")]))


def test_a_set_with_one_class_is_named():
    messages = table([(str(n), n, f"word {chr(97 + n)}{chr(98 + n)} {':)' if n % 2 else ''}") for n in range(12)])
    labelled, _ = label_messages(messages)
    with pytest.raises(
        InputError, match=r"dev set, 1970-01-01T00:00:05Z to 1970-01-01T00:00:05Z: found 1 happy and 0 other"
    ):
        balanced_sets(labelled, SIZES, cuts=[5, 6], seed=0)


@pytest.mark.parametrize(
    ("cuts", "name", "told"),
    [
        ((5, 1388534400), "test", "1970-01-01T00:00:05Z and 2014-01-01T00:00:00Z"),
        ((1388534400, 1388534401), "dev", "2014-01-01T00:00:00Z and 2014-01-01T00:00:01Z"),
        ((-5, 6), "train", "1969-12-31T23:59:55Z and 1970-01-01T00:00:06Z"),
        ((7, 5), "dev", "1970-01-01T00:00:07Z and 1970-01-01T00:00:05Z"),
    ],
)
def test_cuts_that_leave_a_set_empty_are_told_with_the_time_of_the_messages(cuts, name, told):
    messages = table([(str(n), n, f"word {chr(97 + n)}{chr(98 + n)} {':)' if n % 2 else ''}") for n in range(12)])
    labelled, _ = label_messages(messages)
    with pytest.raises(InputError) as error:
        balanced_sets(labelled, SIZES, cuts=cuts, seed=0)
    assert str(error.value) == (
        f"{name} set: found no message with `cuts` at {told}, expected them in order and within the time of both kinds "
        "of messages, 1970-01-01T00:00:01Z to 1970-01-01T00:00:10Z"
    )


def test_a_set_survives_the_file(sets, tmp_path):
    write_set(tmp_path / "test.parquet", sets["test"])
    again = read_set(tmp_path / "test.parquet")
    assert (again.id, again.text) == (sets["test"].id, sets["test"].text)
    for column in ("time", "y", "posterior"):
        np.testing.assert_array_equal(getattr(again, column), getattr(sets["test"], column))
