"""What Hugging Face pipelines for text classification and zero-shot classification return, one text a line.

`pipeline("text-classification", top_k=None)` returns for each text a list `[{"label": …, "score": …}, …]`, without
`top_k` one such object; `pipeline("zero-shot-classification")` an object with `labels` and `scores`. Pipelines have no
right answers: users add them as `gold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlpcalib.calibration.binning import SUM_TOLERANCE
from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record
from nlpcalib.tables.spellings import Spellings

_EXPECTED_SCORES = 'what the pipeline returns: [{"label": …, "score": …}, …]'
_EXPECTED_GOLD_LABEL = "the right label, or a list of the right labels if several may be"


def read_text_classification(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the scores of each text. Labels exclude each other if `gold` is one label, and do not if it is a list."""
    for record in records:
        scores = _scores(record)
        gold = record.right((str, int, list), _EXPECTED_GOLD_LABEL)
        yield classified(record, scores, gold, record.unit("unit", "id"))


def classified(record: Record, scores: dict[str, float], gold: object, unit: str | None) -> Example:
    """Return the example in which `gold`, a label or the labels in a list, is right, whatever its capitals.

    Without `gold`, which is None, labels may exclude each other if their scores do not exceed 1 together.
    """
    exclusive = not isinstance(gold, list)
    golds = gold if isinstance(gold, list) else [gold]
    if gold is None:
        exclusive, golds = sum(scores.values()) <= 1 + SUM_TOLERANCE, []
    spellings = Spellings(scores)
    right = {
        spellings.class_of(str(record.check(item, (str, int), _EXPECTED_GOLD_LABEL, record.keys["y"])))
        for item in golds
    }
    if golds and exclusive and len(scores) > 1 and not right <= set(scores):
        record.refuse(f"{record.keys['y']} {shown(gold)}", f"one of {shown(list(scores))}")
    labels = list(scores)
    y = [label in right for label in labels]
    marks = record.marks(unit, len(labels))
    named = record.labels(len(labels), labels)
    return Example(record.place, unit, list(scores.values()), y, named, exclusive, marks=marks)


def _scores(record: Record) -> dict[str, float]:
    key = record.keys["q"]
    values = record.get("q", (list, dict), _EXPECTED_SCORES)
    values = values if isinstance(values, list) else [values]
    while len(values) == 1 and isinstance(values[0], list):  # of a list of one text
        values = values[0]
    labels = record.values.get("labels")
    if isinstance(labels, list) and values and not isinstance(values[0], dict):
        if len(labels) != len(values):
            record.refuse(f"{len(labels)} labels and {len(values)} {key}", "as many")
        values = [{"label": label, "score": score} for label, score in zip(labels, values, strict=True)]
    scores = {}
    for value in values:
        if not isinstance(value, dict) or not {"label", "score"} <= value.keys():
            record.refuse(f"{key} with {shown(value)}", _EXPECTED_SCORES)
        label = str(record.check(value["label"], (str, int), "a label", "label"))
        if label in scores:
            record.refuse(f"label {shown(label)} twice", "each label once")
        scores[label] = record.number_of(value["score"], "a probability in [0, 1]", "score")
    if not scores:
        record.refuse(f"no {key}", _EXPECTED_SCORES)
    return scores
