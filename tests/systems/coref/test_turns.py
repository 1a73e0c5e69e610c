"""Turns of plain text: who speaks stands at the beginning of lines."""

import pytest

from nlpcalib.systems.coref import read_documents, resolve
from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.turns import find_turns, without_labels

CHAT = "Ana: Ana is here. I am tired.\nBen: I am not.\n\nThey left.\nAna: I slept.\n"


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (CHAT, ["Ana", "Ben", "Ana"]),
        ("<ana_> hi\n<ben> hello\n[12:03] <ana_> bye", ["ana_", "ben", "ana_"]),
        ("[Ana] Hi.\n[Ben Ruiz]: Hello.\n[Ana] Bye.", ["Ana", "Ben Ruiz", "Ana"]),
        ("Dr. Ruiz: Hi.\nMR. LEE: Hello.\nDr. Ruiz: Bye.", ["Dr. Ruiz", "MR. LEE", "Dr. Ruiz"]),
        ("Mr. Burns: to send the plan.\nMrs. Lee: to book the room.", []),
        ("Pros: I like it.\nCons: I hate it.\nVerdict: I would buy it.", []),
        ("Mr. Burns: I write to you about the plan.", []),
        ("Note: this is short.\nNote: so is this.", []),
        ("From: Ana\nTo: Ben\nSubject: boats", []),
        ("He said: no. Ana: yes. Ben: no. Ana: yes.", []),
        ("http://example.org\n12:30 lunch\n12:40 nap", []),
        ("", []),
        ("Dear Ben,\n\nI came.\n\nYours sincerely,\nAna Ruiz\n", ["Ana Ruiz"]),
        ("Hi all,\n\nI came.\n\nAna", ["Ana"]),
        ("I came.\n\nBest wishes\nAna Ruiz\nHead of Sales\n", ["Ana Ruiz"]),
        ("12 March 2024\n\nDear Ben,\n\nI came.\n\nAna Ruiz\n", ["Ana Ruiz"]),
        ("Dear Ben,\n\nI came.\n", []),
        ("Exeter, 20 March 1817\n\nMadam,\n\nI came.\n\nI remain, Madam, your servant,\nAna Ruiz\n", ["Ana Ruiz"]),
        ("Exeter, 20 March 1817\n\nI came.\n\nAna Ruiz\n", []),
        ("I was born in\n\nBerlin,\nGermany", []),
        ("I love it,\nsaid Ana.", []),
    ],
)
def test_speakers_are_named_by_lines(text, speakers):
    assert [turn.speaker for turn in find_turns(text)[0]] == speakers
    blank = without_labels(text)
    assert len(blank) == len(text)
    assert all(new == old or new.isspace() for new, old in zip(blank, text, strict=True))
    if not speakers:
        assert blank == text


SCREENPLAY = """MARA looks up.

MARA
You came.

OLD PETE (O.S.)
I did.
And you?

He sits.

MARA
I live here.
"""
MAIL = """From: Carla Neri <carla@example.org>
To: Tom
Subject: Stage

Hi Tom, I sent it.

On Tue, 3 Mar 2020, Tom Beck <tom@example.org> wrote:
> Did you send
> the plan?
>> I will.

I did.
"""


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (SCREENPLAY, [("MARA", "You came."), ("OLD PETE", "I did.\nAnd you?"), ("MARA", "I live here.")]),
        (
            MAIL,
            [
                ("Carla Neri", "Hi Tom, I sent it."),
                ("Tom Beck", "Did you send\n> the plan?"),
                (">>", "I will."),
                ("Carla Neri", "I did."),
            ],
        ),
        ("Q: Did you?\nA: I did.\nQ: Why?\n", [("Q", "Did you?"), ("A", "I did."), ("Q", "Why?")]),
        ("INT. KITCHEN\n\nFADE IN\nShe sits.\n", []),
    ],
)
def test_screenplays_interviews_and_mails_have_turns(text, turns):
    found, labels = find_turns(text)
    assert [(turn.speaker, text[turn.start : turn.end].strip()) for turn in found] == turns
    blank = without_labels(text)
    assert len(blank) == len(text)
    assert all(blank[start:end].isspace() for start, end in labels)
    assert all("\f" in blank[max(turn.start - 40, 0) : turn.start] for turn in found[1:3])


def test_a_turn_ends_at_a_blank_line():
    assert [CHAT[turn.start : turn.end].strip() for turn in find_turns(CHAT)[0]] == [
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


BODY = "\n\nI am well. We shall come.\n\n"


@pytest.mark.parametrize(
    ("text", "writer"),
    [
        (f"Hi Tom{BODY}Cheers\nA.", "A."),
        (f"Dear Ana,{BODY}Olu\nLagos", "Olu"),
        (f"Hello,{BODY}Deborah Akinola\nLeeds", "Deborah Akinola"),
        (f"Ana,{BODY}Love from Zoe xx", "Zoe"),
        (f"My dear Clara,{BODY}Your uncle\nHugo", "Hugo"),
        (f"Dear Ana,{BODY}- Tom", "Tom"),
        (f"Dear Ana,{BODY}Kind regards\nAmir Nouri\nHead of Sales", "Amir Nouri"),
        (f"Dear Ana,{BODY}Your Ida\n\nP.S. Bring the cat. I miss it.", "Your Ida"),
        (f"I slept.{BODY}See you soon,\nOlu", "Olu"),
        (f"Hi{BODY}Berlin", None),
        (f"Dear all,{BODY}Monday", None),
        (f"Dear all,{BODY}Agenda\nBudget", None),
        (f"Soup\n\nChop it.{BODY}Serve\nParis", None),
        (f"Notes{BODY}Tom Baker", None),
        ("Roses are red,\nviolets are blue,\nsugar is sweet,\nAnd so are you", None),
    ],
)
def test_the_writer_is_found_by_the_form_of_the_last_lines(text, writer):
    assert [turn.speaker for turn in find_turns(text)[0]] == ([writer] if writer else [])
    assert len(without_labels(text)) == len(text)
