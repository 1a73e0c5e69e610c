"""Predictions in anyone's file, and how the format of a file is recognised."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from nlpcalib.blocks import BLOCK_BYTES
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, other_readers, some
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example, pairs_from_examples
from nlpcalib.predictions.formats.known_formats import FORMATS, refuse_pipeline_alone, unlabelled_message
from nlpcalib.predictions.formats.records import Record, read_records, read_table_records
from nlpcalib.tables.conllu_columns import CONLLU_COLUMNS
from nlpcalib.tables.delimited import SEPARATORS, check_text, file_kind, kind_of
from nlpcalib.tables.names import split_names
from nlpcalib.tables.roles import decided_columns, right_column
from nlpcalib.tables.sources import lines_of, unpacked

ARRAYS = "npz"
"""NumPy's archive of arrays by their names in `nlpcalib.read`: q, and perhaps y, predicted, unit, id, text, classes."""
TABLES = ("parquet", "csv", "tsv", "pairs")
"""Formats of tables; pairs are JSON lines."""
MAX_RECORDS_TRIED = 20
"""Records by which a format without labels is recognised: the first texts may have no entities."""


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
    if file_format != "conllu" and file_kind(file, name) != "json":
        return pairs_from_examples(form.read_examples(given(read_table_records(file, name, keys))), view)
    with unpacked(file, name) as stream:
        if file_format == "conllu":
            from nlpcalib.predictions.formats.conllu_probabilities import read_conllu_probabilities

            examples: Iterable[Example] = read_conllu_probabilities(stream, name, keys)
        else:
            examples = form.read_examples(given(read_records(stream, lines_of(file, name), keys)))
        return pairs_from_examples(examples, view)


def read_format(
    path: Path,
    file_format: str,
    columns: Mapping[str, str],
    view: str,
    given: Callable[[Iterable[Record]], Iterable[Record]],
    *,
    labelled: bool,
) -> Pairs:
    """Return the pairs of records of a format, of which `given` chooses; without labels `y` is False throughout."""
    keys = {**FORMATS[file_format].keys, **columns}
    if not labelled:
        del keys["y"]
    return _read_examples(path, str(path), file_format, keys, view, given)


def has_labels(path: Path, file_format: str, columns: Mapping[str, str]) -> bool:
    """Return whether the first record of a file has what is right, or in CoNLL-U some word."""
    name, key = str(path), columns.get("y", FORMATS[file_format].keys["y"])
    if file_format == "conllu":
        with unpacked(path, name) as stream:
            return key in CONLLU_COLUMNS or any(f"{key}=".encode() in line for line in stream)
    if file_kind(path, name) != "json":
        with closing(read_table_records(path, name, {})) as rows:
            first = next(rows, None)
    else:
        with unpacked(path, name) as stream:
            first = next(read_records(stream, lines_of(path, name), {}), None)
    return first is not None and key in first.values


def unlabelled_error(path: Path, file_format: str) -> str:
    """Return what to add to records that do not say what is right, in words."""
    return unlabelled_message(str(path), file_format)


def are_scores_of_tokens(start: bytes) -> bool:
    """Return whether a file begins with a line of tags, above lines with logits, which `nlpcalib.find_spans` reads."""
    first, _, rest = start.lstrip().partition(b"\n")
    return re.match(rb'\{\s*"(?:labels|id2label)"\s*:', first) is not None and b'"logits"' in rest


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
        refuse_pipeline_alone(stream.read(BLOCK_BYTES), name)
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


def _recognise(file: Path, name: str, columns: Mapping[str, str]) -> str:
    with unpacked(file, name) as stream:
        start = stream.read(BLOCK_BYTES)
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
    several = split_names(columns.get("q", ""))
    if first is None or {"q", *several, *columns.values()} & first.values.keys() - {columns.get("y")}:
        return None
    found = next((known for known, form in FORMATS.items() if form.recognises_row(first.values, columns)), None)
    # Lists of probabilities are a column of a table; objects are not.
    is_list = found == "classes" and isinstance(first.values[columns.get("q", FORMATS["classes"].keys["q"])], list)
    return None if is_list else found
