"""Spoilt tables are refused or warned of, and sound ones of many shapes get no warning."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.predictions import read_predictions
from nlpcalib.tables.guards import copies
from nlpcalib.tables.table import Table

N = 600
HEADER = ["id", "q", "y", "text"]


def model(seed, digits=6):
    """Return N rows of a perfect model."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(-0.6, 1.6, N)
    q = 1 / (1 + np.exp(-logit))
    y = rng.random(N) < q
    return [
        [f"i{row:04}", str(float(np.round(p, digits))), str(int(label)), f"text {row}"]
        for row, (p, label) in enumerate(zip(q, y, strict=True))
    ]


def csv(rows, header=HEADER):
    return "\n".join(",".join(row) for row in [header, *rows]) + "\n"


def some(rows, *columns):
    return [[row[column] for column in columns] for row in rows]


def changed(rows, column, change):
    """Return rows with another value in a column; `change` takes the number of the row and the value."""
    return [[*row[:column], change(n, row[column]), *row[column + 1 :]] for n, row in enumerate(rows)]


def doubled(share, *columns):
    names = [HEADER[column] for column in columns]
    return lambda rows: csv(some(rows + rows[: int(len(rows) * share)], *columns), names)


def unit(name):
    return lambda rows: csv([[*row, f"d{n // 20}"] for n, row in enumerate(rows)], [*HEADER, name])


def missing(end, every):
    return lambda rows: csv(changed(rows, 1, lambda n, q: str(end) if n % every == 0 else q))


SPOILT = {
    **{f"doubled text {share}": doubled(share, 1, 2, 3) for share in (0.1, 0.2, 0.5, 1)},
    **{f"doubled pairs {share}": doubled(share, 1, 2) for share in (0.2, 0.5, 1)},
    **{f"doubled ids {share}": doubled(share, 0, 1, 2, 3) for share in (0.01, 0.2, 0.5, 1)},
    **{f"{times} times": lambda rows, times=times: csv(some(rows[:60] * times, 1, 2), ["q", "y"]) for times in (3, 20)},
    **{f"unit {name}": unit(name) for name in ("document_id", "Unit", "doc_id", "DocID", "speaker", "user_id")},
    **{f"missing {end}, 1 in {every}": missing(end, every) for end in (0, 1) for every in (8, 10, 20)},
    "percentages": lambda rows: csv(changed(rows, 1, lambda _, q: str(100 * float(q)))),
    "logits": lambda rows: csv(changed(rows, 1, lambda _, q: str(np.log(float(q) / (1 - float(q)))))),
    "swapped": lambda rows: csv(some(rows, 0, 2, 1, 3)),
    "of the other class": lambda rows: csv(changed(rows, 1, lambda _, q: str(1 - float(q)))),
    "decisions": lambda rows: csv(changed(rows, 1, lambda _, q: str(round(float(q))))),
    "swallowed rows": lambda rows: csv(changed(rows, 3, lambda n, t: {100: f'"{t}', 240: f'{t}"'}.get(n, t))),
    "an open quotation mark": lambda rows: csv(changed(rows, 3, lambda n, t: f'"{t}' if n == 300 else t)),
    "Latin-1": lambda rows: csv(changed(rows, 3, lambda _, t: f"{t} é")).encode("latin-1"),
    "UTF-16": lambda rows: csv(rows).encode("utf-16"),
    "not a number": lambda rows: csv(changed(rows, 1, lambda n, q: "nan" if n == 7 else q)),
    "an empty prediction": lambda rows: csv(changed(rows, 1, lambda n, q: "" if n == 7 else q)),
    "decimal commas between commas": lambda rows: csv(changed(rows, 1, lambda _, q: q.replace(".", ","))),
    "a column twice": lambda rows: csv([[*row, row[1]] for row in rows], [*HEADER, "q"]),
}


def problems(path):
    """Return the warnings of a table, or the error that refuses it."""
    try:
        return read_predictions(path).table["warnings"]
    except InputError as error:
        return [str(error)]


@pytest.mark.parametrize("kind", SPOILT)
@pytest.mark.parametrize("seed", [1, 3, 4])
def test_a_spoilt_table_is_refused_or_warned_of(kind, seed, tmp_path):
    content = SPOILT[kind](model(seed))
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert problems(path)


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 6, 17])
@pytest.mark.parametrize("seed", range(9))
def test_a_sound_table_gets_no_warning(digits, seed, tmp_path):
    rng = np.random.default_rng(seed)
    rows = model(seed + 100, digits)[: int(rng.choice([12, 60, N]))]
    columns = [(1, 2), (0, 1, 2), (0, 1, 2, 3), (1, 2, 3)][seed % 4]
    if seed == 8:
        rows = changed(rows, 2, lambda *_: "0")
    path = tmp_path / "t.csv"
    path.write_text(csv(some(rows, *columns), [HEADER[column] for column in columns]).replace(",", ",;\t"[seed % 3]))
    assert problems(path) == []


@pytest.mark.parametrize("first", ["0", "text"])
def test_texts_after_a_zero_are_no_numbers_that_follow_from_predictions(first, tmp_path):
    rows = [[q, text if n else first] for n, (q, text) in enumerate(some(model(1), 1, 3))]
    path = tmp_path / "t.csv"
    path.write_text(csv(rows + rows[: N // 5], ["q", "text"]))
    q = np.array([float(q) for q, _ in rows + rows[: N // 5]])
    assert copies(Table(path), q, ["text"]) is not None
