"""Near copies of reports, against all pairs compared and against cases that a reader would judge."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.events.read.copies import near_copies

STRIKE = (
    "The ministry reports that a Turkish air strike on the village of Kilis killed at least 12 people on the northern "
    "bank of the river, among them four children of one family."
)


def first_of(*texts: str, days: tuple[int, ...] | None = None) -> list[int]:
    dates = np.datetime64("2020-03-01") + np.array(days or [0] * len(texts), dtype="timedelta64[D]")
    return near_copies([f"d{place}" for place in range(len(texts))], dates, texts).tolist()


@pytest.mark.parametrize(
    "copy",
    [
        STRIKE,
        STRIKE.upper().capitalize(),
        STRIKE.replace("reports", "confirms"),
        STRIKE.removesuffix(", among them four children of one family.") + ".",
        STRIKE + " The government of Iran condemned it.",
    ],
)
def test_a_report_that_is_printed_again_shortened_or_extended_is_a_copy(copy: str) -> None:
    lower = "a word in lower case is no name: ministry, air, strike, village, river, children, family, people, bank"
    assert first_of(STRIKE, copy, lower, days=(0, 3, 0))[1] == 0


@pytest.mark.parametrize(
    ("other", "day", "is_copy"),
    [
        (STRIKE.replace("Kilis", "Afrin"), 0, False),  # another place
        (STRIKE.replace("12", "15"), 0, True),  # the toll of the same day
        (STRIKE.replace("12", "15"), 1, False),  # the next strike there
        (STRIKE, 7, True),
        (STRIKE, 8, False),
    ],
)
def test_formulas_are_no_copies(other: str, day: int, is_copy: bool) -> None:
    assert first_of(STRIKE, other, days=(0, day)) == ([0, 0] if is_copy else [0, 1])


@pytest.mark.parametrize(("elsewhere", "is_copy"), [("Turkish turkish", False), ("Turkish turkish turkish", True)])
def test_a_word_is_a_name_if_it_has_a_capital_more_often_than_not(elsewhere: str, is_copy: bool) -> None:
    """With the report's own, Turkish has a capital in two of three places, or in two of four; Kurdish always has."""
    found = first_of(STRIKE, STRIKE.replace("Turkish", "Kurdish"), elsewhere)
    assert found[:2] == ([0, 0] if is_copy else [0, 1])


def test_what_copies_a_copy_is_of_the_first_report_whatever_the_order() -> None:
    words = [f"word{'abcdefghijklmnopqrst'[place]}" for place in range(20)]
    chain = [" ".join([*words[shift:], *(f"new{'abcdefgh'[place]}" for place in range(shift))]) for shift in (0, 4, 8)]
    assert first_of(*chain, days=(0, 5, 10)) == [0, 0, 0]
    assert first_of(*chain[::-1], days=(10, 5, 0)) == [2, 2, 2]
    assert first_of(chain[0], chain[2]) == [0, 1]


def jaccard(one: list[str], other: list[str]) -> float:
    sets = [{tuple(words[place : place + 3]) for place in range(len(words) - 2)} for words in (one, other)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def test_groups_are_those_of_all_pairs_compared() -> None:
    rng = np.random.default_rng(3)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    vocabulary = np.array(["".join(rng.choice(letters, 5)) for _ in range(400)])
    texts = [list(rng.choice(vocabulary, 30)) for _ in range(150)]
    for _ in range(150):
        changed = list(texts[rng.integers(150)])
        for place in rng.integers(0, 30, rng.integers(0, 6)):
            changed[place] = rng.choice(vocabulary)
        texts.append(changed)
    similar = np.array([[jaccard(one, other) for other in texts] for one in texts])
    group = np.array(first_of(*map(" ".join, texts)))
    together = group[:, None] == group[None]
    # Surely found where the similarity is plain; never together without a chain of true copies.
    assert together[similar >= 0.6].all()
    reach = similar >= 0.5
    for _ in range(8):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    assert not together[~reach].any()
    assert 75 <= (group != np.arange(300)).sum() <= 150


def test_a_corpus_of_one_text_or_none_has_no_copies() -> None:
    assert first_of(STRIKE) == [0]
    assert first_of() == []
    assert first_of("...", "...", "a b", "") == [0, 0, 2, 0]


def test_a_text_without_a_date_is_refused() -> None:
    with pytest.raises(InputError, match="found 1 texts, 1 ids and 2 dates, expected one of each"):
        near_copies(["a"], np.array(["2020-01-01", "2020-01-01"], "datetime64[D]"), ["text"])
