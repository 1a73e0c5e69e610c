"""Country tables and codes are checked at the start, before anything is parsed."""

import copy
from pathlib import Path

import pytest
import yaml

from nlpcalib.errors import InputError
from reproduction.events.lexicon_check import check_countries

DEFAULT = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))


def changed(**options: object) -> dict:
    config = copy.deepcopy(DEFAULT)
    config["datasets"]["newswire"]["events"] = config["datasets"]["newswire"]["events"] | options
    return config


def test_codes_of_the_lexicon_are_accepted() -> None:
    check_countries(DEFAULT)
    check_countries(changed(lexicon=["registry"], panels=[["GBRFLK"]]))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"panels": [["US"]]}, r"datasets\.newswire\.events\.panels: found 'US', .* such as USA \(United States\)"),
        ({"panels": [["US"]], "lexicon": ["registry"]}, "found 'US', expected a code of the lexicon of newswire"),
        ({"compare": ["YUG", "NATOO"]}, "compare: found 'NATOO', expected a code"),
    ],
)
def test_a_code_that_the_lexicon_lacks_is_refused(options: dict, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        check_countries(changed(**options))


def test_codes_of_queries_are_checked_too() -> None:
    config = changed()
    config["events"]["queries"]["attack"]["countries"] = ["UK"]
    with pytest.raises(InputError, match=r"events\.queries\.attack\.countries: found 'UK'"):
        check_countries(config)


def test_a_malformed_table_is_refused_and_a_missing_one_left_to_the_workflow(tmp_path: Path) -> None:
    table = tmp_path / "forms.tsv"
    check_countries(changed(lexicon=["newsroom", str(table)], panels=[["RHO"]]))
    table.write_text("form\tcode\nRhodesian\tRHO\n")
    check_countries(changed(lexicon=["newsroom", str(table)], panels=[["RHO"]]))
    table.write_text("form\tcode\nRhodesian\trho\n")
    with pytest.raises(InputError, match="line 2: found form 'Rhodesian' and code 'rho'"):
        check_countries(changed(lexicon=["newsroom", str(table)]))


def test_tables_of_actors_are_checked_as_those_of_countries_are(tmp_path: Path) -> None:
    table = tmp_path / "actors.tsv"
    table.write_text("form\tcode\nRhodesian Front\tRHO\n")
    check_countries(changed(actors=["actors", str(table)], panels=[["RHO"]]))
    table.write_text("form\tcode\nRhodesian Front\trho\n")
    with pytest.raises(InputError, match="line 2: found form 'Rhodesian Front' and code 'rho'"):
        check_countries(changed(actors=[str(table)]))


@pytest.mark.parametrize("options", [{"lexicon": ["phoenix"]}, {"actors": ["phoenix"]}])
def test_actors_of_the_registry_need_no_archive_yet(options: dict) -> None:
    check_countries(changed(**options, panels=[["USA"]]))


def test_codes_of_the_default_actors_are_known_to_queries_of_categories(tmp_path: Path) -> None:
    table = tmp_path / "forms.tsv"
    table.write_text("form\tcode\nRhodesian\tRHO\n")
    config = changed(lexicon=[str(table)], panels=[["RHO"]], compare=["RHO", "AFG"])
    with pytest.raises(InputError, match="found 'AFG'"):
        check_countries(config)
    config["events"]["queries"]["attack"] = {"category": ["assault"]}
    check_countries(config)
