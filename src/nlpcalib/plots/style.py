"""One style for every figure: readable in print, in black and white, and by people who do not tell red from green."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt  # the backend has to be chosen first
from matplotlib.figure import Figure

COLUMN_WIDTH = 3.4
"""Width in inches of one column of a two-column page."""
PAGE_WIDTH = 7.0

MODEL_STYLES = {
    "hmm": {"color": "#b35806", "marker": "o", "markerfacecolor": "white"},
    "crf": {"color": "#2b4c7e", "marker": "s"},
}
"""Models differ in colour, lightness and marker, so that no reading rests on colour alone."""
NEUTRAL_STYLE = {"color": "#222222", "marker": "o"}

_RC = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "figure.dpi": 200,
    "font.size": 8,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.4,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "lines.linewidth": 0.9,
    "lines.markersize": 3.2,
    "pdf.fonttype": 42,
    "savefig.bbox": "tight",
    "savefig.pad_inches": 0.04,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Apply the style inside the block and close the figures made there."""
    with matplotlib.rc_context(_RC):
        try:
            yield
        finally:
            plt.close("all")


def save_figure(figure: Figure, folder: Path, stem: str) -> None:
    """Write `stem.png` and `stem.pdf` into an existing folder, the same bytes for the same figure."""
    figure.savefig(folder / f"{stem}.png", metadata={"Software": None})
    figure.savefig(folder / f"{stem}.pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
