"""JSON lines with the probabilities of all classes and the right one; those of one probability are a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record

_EXPECTED_PROBABILITIES = 'a list of probabilities, or an object {"class": probability, …}'


def read_json_tables(records: Iterable[Record]) -> Iterator[Example]:
    """Yield one example a line: the probabilities of its classes, and which class is right.

    `probabilities` is an object with a probability for each class, or a list. The classes of a list are named in
    `classes`; without names the right class, `gold`, is a position from 0 on.
    """
    for record in records:
        values = record.get("q", (list, dict), _EXPECTED_PROBABILITIES)
        key = record.keys["q"]
        numbers = values.values() if isinstance(values, dict) else values
        q = [record.number_of(value, "a probability in [0, 1]", key) for value in numbers]
        if len(q) < 2:
            record.refuse(f"{key} with {len(q)} classes", "at least two")
        labels = list(values) if isinstance(values, dict) else record.values.get("classes", range(len(q)))
        labels = [str(label) for label in labels] if isinstance(labels, list | range) else []
        if len(labels) != len(q):
            record.refuse(f"{len(labels)} classes and {len(q)} probabilities", "as many")
        gold = record.right((str, int), "the right class")
        if record.labelled and str(gold) not in labels:
            record.refuse(f"{record.keys['y']} {shown(str(gold))}", f"one of {shown(labels)}")
        y = [record.labelled and label == str(gold) for label in labels]
        unit = record.unit("unit", "id")
        marks = record.marks(unit, len(q))
        yield Example(record.place, unit, q, y, record.labels(len(q), labels), True, marks=marks)
