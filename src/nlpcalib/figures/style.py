"""One style for every figure: readable in print, in black and white, and with red-green colour blindness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

import matplotlib.style
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from nlpcalib.io.files import DATA_NOTE, atomic_folder, write_csv

if TYPE_CHECKING:
    from matplotlib.typing import LineStyleType

COLUMN_WIDTH = 3.4
"""Width in inches of one column of a two-column page."""
PAGE_WIDTH = 7.0
"""Width in inches of both columns."""

MAX_ROWS_DRAWN = 40
"""Most rows of a figure with a row for each group, system or class."""
MAX_NAME_CHARACTERS = 24
"""Longest name in a figure: longer names would leave no room for what is drawn."""

INK, GREY, LIGHT, PALE = "#222222", "#777777", "#bbbbbb", "#dddddd"
BLUE, ORANGE, PURPLE, GREEN = "#2b4c7e", "#b35806", "#7b3294", "#1b7837"
PALE_BLUE, PALE_ORANGE = "#c3cfe0", "#f1d3b3"
"""The colours of every figure; they differ in lightness too, for print in black and white."""

Drawing = tuple[Figure, Sequence[Mapping[str, Any]]]
"""A figure with the numbers that it shows."""


class LineStyle(TypedDict, total=False):
    """Style of one series, as keyword arguments of `Axes.plot` and `Line2D`."""

    color: str
    linestyle: LineStyleType
    linewidth: float
    marker: str
    markersize: float
    markeredgewidth: float
    markerfacecolor: str
    zorder: float


NEUTRAL_STYLE: LineStyle = {"color": INK, "marker": "o"}

STYLES = {
    name: [Path(__file__).with_suffix("") / f"{sheet}.mplstyle" for sheet in sheets]
    for name, sheets in {"house": ["house"], "paper": ["house", "paper"]}.items()
}
"""Matplotlib style sheets; the second of a paper overrides the first."""
_PAPER_SCALE = 3.03 / COLUMN_WIDTH
"""Scale from the house style to columns of 7.7 cm and pages of 16 cm, as in papers of the ACL."""


class SaveFigure(Protocol):
    """Writes a figure in one style."""

    def __call__(self, stem: Path, figure: Figure, rows: Sequence[Mapping[str, object]], *, pdf: bool = True) -> None:
        """Write `stem`.png, .csv and, unless `pdf` is False, .pdf."""


@contextmanager
def house_style(style: str = "house") -> Iterator[SaveFigure]:
    """Apply a style, a key of `STYLES`, inside the block, draw without a display, and close new figures.

    Yields `save_figure` for that style.
    """
    matplotlib.use("agg")
    with matplotlib.style.context(STYLES[style]):
        try:
            yield partial(save_figure, style=style)
        finally:
            plt.close("all")


def save_figure(
    stem: Path, figure: Figure, rows: Sequence[Mapping[str, object]], *, style: str = "house", pdf: bool = True
) -> None:
    """Write `stem`.png, `stem`.pdf and the drawn numbers as `stem`.csv, all or none; equal figures give equal bytes.

    Without `pdf` there is no `stem`.pdf, which takes as long as the picture.

    `DATA_NOTE` is written below the figure. In the style of a paper the figure has no title, since its caption has one,
    and panels keep only their names.
    """
    if note := DATA_NOTE.get():
        # If nothing outside the figure is kept, the layout makes room for the note, whose slant must not be cut.
        write = partial(figure.supxlabel, x=0.99) if style == "paper" else partial(figure.text, 1, 0, va="top")
        write(note, ha="right", fontsize="small", style="italic", color=INK)
    if style == "paper":
        _remove_titles(figure)
        figure.set_size_inches(*(_PAPER_SCALE * figure.get_size_inches()))
    with atomic_folder(stem.parent) as folder:
        made, box = folder / stem.name, _settled_box(figure)
        figure.savefig(made.with_suffix(".png"), bbox_inches=box, metadata={"Software": None})
        if pdf:
            nothing = {"CreationDate": None, "Producer": None, "Creator": None}
            figure.savefig(made.with_suffix(".pdf"), bbox_inches=box, metadata=nothing)
        write_csv(made.with_suffix(".csv"), rows)


def _settled_box(figure: Figure) -> Bbox | None:
    """Fix the layout of the figure, and return its bounding box in inches, or None for the whole figure.

    Matplotlib would do both for every file, and draw the figure twice each time.
    """
    tight = matplotlib.rcParams["savefig.bbox"] == "tight"
    if (layout := figure.get_layout_engine()) and any(axes.get_subplotspec() for axes in figure.axes):
        for _ in range(1 if tight else 2):
            # Square panels settle in the second pass; it matters if content outside the figure is cut.
            layout.execute(figure)
    figure.set_layout_engine(None)
    for legend in figure.legends:
        # Otherwise it would move to the edge of the bounding box, onto the note.
        legend.set_bbox_to_anchor((0, 0, 1, 1), transform=figure.transFigure)
    if not tight:
        return None
    return figure.get_tightbbox().padded(matplotlib.rcParams["savefig.pad_inches"])


def _remove_titles(figure: Figure) -> None:
    """Remove the figure's title, and shorten the titles of several panels to the words before a colon."""
    figure.suptitle("")
    shown = {title for axes in figure.axes if (title := axes.get_title("left"))}
    for text in (text for axes in figure.axes for text in axes.get_children() if isinstance(text, Text)):
        if text.get_text() in shown:
            name = text.get_text().partition("\n")[0].partition(":")[0]
            text.set_text(name if len(shown) > 1 else "")
