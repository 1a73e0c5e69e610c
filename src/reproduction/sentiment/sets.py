"""Balanced sets of labelled messages, one after the other in time (paper, section 4.1.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.seeding import generator
from reproduction.corpora.messages import MessageTable
from reproduction.sentiment.duplicates import first_copies
from reproduction.sentiment.emoticons import is_happy, without_smiles
from reproduction.workflow.parquet import read_table

SET_NAMES = ("train", "dev", "test")

_SET_COLUMNS = pa.schema(
    [("id", pa.string()), ("time", pa.int64()), ("text", pa.string()), ("y", pa.bool_()), ("posterior", pa.float64())]
)


@dataclass(frozen=True, slots=True)
class LabelledMessages:
    """N messages of one set, in the order of time."""

    id: tuple[str, ...]
    time: np.ndarray
    """int64 (N,): seconds since 1970."""
    text: tuple[str, ...]
    """Without the emoticon."""
    y: np.ndarray
    """bool (N,): whether the message is happy."""
    posterior: np.ndarray | None = None
    """float64 (N,): the true probability that a message with these words, drawn for this set, is happy."""

    def __len__(self) -> int:
        """Return N."""
        return len(self.text)

    def take(self, rows: np.ndarray) -> LabelledMessages:
        """Return the messages of some rows, int (M,)."""
        return LabelledMessages(
            id=tuple(self.id[row] for row in rows),
            time=self.time[rows],
            text=tuple(self.text[row] for row in rows),
            y=self.y[rows],
            posterior=None if self.posterior is None else self.posterior[rows],
        )


def label_messages(messages: MessageTable) -> tuple[LabelledMessages, dict[str, int]]:
    """Label messages, take the emoticon out of them, and leave out empty messages and copies.

    The first in time of near-copies (see `copy_key`) stays, whatever its label, so that the share of happy messages
    among copies is not touched. Of the time, what stays is that in which both classes occur: without
    this, time would predict the label in a corpus where one class ends before the other.

    Returns the messages in the order of time and how many there were after each step.

    Raises `InputError` if one of the classes does not occur, or both never at the same time.
    """
    y = np.array([is_happy(text) for text in messages.text]) if messages.happy is None else messages.happy
    texts = [without_smiles(text) for text in messages.text]
    order = np.argsort(messages.time, kind="stable")
    steps = {"messages": len(order), "happy": int(y.sum())}
    order = order[np.array([bool(texts[row]) for row in order], dtype=bool)]
    steps["with_words"] = len(order)
    order = order[first_copies(texts[row] for row in order)]
    steps["without_copies"] = len(order)
    time, y_sorted = messages.time[order], y[order]
    for value, name in ((True, "with the emoticon"), (False, "without it")):
        if not np.any(y_sorted == value):
            raise InputError(
                f"found no message {name} among {len(order):,} (of {len(messages):,}, without empty ones and copies), "
                "expected both classes"
            )
    first = max(time[y_sorted].min(), time[~y_sorted].min())
    last = min(time[y_sorted].max(), time[~y_sorted].max())
    if first > last:
        happy, other = (" to ".join(map(show_time, time[y_sorted == value][[0, -1]])) for value in (True, False))
        raise InputError(
            f"found messages with the emoticon from {happy} and without it from {other}, expected both at the same time"
        )
    order = order[(first <= time) & (time <= last)]
    steps["while_both_occur"] = len(order)
    every = LabelledMessages(tuple(messages.id), messages.time, tuple(texts), y, messages.posterior)
    return every.take(order), steps


def balanced_sets(
    messages: LabelledMessages, sizes: Mapping[str, int], *, cuts: Sequence[int] | None = None, seed: int
) -> dict[str, LabelledMessages]:
    """Cut messages by time into train, dev and test, and draw as many happy as other messages from each.

    Parameters
    ----------
    messages : LabelledMessages
        In the order of time.
    sizes : Mapping
        The largest number of messages of each set, `train`, `dev` and `test`; a set is smaller where a class runs out.
    cuts : sequence of two int, optional
        The times at which dev and test begin. Without them time is cut so that the scarcer class is divided in
        proportion to `sizes`. Messages of one second are never divided.
    seed : int
        Seed of the draws. The true posterior, where it is known, is carried over to each set's own base rate.

    Raises `InputError` for a set in which a class does not occur, and for cuts that leave one empty.
    """
    times = messages.time
    given = cuts is not None
    if cuts is None:
        scarce = np.sort(times[messages.y == (2 * messages.y.sum() <= len(messages))])
        shares = np.cumsum([sizes[name] for name in SET_NAMES]) / sum(sizes[name] for name in SET_NAMES)
        cuts = [int(scarce[min(round(share * len(scarce)), len(scarce) - 1)]) for share in shares[:2]]
    bounds = [0, *np.searchsorted(times, cuts), len(messages)]
    sets = {}
    for name, start, end in zip(SET_NAMES, bounds, bounds[1:], strict=False):
        inside = np.arange(start, end)
        if given and not len(inside):
            told, first, last = map(show_time, cuts), *map(show_time, times[[0, -1]])
            raise InputError(
                f"{name} set: found no message with `cuts` at {' and '.join(told)}, expected them in order and within "
                f"the time of both kinds of messages, {first} to {last}"
            )
        classes = [inside[messages.y[start:end] == value] for value in (False, True)]
        if not all(map(len, classes)):
            counts = f"{len(classes[1])} happy and {len(classes[0])} other messages"
            span = " to ".join(map(show_time, times[inside[[0, -1]]])) if len(inside) else "an empty span of time"
            raise InputError(f"{name} set, {span}: found {counts}, expected some of both")
        number = min(sizes[name] // 2, *map(len, classes))
        if number == 0:
            raise InputError(f"{name} set: found a size of {sizes[name]}, expected at least 2")
        rng = generator(seed, "balanced set", name)
        kept = np.sort(np.concatenate([rng.permutation(rows)[:number] for rows in classes]))
        sets[name] = _rebased(messages, kept, rates=[number / len(rows) for rows in classes])
    return sets


def _rebased(messages: LabelledMessages, rows: np.ndarray, rates: Sequence[float]) -> LabelledMessages:
    taken = messages.take(rows)
    if taken.posterior is None:
        return taken
    # Of each class a fixed share is drawn, so the odds are multiplied by the ratio of the shares.
    happy, other = taken.posterior * rates[1], (1 - taken.posterior) * rates[0]
    return replace(taken, posterior=happy / (happy + other))


def show_time(seconds: int) -> str:
    """Return a time of seconds since 1970 as ISO 8601, in UTC."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def write_set(path: str | Path, messages: LabelledMessages) -> None:
    """Write a set as Parquet: id, time, text, y and, where it is known, posterior."""
    columns = {"id": messages.id, "time": messages.time, "text": messages.text, "y": messages.y}
    if messages.posterior is not None:
        columns["posterior"] = messages.posterior
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(pa.table(columns), temporary, **PARQUET_OPTIONS)


def read_set(path: str | Path) -> LabelledMessages:
    """Read what `write_set` wrote; InputError, as `read_table` raises it, if it is something else."""
    table = read_table(path, _SET_COLUMNS, nullable=("posterior",))
    return LabelledMessages(
        id=tuple(table["id"].to_pylist()),
        time=table["time"].to_numpy(),
        text=tuple(table["text"].to_pylist()),
        y=np.asarray(table["y"].to_numpy(), bool),
        posterior=table["posterior"].to_numpy() if "posterior" in table.column_names else None,
    )
