"""What Hugging Face's pipeline for token classification returns, one sentence or document a line.

`pipeline("token-classification")` returns for each text a list of tokens `{"entity": "B-PER", "score": …, "start": …,
"end": …, …}` and, with an `aggregation_strategy`, of entities `{"entity_group": "PER", …}`; places are those of
characters, the end exclusive. GLiNER's `predict_entities` returns such entities with a `label`. Users add the right
entities as `gold`, `[{"start": …, "end": …, "label": "PER"}, …]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.records import Record

_EXPECTED_ENTITIES = 'what the pipeline returns: [{"entity", "entity_group" or "label": …, "score", "start", "end"}, …]'
_EXPECTED_GOLD_ENTITIES = 'the right entities, [{"start": …, "end": …, "label": …}, …]'
_OUTSIDE_LABEL = "O"
_POSITIONS = "BIELMSU"
"""First letters of tags in BIO, BILOU, BIOES and BMES."""


def read_token_classification(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the predicted entities, or tokens, of each text, which is the unit.

    An entity is right if one with the same characters and label is. A token is right if an entity of its label holds
    it, be it the first token or not (`B-`, `I-`); with the label `O`, if no entity holds it. A text in which nothing
    was predicted has no pairs.
    """
    for record in records:
        gold = [
            _span(record, item, record.keys["y"], ("label",), _EXPECTED_GOLD_ENTITIES)
            for item in record.get("y", list, _EXPECTED_GOLD_ENTITIES)
        ]
        spans = set(gold)
        q, y, labels = [], [], []
        for item in record.get("q", list, _EXPECTED_ENTITIES):
            start, end, label = _span(
                record, item, record.keys["q"], ("entity_group", "entity", "label"), _EXPECTED_ENTITIES
            )
            if "entity" in item and "entity_group" not in item:
                outside = label == _OUTSIDE_LABEL
                label = label[2:] if label[1:2] == "-" and label[0] in _POSITIONS else label
                holding = {kind for first, last, kind in gold if first <= start and end <= last}
                y.append(not holding if outside else label in holding)
            else:
                y.append((start, end, label) in spans)
            labels.append(label)
            q.append(record.number_of(item.get("score"), "a probability in [0, 1]", "score"))
        yield Example(record.place, record.unit("unit", "id"), q, y, record.labels(len(q), labels))


def _span(record: Record, item: Any, key: str, names: tuple[str, ...], expected: str) -> tuple[int, int, str]:
    """Return the characters and the label of an entity."""
    name = next((name for name in names if isinstance(item, dict) and name in item), None)
    if name is None:
        record.refuse(f"{key} with {shown(item)}", expected)
    start, end = (record.check(item.get(place), int, expected, place) for place in ("start", "end"))
    if not 0 <= start < end:
        record.refuse(f"an entity from {start} to {end}", "a start from 0 on and an end after it")
    return start, end, record.check(item[name], str, expected, name)
