"""spaCy's text categories: JSON lines of `Doc.to_json()`, whose `cats` holds a score for each category.

`Doc.cats` holds what was predicted or what is right, not both: users add what is right as `gold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record
from nlpcalib.predictions.formats.text_classification import classified

_EXPECTED_CATEGORIES = 'the categories, {"category": score, …}'
_EXPECTED_GOLD_CATEGORY = 'the right category, a list of the right ones, or {"category": 0 or 1, …} as in Doc.cats'


def read_spacy_cats(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the scores of each document. Categories exclude each other if `gold` is one, and do not otherwise."""
    for record in records:
        cats = record.get("q", dict, _EXPECTED_CATEGORIES)
        if not cats:
            record.refuse(f"no {record.keys['q']}", _EXPECTED_CATEGORIES)
        scores = {
            name: record.number_of(score, "a probability in [0, 1]", f"category {shown(name)}")
            for name, score in cats.items()
        }
        gold = record.right((str, list, dict), _EXPECTED_GOLD_CATEGORY)
        if isinstance(gold, dict):
            for name, value in gold.items():
                if value not in (0, 1):
                    record.refuse(f"{record.keys['y']} {shown({name: value})}", _EXPECTED_GOLD_CATEGORY)
            if gold.keys() != scores.keys():
                record.refuse(f"{record.keys['y']} {shown(list(gold))}", f"the categories {shown(list(scores))}")
            gold = [name for name, value in gold.items() if value]
        yield classified(record, scores, gold, record.unit("unit", "id"))
