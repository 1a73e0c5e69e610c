"""Draws of the text keep numbers, and those that are made again take the place of earlier ones."""

from tools.draws import COLUMNS, drawn_rows, updated

CLAIM = {
    "dataset": "timeline", "place": "4.1", "claim": "it holds", "version": "2", "holds": "holds", "value": "1.5",
    "low": "1.0", "high": "", "made_from": "ab", "verdict": "undecided", "measured": "1.5",
}  # fmt: skip


def test_a_draw_has_the_number_that_decided_with_its_interval():
    [row] = drawn_rows("3", [CLAIM, CLAIM | {"dataset": "sotu/attack"}], {"timeline"})
    expected = {"seed": "3", "outcome": "holds", "value": "1.5", "low": "1.0", "high": "", "version": "2"}
    assert {name: row[name] for name in expected} == expected
    assert set(row) == set(COLUMNS)


def test_claims_that_are_drawn_again_replace_their_rows_and_others_stay():
    def row(claim, seed, version):
        return dict.fromkeys(COLUMNS, "") | {"claim": claim, "seed": seed, "version": version}

    kept = [row("first", "1", "1"), row("first", "2", "1"), row("second", "1", "1")]
    found = updated(kept, [row("first", "1", "2"), row("third", "1", "1")])
    assert [(each["claim"], each["version"]) for each in found] == [("first", "2"), ("second", "1"), ("third", "1")]
