"""Forms of words are those of English: what is not found in a text was not asked for."""

import pytest

from nlpcalib.systems.text.inflection import noun_forms, spellings, third_person_of


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("embargo", "embargoes"), ("veto", "vetoes"), ("silo", "silos"), ("radio", "radios"), ("airman", "airmen"),
        ("german", "germans"), ("knife", "knives"), ("thief", "thieves"), ("belief", "beliefs"),
        ("aircraft", "aircraft"), ("crisis", "crises"), ("army", "armies"), ("child", "children"),
    ],
)  # fmt: skip
def test_a_noun_has_its_plural(noun: str, plural: str) -> None:
    assert noun_forms(noun)[0] == noun
    assert plural in noun_forms(noun)[1:]


def test_a_verb_does_not_take_the_plural_of_a_noun() -> None:
    verbs = ("embargo", "veto", "torpedo", "knife", "man", "deny", "radio")
    expected = ["embargoes", "vetoes", "torpedoes", "knifes", "mans", "denies", "radios"]
    assert [third_person_of(verb) for verb in verbs] == expected


@pytest.mark.parametrize(
    "written",
    [
        ("kidnap", "kidnapped", "kidnapping"), ("equip", "equipped", "equipping"), ("cancel", "canceled", "cancelled"),
        ("hijack", "hijacked", "hijacking"), ("picket", "picketed", "picketing"), ("traffic", "trafficked"),
        ("worship", "worshiped", "worshipped"), ("bomb", "bombed", "bombing"), ("quit", "quit", "quitting"),
        ("evacuate", "evacuated", "evacuating"), ("embargo", "embargoed", "embargoes"), ("stop", "stopped"),
    ],
)  # fmt: skip
def test_a_verb_is_found_in_each_spelling_of_its_forms(written: tuple[str, ...]) -> None:
    assert set(written) <= set(spellings(written[0]))
