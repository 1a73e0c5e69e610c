"""Numbers as the results pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

Row = dict[str, str]
Shown = list[list[str]]

TITLES = {
    "newsroom": "newsroom",
    "ewt": "EWT",
    "ontogum": "OntoGUM",
    "timeline": "timeline",
    "ubuntu": "#ubuntu",
    "wsj_sample": "WSJ",
    "wsj_sample_fixed": "WSJ (one pseudocount)",
    "ontogum_parsed": "OntoGUM, parsed",
    "litbank": "LitBank",
    "current_events": "current events",
    "current_events_leads": "current events",
    "wikinews": "Wikinews",
    "wikinews_leads": "Wikinews",
    "muc3": "MUC-3",
    "oct27": "Oct27",
    "daily547": "Daily547",
}


def decimal(number: str | float, digits: int) -> str:
    """Return a number without the zero before its point; `inf` in words, nothing for a missing one."""
    if number == "":
        return "–"
    text = f"{float(number):.{digits}f}".replace("-", "−")
    return "infinite" if text == "inf" else re.sub(r"^(−?)0\.", r"\1.", text)


def interval(row: Row, value: str, low: str, high: str, digits: int = 4) -> str:
    """Return a number and its interval in brackets."""
    return f"{decimal(row[value], digits)} ({decimal(row[low], digits)}–{decimal(row[high], digits)})"


def part(keep: Callable[[list[str]], bool], without: Sequence[str] = ()) -> Callable[[Shown], Shown]:
    """Return what takes some rows of a table, and all its columns but those named."""

    def taken(table: Shown) -> Shown:
        header, *rows = table
        columns = [number for number, name in enumerate(header) if name not in without]
        return [[row[number] for number in columns] for row in (header, *filter(keep, rows))]

    return taken


def by(rows: Sequence[Row], *keys: str) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """Yield runs of rows with equal values of some columns, with these values."""
    for key, group in groupby(rows, key=lambda row: tuple(row[name] for name in keys)):
        yield key, list(group)
