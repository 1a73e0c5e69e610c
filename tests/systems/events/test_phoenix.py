"""PETRARCH's country actors: names, parts of countries and days."""

import datetime
import io

import pytest

from nlpcalib.errors import InputError
from reproduction.events.phoenix import parse_phoenix

TABLE = b"""# comment
RUSSIA_  [RUS]
+RUSSIAN_
VLADIMIR_PUTIN_  # source
+PRESIDENT_PUTIN_
+PUTIN_
\t[RUSELI 700101-990809]
\t[RUSGOV >991231]
\t[RUSELI]
AFGHAN_NATIONAL_ARMY [AFGMIL]
"""


def test_names_of_several_words_have_parts_and_days() -> None:
    actors = parse_phoenix(io.BytesIO(TABLE), "table")
    first, last = datetime.date(1970, 1, 1), datetime.date(1999, 8, 9)
    assert (("vladimir", "putin"), "RUS", first, last, "ELI") in actors
    assert (("president", "putin"), "RUS", datetime.date(1999, 12, 31), None, "GOV") in actors
    assert (("afghan", "national", "army"), "AFG", None, None, "MIL") in actors
    # A surname is also other people's, and a country's own names are not actors.
    assert {words for words, *_ in actors} == {
        ("vladimir", "putin"), ("president", "putin"), ("afghan", "national", "army"),
    }  # fmt: skip


def test_dated_parts_come_after_undated_ones_and_so_count() -> None:
    days = [start for _, _, start, _, _ in parse_phoenix(io.BytesIO(TABLE), "table")]
    assert days == sorted(days, key=lambda day: day is not None)


def test_a_file_without_actors_is_refused() -> None:
    with pytest.raises(InputError, match="table: found no actors, expected names and codes"):
        parse_phoenix(io.BytesIO(b"RUSSIA_ [RUS]\n"), "table")
