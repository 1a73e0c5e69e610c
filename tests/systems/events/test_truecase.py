import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from reproduction.events.truecase import Truecaser

TEXTS = [
    "Today the U.S. troops met the Army of Norway. The troops saw the army.",
    "Then the U.S. troops and McDonald left. Later the army came at 8 p.m. on Monday.\n\nAn army is an army.",
    'Then he said: "Peace in Norway" and the troops of McDonald left at 9 p.m. after the NATO talks.',
]


@pytest.fixture(scope="module")
def truecaser():
    return Truecaser().fit(TEXTS)


@pytest.mark.parametrize(
    ("upper", "mixed"),
    [
        ("THE TROOPS OF NORWAY MET MCDONALD.", "The troops of Norway met McDonald."),
        ("THE U.S. TROOPS LEFT. THE ARMY CAME.", "The U.S. troops left. The army came."),
        ("AT 8 P.M. TROOPS LEFT!  TROOPS (OF NATO) CAME", "At 8 p.m. troops left!  Troops (of NATO) came"),
        ("TROOPS\n\nARMY\nARMY", "Troops\n\nArmy\narmy"),
        ('HE SAID: "TROOPS LEFT." "THE ARMY" CAME', 'He said: "Troops left." "The army" came'),
        ("the troops of norway", "The troops of Norway"),
        ("", ""),
        (" -- 7, ", " -- 7, "),
    ],
)
def test_words_are_written_as_they_mostly_are(truecaser, upper, mixed):
    assert truecaser.apply(upper) == mixed


@pytest.mark.parametrize(
    ("upper", "mixed"),
    [
        ("THEY TOLD US THAT", "They told us that"),
        ("LET US ASK THE US", "Let us ask the US"),
        ("NEAR US TROOPS", "Near US troops"),
        ("U.S. ARMY, NEAR US TROOPS", "U.S. Army, near us troops"),
    ],
)
def test_a_pronoun_is_no_acronym_however_frequent_the_acronym_is(upper, mixed):
    teaches = (
        "The U.S. and the U.S. army. Today the US met us. Then US troops met the US Army. Later US troops told that "
        "Ann let near, ask they and the U.S. and the U.S. and"
    )
    truecaser = Truecaser().fit([teaches])
    assert truecaser.apply(upper) == mixed


def test_words_at_the_beginning_of_a_sentence_teach_nothing():
    teaches = "We saw the boat of Ann. Boat! Boat? Boat. Boat: Boat (Boat) \"Boat\" 'Boat'\n\nBoat"
    assert Truecaser().fit([teaches]).apply("THE BOAT") == "The boat"


def test_unknown_words_are_written_like_rare_ones_with_their_ending():
    names = " and ".join(f"{start}adoro" for start in "BCDFG")
    acronyms = " and ".join(["BBC", "CNN", "FBX", "NTB", "PLC"])
    words = " and ".join(f"{start}alking" for start in "bcdfg")
    truecaser = Truecaser().fit([f"today we saw {names} and {words} and {acronyms}"])
    assert truecaser.apply("we saw TADORO WALKING FMLN") == "We saw Tadoro walking FMLN"


FEW_NAMES = ["so we met alpha bravo charlie delta echo foxtrot golf hotel here"]


@pytest.mark.parametrize(
    ("types", "times", "form"), [(5, 1, "Silberg"), (4, 1, "silberg"), (5, 2, "Silberg"), (5, 3, 0)]
)
def test_five_words_that_occur_at_most_twice_decide_how_others_with_their_ending_are_written(types, times, form):
    names = ["Goldberg", "Steinberg", "Rosenberg", "Weinberg", "Bamberg"][:types]
    texts = FEW_NAMES + [f"so we met {name} here" for name in names] * times
    assert Truecaser().fit(texts).apply("SO WE MET SILBERG HERE") == f"So we met {form or 'silberg'} here"


@pytest.mark.parametrize(("lower", "upper", "after"), [(2, 18, "says"), (2, 19, "Says"), (1, 1, "Says")])
def test_a_tenth_of_lower_case_words_and_two_of_them_make_an_abbreviation(lower, upper, after):
    texts = ["so it is Acme corp. rising"] * lower + ["so it is Acme corp. Rising"] * upper + ["so he says it"]
    assert Truecaser().fit(texts).apply("SO IT IS ACME CORP. SAYS") == f"So it is Acme corp. {after}"


def test_forms_that_are_as_frequent_as_others_do_not_depend_on_their_order():
    texts = ["we saw May", "we saw may"]
    assert {Truecaser().fit(order).apply("THE MAY") for order in (texts, texts[::-1])} == {"The May"}


def test_upper_case_text_teaches_nothing():
    for texts in ([], ["THE ARMY LEFT"]):
        with pytest.raises(InputError, match="none in lower case, expected text in mixed case"):
            Truecaser().fit(texts)


@given(st.text())
def test_nothing_but_case_changes(text):
    mixed = Truecaser().fit(TEXTS).apply(text)
    assert len(mixed) == len(text)
    assert mixed.upper() == text.upper()


def wrong_words(truth, text):
    """Return how many words have another case."""
    return sum(text[word.start() : word.end()] != word[0] for word in re.finditer(r"\w+", truth))


def test_held_out_reports_are_restored_better_than_by_the_baselines():
    """On simulated reports, upper-cased: beside lower case for all, and a capital for all words seen with one inside.

    Fewer than half the mistakes of either remain.
    """
    newsroom = Newsroom(3)
    sentences = [
        [" ".join(sentence.words) for sentence in newsroom.document(number).document.sentences] for number in range(60)
    ]
    train, held_out = (["\n\n".join(text) for text in part] for part in (sentences[:45], sentences[45:]))
    truth = "\n\n".join(held_out)
    names = {word for text in sentences[:45] for sentence in text for word in sentence.split()[1:] if word[0].isupper()}
    names = {name.lower() for name in names}
    guesses = {
        "truecaser": Truecaser().fit(train).apply(truth.upper()),
        "lower": truth.lower(),
        "names": re.sub(r"\S+", lambda word: word[0].capitalize() if word[0] in names else word[0], truth.lower()),
    }
    wrong = {name: wrong_words(truth, "".join(guess)) for name, guess in guesses.items()}
    assert wrong["truecaser"] < min(wrong["lower"], wrong["names"]) / 2, wrong


def test_a_text_of_five_megabytes_is_restored(truecaser):
    text = "THE TROOPS OF NORWAY MET THE ARMY. " * 150_000
    assert truecaser.apply(text).endswith("The troops of Norway met the army. ")
