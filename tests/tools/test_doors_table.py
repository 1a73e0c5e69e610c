"""The page of doors and signs has today's messages, and no door is silent about what the others notice."""

from tools.doors_table import DOORS, PAGE, SIGNS, page

UNLABELLED = "`plan items`"


def test_the_page_has_todays_messages():
    assert PAGE.read_text(encoding="utf-8") == "\n".join(page()) + "\n"


def test_every_door_with_labels_prints_something_for_every_sign_and_nothing_for_sound_rows():
    lines = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][2:]
    cells = {row[0].removeprefix("| "): [cell.removesuffix(" |") for cell in row[1:]] for row in lines}
    assert cells.keys() == SIGNS.keys()
    assert set(cells.pop("nothing (sound rows)")) == {"–"}
    silent = {(sign, door) for sign, row in cells.items() for door, cell in zip(DOORS, row, strict=True) if cell == "–"}
    assert {door for _, door in silent} <= {UNLABELLED}
