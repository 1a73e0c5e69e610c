"""Rows in order, however many there are: all but a number of them wait in temporary files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import count, islice
from operator import itemgetter
from pathlib import Path

from nlpcalib.io.files import scratch_folder

Row = tuple[tuple[str, ...], str]
"""The key of a row, and what it has, as text."""
MAX_ROWS_IN_MEMORY = 50_000
"""Rows that are sorted at a time."""
MAX_OPEN_RUNS = 32
"""Sorted files that are merged at a time; longer ones are made of so many."""

_key = itemgetter(0)


def in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows by their keys; those with the same key as they come.

    Raises `InputError` as `nlpcalib.io.files.scratch_folder` does, where temporary files go.
    """
    rows, numbers = iter(rows), count()
    batch = sorted(islice(rows, MAX_ROWS_IN_MEMORY), key=_key)
    if len(batch) < MAX_ROWS_IN_MEMORY:
        yield from batch
        return
    with scratch_folder() as folder:
        levels: list[list[Path]] = [[]]  # runs of each level are made of those of the one before, and are older
        while batch:
            run = _written(batch, folder / f"{next(numbers)}.jsonl")
            for level in levels:
                level.append(run)
                if len(level) < MAX_OPEN_RUNS:
                    break
                run = _written(_merged(level), folder / f"{next(numbers)}.jsonl")
                for path in level:
                    path.unlink()
                level.clear()
            else:
                levels.append([run])
            batch = sorted(islice(rows, MAX_ROWS_IN_MEMORY), key=_key)
        yield from _merged([run for level in reversed(levels) for run in level])


def _written(rows: Iterable[Row], path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def _merged(runs: Iterable[Path]) -> Iterator[Row]:
    return merge(*map(_read, runs), key=_key)


def _read(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        for key, text in map(json.loads, file):
            yield tuple(key), text
