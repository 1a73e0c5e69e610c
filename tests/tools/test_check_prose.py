"""The check of prose finds long sentences and unwanted words where they stand, and none in code."""

import pytest
from tools.check_prose import comments, comments_of_rules, docstrings, faults, unwanted, within

LONG = "word " * 30


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Short. " + "word " * 41 + "end.", [1]),
        ("word " * 20 + "end. " + "Word " * 20 + "end.", []),
        (f"| {LONG}| {LONG}|", []),
        (f"- {LONG}\n- {LONG}", []),
        ("```sh\n" + "word " * 50 + "\n```", []),
        ("A title\n\n```sh\nls\n```\n\n`some\ncode` and [a\nlink](to.md). The truth\nstands beside it, besides.", [9]),
        ("A title\n\n| a | b |\n| --- | --- |\n| x | it says |", [5]),
        ("A title\n\nThe table tells how.", [3]),
    ],
)
def test_faults_are_found_in_prose_and_nowhere_else(text, lines):
    assert [line for line, _ in faults(text)] == lines


def test_docstrings_and_comments_are_found_in_code():
    source = (
        '"""It knows."""\n\nA = "it says"  # Beside\n"""What is told."""\n\n\n'
        "def f():\n    # it cannot\n    # tell us\n    return A\n"
    )
    found = within(unwanted, [*docstrings(source), *comments(source)])
    assert [(line, fault.partition(":")[0]) for line, fault in found] == [
        (1, "'knows'"),
        (4, "'told'"),
        (3, "'Beside'"),
    ]


def test_comments_of_rules_are_found_with_their_lines():
    text = 'rule a:\n    # It is\n    # told.\n    output: "it says"\n\n\n# It knows.\n'
    found = within(unwanted, comments_of_rules(text))
    assert [(line, fault.partition(":")[0]) for line, fault in found] == [(2, "'told'"), (7, "'knows'")]
