"""Figure 2 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.calibration.summary import Calibration
from nlpcalib.figures.reliability import curve_rows, describe_error, draw_curve, draw_reliability, is_skewed
from nlpcalib.figures.style import Drawing
from reproduction.figures.models import MODEL_STYLES, name_of, name_published, read_calibration, style_of
from reproduction.figures.panels import page_axes, panel_letters
from reproduction.figures.published import draw_published_curves


def figure_2(pairs: Sequence[str | Path], calibrations: Sequence[str | Path], *, published: bool = False) -> Drawing:
    """Draw Figure 2, a panel for each table `{model}/{target}/pairs.parquet` and the calibration measured of it.

    The model `oracle`, if it is there, is drawn in the panels of the others.
    """
    measured = {Path(path).parts[-3]: read_calibration(path, of) for path, of in zip(pairs, calibrations, strict=True)}
    oracle = measured.pop("oracle", None)
    return draw_figure_2(measured, oracle, published=published)


def draw_figure_2(
    calibrations: Mapping[str, Calibration], oracle: Calibration | None = None, *, published: bool = False
) -> Drawing:
    """Draw each model's calibration curve, with where its predictions lie (paper, Figure 2).

    The curve of an `oracle`, whose predictions are the true probabilities, stands next to each: what it is off the
    diagonal is chance. `published` has the curves of the models alone.
    """
    if published:
        titles = (f"({panel_letters(number)}) {name_of(model)}" for number, model in enumerate(calibrations))
        return draw_published_curves(dict(zip(titles, (each.bins for each in calibrations.values()), strict=True)))
    stretched = any(map(is_skewed, calibrations.values()))
    height = 0.75 + 8 / len(calibrations)  # squares of the width that is left, and titles
    figure, axes = page_axes(2, len(calibrations), height, sharex=True, height_ratios=(4, 1))
    size = None if len(calibrations) < 3 else 6.5  # titles of three columns would run into each other
    rows = []
    for number, ((above, below), (model, calibration)) in enumerate(zip(axes.T, calibrations.items(), strict=True)):
        name = name_of(model)
        if oracle is not None:
            draw_curve(above, oracle.bins, stretched=stretched, label="true probability", **MODEL_STYLES["oracle"])
        draw_reliability(above, below, calibration, stretched=stretched, label=name, **style_of(model, number))
        above.set_title(f"({panel_letters(number)}) {name}\n{describe_error(calibration)}", fontsize=size)
        name_published(above, calibration)
        above.legend(loc="upper left", fontsize=size)
        below.set(ylabel="messages")
        rows += curve_rows(calibration, stretched=stretched, model=model)
    if oracle is not None:
        rows += curve_rows(oracle, stretched=stretched, model="oracle")
    return figure, rows
