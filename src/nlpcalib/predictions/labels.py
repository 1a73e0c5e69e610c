"""The labels of rows: of a column or an array; sheets and exports are read by `label_files`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.errors import InputError, located, some
from nlpcalib.predictions.answered import Answer, Found, Gap, LabelReading, none_of
from nlpcalib.predictions.scales import AnswerScale
from nlpcalib.sampling.answers import as_answer
from nlpcalib.sampling.settling import settled_labels
from nlpcalib.tables.spellings import MISSING, Spellings, folded, is_number, number_in

if TYPE_CHECKING:
    from nlpcalib.predictions.predictions import Predictions

ScaleOf = Callable[[Collection[str]], AnswerScale]
"""What makes the scale of answers, once all of them are known."""


def of_cells(
    codes: np.ndarray, cells: Sequence[str], scale_of: ScaleOf, place: Callable[[int], str], kept: np.ndarray
) -> Found:
    """Return the labels in a column of N texts, `cells[codes[row]]`.

    Rows that are not `kept`, int (M,), have no label where it is not understood, as in a line of totals.
    """
    names = [as_answer(cell) or ("none" if cell.strip() else "") for cell in cells]  # an empty list was read
    of_kept = set(np.unique(codes[kept]).tolist())
    scale = scale_of([name for code, name in enumerate(names) if code in of_kept])
    y, answer = np.full(len(names), np.nan), np.full(len(names), Answer.GIVEN, np.int8)
    for code, name in enumerate(names):
        try:
            found = scale(name)
        except InputError as error:
            if code not in of_kept:
                found = Answer.NOT_ASKED
            else:
                raise InputError(f"{place(int(kept[codes[kept] == code][0]))}: {error}") from None
        if isinstance(found, Answer):
            answer[code] = found
        else:
            y[code] = found
    negative = tuple(sorted(name for name, label in zip(names, y.tolist(), strict=True) if label == 0))
    return Found(y[codes], answer[codes], LabelReading(negative=negative), notes=scale.notes)


def of_values(labels: Mapping, ids: Sequence[str], named: bool, scale_of: ScaleOf, place: str) -> Found:
    """Return labels by ids, or by numbers of rows from 0; or of several readers, each a mapping of these."""
    if labels and all(isinstance(each, Mapping) for each in labels.values()):
        return _of_readers(labels, ids, named, scale_of, place)
    row_of: dict[Any, int] = dict(zip(ids if named else range(len(ids)), range(len(ids)), strict=True))
    given = {str(name) if named else name: label for name, label in labels.items()}
    found, scale = none_of(len(ids)), scale_of([word_of(label) for label in given.values()])
    gone = [str(name) for name in given if name not in row_of]
    if len(gone) > len(given) / 2 or (gone and not named):
        raise InputError(f"labels: found {some(gone)}, expected ids of rows, or their numbers from 0 to {len(ids) - 1}")
    for name, label in given.items():
        if name in row_of:
            word = word_of(label)
            with located(f"labels, {'id' if named else 'row'} {name}"):
                read = scale(word) if word else Answer.OPEN
            found.answer[row_of[name]] = read if isinstance(read, Answer) else Answer.GIVEN
            found.y[row_of[name]] = np.nan if isinstance(read, Answer) else read
    gaps = (Gap("label", f"of no row of {place}", tuple(gone)),) if gone else ()
    return Found(found.y, found.answer, gaps=gaps)


def _of_readers(labels: Mapping, ids: Sequence[str], named: bool, scale_of: ScaleOf, place: str) -> Found:
    """Return the labels on which readers agree; where they differ, a row is disputed."""
    readers: dict[str, dict[int, float | None]] = {}
    for name, own in labels.items():
        found = of_values(own, ids, named, scale_of, place)
        rows = np.flatnonzero(found.answer != Answer.NOT_ASKED).tolist()
        readers[str(name)] = {row: None if np.isnan(found.y[row]) else float(found.y[row]) for row in rows}
    agreed = settled_labels({name: {str(row): y for row, y in own.items()} for name, own in readers.items()})
    made = none_of(len(ids))
    for item, label in agreed.labels.items():
        made.answer[int(item)] = Answer.OPEN if label is None else Answer.GIVEN
        made.y[int(item)] = np.nan if label is None else label
    made.answer[[int(item) for item in agreed.disputed]] = Answer.DISPUTED
    return Found(made.y, made.answer, LabelReading(readers, tuple(ids[int(item)] for item in agreed.disputed)))


def possible_answers(data: Predictions, said: Collection[str]) -> Sequence[str]:
    """Return the classes that labels may be: those of columns, or those that are predicted and labelled."""
    if data.classes or data.predicted is None or not said:
        return data.classes
    spellings, empty = Spellings(data.predicted.names), MISSING - {"none"}  # of which no class has the name
    others = sorted(name for name in said if not spellings.has(name) and folded(name) not in empty)
    return (*data.predicted.names, *others)


def notes_on_labels(data: Predictions, found: Found, decided: Sequence[str], where: str) -> list[str]:
    """Return what labels were taken for; `decided` as in `Predictions.labelled_by`, `where` is where labels stand."""
    others = sorted(set(decided).difference(data.predicted.names)) if data.predicted is not None else []
    notes = [f"no prediction is of {some(others)}: rows with this label count as wrong"] if others else []
    return notes + (found.notes(where) if data.classes or decided else [])


def are_truths(words: Collection[str]) -> bool:
    """Return whether labels are yes or no, or numbers: no names of classes."""
    return all(is_number(each) or folded(each) in ("true", "false", "yes", "no") for each in words)


def are_verdicts(words: Collection[str]) -> bool:
    """Return whether cells are verdicts: words, 0 and 1. Other numbers are probabilities, and no word is one."""
    return not any(is_number(each) and number_in(each) not in (0, 1) for each in words)


def are_numbered(words: Collection[str], of_rows: Collection[str]) -> bool:
    """Return whether labels are numbers of the classes that rows predict: more than 0 and 1, and mostly the same."""
    said = set(map(folded, words))
    return not said <= {"0", "1", "true", "false", "yes", "no"} and 2 * len(said.intersection(of_rows)) > len(said)


def are_two(of_rows: Collection[str]) -> bool:
    """Return whether rows predict yes or no."""
    return set(of_rows) in ({"0", "1"}, {"false", "true"})


def answer_words(labels: Mapping) -> set[str]:
    """Return the distinct labels of a mapping of rows, or of several readers', as words."""
    own = [each for each in labels.values() if isinstance(each, Mapping)] or [labels]
    return {word_of(label) for each in own for label in each.values()}


def as_cells(array: np.ndarray) -> list[str]:
    """Return the values of an array, int (N,) or any other type, as a table would have them."""
    if array.dtype.kind == "M":  # days, with a time only where one has it
        days = array.astype("datetime64[D]")
        array = np.datetime_as_string(days if np.array_equal(days, array, equal_nan=True) else array.astype("M8[s]"))
        return ["" if word == "NaT" else word for word in array.tolist()]
    return array.tolist() if array.dtype.kind == "U" else list(map(word_of, array.tolist()))


def word_of(value: Any) -> str:
    """Return a value as a table would have it, empty where it is missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return ""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    return str(value)
