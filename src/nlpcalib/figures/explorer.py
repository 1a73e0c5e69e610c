"""A page to explore predictions: a curve, a histogram, labels and periods, linked to a table of rows.

`explorer/page.js` has the charts in Vega-Lite. The page includes the scripts, so that it opens without a network. It
needs the extra `explorer`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from nlpcalib.calibration.binning import EQUAL_WIDTH_BINS
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.stretch import stretched_edges
from nlpcalib.errors import InputError
from nlpcalib.extras import install_command
from nlpcalib.figures.reliability import LINEAR_TICKS, STRETCHED_TICKS
from nlpcalib.figures.style import BLUE, GREY, LIGHT, MAX_NAME_CHARACTERS, MAX_ROWS_DRAWN, ORANGE, PALE, PALE_BLUE
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

MAX_PAGE_ROWS = 20_000
"""Most rows of a page, so that charts respond at once; larger tables are sampled."""
_MAX_ROWS_BYTES = 1_950_000
"""Largest data of a page, which stays below 3 MB with its scripts."""


@dataclass(frozen=True)
class ExplorerRows:
    """N predictions with their columns."""

    q: np.ndarray
    """float64 (N,): predicted probabilities."""
    y: np.ndarray | None = None
    """bool (N,): labels, None without them."""
    predicted: Sequence[str] | None = None
    """What each row predicts, N texts: a tag, a class, a country."""
    period: Sequence[str] | None = None
    """The period of each row, N texts that sort in time."""
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further columns of the table below the charts, N texts each: a sentence, an id.

    A column with the name of one of the page's, such as predicted, gets " (shown)" after its name.
    """


def pairs_rows(pairs: Pairs) -> ExplorerRows:
    """Return N pairs with their labels, units and documents."""
    columns = {"unit": pairs.unit, "document": pairs.document}
    shown = {name: column.texts() for name, column in columns.items() if column is not None}
    return ExplorerRows(pairs.q, pairs.y, None if pairs.predicted is None else pairs.predicted.texts(), None, shown)


def write_explorer(
    path: str | Path, title: str, rows: ExplorerRows, *, notes: Sequence[str] = (), seed: int = 0
) -> None:
    """Write a page of at most 3 MB that shows predictions with their rows.

    A brush over the histogram or the periods, or a click on a label, selects rows for the other charts and the table.
    More than `MAX_PAGE_ROWS` rows are sampled at random, and texts are cut to fit. If texts as short as names do not
    fit, the sample is halved until they do. The page states all this. `notes` are lines above the charts.

    Raises `InputError` without rows, if no row fits, or if the extra `explorer` is not installed.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError(f"explorer: this needs Vega-Lite: {install_command('explorer')}") from None
    if not rows.q.size:
        raise InputError("explorer: found no rows, expected at least one prediction")
    size = min(rows.q.size, MAX_PAGE_ROWS)
    while (fitting := _content(rows, _sample(rows.q.size, size, seed))) is None:
        size //= 2
        if not size:
            raise InputError(f"explorer: found {len(rows.shown)} columns to show, too many for a page; select fewer")
    content, cut = fitting
    notes = list(notes)
    if size < rows.q.size:
        notes.append(f"This page shows a random sample of {size:,} of the {rows.q.size:,} rows.")
    if cut:
        notes.append(f"Texts are cut after {cut} characters.")
    libraries = vl_convert.javascript_bundle()  # type: ignore[call-arg] # the stub lacks the default
    before, after = page.frame(Path(__file__).with_suffix(""), title, libraries)
    with atomic_open(path) as file:
        file.write(before + page.data_element({"notes": notes, **content}) + after)


def _sample(count: int, size: int, seed: int) -> np.ndarray:
    if size == count:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, size, replace=False))


def _content(rows: ExplorerRows, chosen: np.ndarray) -> tuple[dict, int | None] | None:
    """Return the data of the page, and the length to which texts are cut, None if none is cut.

    Returns None if the data are too large even with texts of `MAX_NAME_CHARACTERS` characters.
    """
    q = np.array([float(f"{value:g}") for value in rows.q[chosen].tolist()])  # six digits, so that small ones add up
    skewed = bool(2 * np.count_nonzero((q < 0.02) | (q > 0.98)) > q.size)
    edges = stretched_edges(EQUAL_WIDTH_BINS) if skewed else np.linspace(0, 1, EQUAL_WIDTH_BINS + 1)
    columns: dict[str, Sequence[str]] = {}
    names: list[str] = []
    if rows.predicted is not None:
        columns["predicted"] = [rows.predicted[row] for row in chosen]
        totals: dict[str, float] = defaultdict(float)
        for name, strength in zip(columns["predicted"], q.tolist(), strict=True):
            totals[name] += strength
        names = sorted(totals, key=lambda name: (-totals[name], name))
        if len(names) > MAX_ROWS_DRAWN + 1:
            names[MAX_ROWS_DRAWN:] = [f"{len(names) - MAX_ROWS_DRAWN:,} others"]
    if rows.period is not None:
        columns["period"] = [rows.period[row] for row in chosen]
    for name, texts in rows.shown.items():
        # The charts have the names q, y, predicted and period.
        while name in {"q", "y", *columns}:
            name += " (shown)"
        columns[name] = [texts[row] for row in chosen]
    names_of_colours = ("blue", "orange", "grey", "light", "pale", "paleBlue")
    content: dict = {
        "q": q.tolist(),
        "y": None if rows.y is None else np.asarray(rows.y)[chosen].astype(int).tolist(),
        "bin": np.searchsorted(edges[1:-1], q, side="right").tolist(),
        "bars": [_shortened(name, MAX_NAME_CHARACTERS) for name in names],
        "stretched": skewed,
        "dated": rows.period is not None,
        "ticks": STRETCHED_TICKS if skewed else LINEAR_TICKS,
        "colours": dict(zip(names_of_colours, (BLUE, ORANGE, GREY, LIGHT, PALE, PALE_BLUE), strict=True)),
    }
    coded = {name: _coded(texts) for name, texts in columns.items()}
    if rows.predicted is not None:
        rank = {name: number for number, name in enumerate(names)}
        content["ranks"] = [rank.get(name, len(names) - 1) for name in coded["predicted"][0]]
    room = _MAX_ROWS_BYTES - _size(content) - sum(_size(codes) for _, codes in coded.values())
    longest = max((len(text) for texts, _ in coded.values() for text in texts), default=0)
    length = _fitting_length([texts for texts, _ in coded.values()], longest, room)
    if length is None:
        return None
    content["columns"] = {
        name: {"names": [_shortened(text, length) for text in texts], "codes": codes}
        for name, (texts, codes) in coded.items()
    }
    return content, length if length < longest else None


def _fitting_length(columns: Sequence[Sequence[str]], longest: int, room: int) -> int | None:
    """Return the largest length to which texts are cut to fit; None if those as short as names do not."""

    def used(length: int) -> int:
        return sum(_size([_shortened(text, length) for text in texts]) for texts in columns)

    shortest = min(MAX_NAME_CHARACTERS, longest)
    if used(shortest) > room:
        return None
    if used(longest) <= room:
        return longest
    return shortest + bisect_left(range(shortest + 1, longest), True, key=lambda length: used(length) > room)


def _coded(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the distinct texts, sorted, and the index of each text."""
    names = sorted(set(texts))
    place = {name: number for number, name in enumerate(names)}
    return names, [place[text] for text in texts]


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def _size(content: object) -> int:
    return len(page.data_element({"": content}).encode(errors="replace"))
