"""Spoilt tables are refused or warned of by every command that reads them; sound ones of many shapes get no warning."""

import csv
import gzip
import io
import json
import re
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.cli.app import main
from nlpcalib.recalibration.saved_map import made, write_map

N = 600
LABELLED = ("calibrate", "compare", "page", "recalibrate", "plan labels")
UNLABELLED = ("page without y", "map", "plan items", "estimate")
"""They read tables that have no y."""
SEED = 1


def model(seed=1, n=N, digits=6, other=False, shift=-0.6, slope=1.0):
    """Return n rows of a perfect model, or of an `other` one of the same events, as texts by column."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(shift, 1.6, n)
    y = rng.random(n) < 1 / (1 + np.exp(-logit))
    logit = slope * logit + (rng.normal(0, 0.5, n) if other else 0)
    q = np.round(1 / (1 + np.exp(-logit)), digits)
    return [
        {"id": f"i{row:04}", "q": str(float(p)), "y": str(int(label)), "text": f"text {row}"}
        for row, (p, label) in enumerate(zip(q, y, strict=True))
    ]


def plain(rows, *names, separator=","):
    """Return a text of some columns, or all: those that the rows have, without quotation marks."""
    names = [name for name in names or rows[0] if name in rows[0]]
    return (
        "\n".join(separator.join(cells) for cells in [names, *([row[name] for name in names] for row in rows)]) + "\n"
    )


def quoted(rows, **options):
    stream = io.StringIO()
    writer = csv.DictWriter(stream, rows[0], lineterminator="\n", **options)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def changed(rows, column, change):
    """Return rows with another value in a column; `change` takes the number of the row and the value."""
    return [{**row, column: change(n, row.get(column, ""))} for n, row in enumerate(rows)]


def numbers(rows, change):
    return changed(rows, "q", lambda _, q: str(float(change(float(q)))))


def doubled(share, *columns):
    return lambda rows: plain(rows + rows[: int(len(rows) * share)], *columns)


def unit(name):
    return lambda rows: plain(changed(rows, name, lambda n, _: f"d{n // 20}"))


def missing(end, every):
    return lambda rows: plain(changed(rows, "q", lambda n, q: str(end) if n % every == 0 else q))


def marked(marks):
    return lambda rows: plain(changed(rows, "text", lambda n, text: marks.get(n, "{}").format(text)))


ALL = LABELLED + UNLABELLED
SPOILT = {
    **{f"doubled text {share}": (doubled(share, "q", "y", "text"), ALL) for share in (0.1, 0.2, 0.5, 1)},
    # Predictions alone repeat honestly in the models of trees, counts and steps.
    **{f"doubled pairs {share}": (doubled(share, "q", "y"), LABELLED) for share in (0.2, 0.5)},
    "doubled pairs 1": (doubled(1, "q", "y"), ALL),
    **{f"doubled ids {share}": (doubled(share, "id", "q", "y", "text"), ALL) for share in (0.01, 0.2, 0.5, 1)},
    **{f"{n} times": (lambda rows, n=n: plain(rows[:60] * n, "q", "y"), ALL) for n in (3, 20)},
    **{f"unit {name}": (unit(name), ALL) for name in ("document_id", "DocumentID", "unit_id", "Unit Id", "sentence")},
    **{f"missing {end}, 1 in {n}": (missing(end, n), ALL) for end in (0, 1) for n in (8, 10, 20)},
    "percentages": (lambda rows: plain(numbers(rows, lambda q: 100 * q)), ALL),
    "logits": (lambda rows: plain(numbers(rows, lambda q: np.log(q / (1 - q)))), ALL),
    # Without labels there is nothing to swap q with, and both classes look alike.
    "swapped": (lambda rows: plain([{**row, "q": row["y"], "y": row["q"]} for row in rows]), LABELLED),
    "of the other class": (lambda rows: plain(numbers(rows, lambda q: 1 - q)), LABELLED),
    "decisions": (
        lambda rows: plain(changed(rows, "q", lambda _, q: str(round(float(q))))),
        (*LABELLED, "page without y", "map"),
    ),
    "swallowed rows": (marked({100: '"{}', 240: '{}"'}), ALL),
    "an open quotation mark": (marked({300: '"{}'}), ALL),
    "no encoding": (lambda rows: plain(changed(rows, "text", lambda _, t: f"{t} \x81")).encode("latin-1"), ALL),
    "UTF-16": (lambda rows: plain(rows).encode("utf-16"), ALL),
    "not a number": (lambda rows: plain(changed(rows, "q", lambda n, q: "nan" if n == 7 else q)), ALL),
    "an empty prediction": (lambda rows: plain(changed(rows, "q", lambda n, q: "" if n == 7 else q)), ALL),
    "decimal commas between commas": (lambda rows: plain(changed(rows, "q", lambda _, q: q.replace(".", ","))), ALL),
    "a header again": (lambda rows: plain(rows[:300]) + plain(rows[300:]), ALL),
    "a row cut short": (lambda rows: plain(rows)[:-12], ALL),
    "blanks behind units": (lambda rows: plain(changed(rows, "unit", lambda n, _: f"d{n // 4}{' ' * (n % 2)}")), ALL),
    "blanks behind ids": (lambda rows: plain([*rows, *changed(rows[:60], "id", lambda _, name: f"{name} ")]), ALL),
    "labels 1 and 2": (lambda rows: plain(changed(rows, "y", lambda _, y: str(1 + int(y)))), LABELLED),
    "no positives": (lambda rows: plain(changed(rows, "y", lambda *_: "0")), LABELLED),
    "labels sorted alone": (
        lambda rows: plain(changed(rows, "y", lambda n, _: sorted(row["y"] for row in rows)[n])),
        LABELLED,
    ),
    "predictions sorted alone": (
        lambda rows: plain(changed(rows, "q", lambda n, _: sorted(row["q"] for row in rows)[n])),
        LABELLED,
    ),
    "a column twice": (lambda rows: re.sub(r",q2\b", ",q", plain(changed(rows, "q2", lambda *_: "0.5"))), ALL),
}
"""How a table is spoilt, and which commands it matters to."""


def parquet(rows):
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns |= {"q": [float(q) for q in columns["q"]]} | ({"y": list(map(int, columns["y"]))} if "y" in columns else {})
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), stream)
    return stream.getvalue()


def json_lines(rows):
    return "".join(json.dumps(row | {"q": float(row["q"])}) + "\n" for row in rows)


def added(name, value, **options):
    """Return a maker of tables with one more column."""
    return lambda make: plain(changed(make(**options), name, value))


def shaped(change):
    return lambda make: plain(numbers(make(), change))


def wide(cell):
    return lambda make: plain([row | {f"c{k}": cell(n, k) for k in range(40)} for n, row in enumerate(make())])


SOUND = {
    **{f"{d} digits, {n} rows": lambda make, d=d, n=n: plain(make(digits=d, n=n)) for d in (1, 2, 3) for n in (12, N)},
    **{f"{n} rows": lambda make, n=n: plain(make(n=n)) for n in (20, 30, 60, 3000)},
    "17 digits": lambda make: plain(make(digits=17)),
    **{f"pairs, {d} digits": lambda make, d=d: plain(make(digits=d), "q", "y") for d in (1, 2, 6)},
    **{f"no id, {d} digits": lambda make, d=d: plain(make(digits=d), "q", "y", "text") for d in (1, 6)},
    "no text": lambda make: plain(make(), "id", "q", "y"),
    "no positives": added("y", lambda *_: "0", shift=-9),
    "no negatives": added("y", lambda *_: "1", shift=9),
    "one in fifty": lambda make: plain(make(shift=-5)),
    "fifty in one": lambda make: plain(make(shift=5)),
    "overconfident": lambda make: plain(make(slope=2.5)),
    "underconfident": lambda make: plain(make(slope=0.4)),
    "extreme": lambda make: plain(make(shift=-9, slope=2, digits=17)),
    "one prediction": shaped(lambda q: 0.5),
    "no skill": shaped(lambda q: 0.2 + (1e4 * q) % 0.6),
    "three predictions": shaped(lambda q: (0.1, 0.4, 0.8)[int(3 * min(q, 0.99))]),
    "a forest of 100 trees": shaped(lambda q: round(q, 2)),
    "steps of a fitted curve": shaped(lambda q: np.floor(17 * q) / 17 + 0.0123456),
    "spoken in steps of five": shaped(lambda q: round(20 * q) / 20),
    "float32": shaped(np.float32),
    "exponents": lambda make: plain(changed(make(), "q", lambda _, q: f"{float(q):e}")),
    "both classes": lambda make: plain([row | {"p_no": str(1 - float(row["q"]))} for row in make()]),
    "sorted by q": lambda make: plain(sorted(make(), key=lambda row: float(row["q"]))),
    "sorted by y": lambda make: plain(sorted(make(), key=lambda row: row.get("y", row["q"]))),
    "sorted by text": lambda make: plain(sorted(make(), key=lambda row: row["text"])),
    "semicolons": lambda make: plain(make(), separator=";"),
    "decimal commas": lambda make: plain(make(), separator=";").replace(".", ","),
    "tabs": lambda make: plain(make(), separator="\t"),
    "CRLF": lambda make: plain(make()).replace("\n", "\r\n"),
    "byte order mark": lambda make: "\ufeff" + plain(make()),
    "no last line end": lambda make: plain(make()).rstrip("\n"),
    "a blank line": lambda make: plain(make()).replace("\n", "\n\n", 3),
    "gzip": lambda make: gzip.compress(plain(make()).encode()),
    "Parquet": lambda make: parquet(make()),
    "JSON lines": lambda make: json_lines(make()),
    "quotation marks around all": lambda make: quoted(make(), quoting=csv.QUOTE_ALL),
    "marks, commas and lines in texts": lambda make: quoted(
        changed(make(), "text", lambda n, text: (f'"{text}"', f"{text}, he said", f"{text}\nand more")[n % 3])
    ),
    "texts in five scripts": added("text", lambda n, t: ("día", "день", "日", "يوم", "ημέρα")[n % 5] + t),
    "months": added("month", lambda n, _: f"{1 + n % 12:02}"),
    "dates": added("date", lambda n, _: f"2015-{1 + n % 12:02}-{1 + n % 28:02}"),
    "countries": added("country", lambda n, _: "ABCDE"[n * n % 5]),
    "twenty-digit ids": added("id", lambda n, _: f"{12345678901234567890 + n}"),
    "ids with zeros": added("id", lambda n, _: f"{n:07}"),
    "ids like 1.10": added("id", lambda n, _: f"1.{n}" if n % 10 else f"1.{n}0"),
    "units": added("unit", lambda n, _: f"d{n // 4}"),
    "documents of sentences, both named": lambda make: plain(
        [row | {"unit": f"s{n // 2}", "document": f"d{n // 20}"} for n, row in enumerate(make())]
    ),
    "an id of texts": added("text_id", lambda n, _: f"t{n}"),
    "one source": added("source", lambda *_: "corpus.xml", digits=3),
    "wide, numbers": wide(lambda n, k: str((n * (k + 3)) % 101)),
    "wide, texts": wide(lambda n, k: "abcd"[(n * k) % 4]),
}
"""Tables of as many shapes, from a maker of rows that takes the arguments of `model`."""


class Desk:
    """A folder where commands run on a table, and on that of another model where they compare two."""

    def __init__(self, folder, capfd):
        """Write a map, which is the same for all."""
        self.folder, self.capfd = folder, capfd
        folder.mkdir()
        write_map(folder / "map.json", made("linear", intercept=0, slope=0.7, floor=0.01), "logistic")

    def write(self, name, content):
        (self.folder / name[1:]).write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *words):
        """Return the status of a command, and what it prints; words with a slash are paths in the folder."""
        self.capfd.readouterr()
        status = main([f"{self.folder}{word}" if word[0] == "/" else word for word in words])
        return status, *self.capfd.readouterr()

    def outcome(self, command, table, other, labels):
        """Return the status of a command on a table, what it prints and writes, and its errors.

        `labels` are those of the items by id and number. A table that is refused is estimated by the plan of another.
        """
        ends = ".parquet" if table[:4] == b"PAR1" else ".jsonl" if table[:1] == "{" else ".csv"
        one, another = f"/a{ends}", f"/b{ends}"
        for path, content in ((one, table), (another, other)):
            self.write(path, content)
        plan = ["plan", "items", one, "--budget", str(min(20, len(labels) // 8)), "--out", "/plan"]
        words = {
            "calibrate": ["calibrate", one],
            "compare": ["compare", one, another],
            "page": ["calibrate", one, "--html", "/out/page.html"],
            "page without y": ["calibrate", one, "--html", "/out/page.html"],
            "recalibrate": ["recalibrate", one],
            "plan labels": ["plan", "labels", one, "--detect", ".02"],
            "map": ["recalibrate", one, "--map", "/map.json", "--out", "/out"],
            "plan items": plan,
            "estimate": ["estimate", one, "/labels.csv", "--plan", "/plan/plan.json"],
        }
        (self.folder / "out").mkdir()
        if command == "estimate":
            self.label([*plan, "--design", "random"], labels)
        status, answer, errors = self.run(*words[command])
        if not status:
            for path in ("out/page.html", "out/recalibrated.csv", "plan/sheet-1.csv"):
                answer += (self.folder / path).read_text(encoding="utf-8") if (self.folder / path).exists() else ""
        for folder in ("out", "plan"):
            shutil.rmtree(self.folder / folder, ignore_errors=True)
        return status, answer, errors

    def label(self, plan, labels):
        """Write labels of the items that a plan chooses."""
        if self.run(*plan)[0]:
            self.write("/sound.csv", plain(model(), "id", "q", "text"))
            self.run(*plan[:2], "/sound.csv", *plan[3:])
        with (self.folder / "plan/sheet-1.csv").open(encoding="utf-8-sig", newline="") as file:
            items = [row["item"].removeprefix("item ") for row in csv.DictReader(file)]
        answers = [f"{item},{labels.get(item, '0')}" for item in items]
        self.write("/labels.csv", "\n".join(["item,label", *answers]) + "\n")


@pytest.fixture
def desk(tmp_path, capfd):
    return Desk(tmp_path / "desk", capfd)


def labels_of(rows):
    """Return the label of each row by its id and by its number."""
    return {row["id"]: row["y"] for row in rows} | {str(number): row["y"] for number, row in enumerate(rows, 1)}


def unlabelled(rows):
    return [{name: cell for name, cell in row.items() if name != "y"} for row in rows]


def tables(spoil, command, seed):
    """Return the table of a model and of another one as a command takes them."""
    both = [model(seed), model(seed, other=True)]
    return [spoil(rows if command in LABELLED else unlabelled(rows)) for rows in both]


def is_noticed(desk, kind, command, seed):
    """Return whether a table is refused or warned of in one line, or makes no difference."""
    spoil, _ = SPOILT[kind]
    labels = labels_of(model(seed))
    status, answer, errors = desk.outcome(command, *tables(spoil, command, seed), labels)
    if status:
        return status == 2 and not answer and errors.count("\n") == 1
    if "warning" in errors:
        return errors.count("\n") <= 5
    return answer == desk.outcome(command, *tables(plain, command, seed), labels)[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPOILT)
def test_every_command_refuses_a_spoilt_table_or_warns_of_it_or_gives_the_answer_of_the_unspoilt(kind, desk):
    missed = [name for name in SPOILT[kind][1] if not is_noticed(desk, kind, name, SEED)]
    assert missed == []


@pytest.mark.parametrize("kind", SPOILT)
def test_calibrate_notices_a_spoilt_table(kind, desk):
    assert is_noticed(desk, kind, "calibrate", 2)


def test_each_command_is_given_thirty_spoilt_tables():
    for command in ALL:
        assert sum(command in commands for _, commands in SPOILT.values()) >= 30


def test_there_are_fifty_sound_tables():
    assert len(SOUND) >= 50


def warned(desk, shape, command, seed=11):
    """Return the errors of a command on a sound table that are more than what it took the table to be."""
    made_rows = []

    def make(other=False, **options):
        made_rows[:] = model(seed, other=other, **options)
        return made_rows if command in LABELLED else unlabelled(made_rows)

    table = SOUND[shape](make)
    labels = labels_of(made_rows)
    other = SOUND[shape](lambda **options: make(other=True, **options))
    status, _, errors = desk.outcome(command, table, other, labels)
    return errors if status or "warning" in errors else ""


@pytest.mark.slow
@pytest.mark.parametrize("shape", SOUND)
def test_no_command_warns_of_a_sound_table(shape, desk):
    found = {command: errors for command in ALL if (errors := warned(desk, shape, command))}
    if shape == "one prediction":
        assert "have the same predictions" in found.pop("compare")
    assert found == {}


@pytest.mark.parametrize("shape", SOUND)
def test_map_does_not_warn_of_a_sound_table(shape, desk):
    assert warned(desk, shape, "map") == ""
