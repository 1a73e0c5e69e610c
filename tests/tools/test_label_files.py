"""Files of labels as tools and people write them give the answer of a plain file, are refused, or have a warning."""

import pytest
from tools.label_files import IDS, LAYOUTS, Case, outcomes

UNREADABLE_IDS = ("numbers as floats", "zeros lost", "dates of Excel")
"""Ids that a program changed: the message says how."""


@pytest.mark.parametrize(
    "case",
    [
        Case("sheets", "of a sheet", "by row", "None", 2),
        Case("long_table", "blanks", "by reader", "#N/A", 3),
        Case("label_studio_short", "sections", "capitals", "NA", 2),
        Case("parquet", "zeros", "small", "null", 2),
        Case("doccano", "zeros lost", "plain", "", 2),
    ],
)
def test_no_spelling_of_ids_classes_and_missing_values_is_believed_to_be_another(case):
    assert case.ids in IDS
    assert case.layout in {each.__name__ for each in LAYOUTS}
    for command, (outcome, said) in outcomes(case).items():
        if case.ids in UNREADABLE_IDS:
            assert outcome == "refused", command
            assert "write ids alike" in said or "is it a sheet of another plan" in said
        else:
            assert outcome == ("warned" if command.endswith(" yes") and case.missing == "None" else "right"), command
