"""What Hugging Face's pipeline for token classification returns, one sentence or document a line.

`pipeline("token-classification")` returns for each text a list of tokens `{"entity": "B-PER", "score": …, "start": …,
"end": …, …}` and, with an `aggregation_strategy`, of entities `{"entity_group": "PER", …}`; places are those of
characters, the end exclusive. GLiNER's `predict_entities` returns such entities with a `label`. Users add the right
entities as `gold`, `[{"start": …, "end": …, "label": "PER"}, …]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nlpcalib.errors import InputFinding, report_findings, some
from nlpcalib.examination.level import SURPRISE
from nlpcalib.examination.spans import examine_copies, examine_neighbours, examine_offsets
from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record
from nlpcalib.predictions.formats.tag_names import TYPE_OF_BARE_TAGS, is_outside, roles_and_types
from nlpcalib.tables.spellings import Spellings, folded

_EXPECTED_ENTITIES = 'what the pipeline returns: [{"entity", "entity_group" or "label": …, "score", "start", "end"}, …]'
_EXPECTED_GOLD_ENTITIES = 'the right entities, [{"start": …, "end": …, "label": …}, …]'
_Entity = tuple[int, int, str]
"""The first character, the one after the last, and the label."""
_NAMES_OF_LABELS = ("entity_group", "entity", "label")


def read_token_classification(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the predicted entities, or tokens, of each text, which is the unit.

    An entity is right if one with the same characters and label is, whatever the label's capitals. A token
    is right if an entity of its type holds it, be it the first token or not (`B-PER`, `PER_I`); with the label `O` or
    `[SEP]`, if no entity holds it. A text in which nothing was predicted has no pairs.

    Raises `InputError` for entities that are none, and for tokens of which only some state a role. Warns if no label of
    a prediction is one of gold.
    """
    texts = list(records)
    type_of = _types_of_tokens(texts)
    entities = {label for record in texts for item in _listed(record, "q") if (label := _entity(item))}
    spellings = Spellings(entities | set(type_of.values()))
    golds: list[list[_Entity]] = []
    found: list[list[_Entity]] = []
    for record in texts:
        gold = [
            (start, end, spellings.class_of(label))
            for item in record.right(list, _EXPECTED_GOLD_ENTITIES) or ()
            for start, end, label in [_span(record, item, record.keys["y"], ("label",), _EXPECTED_GOLD_ENTITIES)]
        ]
        spans = set(gold)
        q, y, labels = [], [], []
        places: dict[str, list] = {"start": [], "end": [], "word": []}
        for item in record.get("q", list, _EXPECTED_ENTITIES):
            start, end, label = _span(record, item, record.keys["q"], _NAMES_OF_LABELS, _EXPECTED_ENTITIES)
            if _is_token(item):
                holding = {kind for first, last, kind in gold if first <= start and end <= last}
                kind = type_of.get(label)
                # The label is outside (None), without a type (empty), or of a type.
                y.append(not holding if kind is None else bool(holding) if kind == "" else kind in holding)
                label = label if kind in (None, "") else kind
            else:
                y.append((start, end, label) in spans)
            labels.append(label)
            q.append(record.number_of(item.get("score"), "a probability in [0, 1]", "score"))
            word = item.get("word", item.get("text"))
            for name, value in (("start", start), ("end", end), ("word", word if isinstance(word, str) else None)):
                places[name].append(value)
        golds.append(gold)
        found.append(list(zip(places["start"], places["end"], labels, strict=True)))
        unit = record.unit("unit", "id")
        yield Example(
            record.place, unit, q, y, record.labels(len(q), labels), marks=record.marks(unit, len(q), **places)
        )
    _examine(texts, golds, found)


def _examine(texts: Sequence[Record], golds: Sequence[Sequence[_Entity]], found: Sequence[Sequence[_Entity]]) -> None:
    """Warn of offsets that cut words, of gold of another text, and of texts that stand twice."""
    findings = []
    strings = [record.values.get("text") for record in texts]
    whole = [text for text in strings if isinstance(text, str)]
    if len(whole) == len(texts):
        for name, spans in (("gold", golds), ("entities", found)):
            findings += examine_offsets(whole, [[(start, end) for start, end, _ in own] for own in spans], name)
    if not any(_is_token(item) for record in texts for item in _listed(record, "q")):
        findings += examine_neighbours(found, golds, "gold")
    named = [
        (str(record.values["id"]), text, tuple(own))
        if "id" in record.values and isinstance(text, str) and own
        else None
        for record, text, own in zip(texts, strings, found, strict=True)
    ]
    findings += examine_copies(named, "texts")
    if texts:
        report_findings(findings, texts[0].place.rpartition(", ")[0])


def _entity(item: Any) -> str:
    """Return the label of an entity; empty for a token, and for what is none."""
    label = None if _is_token(item) or not isinstance(item, dict) else item.get("entity_group", item.get("label"))
    return label if isinstance(label, str) else ""


def _is_token(item: Any) -> bool:
    return isinstance(item, dict) and "entity" in item and "entity_group" not in item


def _types_of_tokens(texts: Sequence[Record]) -> dict[str, str]:
    """Return the type of each label of tokens that marks one, by all texts; bare tags, such as B, have an empty one.

    Labels that have a role only by their letters, such as e-mail, are types if gold has them so.
    """
    # What is malformed is left to the reader, which names its place.
    items = [(record, item) for record in texts for item in _listed(record, "q") if isinstance(item, dict)]
    right = (item.get("label") for record in texts for item in _listed(record, "y") if isinstance(item, dict))
    gold = {label for label in right if isinstance(label, str)}
    tokens = {item["entity"]: record for record, item in items if _is_token(item) and isinstance(item["entity"], str)}
    marking = [label for label in tokens if not is_outside(label)]
    parts = roles_and_types(marking)
    if parts.keys() <= gold:
        types = {label: label for label in marking}
    else:
        types = {label: "" if kind == TYPE_OF_BARE_TAGS else kind for label, (_, kind) in parts.items()}
        for label in marking:
            if label not in types:
                tokens[label].refuse(f"the label {label!r} next to {next(iter(types))!r}", "a role and a type in each")
    _warn_of_other_labels([item for _, item in items], types, gold, texts)
    return types


def _warn_of_other_labels(items: list[Any], types: dict[str, str], gold: set[str], texts: Sequence[Record]) -> None:
    """Warn if no label of a prediction is one of gold, where several should be right."""
    if "" in types.values():
        return
    found, expected = set(), 0.0
    for item in items:
        label = types.get(str(item["entity"])) if _is_token(item) else item.get("entity_group", item.get("label"))
        if isinstance(label, str):
            found.add(label)
            expected += score if isinstance(score := item.get("score"), float) else 0.0
    if gold and found and not set(map(folded, found)) & set(map(folded, gold)) and expected > SURPRISE:
        sentence = (
            f"no label of a prediction ({some(sorted(found))}) is one of gold ({some(sorted(gold))}), "
            f"where {expected:.0f} predictions are expected to be right"
        )
        report_findings([InputFinding("label", sentence)], texts[0].place.rpartition(", ")[0])


def _listed(record: Record, name: str) -> list[Any]:
    value = record.values.get(record.keys.get(name, "")) if name in record.keys else None
    return value if isinstance(value, list) else []


def _span(record: Record, item: Any, key: str, names: tuple[str, ...], expected: str) -> tuple[int, int, str]:
    """Return the characters and the label of an entity."""
    name = next((name for name in names if isinstance(item, dict) and name in item), None)
    if name is None:
        record.refuse(f"{key} with {shown(item)}", expected)
    start, end = (record.check(item.get(place), int, expected, place) for place in ("start", "end"))
    if not 0 <= start < end:
        record.refuse(f"an entity from {start} to {end}", "a start from 0 on and an end after it")
    return start, end, record.check(item[name], str, expected, name)
