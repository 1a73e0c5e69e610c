"""Tables of prediction-label pairs: reading anyone's, writing our own."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from nlpcalib.calibration.pairs import Categories, Pairs, outermost_unit
from nlpcalib.errors import InputError, InputFinding, located, quoted, some
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.predictions import (
    MIN_CONFIDENCE_OF_TWO,
    examine_predictions,
    examine_slip,
    is_confidence_in,
)
from nlpcalib.examination.repetition import repeated_run
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.units import examine_units
from nlpcalib.io.files import atomic_path
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.arrays import ClassPredictions, check_sums
from nlpcalib.predictions.class_columns import (
    class_columns,
    has_classes,
    named_classes,
    positions,
    right_classes,
)
from nlpcalib.predictions.examined import known_columns
from nlpcalib.predictions.facts import (
    alike_ids,
    clustered_errors,
    labelled_again,
    last_row,
    table_facts,
    table_repetition,
    unused_units,
)
from nlpcalib.predictions.likely import TRUTH_WORDS, likely_columns
from nlpcalib.sampling.labels import has_label
from nlpcalib.tables.columns import class_probabilities, codes_of, column_probabilities, truths
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.roles import (
    LOGITS,
    decided_columns,
    is_called_like_class,
    is_called_like_index,
    predicted_column,
    right_column,
)
from nlpcalib.tables.spellings import Spellings, folded, spelt_otherwise
from nlpcalib.tables.table import ColumnKind, Table

_PAIR_COLUMNS = ("q", "y", "label", "unit", "document")
_CLASS_PREFIX = "q."
MAX_MEDIAN_GAP_OF_SUMS = 0.05
"""How far from 1 half of the rows may sum, if columns are of classes that exclude each other."""


def write_pairs(path: str | Path, pairs: Pairs) -> None:
    """Write `pairs` as Parquet: q float64, y bool, others string, then what names each prediction.

    The file appears whole or not at all.
    """
    _write_columns(path, {"q": pairs.q, "y": pairs.y}, pairs)


def write_predictions(path: str | Path, pairs: Pairs) -> None:
    """Write what `write_pairs` does without labels."""
    _write_columns(path, {"q": pairs.q}, pairs)


def _write_columns(path: str | Path, columns: dict[str, Any], pairs: Pairs) -> None:
    for name in ("label", "unit", "document"):
        column = getattr(pairs, name)
        if column is not None:
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(column.codes), pa.array(column.names, pa.string()))
    columns |= {name: pa.array(values) for name, values in pairs.marks.items()}
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(
            pa.table(columns), temporary, store_schema=False, **PARQUET_OPTIONS
        )  # as plain texts, not as Arrow's type


def read_pairs(path: str | Path) -> Pairs:
    """Read pairs from a table with columns q, y and, optionally, label, unit and document; others are ignored.

    Labels may be 0 and 1, or true and false.

    Raises
    ------
    InputError
        If the file is missing, unreadable or empty, lacks a column, or holds a value that is not a probability, a
        binary label or, where there are units, a unit. The message names the file and the line (in Parquet the row,
        counted from 1).
    """
    found = read_table(Table(path), {})
    return replace(found if isinstance(found, Pairs) else found.top_label(), sha256=checksum(path))


def read_written_pairs(path: str | Path) -> Pairs:
    """Read the pairs that `write_pairs` wrote, whose columns are known: they are not examined.

    Raises `InputError` as `read_pairs` does for values that are no pairs. `read_pairs` also recognises units, reports
    what looks wrong, and takes several times as long.
    """
    table = Table(path)
    kinds: dict[str, ColumnKind] = {name: "number" if name == "q" else "category" for name in _PAIR_COLUMNS}
    if missing := [name for name in ("q", "y") if not table.has(name)]:
        raise InputError(f"{path}: found no column {missing[0]}, expected the pairs that `write_pairs` wrote")
    read = table.read({name: kind for name, kind in kinds.items() if table.has(name)})
    label, unit, document = (
        Categories(*codes_of(read[name], table, name, name)) if table.has(name) else None
        for name in ("label", "unit", "document")
    )
    q, y = column_probabilities(read["q"], table.place), truths(read["y"], table.place)
    return Pairs(q, y, label, unit, document, sha256=checksum(path))


def read_table(table: Table, columns: Mapping[str, str]) -> Pairs | ClassPredictions:
    """Return the predictions of a table.

    Instead of q and y, a table may have the class that was predicted, its confidence and the right class, as `pred`,
    `confidence` and `gold`, as `label`, `score` and `gold`, or by other names of `nlpcalib.predictions.class_columns`.

    `columns` names the columns that hold q, y, label and unit, where they are called otherwise. If y is `is_spam=spam`,
    the label is whether the column `is_spam` has `spam`. If it is `gold=pred` with the name of another column, the
    label is whether both have the same class. A prediction that exceeds 1 by no more than rounding in float32 is 1.

    A table may have one column of probabilities for each class instead of q, and the right class as `gold`. The class
    columns are those in `columns["q"]`, separated by commas (a name with commas in quotation marks), or those of
    `nlpcalib.predictions.class_columns`, but for `id`, `unit` and `document`. In Parquet they may be one column of
    lists, `probabilities`, with the position of the right class as `gold`. A row is then a unit unless a column names
    the unit or document.
    """
    columns, positive, predicted = _positive_class(table, columns)
    sources = _find_columns(table, columns)
    decided = sources.pop("decided", predicted)
    kinds: dict[str, ColumnKind] = {
        name: "number" if found[0] == "q" else "category" for found, name in sources.items()
    }
    if table.has("id") and "id" not in kinds:
        kinds["id"] = "text"
    read = table.read(kinds)
    found = {name: read[source] for name, source in sources.items()}
    label, unit, document = (
        Categories(*codes_of(found[name], table, name, sources[name])) if name in found else None
        for name in ("label", "unit", "document")
    )
    if unit is None and document is None and (blocks := table.blocks()) is not None:
        unit = Categories(blocks, tuple(str(block) for block in range(1, int(blocks.max()) + 2)))
        table.notes.append("units: rows between blank lines")
    ids = read["id"] if kinds.get("id") == "text" else None
    columns_of_q = [source for name, source in sources.items() if name[0] == "q"]
    if "q" in found:
        q = column_probabilities(found["q"], table.place)
        if q.ndim == 1:
            if positive is not None:
                y = _is_class(found["y"], table, sources["y"], positive)
            else:
                decided = decided or _decided_by_option(found["y"], table, columns)
                if decided is None:
                    y = truths(found["y"], table.place)
                else:
                    y, label = _decided(q, table, sources["q"], decided, sources["y"])
            findings = [] if decided or positive else _unread_confidence(q, y, table, sources)
            findings = findings or examine_predictions(q, y, name=sources["q"], of_table=True)
            if label is not None:
                findings = examine_slip(q, y, label.codes, sources["q"]) or findings
                findings += examine_alike(label.names, f"column {decided or sources['label']}")
            unit = unit if unit or document else _recognised_units(table, columns_of_q, q, ids, findings)
            findings += [] if ids is None else labelled_again(table, q, y, label)
            pairs = Pairs(q, y, label, unit, document)
            used = sources | ({} if decided is None else {"decided": decided})
            return replace(pairs, table=_facts(table, used, pairs, ids, findings))
        classes = [str(index) for index in range(q.shape[1])]
    else:
        names = [name for name in found if name.startswith(_CLASS_PREFIX)]
        try:
            q = class_probabilities([found[name] for name in names], [sources[name] for name in names], table)
        except InputError as error:
            others = "" if "q" in columns else "; if this column is no class, q= names the columns that are"
            if not columns and (likely := likely_columns(table)):
                others += ". Perhaps q={} y={}".format(*map(shlex.quote, likely))
            raise InputError(f"{error}{others}") from None
        classes = [name.removeprefix(_CLASS_PREFIX) for name in names]
    unit = outermost_unit(unit, document)
    if positive is not None:
        raise InputError(f"{table.name}: found y={sources['y']}={positive} with a column for each class, expected y=")
    predictions = _class_predictions(q, classes, found["y"], unit, table)
    findings = examine_predictions(q, predictions.y, of_table=True, classes=predictions.labels)
    findings += [] if ids is None else labelled_again(table, q, predictions.y)
    if unit is None:
        unit = _recognised_units(table, columns_of_q, q, ids, findings)
        predictions = replace(predictions, unit=unit)
    return replace(predictions, table=_facts(table, sources, predictions.top_label(), ids, findings))


def _recognised_units(
    table: Table, predictions: Sequence[str], q: np.ndarray, ids: pa.ChunkedArray | None, findings: list[InputFinding]
) -> Categories | None:
    """Return rows that stand several times as units, and add this to what was found."""
    repetition = table_repetition(table, predictions, q, ids)
    if repetition is None:
        return None
    findings.append(repetition.finding)
    return Categories(repetition.codes, repetition.names, recognised=True)


def _facts(
    table: Table, sources: Mapping[str, str], pairs: Pairs, ids: pa.ChunkedArray | None, findings: list[InputFinding]
) -> TableFacts:
    """Report what was found in a table of pairs, and return what it was taken to be."""
    used = {*sources.values(), "id"}
    unit = pairs.sampling_unit
    named = sources.get("document", sources.get("unit"))
    if ids is not None:
        findings += alike_ids(ids, table.own_name("id"))
    if named is None and (unit is None or unit.recognised):
        unused = unused_units(table, used, "unit={}")
        named_like = {finding.name for finding in unused}
        findings += unused + clustered_errors(table, {*used, *named_like}, pairs.q, pairs.y, "unit={}")
        findings += last_row(table, [name for key, name in sources.items() if key[0] == "q"], pairs.q, ids)
    elif unit is not None and named is not None:
        findings += examine_units(unit.codes, unit.names, named)
        findings += repeated_run(pairs.q, [(unit.codes, unit.names), *known_columns(pairs)])
    facts = table_facts(table, used, "each row" if unit is None else f"{len(unit.names):,}", findings, named)
    report_findings(facts.findings, table.name)
    return facts


def _class_predictions(
    q: np.ndarray,
    classes: list[str],
    gold: pa.ChunkedArray,
    unit: Categories | None,
    table: Table,
) -> ClassPredictions:
    """Return probabilities float64 (N, K), each row of which sums to 1, with the right classes."""
    place = table.place
    expected = f"a sum of 1; name the columns of the classes if they are not {', '.join(classes)[:80]}"
    if np.median(np.abs(q.sum(axis=1) - 1)) > MAX_MEDIAN_GAP_OF_SUMS:
        expected += (
            "; labels that do not exclude each other are measured one at a time, as q=NAME y=COLUMN=NAME, or with "
            "files of labels as q=NAME yes=NAME, or q=NAME label_question=NAME where each label has a column of 0 and 1"
        )
    check_sums(q, place, expected)
    right = Categories(*codes_of(gold, table, "truth", "gold"))
    meant = _as_classes(right.names, classes, table, "gold")
    places = positions(meant, classes)
    if not set(meant) & set(classes) and (places >= 0).all():
        order = ", ".join(f"{name} is {classes[place]}" for name, place in zip(right.names, places, strict=True))
        table.notes.append(f"gold is a position from 0: {order}")
    index = places[right.codes]
    if (index < 0).any():
        row = int(np.argmin(index))
        found = right.names[right.codes[row]]
        alike = [each for each in classes if _letters(each) == _letters(found)]
        hint = f"; write {found!r} and the column {alike[0]!r} alike" if alike else ""
        hint = "; skip_unlabelled=True leaves rows without a label out" if Spellings(()).is_missing(found) else hint
        raise InputError(f"{place(row)}: found class {quoted(found)}, expected one of {', '.join(classes)[:80]}{hint}")
    return ClassPredictions(q, index, tuple(classes), unit)


def _as_classes(names: Sequence[str], classes: Sequence[str], table: Table, column: str) -> list[str]:
    """Return the class that each name of a column is, with a note where it is spelt otherwise."""
    spellings = Spellings(classes)
    meant = {name: spellings.class_of(name) for name in names}
    table.notes += spelt_otherwise(meant, f"column {column}")
    return list(meant.values())


def _letters(name: str) -> str:
    """Return the letters and digits of a class: R has `self.care` for `self-care` in names of columns."""
    return "".join(filter(str.isalnum, name)).casefold()


def _decided(q: np.ndarray, table: Table, confidence: str, predicted: str, right: str) -> tuple[np.ndarray, Categories]:
    """Return which predicted classes are right, bool (N,), and the predicted classes, whose confidence is q."""
    read = table.read({predicted: "category", right: "category"})
    said, true = (Categories(*codes_of(read[name], table, "truth", name)) for name in (predicted, right))
    meant = _as_classes(true.names, said.names, table, right)
    place = np.array([said.names.index(each) if each in said.names else -1 for each in meant])
    correct = place[true.codes] == said.codes
    if not correct.any():
        shown = ", ".join(said.names)[:80]
        raise InputError(f"{table.name}: found no class of column {predicted} in {right}, expected some of {shown}")
    classes = sorted({*said.names, *meant})
    if len(classes) == 2 and (q < MIN_CONFIDENCE_OF_TWO).any():
        row = int(np.argmax(q < MIN_CONFIDENCE_OF_TWO))
        of = "" if set(classes) <= TRUTH_WORDS else f"={classes[1]}"
        raise InputError(
            f"{table.place(row)}: found the confidence {q[row]:g} in one of two classes, expected at least .5; for the "
            f"probability of {classes[1]}: q={shlex.quote(confidence)} y={shlex.quote(f'{right}{of}')}"
        )
    return correct, said


def _positive_class(table: Table, columns: Mapping[str, str]) -> tuple[Mapping[str, str], str | None, str | None]:
    """Return the columns, with the column alone as y, and the class or the column that y is compared with, if any."""
    name, equals, value = columns.get("y", "").partition("=")
    if not equals or table.has(columns["y"]) or not table.has(name):
        return columns, None, None
    if table.has(value) and not any(has_label(sorted(right_classes(table, name)), value)):
        return {**columns, "y": name}, None, table.own_name(value)
    return {**columns, "y": name}, value, None


def _unread_confidence(q: np.ndarray, y: np.ndarray, table: Table, sources: Mapping[str, str]) -> list[InputFinding]:
    """Return the sign that q is of the class in a column of 0 and 1 that was not read, and y the right class."""
    if q.min() < MIN_CONFIDENCE_OF_TWO:  # then no column needs to be read, which may be millions of texts
        return []
    read = {source for key, source in sources.items() if key != "label"}
    for name in table.names:
        if name in read or not is_called_like_class(name):
            continue
        found = Categories(*codes_of(table.read({name: "category"})[name], table, "cell", name))
        two = len(found.names) == 2 and set(found.names) <= TRUTH_WORDS
        if two and is_confidence_in(found.codes == 1, q, y):  # 0 and false are sorted first
            way_out = shlex.quote(f"{sources['y']}={name}")
            sentence = f"no {sources['q']} is below .5, and it follows the class in column {name}: y={way_out}"
            return [InputFinding(sources["q"], f"{sentence} reads it as the confidence in that class")]
    return []


def _is_class(column: pa.ChunkedArray, table: Table, name: str, positive: str) -> np.ndarray:
    """Return where a column has a class, bool (N,)."""
    found = Categories(*codes_of(column, table, "truth", name))
    with located(f"{table.name}, column {name}"):
        codes = np.flatnonzero(has_label(found.names, positive))
    if not codes.size:
        raise InputError(f"{table.name}: found no {positive!r} in column {name}, expected one of {some(found.names)}")
    alike = [found.names[code] for code in codes if folded(found.names[code]) == folded(positive)]
    table.notes += spelt_otherwise(dict.fromkeys(alike, positive), f"column {name}")
    if len(alike) < codes.size:
        table.notes.append(f"column {name}: cells with several labels count where {positive} is among them")
    return np.isin(found.codes, codes)


def _decided_by_option(column: pa.ChunkedArray, table: Table, columns: Mapping[str, str]) -> str | None:
    """Return the column of predicted classes if the user names q, and y has classes; None if y has 0 and 1.

    Raises `InputError` with the way out if y has two classes, and nothing is the predicted one.
    """
    values = {str(each).strip() for each in column.unique().to_pylist()}
    if values & TRUTH_WORDS:
        return None
    if "q" in columns and (predicted := columns.get("label", predicted_column(table.names))):
        return predicted
    if len(values) == 2:
        name = table.own_name(columns.get("y", "y"))
        raise InputError(
            f"{table.name}, column {name}: found the labels {' and '.join(sorted(values))}, expected 0 and 1; "
            f"y={name}={max(values)} counts {max(values)} as 1"
        )
    return None


_OR_CLASSES = ", or a column for each class and the right class in one named gold"


def _find_columns(table: Table, columns: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the file holds q, or `q.CLASS` for each class, y and, if it has them, label and unit."""
    names = table.names
    found = {column: columns.get(column, column) for column in _PAIR_COLUMNS}
    of_class: dict[str, str] = {}
    right = columns.get("y", right_column(names) or "gold")
    # Capitals make no difference, unless Q is a class.
    has_q = found["q"] in names or (
        table.has(found["q"]) and not (table.has("gold") and table.own_name(found["q"]) in right_classes(table, "gold"))
    )
    if not has_q and ("," in found["q"] or ("q" not in columns and _has_classes(table, right, found))):
        found["y"] = right
        if "," in found["q"]:
            named = next(csv.reader([found["q"]]))
            of_class = {f"{_CLASS_PREFIX}{each}": name for each, name in named_classes(table, right, named).items()}
        elif "probabilities" in names:
            found["q"] = "probabilities"
        else:
            others = _other_columns(table, found)
            if decided := decided_columns(others):
                found["q"] = decided[0]
                of_class = {"decided": decided[1]}
            else:
                of_class = {
                    f"{_CLASS_PREFIX}{name}": column
                    for name, column in class_columns(table, found["y"], others).items()
                }
    predictions = of_class or {"q": found["q"]}
    if "decided" in of_class:
        predictions["q"] = found["q"]
    others = ["y", "unit", "document"]
    if not of_class and ("label" in columns or found["label"] != found["y"]):  # the truth is no grouping
        others.insert(1, "label")
    found = predictions | {column: found[column] for column in others}
    for column, wanted in found.items():
        required = column not in ("label", "unit", "document") or column in columns
        if not table.has(wanted) and required:
            asked = column in columns or column not in ("q", "y")
            logits = next((f"; of {name} it is 1 / (1 + exp(-{name}))" for name in names if name in LOGITS), "")
            if logits and column == "q":
                raise table.missing(wanted, logits)
            hint = "" if asked else f", or {column}= with its name{_OR_CLASSES * (column == 'q')}"
            likely = None if columns else likely_columns(table)
            raise table.missing(
                wanted, hint + (". Perhaps q={} y={}".format(*map(shlex.quote, likely)) if likely else "")
            )
    return {column: wanted for column, wanted in found.items() if table.has(wanted)}


def _other_columns(table: Table, found: Mapping[str, str]) -> list[str]:
    """Return the columns that may be of predictions."""
    known = {"", *map(table.own_name, ("id", found["y"], found["unit"], found["document"]))}
    return [column for column in table.names if column not in known and not is_called_like_index(column)]


def _has_classes(table: Table, right: str, found: Mapping[str, str]) -> bool:
    """Return whether a table has the right class, and predictions of classes next to it."""
    if not table.has(right):
        return False
    return table.has("gold") or has_classes(table, right, _other_columns(table, {**found, "y": right}))
