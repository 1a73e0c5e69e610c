"""The table of formats that predictions are read from, and how a file's format is recognised."""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.examples import pairs_from_examples
from nlpcalib.predictions.records import read_records, shown

_SNIFFED = 1 << 20


@dataclass(frozen=True, slots=True)
class Format:
    """One source of predictions other than a table."""

    about: str
    """What it is, for the list of formats."""
    reader: str
    """`module.function` of this package that makes examples of it."""
    signs: tuple[str, ...]
    """Keys of the first JSON object that make the format known, one set or another; `{}` means that it is an object."""
    keys: Mapping[str, str]
    """Where `q`, the predictions, and `y`, what is right, stand, unless the user names other keys."""

    def recognises(self, values: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
        """Return whether an object has the format's signs; `y` may stand where the user names it."""
        names = {self.keys["y"]: columns["y"]} if "y" in columns else {}

        def has(sign: str) -> bool:
            key = sign.removesuffix("{}")
            key = names.get(key, key)
            return key in values and (not sign.endswith("{}") or isinstance(values[key], dict))

        return any(all(map(has, signs.split())) for signs in self.signs)


FORMATS = {
    "lm-eval": Format(
        "samples_*.jsonl of the Language Model Evaluation Harness, multiple choice",
        "lm_eval.read_lm_eval",
        ("doc_id resps target",),
        {"q": "resps", "y": "target"},
    ),
    "hf-text": Format(
        "Hugging Face text or zero-shot classification, with gold labels",
        "text_classification.read_text_classification",
        ("scores gold",),
        {"q": "scores", "y": "gold"},
    ),
    "hf-tokens": Format(
        "Hugging Face token classification, with gold entities",
        "token_classification.read_token_classification",
        ("entities gold",),
        {"q": "entities", "y": "gold"},
    ),
    "spacy-cats": Format(
        "spaCy's Doc.to_json() with cats, and gold categories",
        "spacy_cats.read_spacy_cats",
        ("cats gold",),
        {"q": "cats", "y": "gold"},
    ),
    "logprobs": Format(
        "completions of an OpenAI-style server with logprobs, and gold answers",
        "logprobs.read_logprobs",
        ("choices gold", "response{} gold"),
        {"q": "response", "y": "gold"},
    ),
    "verbalised": Format(
        "answers with a stated confidence, and gold answers",
        "verbalised.read_verbalised",
        ("confidence gold", "response gold"),
        {"q": "confidence", "y": "gold"},
    ),
    "sampled": Format(
        "several sampled answers to each question, and gold answers",
        "sampled_answers.read_sampled_answers",
        ("answers gold",),
        {"q": "answers", "y": "gold"},
    ),
    "classes": Format(
        "JSON lines with the probabilities of all classes, and the right one",
        "json_tables.read_class_lines",
        ("probabilities gold",),
        {"q": "probabilities", "y": "gold"},
    ),
    "pairs": Format(
        "JSON lines with one probability and one label, 0 or 1, each",
        "json_tables.read_pair_lines",
        ("q y",),
        {"q": "q", "y": "y"},
    ),
    "conllu": Format(
        "CoNLL-U with Prob= and Gold= in MISC",
        "conllu.read_conllu_pairs",
        (),
        {"q": "Prob", "y": "Gold", "label": "UPOS"},
    ),
}
"""Formats by name, in the order in which they are tried."""
_TABLES = {".parquet": "parquet", ".csv": "csv", ".tsv": "tsv"}
_COLUMNS = ("q", "y", "unit", "document", "label")


def read_predictions(
    path: str | Path,
    *,
    file_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    view: str = "top",
) -> Pairs:
    """Read prediction-label pairs from anyone's file.

    Parameters
    ----------
    path : str or Path
        The file; `-` is standard input.
    file_format : str, optional
        `parquet`, `csv`, `tsv`, or a name in `FORMATS`; by default it is recognised.
    columns : mapping, optional
        Names of the columns or keys of `q` (the prediction), `y` (what is right), `unit`, `document` and `label`,
        where they are not the format's own.
    view : {"top", "classes"}
        Of examples with several answers, one of which is right: one pair for the most probable answer, or one for each.

    Raises
    ------
    InputError
        If the file is missing, of no known format, or malformed; the message names the file and the line.
    """
    found = read_pairs_or_classes(path, file_format=file_format, columns=columns, view=view)
    return found if isinstance(found, Pairs) else found.viewed(view)


def read_pairs_or_classes(
    path: str | Path,
    *,
    file_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    view: str = "top",
) -> Pairs | ClassPredictions:
    """Read what `read_predictions` does, and keep the classes of a table together; `view` is of other formats."""
    columns = dict(columns or {})
    for name in columns:
        if name not in _COLUMNS:
            raise InputError(f"found column {name!r}, expected some of {', '.join(_COLUMNS)}")
    known = [*_TABLES.values(), *FORMATS]
    if file_format is not None and file_format not in known:
        raise InputError(f"found format {file_format!r}, expected one of {', '.join(known)}")
    with _named(path) as (file, name):
        sha256 = checksum(file)
        found = _read(file, name, file_format or _recognise(file, name, columns), columns, view)
        return replace(found, sha256=sha256)


def _read(file: Path, name: str, file_format: str, columns: Mapping[str, str], view: str) -> Pairs | ClassPredictions:
    if file_format not in FORMATS:
        from nlpcalib.predictions.tables import read_table  # pyarrow takes a while to load

        return read_table(file, name, file_format, columns)
    form = FORMATS[file_format]
    module, function = form.reader.split(".")
    read = getattr(importlib.import_module(f"nlpcalib.predictions.{module}"), function)
    keys = {**form.keys, **columns}
    with file.open("rb") as stream:
        examples = read(stream, name, keys) if file_format == "conllu" else read(read_records(stream, name, keys))
        return pairs_from_examples(examples, view)


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
    suffix = Path(name).suffix.lower()
    if suffix in _TABLES:
        return _TABLES[suffix]
    with file.open("rb") as stream:
        start = stream.read(_SNIFFED)
        stream.seek(0)
        if start.startswith(b"PAR1"):
            return "parquet"
        text = start.decode(errors="replace").lstrip("\ufeff \r\n\t")
        if not text.startswith("{"):
            header = text.partition("\n")[0]
            if suffix == ".conllu" or text.startswith("# ") or (header.startswith("1\t") and header.count("\t") == 9):
                return "conllu"
            if text.startswith("[") or not ("," in header or "\t" in header):
                found = repr(header[:60]) if header else "no predictions"
                raise InputError(f"{name}: found {found}, expected a table, or JSON lines with one object a line")
            return "tsv" if "\t" in header else "csv"
        first = next(read_records(stream, name, {}))
    if "q" in columns:  # under a name of the user's, a prediction is one of a table
        value = first.values.get(columns["q"])
        if not isinstance(value, str):
            return "classes" if isinstance(value, list | dict) else "pairs"
    q, y = (first.values.get(columns.get(column, column)) for column in ("q", "y"))
    if isinstance(q, int | float) and y in (0, 1):  # whatever the user calls them
        return "pairs"
    for known, form in FORMATS.items():
        if form.recognises(first.values, columns):
            return known
    raise InputError(
        f"{first.place}: found keys {shown(list(first.values))}, expected those of a known format; "
        f"name the format: {', '.join(FORMATS)}"
    )
