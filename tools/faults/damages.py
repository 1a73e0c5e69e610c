"""Damage results, broken or still well formed, and see who notices: verify, and each job that reads them."""

from __future__ import annotations

import io
import json
import os
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from tools.faults.campaign import Campaign, complaint
from tools.faults.outcomes import Outcome, tell

from nlpcalib.errors import InputError
from reproduction.workflow.job_records import read_inputs
from reproduction.workflow.records import RECORDS, RESULTS, trace

WAYS = ("a row lost", "a row doubled", "two rows swapped", "a digit changed", "a file of another run or shard")


DAMAGED = {
    "sentiment/timeline/naive_bayes/happy/pairs.parquet": "sentiment/timeline/naive_bayes/happy/calibration.json",
    "sentiment/timeline/naive_bayes/model.npz": "sentiment/timeline/naive_bayes/happy/pairs.parquet",
    "corpora/newsroom/test.conllu": "tagging/newsroom/hmm/marginals.npz",
    "events/newswire/extracted/1-of-2.candidates.jsonl": "events/newswire/attack/events.csv",
    "events/newswire/documents/1-of-2.csv": "events/newswire/attack/series.csv",
    "extraction_eval/newswire_leads/evaluations.json": "figures/newswire_leads/figure_rates.csv",
    "parsing/newsroom/parser.zip": "tables/parsing/accuracy_newsroom.csv",
}
"""An output of every format that is read again, and one that is made from it."""


def damage(campaign: Campaign) -> Iterator[Outcome]:
    """Damage `times` outputs of a complete run behind Snakemake's back, see who notices, and delete them."""
    outcomes: dict[str, Outcome] = {}
    with campaign.copy("damage", of_reference=True) as checkout:
        damaged_files = {name: use for name, use in DAMAGED.items() if {name, use} <= campaign.expected.keys()}
        for name, consumer in list(damaged_files.items())[: campaign.times]:
            path, whole = checkout.results / name, campaign.expected[name]
            checkout.run(f"results/{consumer}")  # what was made anew for the file before may be newer
            for how, data in damaged(whole).items():
                outcome = outcomes.setdefault(how, Outcome(how))
                outcome.times += 1
                times = path.stat()
                path.write_bytes(data)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
                _, told = checkout.run("-n", f"results/{consumer}")
                unseen = "Nothing to be done" in told
                os.utime(path)
                status, told = checkout.run(f"results/{consumer}")
                if status:
                    answer = f"refused: {complaint(told)}"
                else:
                    same = (checkout.results / consumer).read_bytes() == campaign.expected[consumer]
                    answer = f"READ AS WHOLE, with {'no difference' if same else 'other results'}"
                    outcome.read_as_whole.append(name)
                told = "unseen" if unseen else "seen"
                tell(f"{how}: {name}: {told} by Snakemake if its time is kept; otherwise {answer}")
                path.unlink()
                campaign.cure(checkout, outcome, f"results/{consumer}", f"results/{name}")
        status, told = checkout.run(*campaign.targets)
        last = Outcome("")
        campaign.compare(checkout, last)
        for outcome in outcomes.values():
            outcome.different += last.different
            outcome.lost += last.lost
    yield from outcomes.values()


def damaged(whole: bytes) -> dict[str, bytes]:
    """Return ways to damage a file."""
    middle = len(whole) // 2
    flipped = bytearray(whole)
    flipped[middle] ^= 1
    ways = {"cut in the middle": whole[:middle].rstrip(b"\n"), "a bit flipped": bytes(flipped), "emptied": b""}
    if b"\0" not in whole and b"\n" in whole[:middle]:
        ways["cut at a line's end"] = whole[: whole.rindex(b"\n", 0, middle) + 1]
    return ways


def well_formed(campaign: Campaign) -> Iterator[Outcome]:
    """Damage rows and digits of results that jobs read, so that each stays a whole file, and see who believes them."""
    with campaign.copy("well_formed", of_reference=True) as checkout:
        yield from damage_rows(checkout.folder, campaign.times, campaign.random).values()


def damage_rows(folder: Path, times: int, draw: random.Random) -> dict[str, Outcome]:
    """Damage files that jobs read in each way, one after the other, and put each back.

    `folder` is the one that a workflow ran in. An outcome's `times` are the damages, its `read_as_whole` the files that
    a job would have read, and its `partial` those that `reproduction.workflow.verify` did not name.
    """
    outcomes = {way: Outcome(way) for way in WAYS}
    with chdir(folder):
        readers = _readers()
        done = 0
        while done < times:
            path, way = Path(draw.choice(sorted(readers))), WAYS[done % len(WAYS)]
            whole, stat = path.read_bytes(), path.stat()
            data = _other(path, sorted(readers), draw) if way == WAYS[-1] else _changed(path, way, draw)
            if data is None or data == whole:
                continue  # a table of one row has none to swap
            done += 1
            path.write_bytes(data)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            outcome, name = outcomes[way], path.as_posix()
            outcome.times += 1
            if any(not _refused(inputs, name) for inputs in readers[name]):
                outcome.read_as_whole.append(name)
            problems = trace([name], RESULTS.absolute()).problems
            if not any(problem.startswith(f"{name}: found ") for problem in problems):
                outcome.partial.append(name)
            path.write_bytes(whole)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return outcomes


def _readers() -> dict[str, list[list[str]]]:
    """Return the inputs of each job that reads a result, by the result's path."""
    readers: dict[str, list[list[str]]] = defaultdict(list)
    for place in sorted((RESULTS / RECORDS).rglob("*.json")):
        record = json.loads(place.read_text(encoding="utf-8"))
        inputs = list(record["inputs"])
        for name in inputs:
            if Path(name).is_relative_to(RESULTS) and inputs not in readers[name]:
                readers[name].append(inputs)
    return readers


def _refused(inputs: list[str], name: str) -> bool:
    try:
        read_inputs(inputs)
    except InputError as error:
        return str(error).startswith(f"{name}: found ")
    return False


def _other(path: Path, others: list[str], draw: random.Random) -> bytes | None:
    """Return the bytes of another file of the same kind, one of the same folder if there is any."""
    alike = [Path(other) for other in others if Path(other).suffix == path.suffix and Path(other) != path]
    near = [other for other in alike if other.parent == path.parent] or alike
    return draw.choice(near).read_bytes() if near else None


def _changed(path: Path, way: str, draw: random.Random) -> bytes | None:
    if path.suffix == ".parquet":
        return _changed_parquet(path, way, draw)
    if path.suffix == ".npz":
        return _changed_arrays(path, way, draw)
    if path.suffix not in (".csv", ".jsonl", ".conllu", ".json"):
        return None
    text = path.read_text(encoding="utf-8")
    if way == "a digit changed":
        digits = [match.start() for match in re.finditer(r"\d", text)]
        if not digits:
            return None
        place = draw.choice(digits)
        return f"{text[:place]}{(int(text[place]) + draw.randint(1, 9)) % 10}{text[place + 1 :]}".encode()
    lines = text.splitlines(keepends=True)
    rows = _rows(range(path.suffix == ".csv", len(lines)), way, draw) if path.suffix != ".json" else None
    return "".join([*lines[: path.suffix == ".csv"], *(lines[row] for row in rows)]).encode() if rows else None


def _rows(rows: range, way: str, draw: random.Random) -> list[int] | None:
    """Return the numbers of the rows in another order or number."""
    found = list(rows)
    if len(found) < 2:
        return None
    one, other = draw.sample(range(len(found)), 2)
    if way == "a row lost":
        del found[one]
    elif way == "a row doubled":
        found.insert(one, found[one])
    else:
        found[one], found[other] = found[other], found[one]
    return found


def _changed_parquet(path: Path, way: str, draw: random.Random) -> bytes | None:
    table = pa.parquet.read_table(path)
    if way == "a digit changed":
        numbers = [field.name for field in table.schema if pa.types.is_floating(field.type)]
        if not numbers or not table.num_rows:
            return None
        name = draw.choice(numbers)
        values = table[name].to_pylist()
        row = draw.randrange(len(values))
        values[row] = (values[row] or 0.0) + 1e-3 * (1 if (values[row] or 0.0) < 0.5 else -1)
        column = pa.array(values, table.schema.field(name).type)
        table = table.set_column(table.schema.get_field_index(name), table.schema.field(name), column)
    else:
        rows = _rows(range(table.num_rows), way, draw)
        if rows is None:
            return None
        before, table = table, table.take(rows)
        if table.equals(before):
            return None
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def _changed_arrays(path: Path, way: str, draw: random.Random) -> bytes | None:
    with np.load(path) as file:
        arrays = dict(file)
    long = [name for name, values in arrays.items() if values.ndim and len(values) > 1]
    if not long:
        return None
    name = draw.choice(sorted(long))
    values = arrays[name]
    if way == "a digit changed":
        if not np.issubdtype(values.dtype, np.floating):
            return None
        values.flat[draw.randrange(values.size)] += 1e-3
    else:
        before, values = values, values[_rows(range(len(values)), way, draw)]
        if np.array_equal(before, values):
            return None
    arrays[name] = values
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()
