"""Predictions in anyone's file, and how the format of a file is recognised."""

from __future__ import annotations

import csv
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.calibration.pairs import ALL_CLASSES, Pairs
from nlpcalib.errors import InputError, located, other_readers, quoted, some
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import list_of_objects, shown
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays
from nlpcalib.predictions.examined import examined
from nlpcalib.predictions.examples import VIEWS, Example, pairs_from_examples
from nlpcalib.predictions.formats.known_formats import FORMATS, missing_gold, refuse_pipeline_alone, unlabelled_message
from nlpcalib.predictions.records import Record, read_records, read_table_records
from nlpcalib.predictions.unanswered import answered
from nlpcalib.tables.delimited import SEPARATORS, SNIFFED_BYTES, check_text, file_kind, kind_of
from nlpcalib.tables.roles import decided_columns, right_column
from nlpcalib.tables.sources import lines_of, unpacked
from nlpcalib.tables.token_lines import DOCUMENT_START, fault_of_token_lines

if TYPE_CHECKING:
    from nlpcalib.predictions.labelled import LabelFiles


ARRAYS = "npz"
"""NumPy's archive of the arrays q, y and perhaps unit, label and labels, the arguments of `nlpcalib.calibrate`."""
TABLES = ("parquet", "csv", "tsv", "pairs")
"""Formats of tables; pairs are JSON lines."""
MAX_RECORDS_TRIED = 20
"""Records by which a format without labels is recognised: the first texts may have no entities."""
_NAMED_COLUMNS = ("q", "y", "unit", "document", "label", "id")


def read_predictions(
    path: str | Path,
    *,
    file_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    view: str = "top",
    skip_unlabelled: bool = False,
    label_files: LabelFiles | None = None,
) -> Pairs:
    """Read prediction-label pairs from anyone's file.

    Parameters
    ----------
    path : str or Path
        The file; `-` is standard input.
    file_format : str, optional
        `parquet`, `csv`, `tsv`, `pairs` (JSON lines), `npz` (q, y, unit, label, labels), or a name in `FORMATS`; by
        default it is recognised.
    columns : mapping, optional
        Names of the columns or keys of `q` (the prediction), `y` (what is right), `unit`, `document`, `label` and
        `id`, where they are not the format's own.
    view : {"top", "classes"}
        Pairs of an example with several answers, one of which is right: of the most probable answer, or of each.
    skip_unlabelled : bool
        Leave out rows of a table whose label is empty.
    label_files : LabelFiles, optional
        Files that label rows of a table by id; other rows are left out.

    Raises
    ------
    InputError
        If the file is missing, of no known format, or malformed; the message names the file and the line.
    """
    found = read_pairs_or_classes(
        path, file_format=file_format, columns=columns, view=view,
        skip_unlabelled=skip_unlabelled, label_files=label_files,
    )  # fmt: skip
    return found if isinstance(found, Pairs) else found.viewed(view)


def read_pairs_or_classes(
    path: str | Path,
    *,
    file_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    view: str = "top",
    skip_unlabelled: bool = False,
    label_files: LabelFiles | None = None,
) -> Pairs | ClassPredictions:
    """Read what `read_predictions` does, and keep the classes of a table together; `view` is of other formats."""
    columns = dict(columns or {})
    for name in columns:
        if name not in _NAMED_COLUMNS:
            raise InputError(f"found column {quoted(name)}, expected some of {', '.join(_NAMED_COLUMNS)}")
    if view not in VIEWS:
        raise InputError(f"found view {quoted(view)}, expected one of {', '.join(VIEWS)}")
    known = [*TABLES, *FORMATS, ARRAYS]
    if file_format is not None and file_format not in known:
        raise InputError(f"found format {quoted(file_format)}, expected one of {', '.join(known)}")
    with _named(path) as (file, name):
        sha256 = checksum(file)
        if label_files is not None:
            if str(path) != "-" and (form := joined_format(path, file_format, columns)) is not None:
                return replace(_joined(file, name, form, columns, view, label_files), sha256=sha256)
            return replace(_labelled(file, name, file_format, columns, label_files), sha256=sha256)
        form = _recognise(file, name, columns) if file_format is None else file_format
        if skip_unlabelled:
            if form not in TABLES:
                raise InputError(f"{name}: found skip_unlabelled= with format {form}, expected a table")
            return replace(_labelled(file, name, form, columns, None), sha256=sha256)
        found = _read(file, name, form, columns, view)
        return replace(found, sha256=sha256)


def joined_format(path: str | Path, file_format: str | None, columns: Mapping[str, str]) -> str | None:
    """Return the format of records that files of labels are joined to; None for a table.

    Raises `InputError` for records whose labels are no names of what is right.
    """
    form = record_format(path, file_format, columns)
    if form is None or form == "classes":  # lists of probabilities are a column of a table
        return None
    if not FORMATS[form].joined:
        raise InputError(f"{path}: found files of labels with predictions in the format {form}; {missing_gold(form)}")
    return form


def _joined(
    file: Path, name: str, file_format: str, columns: Mapping[str, str], view: str, label_files: LabelFiles
) -> Pairs:
    """Return the predictions of those records that files label."""
    from nlpcalib.predictions.joined import with_gold

    keys = {**FORMATS[file_format].keys, **columns}
    found = _read_examples(file, name, file_format, {key: each for key, each in keys.items() if key != "y"}, "classes")
    classes = found.label.names if found.label is not None and "label" not in columns else ()

    def given(records: Iterable[Record]) -> Iterable[Record]:
        return with_gold(records, label_files, classes, exclusive=found.view == ALL_CLASSES, name=name)

    return examined(_read_examples(file, name, file_format, keys, view, given), name)


def _labelled(
    file: Path, name: str, file_format: str | None, columns: Mapping[str, str], label_files: LabelFiles | None
) -> Pairs | ClassPredictions:
    """Return the predictions of those rows of a table that have a label."""
    from nlpcalib.predictions.labelled import rows_with_labels
    from nlpcalib.predictions.tables import read_table
    from nlpcalib.tables.table import Table

    table = Table(file, file_format, name, {key: column for key, column in columns.items() if key == "id"})
    return read_table(rows_with_labels(table, columns, label_files), columns)


def _read(
    file: Path,
    name: str,
    file_format: str,
    columns: Mapping[str, str],
    view: str,
) -> Pairs | ClassPredictions:
    if file_format == ARRAYS:
        return _read_arrays(file, name, columns)
    if file_format not in FORMATS:
        import pyarrow as pa  # which takes a while to load

        from nlpcalib.predictions.tables import read_table
        from nlpcalib.tables.table import Table

        own = {key: column for key, column in columns.items() if key == "id"}
        found = read_table(Table(file, file_format, name, own), columns)
        pa.default_memory_pool().release_unused()  # Arrow keeps memory of columns: 180 MB of ten million rows
        return found
    form = FORMATS[file_format]
    keys = {**form.keys, **columns}
    return examined(_read_examples(file, name, file_format, keys, view), name)


def _read_examples(
    file: Path,
    name: str,
    file_format: str,
    keys: Mapping[str, str],
    view: str,
    given: Callable[[Iterable[Record]], Iterable[Record]] = iter,
) -> Pairs:
    """Return the pairs of a file's records, as `given` returns them; without the key `y` none has a label."""
    form = FORMATS[file_format]
    if file_format == "logprobs":  # requests may have failed
        module, after = form.module(), given
        given = lambda records: after(answered(records, module.is_failed, name))  # noqa: E731
    if file_format != "conllu" and file_kind(file, name) != "json":
        return pairs_from_examples(form.read_examples(given(read_table_records(file, name, keys))), view)
    with unpacked(file, name) as stream:
        if file_format == "conllu":
            from nlpcalib.predictions.formats.conllu_probabilities import read_conllu_probabilities

            examples: Iterable[Example] = read_conllu_probabilities(stream, name, keys)
        else:
            examples = form.read_examples(given(read_records(stream, lines_of(file, name), keys)))
        return pairs_from_examples(examples, view)


def read_unlabelled(
    path: str | Path, file_format: str, columns: Mapping[str, str], view: str
) -> Pairs:
    """Return the predictions of another tool's records, of which no label is read: `y` is False throughout."""
    form = FORMATS[file_format]
    keys = {key: name for key, name in {**form.keys, **columns}.items() if key != "y"}
    with _named(path) as (file, name):
        return _read_examples(file, name, file_format, keys, view)


def record_format(path: str | Path, file_format: str | None, columns: Mapping[str, str]) -> str | None:
    """Return the format of another tool's records, which need no labels; None for a table, arrays and other files."""
    if file_format is not None or str(path) == "-":
        return file_format if file_format in FORMATS else None
    with _named(path) as (file, name):
        try:
            found: str | None = _recognise(file, name, columns)
        except InputError:
            found = _format_without_labels(file, name)
    return found if found in FORMATS else None


def _format_without_labels(file: Path, name: str) -> str | None:
    """Return the format that the first records of JSON have but for their labels, if its reader reads them."""
    try:
        if file_kind(file, name) != "json":
            return None
    except InputError:
        return None
    with unpacked(file, name) as stream:
        refuse_pipeline_alone(stream.read(SNIFFED_BYTES), name)
        stream.seek(0)
        try:
            records = list(islice(read_records(stream, lines_of(file, name), {}), MAX_RECORDS_TRIED))
        except InputError:
            return None
    for known, form in FORMATS.items():
        if not records or not form.recognises_unlabelled(records[0].values):
            continue
        keys = {key: each for key, each in form.keys.items() if key != "y"}
        try:
            found = pairs_from_examples(
                form.read_examples([replace(record, keys=keys) for record in records]), "classes"
            )
        except InputError:
            continue
        if known != "spacy-cats" or set(found.q.tolist()) - {0.0, 1.0}:  # others are what is right
            return known
    return None


def _read_arrays(file: Path, name: str, columns: Mapping[str, str]) -> Pairs | ClassPredictions:
    arrays = read_arrays(file, expected="expected an archive (.npz) of arrays", called=name)
    names = {key: columns.get(key, key) for key in ("q", "y", "unit", "label", "labels")}
    if missing := [names[key] for key in names if names[key] not in arrays and (key in ("q", "y") or key in columns)]:
        raise InputError(f"{name}: found the arrays {', '.join(arrays)}; expected one named '{missing[0]}'")
    with located(name):
        found = from_arrays(**{key: arrays[source] for key, source in names.items() if source in arrays})
    return examined(found, name)


@contextmanager
def _named(path: str | Path) -> Iterator[tuple[Path, str]]:
    """Yield a file and its name for messages; standard input is copied into a temporary file."""
    if str(path) != "-":
        check_file(path)
        yield Path(path), str(path)
        return
    with tempfile.NamedTemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield Path(copy.name), "standard input"


def recognised(path: str | Path, columns: Mapping[str, str]) -> str:
    """Return the format of a file; raises `InputError` for one that is not there, and for no known format."""
    with _named(path) as (file, name):
        return _recognise(file, name, columns)


def is_table(path: str | Path, file_format: str | None, columns: Mapping[str, str]) -> bool:
    """Return whether a file is a table, which can be read again: standard input is none."""
    return str(path) != "-" and (recognised(path, columns) if file_format is None else file_format) in TABLES


def _recognise(file: Path, name: str, columns: Mapping[str, str]) -> str:
    with unpacked(file, name) as stream:
        start = stream.read(SNIFFED_BYTES)
        stream.seek(0)
        if Path(name).suffix.lower() == f".{ARRAYS}":
            return ARRAYS
        kind = kind_of(name, start)
        if kind == "parquet":
            return _format_of_rows(file, name, columns) or kind
        check_text(name, start)
        if kind == "text":
            text = start.decode(errors="replace").lstrip("\ufeff \r\n\t")
            header, suffix = text.partition("\n")[0], Path(name).suffix.lower()
            words = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
            if suffix == ".conllu" or (text.startswith(("# ", "1")) and words.count("\t") == 9):
                return "conllu"
            if header.startswith(DOCUMENT_START):
                raise InputError(f"{name}: {fault_of_token_lines(text)}")
            if suffix not in (".csv", ".tsv", ".gz") and (text.startswith("[") or not set(SEPARATORS) & set(header)):
                found = repr(header[:60]) if header else "no predictions"
                way_out = "; columns between blanks need a header and tabs" if len(header.split()) > 2 else ""
                raise InputError(
                    f"{name}: found {found}, expected a table, or JSON lines with one object a line{way_out}"
                )
            return _format_of_rows(file, name, columns) or "csv"
        refuse_pipeline_alone(start, name)
        records = read_records(stream, lines_of(file, name), {})
        first = next(records, None)
        inside = list_of_objects(dict(first.values)) if first is not None else ""
        inside = "" if inside and next(records, None) is not None else inside
    if first is None:
        raise InputError(f"{name}: found no rows, expected at least one")
    if "q" in columns:  # under a name of the user's, a prediction is one of a table
        value = first.values.get(columns["q"])
        if not isinstance(value, str):
            return "classes" if isinstance(value, list | dict) else "pairs"
    stated = {"answer", "response"} & first.values.keys()
    if isinstance(first.values.get("q"), int | float):
        return "pairs"
    is_right_named = right_column(first.values) or columns.get("y") in first.values
    if ({"gold", "score"} <= first.values.keys() or not stated) and decided_columns(first.values) and is_right_named:
        return "pairs"
    for known, form in FORMATS.items():
        if form.recognises(first.values, columns):
            return known
    if (unlabelled := _format_without_labels(file, name)) is not None:
        raise InputError(unlabelled_message(first.place, unlabelled))
    objects = [key for key, value in first.values.items() if isinstance(value, dict)]
    if inside:
        raise InputError(f"{first.place}: found keys {shown(list(first.values))}, expected {inside}")
    nested = f"; make columns of the keys in {some(objects)} (pandas.json_normalize)" if objects else ""
    raise InputError(
        f"{first.place}: found keys {shown(list(first.values))}, expected those of a known format; "
        f"name the format: {', '.join(FORMATS)}{nested}{other_readers(name)}"
    )


def _format_of_rows(file: Path, name: str, columns: Mapping[str, str]) -> str | None:
    """Return the format of another tool's records that the first row of a table has, or None if it is none."""
    try:
        with closing(read_table_records(file, name, {})) as records:
            first = next(records, None)
    except InputError:  # named by the reader of tables
        return None
    several = next(csv.reader([columns.get("q", "")]), [])
    if first is None or {"q", *several, *columns.values()} & first.values.keys() - {columns.get("y")}:
        return None
    found = next((known for known, form in FORMATS.items() if form.recognises_row(first.values, columns)), None)
    # Lists of probabilities are a column of a table; objects are not.
    is_list = found == "classes" and isinstance(first.values[columns.get("q", FORMATS["classes"].keys["q"])], list)
    return None if is_list else found
