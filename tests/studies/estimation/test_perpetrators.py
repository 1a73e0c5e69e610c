"""Perpetrators have a country by name, by organisation, or by place; only what happened counts."""

import zipfile

import pytest

from nlpcalib.errors import InputError
from reproduction.corpora.readers.muc4_keys import read_muc4_keys
from studies.estimation.perpetrators import incident_countries, perpetrators_lexicon

LEXICON = perpetrators_lexicon()
BLOCK = """
0.  MESSAGE: ID                     {message} (NCCOSC)
1.  MESSAGE: TEMPLATE               1
3.  INCIDENT: LOCATION              {place}
4.  INCIDENT: TYPE                  ATTACK
5.  INCIDENT: STAGE OF EXECUTION    {stage}
9.  PERP: INDIVIDUAL ID             {individual}
10. PERP: ORGANIZATION ID           {organisation}
"""


def archive(tmp_path, text):
    path = tmp_path / "keys.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("key-dev-0001.muc4", text)
    return path


def countries(tmp_path, **slots):
    values = {"message": "DEV-MUC3-0001", "stage": "ACCOMPLISHED", "individual": "-", "organisation": "-"} | slots
    return incident_countries(read_muc4_keys(archive(tmp_path, BLOCK.format(**values))), LEXICON)["DEV-MUC3-0001"]


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ({"place": "EL SALVADOR: ARCATAO (CITY)", "organisation": '? "HONDURAN ARMY"'}, {"HND"}),
        ({"place": "PERU: LIMA (CITY)", "organisation": '"FMLN"'}, {"SLV"}),
        ({"place": "-", "organisation": '"ARMY OF NATIONAL LIBERATION" / "ELN"'}, {"COL"}),
        ({"place": "GUATEMALA", "individual": '"ARMED MEN"'}, {"GTM"}),
        ({"place": "COLOMBIA / VENEZUELA: ARAUCA", "individual": '"GUERRILLAS"'}, {"COL", "VEN"}),
        ({"place": "COLOMBIA", "individual": '"GERMAN GONZALEZ RAMIREZ"'}, {"COL"}),
        ({"place": "EL SALVADOR", "individual": '"ALFREDO CRISTIANI"', "organisation": '"CIA"'}, {"SLV", "USA"}),
        ({"place": "EL SALVADOR"}, set()),
        ({"place": "EL SALVADOR", "individual": '"REBELS"', "stage": "THREATENED"}, set()),
        ({"place": "EL SALVADOR", "individual": '"REBELS"', "stage": "ATTEMPTED / THREATENED"}, {"SLV"}),
    ],
)
def test_names_come_before_places(tmp_path, slots, expected):
    assert countries(tmp_path, **slots) == expected


def test_fillers_go_on_over_lines_and_messages_without_an_incident_are_there(tmp_path):
    more = 'PERP: ORGANIZATION ID           "ARMED FORCES"\n                                    "SALVADORAN ARMY"'
    text = BLOCK.format(
        message="DEV-MUC3-0001", place="HONDURAS", stage="ACCOMPLISHED", individual="-", organisation="-"
    ).replace("PERP: ORGANIZATION ID           -", more)
    text += "\n0.  MESSAGE: ID                     DEV-MUC3-0002 (NCCOSC)\n1.  MESSAGE: TEMPLATE               *\n"
    templates = list(read_muc4_keys(archive(tmp_path, text)))
    assert [template.incident for template in templates] == [True, False]
    assert incident_countries(templates, LEXICON) == {"DEV-MUC3-0001": {"SLV"}, "DEV-MUC3-0002": set()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0.  MESSAGE: ID                     TST1-MUC3-0001\n",
            "line 1: found 'TST1-MUC3-0001', expected a message DEV-",
        ),
        ("no slot\n", "line 1: found 'no slot', expected a slot"),
    ],
)
def test_tests_and_other_lines_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        list(read_muc4_keys(archive(tmp_path, text)))
