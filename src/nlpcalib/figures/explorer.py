"""A page to explore predictions in: a curve, a histogram, labels and periods, linked to the rows below them.

The charts are Vega-Altair's. Their script is in the page, so that it opens without a network. Needs the extra
`explorer`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.stretch import stretch, stretched_edges
from nlpcalib.errors import InputError
from nlpcalib.figures.reliability import STRETCHED_TICKS, TICKS
from nlpcalib.figures.style import BLUE, GREY, LIGHT, ORANGE, PALE, PALE_BLUE
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

if TYPE_CHECKING:
    import altair as alt

MOST_ROWS = 20_000
"""Rows of a page; of more, as many are drawn at random."""
_MOST_BYTES = 1_950_000
"""Of the rows in the page, so that it stays under 3 MB with its script."""
_SHORTEST = 20
"""Characters to which texts are cut before rows are left out."""
_LABELS = 24
"""Bars; further labels are one bar."""
_LABEL_LENGTH = 40
_DIGITS = 6
"""Significant digits of predictions, so that small ones add up."""
_BARS = 50
_POINTS = 20
_MOST_PERIODS = 150
_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?")
_DATES = (7, 4)
"""Characters of a month and of a year."""
_SIDE, _WIDTH = 340, 460
_FOLDER = Path(__file__).with_suffix("")


@dataclass(frozen=True)
class ExplorerRows:
    """N predictions, with the columns of each."""

    q: np.ndarray
    """float64 (N,): predicted probabilities."""
    y: np.ndarray | None = None
    """bool (N,): labels, if there are any."""
    label: Sequence[str] | None = None
    """What is predicted, N texts: a tag, a class, a country."""
    period: Sequence[str] | None = None
    """When, N texts that sort in time."""
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further columns of the table below the charts, N texts each: a sentence, an id.

    One that is called like a column of the page, such as label, gets " (shown)" after its name.
    """


def pairs_rows(pairs: Pairs) -> ExplorerRows:
    """Return N pairs with their labels, units and documents."""
    columns = {"unit": pairs.unit, "document": pairs.document}
    shown = {name: column.texts() for name, column in columns.items() if column is not None}
    return ExplorerRows(pairs.q, pairs.y, None if pairs.label is None else pairs.label.texts(), None, shown)


def write_explorer(
    path: str | Path, title: str, rows: ExplorerRows, *, notes: Sequence[str] = (), seed: int = 0
) -> None:
    """Write a page of at most 3 MB that shows predictions and what they are of.

    A brush over the histogram or the periods, or a click on a label, selects rows: the other charts and the table show
    those alone. Of more than `MOST_ROWS` rows the page has a random sample, and long texts are cut where they would
    take too much room. Where texts of 20 characters do, the sample is halved until they fit. The page reports all that.
    `notes` are lines above the charts.

    Raises `InputError` if there is no row, if no row fits, or if the extra `explorer` is not installed.
    """
    try:
        import altair  # noqa: F401
        import vl_convert
    except ImportError:
        raise InputError(
            'explorer: found no Vega-Altair, expected it to be installed: pip install "nlpcalib[explorer]"'
        ) from None
    if not rows.q.size:
        raise InputError("explorer: found no rows, expected at least one prediction")
    size = min(rows.q.size, MOST_ROWS)
    while (made := _content(rows, _sample(rows.q.size, size, seed))) is None:
        size //= 2
        if not size:
            raise InputError(f"explorer: found {len(rows.shown)} columns to show, expected so few that a row fits")
    notes, (content, cut) = list(notes), made
    if size < rows.q.size:
        notes.append(f"This page has a random {size:,} of the {rows.q.size:,} rows.")
    if cut:
        notes.append(f"Texts are cut after {cut} characters.")
    libraries = vl_convert.javascript_bundle()  # type: ignore[call-arg] # the stub lacks the default
    before, after = page.frame(_FOLDER, title, libraries)
    with atomic_open(path) as file:
        file.write(before + page.data_element({"notes": notes, **content}) + after)


def _sample(count: int, size: int, seed: int) -> np.ndarray:
    if size == count:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, size, replace=False))


def _content(rows: ExplorerRows, chosen: np.ndarray) -> tuple[dict, int | None] | None:
    """Return the data of the page, and after how many characters texts are cut, None if none is.

    Return None where texts of `_SHORTEST` characters take too much room.
    """
    q = np.array([float(f"{value:.{_DIGITS}g}") for value in rows.q[chosen].tolist()])
    skewed = bool(2 * np.count_nonzero((q < 0.02) | (q > 0.98)) > q.size)
    ends = stretch(np.array([0.0, 1.0])) if skewed else np.array([0.0, 1.0])
    edges = stretched_edges(_POINTS) if skewed else np.linspace(0, 1, _POINTS + 1)
    columns: dict[str, Sequence[str]] = {}
    names: list[str] = []
    if rows.label is not None:
        columns["label"] = [rows.label[row] for row in chosen]
        totals: dict[str, float] = defaultdict(float)
        for name, strength in zip(columns["label"], q.tolist(), strict=True):
            totals[name] += strength
        names = sorted(totals, key=lambda name: (-totals[name], name))
        if len(names) > _LABELS + 1:
            names[_LABELS:] = [f"{len(names) - _LABELS:,} other labels"]
    if rows.period is not None:
        columns["period"] = _coarser([rows.period[row] for row in chosen])
    for name, texts in rows.shown.items():
        # The charts have the names q, y, label and period.
        while name in {"q", "y", *columns}:
            name += " (shown)"
        columns[name] = [texts[row] for row in chosen]
    content: dict = {
        "q": q.tolist(),
        "y": None if rows.y is None else np.asarray(rows.y)[chosen].astype(int).tolist(),
        "bin": np.searchsorted(edges[1:-1], q, side="right").tolist(),
        "bars": [_shortened(name, _LABEL_LENGTH) for name in names],
        "stretched": skewed,
        "chart": json.loads(_chart(rows, names, ends, skewed=skewed).to_json()),
    }
    coded = {name: _coded(texts) for name, texts in columns.items()}
    if rows.label is not None:
        rank = {name: number for number, name in enumerate(names)}
        content["ranks"] = [rank.get(name, len(names) - 1) for name in coded["label"][0]]
    room = _MOST_BYTES - _size(content) - sum(_size(codes) for _, codes in coded.values())
    longest = max((len(text) for texts, _ in coded.values() for text in texts), default=0)

    def used(length: int) -> int:
        return sum(_size([_shortened(text, length) for text in texts]) for texts, _ in coded.values())

    shortest = min(_SHORTEST, longest)
    if used(shortest) > room:
        return None
    length = _largest(lambda length: used(length) <= room, shortest, longest)
    content["columns"] = {
        name: {"names": [_shortened(text, length) for text in texts], "codes": codes}
        for name, (texts, codes) in coded.items()
    }
    return content, length if length < longest else None


def _coarser(periods: Sequence[str]) -> Sequence[str]:
    """Return dates as months, or years, where they are too many to draw."""
    for length in _DATES:
        if len(set(periods)) <= _MOST_PERIODS or not all(map(_DATE.fullmatch, periods)):
            break
        periods = [period[:length] for period in periods]
    return periods


def _coded(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the distinct texts, sorted, and which of them each is."""
    names = sorted(set(texts))
    place = {name: number for number, name in enumerate(names)}
    return names, [place[text] for text in texts]


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def _size(content: object) -> int:
    return len(page.data_element({"": content}).encode(errors="replace"))


def _largest(fits: Callable[[int], bool], smallest: int, largest: int) -> int:
    """Return the largest number from `smallest`, which fits, to `largest` that fits."""
    if fits(largest):
        return largest
    low, high = smallest, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _chart(rows: ExplorerRows, names: Sequence[str], ends: np.ndarray, *, skewed: bool) -> alt.HConcatChart:
    """Return the linked charts of the data called `rows`, whose rows the page fills in."""
    import altair as alt

    brush = alt.selection_interval(name="brush", encodings=["x"])
    bar = alt.selection_point(name="bar", fields=["bar"])
    period = alt.selection_interval(name="period", encodings=["x"])
    chosen = {"brush": brush}
    chosen |= {"bar": bar} if names else {}
    chosen |= {"period": period} if rows.period is not None else {}
    every = alt.Chart(alt.NamedData(name="rows"))

    def selected(*, but: str = "") -> alt.Chart:
        """Return the rows that all selections but one leave."""
        chart = every
        for name, parameter in chosen.items():
            if name != but:
                chart = chart.transform_filter(parameter)
        return chart

    ticks = STRETCHED_TICKS if skewed else TICKS
    places = [float(stretch(tick)) if skewed else float(tick) for tick in ticks]
    written = json.dumps([f"{tick:g}" for tick in ticks])
    axis = alt.Axis(values=places, labelExpr=f"{written}[round(datum.index * {len(ticks) - 1})]")
    scale = alt.Scale(domain=ends.tolist(), nice=False)
    step = float(ends[1] - ends[0]) / _BARS
    histogram = (
        selected(but="brush")
        .mark_bar(color=GREY)
        .encode(
            alt.X("place:Q", bin=alt.Bin(extent=ends.tolist(), step=step), scale=scale, axis=axis, title="prediction"),
            alt.Y("count()", scale=alt.Scale(type="symlog"), title="rows", axis=alt.Axis(tickCount=3, format=",d")),
        )
        .add_params(brush)
        .properties(width=_SIDE, height=90 if rows.y is not None else 200)
    )
    left: list = [histogram]
    if rows.y is not None:
        left.insert(0, _curve(every, selected(), axis, scale, places, skewed=skewed))
    right: list = []
    sums = {"predicted": "sum(q)"} | ({} if rows.y is None else {"positive": "sum(y)"})
    if names:
        bars = selected(but="bar").transform_aggregate(groupby=["bar", "rank"], **sums)
        y = alt.Y("bar:N", sort=alt.EncodingSortField("rank", op="min"), title=None)
        shade = alt.condition(bar, alt.value(BLUE), alt.value(PALE_BLUE))
        title = "sum of predictions (bar)" + ("" if rows.y is None else " and of labels (line)")
        chart = bars.mark_bar().encode(alt.X("predicted:Q", title=title), y, color=shade).add_params(bar)
        if rows.y is not None:
            chart += bars.mark_tick(color=ORANGE, thickness=3).encode(alt.X("positive:Q"), y)
        right.append(chart.properties(width=_WIDTH))
    if rows.period is not None:
        right.append(_periods(selected(but="period"), sums, period))
    columns = [alt.vconcat(*column) for column in (left, right) if column]
    font = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"}
    return alt.hconcat(*columns).configure_axis(gridColor=PALE, **font).configure_view(stroke=LIGHT)


def _curve(
    every: alt.Chart, selected: alt.Chart, axis: alt.Axis, scale: alt.Scale, places: list[float], *, skewed: bool
) -> alt.LayerChart:
    """Return the reliability curve of the selection, with Wilson intervals, over that of all rows."""
    import altair as alt

    def place(name: str) -> str:
        return f"log((datum.{name} + .001) / (1.001 - datum.{name}))" if skewed else f"datum.{name}"

    def points(chart: alt.Chart) -> alt.Chart:
        centre, n = "(datum.f + 1.9208 / datum.n)", "(1 + 3.8416 / datum.n)"
        half = "1.96 * sqrt(datum.f * (1 - datum.f) / datum.n + .9604 / (datum.n * datum.n))"
        return (
            chart.transform_aggregate(groupby=["bin"], m="mean(q)", f="mean(y)", n="count()")
            .transform_calculate(
                l=f"max(0, ({centre} - {half}) / {n})", h=f"min(1, ({centre} + {half}) / {n})",
                prediction="format(datum.m, '.3f')", frequency="format(datum.f, '.3f')",
            )
            .transform_calculate(x=place("m"), y=place("f"), low=place("l"), high=place("h"))
        )  # fmt: skip

    x = alt.X("x:Q", scale=scale, axis=axis, title=None)
    y = alt.Y("y:Q", scale=scale, axis=axis, title="label frequency")
    ends = alt.Data(values=[{"x": places[0], "y": places[0]}, {"x": places[-1], "y": places[-1]}])
    diagonal = alt.Chart(ends).mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1).encode(x, y)
    background = points(every).mark_line(color=LIGHT, strokeWidth=3).encode(x, y)
    now = points(selected)
    bars = now.mark_rule(color=BLUE).encode(x, alt.Y("low:Q", scale=scale), alt.Y2("high:Q"))
    tooltip = [f"{name}:N" for name in ("prediction", "frequency", "n")]
    curve = now.mark_line(color=BLUE, point=alt.OverlayMarkDef(color=BLUE, size=30)).encode(x, y, tooltip=tooltip)
    return alt.layer(diagonal, background, bars, curve).properties(width=_SIDE, height=_SIDE)


def _periods(selected: alt.Chart, sums: Mapping[str, str], period: alt.Parameter) -> alt.LayerChart:
    """Return the sum of predictions in each period, with two standard deviations if they are independent."""
    import altair as alt

    chart = (
        selected.transform_calculate(v="datum.q * (1 - datum.q)")
        .transform_aggregate(groupby=["period"], variance="sum(v)", **sums)
        .transform_calculate(
            low="max(0, datum.predicted - 2 * sqrt(datum.variance))", high="datum.predicted + 2 * sqrt(datum.variance)"
        )
    )
    x = alt.X("period:O", title=None, axis=alt.Axis(labelOverlap="greedy", labelSeparation=8, labelAngle=0))
    title = "sum of predictions, ± 2 sd if independent" + (", and of labels (points)" if "positive" in sums else "")
    band = chart.mark_area(color=PALE_BLUE).encode(x, alt.Y("low:Q", title=None), alt.Y2("high:Q"))
    line = chart.mark_line(color=BLUE).encode(x, alt.Y("predicted:Q"))
    layers = [band.add_params(period), line]
    if "positive" in sums:
        layers.append(chart.mark_point(color=ORANGE, filled=True, size=25).encode(x, alt.Y("positive:Q")))
    return alt.layer(*layers).properties(
        width=_WIDTH, height=150, title=alt.Title(title, fontSize=11, fontWeight="normal", anchor="start")
    )
