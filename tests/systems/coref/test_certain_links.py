"""Links that a text states: defined roles, titles, greetings and signatures."""

import pytest

from nlpcalib import find_entities


def joined(text: str, first: str, second: str) -> float:
    """Return the probability that the last mentions of these words share an entity."""
    found = find_entities(text)
    places = [len(found.mentions) - 1 - found.mentions[::-1].index(words) for words in (first, second)]
    return float(found.resolution.marginals[places[0], places[1]])


@pytest.mark.parametrize(
    ("text", "first", "second", "certain"),
    [
        ("Admiral Voss left the ship. The admiral was tired.", "The admiral", "Admiral Voss", 1),
        ("Admiral Voss met Admiral Kerr. The admiral was tired.", "The admiral", "Admiral Voss", 0),
        ("Admiral Voss met an admiral. The admiral was tired.", "The admiral", "Admiral Voss", 0),
        ("State University closed. The state was sorry.", "The state", "State University", 0),
        ("Dear Karim,\n\nthe boat sank. You were right.\n\nYours,\nNora", "You", "Dear Karim", 1),
        ("Dear Karim,\n\nI sold the boat. My sister cried.\n\nYours sincerely,\nNora Lind", "Nora Lind", "My", 1),
    ],
)
def test_what_a_text_states_is_certain(text, first, second, certain):
    assert (joined(text, first, second) == pytest.approx(1)) == bool(certain)


@pytest.mark.parametrize("use", ["The Client paid. The Client left.", "The Client paid, and we thanked the Client."])
def test_a_defined_role_is_its_name(use):
    report = find_entities(f'Lea Kopp (the "Carrier") sent a van to Tom Rask (hereinafter "the Client"). {use}')
    pairs = [row for row in report.pairs(0.99) if row["second"].lower() == "the client"]
    assert any("Rask" in row["first"] for row in pairs)
    assert not any("Kopp" in row["first"] for row in pairs)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("My sister met my mother on Sunday. She slept.", "My sister", "my mother"),
        ("My sister came on Sunday. She slept.", "She", "Sunday"),
        ("The guest came on 3 May. She slept.", "She", "3 May"),
        ("Dear Karim,\n\nI sold the boat.\n\nYours,\nNora", "I", "Dear Karim"),
        ("Ana Ruiz met Ben Lund. Lund slept.", "Lund", "Ana Ruiz"),
    ],
)
def test_what_cannot_be_one_is_hardly_joined(text, first, second):
    assert joined(text, first, second) < 0.02
