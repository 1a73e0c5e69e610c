"""The page of doors and signs has today's messages, and no door is silent about what the others notice."""

from tools.doors_table import DOORS, PAGE, SIGNS, page

UNLABELLED = "`plan items`"


def test_the_page_has_todays_messages():
    assert PAGE.read_text(encoding="utf-8") == "\n".join(page()) + "\n"


def test_every_door_with_labels_prints_something_for_every_sign_and_nothing_for_sound_rows():
    header, _, *lines = [
        line[2:-2].split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    ]
    doors = [name.split(", ") for name in header[1:]]
    assert sorted(door for column in doors for door in column) == sorted(DOORS)
    cells = {sign: row for sign, *row in lines}
    assert cells.keys() == SIGNS.keys()
    assert set(cells.pop("nothing (sound rows)")) == {"–"}
    silent = {
        door
        for row in cells.values()
        for column, cell in zip(doors, row, strict=True)
        if cell == "–"
        for door in column
    }
    assert silent <= {UNLABELLED}
