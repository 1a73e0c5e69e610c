"""A query is data, and is refused when it is not what a query can be."""

import pytest
from tests.systems.events.queries import ATTACK

from nlpcalib.errors import InputError
from nlpcalib.systems.events.read.query import Query


def test_a_query_needs_a_name_and_verbs() -> None:
    assert Query.from_mapping({"name": "attack", "verbs": ["attack"]}) == ATTACK
    assert Query.from_mapping(
        {"name": "aid-received", "verbs": ["aid", "help"], "roles": ["patient"], "countries": ["FRA", "NATO"]}
    ) == Query("aid-received", ("aid", "help"), ("patient",), ("FRA", "NATO"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": None}, "query: found the name None, expected lower-case"),
        ({"name": "../up"}, r"query: found the name '\.\./up', expected lower-case"),
        ({"verb": ["hit"]}, "query hits: found the key 'verb', expected name, category, model, verbs, roles"),
        ({"verbs": "hit"}, "query hits, verbs: found 'hit', expected a list of lemmas"),
        ({"verbs": []}, r"query hits, verbs: found \[\], expected a list of lemmas"),
        ({"verbs": None}, "query hits, verbs: found None, expected a list"),
        ({"verbs": ["Hit"]}, "query hits, verbs: found 'Hit', expected lemmas in lower case"),
        ({"verbs": ["hit", 3]}, "query hits, verbs: found 3, expected lemmas"),
        ({"verbs": ["hit", "hit"]}, "query hits, verbs: found 'hit' twice, expected each once"),
        ({"nouns": ["raid"]}, "query hits: found the key 'nouns', expected name, category, model, verbs"),
        ({"category": ["assault"]}, "query hits: found category and verbs, expected one of them"),
        ({"model": "own.json"}, "query hits: found model and verbs, expected one of them"),
        ({"only": "acts"}, "query hits: found only with verbs, expected a category"),
        ({"date": "event"}, "query hits: found the key 'date', expected name, category, model, verbs"),
        ({"roles": ["instrument"]}, "query hits, roles: found 'instrument', expected agent, patient"),
        ({"roles": []}, r"query hits, roles: found \[\], expected a list"),
        ({"countries": ["france"]}, "query hits, countries: found 'france', expected codes in capitals"),
    ],
)
def test_what_is_no_query_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Query.from_mapping({"name": "hits", "verbs": ["hit"], **changes})


def test_a_list_is_no_query() -> None:
    with pytest.raises(InputError, match=r"query: found \['attack'\], expected a mapping"):
        Query.from_mapping(["attack"])


def test_a_category_has_its_words_and_one_model() -> None:
    query = Query.from_mapping({"name": "marches", "category": ["protest"]})
    assert (query.reading, query.model, query.roles) == ("learnt", "protest", ("location",))
    assert {"march", "demonstrator"} <= set(query.words)
    with pytest.raises(InputError, match=r"found a category and \['sanction'\], expected one category"):
        Query.from_mapping({"name": "two", "category": ["protest", "sanction"]})


@pytest.mark.parametrize("name", ["accuse", "cooperate", "threaten"])
def test_a_category_that_no_label_taught_is_none(name: str) -> None:
    with pytest.raises(InputError, match=f"found '{name}', expected assault, protest, sanction; nlpcalib learn makes"):
        Query.from_mapping({"name": "x", "category": [name]})


def test_a_model_of_ones_own_is_named_by_its_file() -> None:
    query = Query.from_mapping({"name": "quakes", "model": "quake.json", "only": "acts"})
    assert (query.reading, query.model, query.words, query.only) == ("learnt", "quake.json", (), "acts")
    for wrong in (["quake.json"], "", None):
        with pytest.raises(InputError, match=r"query quakes: found .*, expected the path of a model"):
            Query.from_mapping({"name": "quakes", "model": wrong})
