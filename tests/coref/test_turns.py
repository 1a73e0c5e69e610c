"""Turns of plain text: who speaks stands at the beginning of lines."""

import pytest

from nlpcalib.coref import read_documents, resolve
from nlpcalib.coref.answer.offsets import Offsets
from nlpcalib.coref.answer.turns import find_turns, without_labels

CHAT = "Ana: Ana is here. I am tired.\nBen: I am not.\n\nThey left.\nAna: I slept.\n"


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (CHAT, ["Ana", "Ben", "Ana"]),
        ("<ana_> hi\n<ben> hello\n[12:03] <ana_> bye", ["ana_", "ben", "ana_"]),
        ("[Ana] Hi.\n[Ben Ruiz]: Hello.\n[Ana] Bye.", ["Ana", "Ben Ruiz", "Ana"]),
        ("Dr. Ruiz: Hi.\nMR. LEE: Hello.\nDr. Ruiz: Bye.", ["Dr. Ruiz", "MR. LEE", "Dr. Ruiz"]),
        ("Note: this is short.\nNote: so is this.", []),
        ("From: Ana\nTo: Ben\nSubject: boats", []),
        ("He said: no. Ana: yes. Ben: no. Ana: yes.", []),
        ("http://example.org\n12:30 lunch\n12:40 nap", []),
        ("", []),
    ],
)
def test_speakers_are_named_by_lines(text, speakers):
    assert [turn.speaker for turn in find_turns(text)] == speakers
    blank = without_labels(text)
    assert len(blank) == len(text)
    assert all(new == old or new.isspace() for new, old in zip(blank, text, strict=True))
    if not speakers:
        assert blank == text


def test_a_turn_ends_at_a_blank_line():
    assert [CHAT[turn.start : turn.end].strip() for turn in find_turns(CHAT)] == [
        "Ana is here. I am tired.",
        "I am not.",
        "I slept.",
    ]


def test_i_of_two_speakers_is_two_and_labels_are_no_mentions(tmp_path):
    path = tmp_path / "chat.txt"
    path.write_text(CHAT)
    [resolution] = resolve(read_documents(path))
    assert [sentence.speaker for sentence in resolution.document.sentences] == ["Ana", "Ana", "Ben", None, "Ana"]
    offsets = Offsets(resolution.document)
    places = [offsets.of(span) for span in resolution.mentions]
    assert [CHAT[slice(*place)] for place in places] == ["Ana", "I", "I", "They", "I"]
    assert places[0] == (5, 8)
    # The direct link is excluded; what remains is by way of a third.
    assert resolution.conditionals[2, 1] == 0
    assert resolution.conditionals[4, 2] == 0
    assert resolution.marginals[4, 1] > 0.5
    first, second, third = resolution.entities[[1, 2, 4]]
    assert first != second
    assert first == third
