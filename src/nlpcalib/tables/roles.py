"""What columns are called, by their role: `roles/names.tsv`, which readers and messages share.

The first name of a role is preferred. Capitals make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from nlpcalib.io.own_tables import own_rows


@cache
def _named(role: str) -> tuple[str, ...]:
    return tuple(name for each, name in own_rows(__file__, "names") if each == role)


RIGHT = _named("right")
"""Names of the column with the right class."""
PREDICTED = _named("predicted")
"""Names of the column with the predicted class; `label` is one next to `score`, as Hugging Face has it."""
CONFIDENCE = _named("confidence")
"""Names of the column with the confidence in the predicted class."""
PREFIXES = _named("prefix")
"""What stands before the name of a class in the names of columns; after a letter, the class is a number: `p0`, `p1`."""
LOGITS = _named("logit")
"""Names of columns that are no probabilities yet."""
TEXTS = _named("text")
"""Names of columns of texts, those of longer texts first."""


def _is_made_of(role: str, name: str) -> bool:
    """Return whether a name is a stem of a role, perhaps with one of its endings."""
    stems, endings = ("|".join(map(re.escape, _named(each))) for each in (role, f"{role}_ending"))
    return re.fullmatch(f"({stems})(_?({endings}))?", _plain(name)) is not None


def is_called_like_index(name: str) -> bool:
    """Return whether a column is the index that pandas saves with a frame: numbers of rows, and nothing predicted."""
    return re.fullmatch(r"__index_level_\d+__|Unnamed: \d+|level_\d+", name) is not None


def is_called_like_unit(name: str) -> bool:
    """Return whether a column has the name of a unit: `doc_id`, `DocID`, `Speaker`."""
    return _is_made_of("unit", name)


def is_called_like_class(name: str) -> bool:
    """Return whether a column has the name of what is predicted: `gold`, `PredictedClass`, `true_label`."""
    return _is_made_of("class", name)


def first_called(wanted: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the first of the `wanted` names as it is written among `names`; None where there is none."""
    known = {name.casefold(): name for name in names}
    return next((known[each] for each in wanted if each in known), None)


def right_column(names: Iterable[str]) -> str | None:
    """Return the name of the right class among `names`; None where there is none."""
    return first_called(RIGHT, names)


def predicted_column(names: Iterable[str]) -> str | None:
    """Return the name of the predicted class among `names`; None where there is none."""
    return first_called(PREDICTED, names)


def text_column(names: Iterable[str]) -> str | None:
    """Return the name of the texts among `names`; None where there is none."""
    return first_called(TEXTS, names)


def decided_columns(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the names of the confidence and of the predicted class among `names`; None where one of them lacks."""
    names = list(names)
    confidence, predicted = first_called(CONFIDENCE, names), predicted_column(names)
    if confidence and confidence.casefold() == "score":
        predicted = predicted or first_called(("label",), names)
    return (confidence, predicted) if confidence and predicted else None


def class_after(prefix: str, name: str) -> str:
    """Return the class that a column's name has after a prefix; empty if it has none."""
    if not name.casefold().startswith(prefix) or name.casefold() in PREDICTED:
        return ""
    found = name[len(prefix) :]
    return found if found.isdecimal() or not prefix[-1:].isalpha() else ""


def prefix_of_names(names: Iterable[str]) -> str:
    """Return what stands before the names of classes in all of some names of columns, or nothing."""
    named = list(names)
    return next((each for each in PREFIXES if all(class_after(each, name) for name in named)), "")


def prefix_of_several(names: Iterable[str]) -> str:
    """Return what stands before the names of two or more classes among the names of columns, or nothing."""
    named = list(names)
    return next((each for each in PREFIXES if sum(bool(class_after(each, name)) for name in named) > 1), "")


def _plain(name: str) -> str:
    return re.sub(r"[\s.-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).lower()
