"""How much spoilt input is believed by each command that reads files: kinds of faults as programs and people make them.

Run `python tools/spoilt_files.py [part of a name]`. An outcome is refused, warned of, the answer of the sound file
("right"), or another answer in silence ("believed"). The program prints each outcome and the counts of each command.
"""

# mypy: disable-error-code="misc"
# Lambdas in comprehensions have defaults, whose types mypy does not infer.

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, log_softmax

import nlpcalib as nc
from nlpcalib.errors import InputError

N = 800
MISSING = ("", "NA", "N/A", "#N/A", "n/a", "nan", "NaN", "NAN", "null", "NULL", "None", "none", "-", "--", "?", ".",
           "missing", "<NA>", "NaT", "-999")  # fmt: skip
"""Twenty ways to spell that a number is missing."""
Row = dict[str, str]
Rows = list[Row]


def rows(seed: int = 7, n: int = N) -> Rows:
    """Return the rows of a model whose error is near .09."""
    random = np.random.default_rng(seed)
    logit = random.normal(-0.6, 1.6, n)
    y = random.random(n) < expit(0.8 * logit + 0.2)
    return [
        {"id": f"{100 + row:05}", "q": f"{q:.6f}", "y": str(int(label)), "text": f"text number {row} of the corpus"}
        for row, (q, label) in enumerate(zip(expit(logit), y, strict=True))
    ]


def table(found: Sequence[Mapping[str, str]], separator: str = ",") -> str:
    """Return a table as text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(found[0]), delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return text.getvalue()


def changed(found: Rows, column: str, change: Callable[[int, str], str]) -> Rows:
    """Return rows with other cells in a column, by row and cell."""
    return [{**row, column: change(number, row[column])} for number, row in enumerate(found)]


def moved(found: Rows, column: str, by: int = 1) -> Rows:
    """Return rows whose cells of a column stand lower."""
    return changed(found, column, lambda number, _: found[(number - by) % len(found)][column])


def number(change: Callable[[float], float]) -> Callable[[int, str], str]:
    """Return a change of cells that are numbers."""
    return lambda _, cell: f"{change(float(cell)):.6g}"


def put(name: str, content: str | bytes) -> str:
    """Write a file into the current folder."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


CASES: dict[str, tuple[Callable[[], object], Callable[[], object], str]] = {}
"""What a command makes of a spoilt file and of a sound one, by command and kind; and a name of the sound question."""


def case(name: str, spoilt: Callable[[], object], sound: Callable[[], object], options: object = "") -> None:
    """Add a case."""
    CASES[name] = spoilt, sound, f"{name.partition(':')[0]} {options}"


# calibrate and recalibrate: one table.
SOUND = rows()
RANDOM = np.random.default_rng(11)
FLIPPED = set(RANDOM.permutation(N)[:80].tolist())
BLANK = set(RANDOM.permutation(N)[:200].tolist())


def model(found: Rows, column: str, share: float) -> Rows:
    """Return rows of which a share was seen in training: their labels are what the model decides, and it is sure."""
    seen = set(np.random.default_rng(3).permutation(len(found))[: int(share * len(found))].tolist())
    return [
        {**row, "q": f"{0.97 if row['y'] == '1' else 0.03:.2f}{number % 10}"} if number in seen else row
        for number, row in enumerate(found)
    ]


TABLES: dict[str, str | bytes] = {
    "q one row too low": table(moved(SOUND, "q")),
    "labels one row too low, the last cut": table(moved(SOUND, "y")[:-1]),
    "decimal commas, quoted": table(changed(SOUND, "q", lambda _, cell: cell.replace(".", ","))),
    "decimal commas, semicolons": table(changed(SOUND, "q", lambda _, cell: cell.replace(".", ",")), ";"),
    "percent": table(changed(SOUND, "q", number(lambda q: 100 * q))),
    "percent signs": table(changed(SOUND, "q", lambda _, cell: f"{100 * float(cell):.2f} %")),
    "per mille, with thousands separators": table(
        changed(SOUND, "q", lambda _, cell: f"{1_000_000 * float(cell):,.0f}")),
    "logits": table(changed(SOUND, "q", number(lambda q: float(np.log(q / (1 - q)))))),
    "logarithms": table(changed(SOUND, "q", number(lambda q: float(np.log(q))))),
    "logarithms to base 10": table(changed(SOUND, "q", number(lambda q: float(np.log10(q))))),
    "minus logarithms": table(changed(SOUND, "q", number(lambda q: float(-np.log(q))))),
    "odds": table(changed(SOUND, "q", number(lambda q: q / (1 - q)))),
    "clipped to [.05, .95]": table(changed(SOUND, "q", number(lambda q: min(max(q, 0.05), 0.95)))),
    "clipped to [.2, .8]": table(changed(SOUND, "q", number(lambda q: min(max(q, 0.2), 0.8)))),
    "rounded to one digit": table(changed(SOUND, "q", number(lambda q: round(q, 1)))),
    "header again in the middle": table(SOUND[:400]) + table(SOUND[400:]),
    "last line cut": table(SOUND)[:-20],
    "last line cut within q": table(SOUND).rsplit("\n", 2)[0] + "\n00899,0.1",
    "half in another encoding": table(changed(SOUND, "text", lambda _, cell: f"café {cell}"))[:30_000].encode()
    + table(changed(SOUND, "text", lambda _, cell: f"café {cell}"))[30_000:].encode("cp1252"),
    "labels sorted by q": table(changed(SOUND, "y", lambda row, _: sorted(each["y"] for each in SOUND)[row])),
    "labels as predictions": table(changed(SOUND, "q", lambda row, _: SOUND[row]["y"])),
    "labels as predictions, .99 and .01": table(
        changed(SOUND, "q", lambda row, _: "0.99" if SOUND[row]["y"] == "1" else "0.01")),
    "labels leaked into predictions": table(
        changed(SOUND, "q", lambda row, cell: f"{0.5 * float(cell) + 0.5 * int(SOUND[row]['y']):.6f}")),
    "one class alone": table(changed(SOUND, "y", lambda _, cell: "1")),
    "appended twice": table(SOUND * 2),
    "appended twice under new ids": table(changed(SOUND * 2, "id", lambda row, _: str(row))),
    "half appended again under new ids": table(changed(SOUND + SOUND[:400], "id", lambda row, _: str(row))),
    "half from training": table(model(SOUND, "q", 0.5)),
    "one in ten of the other class, spread": table(
        changed(SOUND, "y", lambda row, cell: str(1 - int(cell)) if row % 10 == 3 else cell)),
    "one in seven of the other class, spread": table(
        changed(SOUND, "y", lambda row, cell: str(1 - int(cell)) if row % 7 == 3 else cell)),
    "one in ten of the other class, at random": table(
        changed(SOUND, "y", lambda row, cell: str(1 - int(cell)) if row in FLIPPED else cell)),
    "missing labels filled with 0, at random": table(
        changed(SOUND, "y", lambda row, cell: "0" if row in BLANK else cell)),
    "rows where the model errs": table([row for row in SOUND if (float(row["q"]) > 0.5) != (row["y"] == "1")]
                                       + SOUND[::4]),
    "decisions in every second row": table(
        changed(SOUND, "y", lambda row, cell: str(int(float(SOUND[row]["q"]) > 0.5)) if row % 2 else cell)),
    "decisions in every third row": table(
        changed(SOUND, "y", lambda row, cell: str(int(float(SOUND[row]["q"]) > 0.5)) if row % 3 == 1 else cell)),
    "labels in mixed words": table(
        changed(SOUND, "y", lambda row, cell: ("no", "No ", "N", "FALSE")[row % 4] if cell == "0" else
                ("yes", "Yes ", "Y", "TRUE")[row % 4])),
    "labels −1 and 1": table(changed(SOUND, "y", lambda _, cell: "1" if cell == "1" else "-1")),
    "labels 1 and 2": table(changed(SOUND, "y", lambda _, cell: str(1 + int(cell)))),
    "labels 2 for unknown": table(changed(SOUND, "y", lambda row, cell: "2" if row % 9 == 4 else cell)),
    "labels as floats": table(changed(SOUND, "y", lambda _, cell: f"{cell}.0")),
    "bounds among predictions": table(changed(SOUND, "q", lambda _, cell: "<0.1" if float(cell) < 0.1 else cell)),
    "minus signs of typography": table(
        changed(SOUND, "q", lambda row, cell: f"1e−{1 + row % 3}" if row % 50 == 1 else cell)),
    "other class": table(changed(SOUND, "q", number(lambda q: 1 - q))),
    "columns exchanged": table([{**row, "q": row["y"], "y": row["q"]} for row in SOUND]),
    "top class": table(changed(SOUND, "q", number(lambda q: max(q, 1 - q)))),
    "scaled to the largest": table(changed(SOUND, "q", number(lambda q: q / 0.995))),
    "out of ten": table(changed(SOUND, "q", number(lambda q: round(10 * q)))),
    "rank in place of probability": table(
        changed(SOUND, "q", lambda row, cell: f"{sum(each['q'] < cell for each in SOUND) / N:.6f}")),
    "a note below": table(SOUND) + "\nsource: our model,,,\n",
    "a total below": table(SOUND) + f"total,{np.mean([float(row['q']) for row in SOUND]):.6f},0,\n",
}  # fmt: skip
for spelling in MISSING:
    TABLES[f"missing predictions as {spelling!r}"] = table(
        changed(SOUND, "q", lambda row, cell, said=spelling: said if row % 8 == 5 else cell)
    )
    TABLES[f"missing labels as {spelling!r}"] = table(
        changed(SOUND, "y", lambda row, cell, said=spelling: said if row % 8 == 5 else cell)
    )


def of_table(ask: Callable[[str], object], content: str | bytes) -> Callable[[], object]:
    """Return what asks a question of a table."""
    return lambda: ask(put("t.csv", content))


def recalibrated(path: str) -> object:
    """Return the summary of a recalibration with a quick method."""
    return nc.recalibrate(path, method="beta")


for kind, content in TABLES.items():
    case(f"calibrate: {kind}", of_table(nc.calibrate, content), of_table(nc.calibrate, table(SOUND)))
for kind in list(TABLES)[:50:5]:
    case(f"recalibrate: {kind}", of_table(recalibrated, TABLES[kind]), of_table(recalibrated, table(SOUND)))

# compare: two tables that are joined by id.
OTHER = changed(SOUND, "q", number(lambda q: expit(1.4 * np.log(q / (1 - q)))))


def compared(other: Rows, first: Rows = SOUND) -> Callable[[], object]:
    """Return a comparison of two tables."""
    return lambda: nc.compare(put("a.csv", table(first)), put("b.csv", table(other)))


for kind, other in {
    "ids as floats": changed(OTHER, "id", lambda _, cell: f"{int(cell)}.0"),
    "leading zeros lost": changed(OTHER, "id", lambda _, cell: str(int(cell))),
    "another order, with ids": OTHER[::-1],
    "another order, new ids": changed(OTHER[::-1], "id", lambda row, _: SOUND[row]["id"]),
    "predictions one row too low": moved(OTHER, "q"),
    "labels one row too low": moved(OTHER, "y"),
    "last tenth missing": OTHER[:720],
    "the same file": SOUND,
    "appended twice": OTHER * 2,
    "labels of the other class": changed(OTHER, "y", lambda _, cell: str(1 - int(cell))),
    "another test set, same ids": changed(rows(8), "id", lambda row, _: SOUND[row]["id"]),
}.items():
    case(f"compare: {kind}", compared(other), compared(OTHER))

# estimate: items and labels that are joined by id.
ITEMS = [
    {"id": row["id"], "q": row["q"], "text": row["text"], "date": f"2015-{1 + number % 12:02}-{1 + number % 28:02}"}
    for number, row in enumerate(SOUND)
]
READ = sorted(np.random.default_rng(5).permutation(N)[:200].tolist())
LABELS = [{"item": SOUND[row]["id"], "label": ("no", "yes")[int(SOUND[row]["y"])]} for row in READ]


def estimated(items: Rows, labels: Rows, **options: Any) -> Callable[[], object]:
    """Return an estimate."""
    return lambda: nc.estimate(put("i.csv", table(items)), put("l.csv", table(labels)), **options)


for kind, (items, labels, options) in {
    "ids of labels as floats": (ITEMS, changed(LABELS, "item", lambda _, cell: f"{int(cell)}.0"), {}),
    "leading zeros of labels lost": (ITEMS, changed(LABELS, "item", lambda _, cell: str(int(cell))), {}),
    "leading zeros of items lost": (changed(ITEMS, "id", lambda _, cell: str(int(cell))), LABELS, {}),
    "labels one row too low": (ITEMS, moved(LABELS, "label"), {}),
    "labels sorted": (
        ITEMS, changed(LABELS, "label", lambda row, _: sorted(each["label"] for each in LABELS)[row]), {}),
    "labels appended twice": (ITEMS, LABELS * 2, {}),
    "labels are the model's": (
        ITEMS, changed(LABELS, "label", lambda row, _: ("no", "yes")[float(ITEMS[READ[row]]["q"]) > 0.5]), {}),
    "labels NaN for unread": (
        ITEMS, LABELS + [{"item": row["id"], "label": "nan"} for row in ITEMS if row["id"] not in
                         {each["item"] for each in LABELS}], {}),
    "labels of the surest items": (
        ITEMS, [{"item": row["id"], "label": ("no", "yes")[int(row["y"])]} for row in
                sorted(SOUND, key=lambda row: -float(row["q"]))[:200]], {}),
    "labels of the first items, q sorted": (
        sorted(ITEMS, key=lambda row: row["q"]),
        [{"item": row["id"], "label": ("no", "yes")[int(row["y"])]}
         for row in sorted(SOUND, key=lambda row: row["q"])[:200]], {}),
    "items appended twice": (ITEMS * 2, LABELS, {}),
    "items appended twice under new ids": (
        changed(ITEMS * 2, "id", lambda row, cell: cell if row < N else f"9{cell}"), LABELS, {}),
    "a spare header among items": ([*ITEMS[:300], {name: name for name in ITEMS[0]}, *ITEMS[300:]], LABELS, {}),
    "q in percent": (changed(ITEMS, "q", number(lambda q: 100 * q)), LABELS, {}),
    "q of the other class": (changed(ITEMS, "q", number(lambda q: 1 - q)), LABELS, {}),
    "day and month exchanged": (
        changed(ITEMS, "date", lambda _, cell: f"{cell[8:]}/{cell[5:7]}/{cell[:4]}"), LABELS,
        {"by": "month(date)", "dates": "month-first"}),
    "dates as numbers of Excel": (
        changed(ITEMS, "date", lambda row, _: str(42005 + row % 365)), LABELS, {"by": "month(date)"}),
    "months with and without zeros": (
        changed(ITEMS, "date", lambda row, cell: cell[:7] if row // 12 % 2 else cell[:7].replace("-0", "-")), LABELS,
        {"by": "date"}),
}.items():  # fmt: skip
    sound_options = {**options, **({"dates": None} if "dates" in options else {})}
    case(f"estimate: {kind}", estimated(items, labels, **options), estimated(ITEMS, LABELS, **sound_options), options)

# judge: verdicts with labels in a column.
VERDICTS = [
    {"id": row["id"], "verdict": ("fail", "pass")[float(row["q"]) > 0.4],
     "label": ("fail", "pass")[int(row["y"])] if number in set(READ) else ""}
    for number, row in enumerate(SOUND)
]  # fmt: skip


def judged(found: Rows) -> Callable[[], object]:
    """Return a judge's report."""
    return lambda: nc.judge(put("v.csv", table(found)))


for kind, found in {
    "labels one row too low": moved(VERDICTS, "label"),
    "labels are the verdicts": changed(VERDICTS, "label", lambda row, cell: VERDICTS[row]["verdict"] if cell else ""),
    "labels exchanged": changed(VERDICTS, "label", lambda _, cell: {"pass": "fail", "fail": "pass"}.get(cell, "")),
    "labels nan where nobody looked": changed(VERDICTS, "label", lambda _, cell: cell or "nan"),
    "labels fail where nobody looked": changed(VERDICTS, "label", lambda _, cell: cell or "fail"),
    "verdicts in mixed words": changed(
        VERDICTS, "verdict", lambda row, cell: (cell, cell.upper(), f" {cell} ", cell.title())[row % 4]
    ),
    "verdicts ERROR": changed(VERDICTS, "verdict", lambda row, cell: "ERROR" if row % 20 == 3 else cell),
    "appended twice": VERDICTS * 2,
    "appended twice under new ids": changed(VERDICTS * 2, "id", lambda row, _: str(row)),
    "labels of one verdict alone": changed(
        VERDICTS, "label", lambda row, cell: cell if VERDICTS[row]["verdict"] == "pass" else ""
    ),
}.items():
    case(f"judge: {kind}", judged(found), judged(VERDICTS))

# spans: scores of tokens.
TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


def sentences(count: int = 60) -> list[dict[str, Any]]:
    """Return logits of sentences whose gold tags follow them."""
    random = np.random.default_rng(9)
    found = []
    for _ in range(count):
        logits = random.normal(0, 1, (9, 5)) + np.array([3.0, 0, -2, 0, -2])
        gold = [TAGS[int(place)] if not TAGS[int(place)].startswith("I") else "O" for place in logits.argmax(axis=1)]
        found.append({"logits": logits.round(4).tolist(), "tokens": [f"w{n}" for n in range(9)], "gold": gold})
    return found


def scored(found: Sequence[Mapping[str, Any]], tags: Sequence[str] = TAGS) -> Callable[[], object]:
    """Return what is found in scores, with the number of spans."""
    lines = [json.dumps({"labels": list(tags)}), *map(json.dumps, found)]

    def ask() -> object:
        report = nc.find_spans(put("s.jsonl", "\n".join(lines)))
        return "\n".join(report.lines())

    return ask


for kind, (tags, change) in {
    "probabilities": (TAGS, lambda row: {**row, "logits": np.exp(log_softmax(row["logits"], axis=1)).tolist()}),
    "percentages": (TAGS, lambda row: {**row, "logits": (100 * np.exp(log_softmax(row["logits"], 1))).tolist()}),
    "log probabilities": (TAGS, lambda row: {**row, "logits": log_softmax(row["logits"], axis=1).tolist()}),
    "labels in another order": (TAGS[::-1], dict),
    "labels shifted by one": ((*TAGS[1:], TAGS[0]), dict),
    "gold one token too low": (TAGS, lambda row: {**row, "gold": [row["gold"][-1], *row["gold"][:-1]]}),
    "gold in small letters": (TAGS, lambda row: {**row, "gold": [tag.lower() for tag in row["gold"]]}),
    "gold as numbers": (TAGS, lambda row: {**row, "gold": [TAGS.index(tag) for tag in row["gold"]]}),
    "a column too few": (TAGS, lambda row: {**row, "logits": [line[:-1] for line in row["logits"]]}),
    "a token too few": (TAGS, lambda row: {**row, "tokens": row["tokens"][:-1]}),
}.items():
    case(f"spans: {kind}", scored([change(row) for row in sentences()], tags), scored(sentences()))  # type: ignore[operator]

# score: entities of a key and a response.


def conll(parts: Sequence[Sequence[str]], document: str = "d") -> str:
    """Return documents whose tokens have the marks of entities."""
    found = []
    for part, marks in enumerate(parts):
        lines = [f"{document}{part} 0 {row} w{row} {mark}" for row, mark in enumerate(marks)]
        found.append("\n".join([f"#begin document ({document}{part}); part 000", *lines, "", "#end document", ""]))
    return "".join(found)


KEY = [[f"({(row + part) % 4})" if (row * 7 + part) % 5 == 0 else "-" for row in range(60)] for part in range(6)]
REPLY = [[mark if (row // 5 + part) % 4 else "-" for row, mark in enumerate(marks)] for part, marks in enumerate(KEY)]


def entities(reply: str) -> Callable[[], object]:
    """Return the scores of a response."""
    return lambda: nc.score_entities(put("k.conll", conll(KEY)), put("r.conll", reply))


for kind, reply in {
    "marks one token too low": conll([[marks[-1], *marks[:-1]] for marks in REPLY]),
    "documents in another order": "".join(reversed(re.findall(r"#begin.*?#end document\n", conll(REPLY), re.S))),
    "documents of other names": conll(REPLY, "e"),
    "a document too few": conll(REPLY[:-1]),
    "a document twice": conll([*REPLY, REPLY[-1]]),
    "the key": conll(KEY),
    "a token too few": conll([marks[:-1] for marks in REPLY]),
    "no entity": conll([["-"] * 60] * 6),
    "an entity that is not closed": conll(REPLY).replace("(0)", "(0", 1),
}.items():
    case(f"score: {kind}", entities(reply), entities(conll(REPLY)))

# events and learn: dated articles.
PLACES = ("Lima, Peru", "Paris, France", "Lagos, Nigeria", "Delhi, India")
NEWS = [
    {"id": f"{number:04}", "date": f"2015-{1 + number % 12:02}-{1 + number % 28:02}",
     "text": f"{'Protesters marched' if number % 3 == 0 else 'Farmers sold maize'} in {PLACES[number % 4]} on day "
             f"{number}, officials said."}
    for number in range(120)
]  # fmt: skip
CODES = [
    {"item": row["id"], "label": ("PER", "FRA", "NGA", "IND")[number % 4] if number % 3 == 0 else "none"}
    for number, row in enumerate(NEWS)
]


def events(found: Rows, separator: str = ",", **options: Any) -> Callable[[], object]:
    """Return the events of articles."""
    return lambda: nc.find_events(put("n.csv", table(found, separator)), "protest", **options)


for kind, found in {
    "day and month exchanged, as day first": changed(
        NEWS, "date", lambda _, cell: f"{cell[8:]}/{cell[5:7]}/{cell[:4]}"
    ),
    "dates that may be two": changed(NEWS, "date", lambda _, cell: f"{cell[5:7]}/0{1 + int(cell[8:]) % 9}/{cell[:4]}"),
    "dates in two orders": changed(
        NEWS, "date", lambda row, cell: f"{cell[8:]}/{cell[5:7]}/2015" if row % 2 else f"{cell[5:7]}/{cell[8:]}/2015"
    ),
    "dates as numbers of Excel": changed(NEWS, "date", lambda row, _: str(42005 + row)),
    "one date, of the download": changed(NEWS, "date", lambda *_: "2024-03-01"),
    "years of two digits": changed(NEWS, "date", lambda _, cell: f"{cell[8:]}.{cell[5:7]}.15"),
    "dates of the Unix epoch": changed(NEWS, "date", lambda row, cell: "1970-01-01" if row % 5 == 2 else cell),
    "dates in the future": changed(NEWS, "date", lambda _, cell: cell.replace("2015", "2105")),
    "texts cut to 30 characters": changed(NEWS, "text", lambda _, cell: cell[:30]),
    "texts as HTML": changed(NEWS, "text", lambda _, cell: f"<p>{cell.replace(' in ', ' in&nbsp;')}</p>"),
    "appended twice": NEWS * 2,
    "appended twice under new ids": changed(NEWS * 2, "id", lambda row, _: str(row)),
    "headers again": [*NEWS[:60], {"id": "id", "date": "date", "text": "text"}, *NEWS[60:]],
    "texts in capitals": changed(NEWS, "text", lambda _, cell: cell.upper()),
    "text one row too low": moved(NEWS, "text"),
}.items():
    case(f"events: {kind}", events(found), events(NEWS))


def learnt(labels: Rows) -> Callable[[], object]:
    """Return the model that labels teach."""
    return lambda: nc.learn_events(put("n.csv", table(NEWS)), put("l.csv", table(labels)), words=["march"])


for kind, labels in {
    "ids as floats": changed(CODES, "item", lambda _, cell: f"{int(cell)}.0"),
    "leading zeros lost": changed(CODES, "item", lambda _, cell: str(int(cell))),
    "labels one row too low": moved(CODES, "label"),
    "names of countries": changed(
        CODES,
        "label",
        lambda _, cell: {"PER": "Peru", "FRA": "France", "NGA": "Nigeria", "IND": "India"}.get(cell, cell),
    ),
    "small letters": changed(CODES, "label", lambda _, cell: cell.lower()),
    "NaN for none": changed(CODES, "label", lambda _, cell: "nan" if cell == "none" else cell),
    "all none": changed(CODES, "label", lambda *_: "none"),
    "appended twice": CODES * 2,
    "codes of two letters": changed(
        CODES, "label", lambda _, cell: {"PER": "PE", "FRA": "FR", "NGA": "NG", "IND": "IN"}.get(cell, cell)
    ),
}.items():
    case(f"learn: {kind}", learnt(labels), learnt(CODES))


def asked(ask: Callable[[], object]) -> tuple[str, str]:
    """Return refused, warned or answered, and what was said."""
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("always")
        try:
            answer = str(ask())
        except InputError as error:
            return "refused", str(error)
    said = [str(each.message) for each in caught if issubclass(each.category, UserWarning)]
    return ("warned", said[0]) if said else ("answered", answer)


def outcome(name: str, sound: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Return what became of a spoilt file, and what was said."""
    spoilt, unspoilt, key = CASES[name]
    kind, said = asked(spoilt)
    if kind == "answered":
        if key not in sound:
            sound[key] = asked(unspoilt)
        kind = "right" if (kind, said) == sound[key] else "believed"
    return kind, said


def main(part: str = "") -> None:
    """Print what became of each spoilt file, and the counts of each command."""
    counts: dict[str, Counter[str]] = {}
    sound: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in (name for name in CASES if part in name):
            kind, said = outcome(name, sound)
            counts.setdefault(name.partition(":")[0], Counter())[kind] += 1
            print(f"{kind:9} {name}\n            {said.splitlines()[0][:180] if said else ''}", flush=True)
    for command, found in counts.items():
        print(f"{command}: {sum(found.values())}; {', '.join(f'{n} {kind}' for kind, n in found.most_common())}")
    total = sum(counts.values(), Counter())
    print(f"all: {sum(total.values())}; {', '.join(f'{n} {kind}' for kind, n in total.most_common())}")


if __name__ == "__main__":
    main(*sys.argv[1:])
