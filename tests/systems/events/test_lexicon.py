"""Which words name a country, when, and which only seem to."""

import datetime
import json
from pathlib import Path

import pytest

import nlpcalib.systems.events.read.lexicon as lexicon_module
from newsroom.world import countries
from nlpcalib.errors import InputError
from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.events.read.lexicon import (
    NO_COUNTRY,
    SUPPLEMENTS,
    CountryLexicon,
    LexiconEntry,
    country_names,
    load_lexicon,
    read_forms,
    supplement,
)
from reproduction.events.country_tables import parse_countries, parse_dictionary

DICTIONARY = b"""=== countrycode=FRA cowalpha=FRN
FRA\tFRANCE
FRA\tFRENCH
=== countrycode=USA cowalpha=USA
USA\tTHE_UNITED_STATES
USA\tUS
USA\tU.S.
USA\tAMERICAN
USA\tUS_OF_A
BIH\tBOSNIA-HERZEGOVINA
KOR\tKOREA
PRK\tNORTH_KOREA
TUR\tTURKEY
CIV\tCOTE_D'IVOIRE
PER\tPERU
"""


def lexicon(*more: LexiconEntry) -> CountryLexicon:
    return CountryLexicon([*parse_dictionary(DICTIONARY.splitlines(keepends=True), "d.txt"), *more])


def found(text: str, made: CountryLexicon | None = None, date: datetime.date | None = None) -> list[tuple[str, str]]:
    words = text.split()
    return [(" ".join(words[start:end]), code) for start, end, code in (made or lexicon()).find(words, date)]


@pytest.mark.parametrize("text", ["France", "FRANCE", "france", "fRaNcE"])
def test_case_does_not_matter(text: str) -> None:
    assert found(text) == [(text, "FRA")]


def test_the_longest_form_counts() -> None:
    assert found("the United States and North Korea and South Korea") == [
        ("United States", "USA"), ("North Korea", "PRK"), ("Korea", "KOR")
    ]  # fmt: skip
    assert found("the united front") == []


def test_forms_do_not_run_over_the_end() -> None:
    assert found("the US of") == [("US", "USA")]
    assert found("they saw us") == []


def test_a_word_that_is_no_form_loses_its_last_one_or_two_characters() -> None:
    assert found("Americans Turkeys") == [("Americans", "USA"), ("Turkeys", "TUR")]
    assert found("Peruse") == []
    assert found("Americanize") == []


def test_only_endings_of_plurals_and_demonyms_are_cut_off() -> None:
    made = lexicon(LexiconEntry(("mali",), "MLI"), LexiconEntry(("holland",), "NLD"), LexiconEntry(("oman",), "OMN"))
    assert found("Maliki Malik Malibu Hollande Manning", made) == []
    assert found("Malian Omanis", made) == [("Malian", "MLI"), ("Omanis", "OMN")]


def test_the_registry_has_ivory_coast_by_its_own_name() -> None:
    made = CountryLexicon(supplement())
    for words in (["Côte", "d'Ivoire"], ["Côte", "d’Ivoire"], ["Cote", "d'Ivoire"]):
        assert made.find(words) == [(0, 2, "CIV")]


def test_the_last_of_several_words_is_stemmed_too() -> None:
    made = lexicon(
        LexiconEntry(("north", "korean"), "PRK"),
        LexiconEntry(("korean",), "KOR"),
        LexiconEntry(("new", "mexican"), NO_COUNTRY),
    )
    assert found("North Koreans , Koreans and New Mexicans", made) == [("North Koreans", "PRK"), ("Koreans", "KOR")]


def test_short_stems_are_no_countries() -> None:
    assert found("use used Use USED") == []


def test_words_that_are_something_else_in_lower_case_need_their_capitals() -> None:
    assert found("us US Us turkey Turkey TURKEY turkeys") == [
        ("US", "USA"), ("Turkey", "TUR"), ("TURKEY", "TUR")
    ]  # fmt: skip


def test_hyphens_and_apostrophes_are_found_as_tokenizers_leave_them() -> None:
    assert found("Bosnia-Herzegovina , Bosnia - Herzegovina") == [
        ("Bosnia-Herzegovina", "BIH"), ("Bosnia - Herzegovina", "BIH")
    ]  # fmt: skip
    assert found("Cote d’Ivoire") == [("Cote d’Ivoire", "CIV")]


def test_a_plural_possessive_inside_of_a_name_is_found_with_its_apostrophe_as_a_word_or_not(tmp_path) -> None:
    table = tmp_path / "parties.tsv"
    table.write_text("form\tcode\nKurdistan Workers' Party\tPKK\nTeachers’\tTEA\n", encoding="utf-8")
    made = lexicon(*read_forms(table))
    for text in (
        "Kurdistan Workers ' Party",
        "Kurdistan Workers ’ Party",
        "Kurdistan Workers' Party",
        "Kurdistan Workers’ Party",
    ):
        assert found(text, made) == [(text, "PKK")]
    for text in ("al-Aqsa Martyrs ' Brigades", "al - Aqsa Martyrs' Brigades", "al - Aqsa Martyrs ' Brigades"):
        assert found(text, CountryLexicon(supplement("actors"))) == [(text, "PSE")]
    assert found("Teachers '", made) == [("Teachers '", "TEA")]
    assert found("Kurdistan Workers Party and Teachers", made) == []


def test_the_last_entry_that_holds_on_the_date_counts() -> None:
    day = datetime.date
    made = lexicon(
        LexiconEntry(("france",), "OLD", None, day(1990, 12, 31)),
        LexiconEntry(("france",), "NEW", day(2000, 1, 1), None),
    )  # fmt: skip
    for date, code in [
        (day(1990, 12, 31), "OLD"), (day(1991, 1, 1), "FRA"), (day(1999, 12, 31), "FRA"), (day(2000, 1, 1), "NEW"),
        (None, "NEW"),
    ]:  # fmt: skip
        assert found("France", made, date) == [("France", code)]


def test_a_form_can_be_taken_out_and_covers_what_it_holds() -> None:
    made = lexicon(LexiconEntry(("turkey",), NO_COUNTRY), LexiconEntry(("french", "fries"), NO_COUNTRY))
    assert found("Turkey ate French fries , French Fries and French bread", made) == [("French", "FRA")]
    assert NO_COUNTRY not in made.codes


def test_the_soviet_union_ends_and_yugoslavia_too() -> None:
    made = CountryLexicon(supplement("historical"))
    text = "Soviet and Yugoslav troops left East Germany"
    assert found(text, made, datetime.date(1990, 1, 1)) == [
        ("Soviet", "SUN"), ("Yugoslav", "YUG"), ("East Germany", "DDR")
    ]  # fmt: skip
    assert found(text, made, datetime.date(1999, 4, 1)) == [("Yugoslav", "YUG")]
    assert found(text, made, datetime.date(2007, 4, 1)) == []


def test_names_within_other_names_are_no_countries() -> None:
    made = CountryLexicon(
        [*lexicon_of_all_supplements(), LexiconEntry(("mexico",), "MEX"), LexiconEntry(("indian",), "IND")]
    )
    assert found("New Mexico , the Indian Ocean , Indiana and Latin American votes", made) == []
    assert found("Mexico and Indian votes", made) == [("Mexico", "MEX"), ("Indian", "IND")]


def lexicon_of_all_supplements() -> list[LexiconEntry]:
    return [entry for name in SUPPLEMENTS for entry in supplement(name)]


def test_the_own_tables_have_each_form_once() -> None:
    assert supplement() == lexicon_of_all_supplements()
    forms = [entry.form for entry in supplement()]
    assert len(set(forms)) == len(forms)
    ambiguous = dict(own_rows(lexicon_module.__file__, "ambiguous"))
    assert all(ambiguous.values())
    assert {"georgia", "jordan", "indian", "Turkey", "Chad", "US"} <= set(ambiguous)


def test_the_newsrooms_lexicon_finds_each_of_its_countries_by_all_its_names() -> None:
    made = CountryLexicon(supplement("newsroom"))
    for country in countries():
        name = " ".join(word for word, _ in country.name)
        for form in filter(None, (name, country.short, country.adjective, country.people)):
            assert made.find(f"to {form} now".split()) == [(1, 1 + len(form.split()), country.code)]
    assert found("Baghdad", made) == []


COUNTRY = {
    "name": {"common": "Norway", "official": "Kingdom of Norway"},
    "cca3": "NOR",
    "capital": ["Oslo"],
    "demonyms": {"eng": {"f": "Norwegian", "m": "Norwegian"}},
    "unMember": True,
    "area": 323802.0,
}
ISLANDS = {
    **COUNTRY, "name": {"common": "Svalbard", "official": "Svalbard"}, "cca3": "SJM", "unMember": False, "area": 1.0
}  # fmt: skip


def test_countries_have_names_and_demonyms() -> None:
    lines = [json.dumps([COUNTRY, ISLANDS]).encode()]
    made = CountryLexicon(parse_countries(lines, "c.json"))
    text = "Norwegian ships left Oslo , Kingdom of Norway , for Svalbard"
    expected = [("Norwegian", "NOR"), ("Kingdom of Norway", "NOR"), ("Svalbard", "SJM")]
    assert found(text, made) == expected


def test_kosovo_has_one_code_whatever_table_it_is_from() -> None:
    row = {**COUNTRY, "name": {"common": "Kosovo", "official": "Republic of Kosovo"}, "cca3": "UNK"}
    for entries in (
        parse_countries([json.dumps([row]).encode()], "c.json"),
        parse_dictionary([b"KSV\tKOSOVO\n"], "d.txt"),
        supplement("countries"),
    ):
        assert found("Kosovo", CountryLexicon(entries)) == [("Kosovo", "XKX")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"c\.json: .*, expected JSON"),
        ("{}", r"c\.json: found a dict, expected a list of countries"),
        ('[{"cca3": "NOR"}]', r"c\.json, country 1: KeyError 'demonyms'; expected cca3, name"),
        (json.dumps([COUNTRY, {**COUNTRY, "name": "Norway"}]), r"c\.json, country 2: TypeError .*; expected cca3"),
        (json.dumps([{**COUNTRY, "area": "wide"}]), r"c\.json, country 1: ValueError .*; expected cca3"),
    ],
)
def test_what_is_no_table_of_countries_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_countries([text.encode()], "c.json")


@pytest.mark.parametrize("line", ["FRA FRANCE", "fra\tFRANCE", "FRA\t", "FRA\t_", "\tFRANCE"])
def test_a_broken_line_of_the_dictionary_is_named(line: str) -> None:
    with pytest.raises(InputError, match=r"d\.txt, line 2: found .*, expected a code, a tab and A_FORM"):
        parse_dictionary([b"FRA\tFRENCH\n", line.encode()], "d.txt")


def test_a_users_table_adds_forms_with_dates(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text("form\tcode\tfrom\tuntil\nthe Zenda Republic\tZEN\t1894-01-01\t\nRuritania\tRUR\t\t\n")
    assert read_forms(path) == [
        LexiconEntry(("zenda", "republic"), "ZEN", datetime.date(1894, 1, 1), None), LexiconEntry(("ruritania",), "RUR")
    ]  # fmt: skip
    path.write_text("code;form\nRUR;Ruritania\n")
    assert read_forms(path) == [LexiconEntry(("ruritania",), "RUR")]
    path.write_text("form\tcode\nGeorgia\t-\n")
    assert read_forms(path) == [LexiconEntry(("georgia",), NO_COUNTRY)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("form\n", "line 1: found the columns form; expected one named 'code'"),
        (
            "form\tcode\tSince\nFrance\tFRA\t1990-01-01\n",
            "line 1: found the column 'Since', expected form, code and, optionally, from, until, part",
        ),
        ("form\tcode\nA\tB\tC\n", "line 2: found 3 cells, expected 2"),
        ("form\tcode\n \tFRA\n", "line 2: found form '' and code 'FRA', expected words"),
        ("form\tcode\nFrance\tfra\n", "line 2: found form 'France' and code 'fra', expected words and a code, or -"),
        ("form\tcode\tfrom\nFrance\tFRA\t1990\n", "line 2: found the day '1990', expected YYYY-MM-DD or nothing"),
        (
            "form\tcode\tfrom\tuntil\nFrance\tFRA\t1990-02-01\t1990-01-01\n",
            "line 2: found 1990-02-01 until 1990-01-01, expected days in order",
        ),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_forms(path)


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"^{tmp_path}: found a folder, expected a file$"):
        read_forms(tmp_path)


def test_a_lexicon_without_forms_is_refused() -> None:
    with pytest.raises(InputError, match="country lexicon: found no forms, expected at least one"):
        CountryLexicon([])


def test_the_papers_dictionary_is_read_whole(mirrored) -> None:
    with (mirrored("lexicon") / "country_igos.txt").open("rb") as lines:
        entries = parse_dictionary(lines, "country_igos.txt")
    made = CountryLexicon([*entries, *supplement()])
    assert {"USA", "IRQ", "SRB", "NATO", "UN", "YUG"} <= set(made.codes)
    text = "Serbs , Iraqi , the U.S. , NATO forces and Yugoslav ; they told us"
    assert [code for _, code in found(text, made, datetime.date(1999, 4, 1))] == ["SRB", "IRQ", "USA", "NATO", "YUG"]


def test_blank_forms_codes_of_other_types_and_deep_json_are_refused() -> None:
    with pytest.raises(InputError, match="line 1: found"):
        parse_dictionary([b"USA\t_ _"], "x")
    row = {"name": {"common": "A", "official": "A"}, "cca3": 7, "demonyms": {}, "unMember": True, "area": 1}
    with pytest.raises(InputError, match="country 1: ValueError found cca3 7"):
        parse_countries([json.dumps([row]).encode()], "x")
    with pytest.raises(InputError, match="expected JSON"):
        parse_countries([b"[" * 100_000], "x")


def test_territories_with_codes_of_their_own_are_read_with_the_cities() -> None:
    lexicon = load_lexicon(["packaged", "cities", "actors"])
    for name, code in (("Greenland", "GRL"), ("Puerto Rico", "PRI"), ("Western Sahara", "ESH"), ("Macau", "MAC"),
                       ("New Caledonia", "NCL"), ("French Polynesia", "PYF"), ("Gibraltar", "GIB")):  # fmt: skip
        assert [found for _, _, found in lexicon.find(["a", "strike", "in", *name.split()])] == [code]
        assert country_names()[code] == name
