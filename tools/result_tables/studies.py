"""Tables of studies as the results pages show them, from the rows of a run's files: events, estimates, simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median, stdev

from tools.result_tables.cells import Row, Shown, by, decimal, interval


def event_coverage(rows: list[Row]) -> Shown:
    """Return how often intervals of uncertain counts hold the truth, for each kind of trees."""
    shown = [["trees", "uncertain cells", "published: held (expected)", "exact: held (expected)", "1-best count right"]]
    for (dataset,), group in by([row for row in rows if row["kind_of_cell"] == "uncertain"], "dataset"):
        cells = {row["interval"]: row for row in group}
        shown.append(
            [
                {"newswire": "its own", "newswire_parsed": "by a parser"}[dataset],
                cells["exact"]["cells"],
                *(
                    f"{decimal(cells[kind]['coverage'], 3)} ± {decimal(cells[kind]['error'], 3)} "
                    f"({decimal(cells[kind]['expected'], 3)})"
                    for kind in ("published", "exact")
                ),
                f"{decimal(cells['map']['coverage'], 3)} ({decimal(cells['map']['expected'], 3)})",
            ]
        )
    return shown


def estimates_coverage(rows: list[Row]) -> Shown:
    """Return how often intervals of estimates from labels hold the truth."""
    shown = [["country", "truth", "model's sum", "drawn, method", "samples", "coverage", "width", "error (RMSE)"]]
    for row in rows:
        if row["method"] != "periods":
            places = 0 if float(row["predicted"]) > 100 else 1
            shown.append(
                [
                    row["country"],
                    f"{float(row['truth']):.0f}",
                    f"{float(row['predicted']):.{places}f}",
                    f"{row['design']}, {row['method']}",
                    row["replicates"],
                    decimal(row["coverage"], 3),
                    f"{float(row['width']):.0f}",
                    f"{float(row['rmse']):.0f}",
                ]
            )
    return shown


def event_recalibration(titles: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return the error and the expected number of events for each method, next to the true number."""
    shown = [["attacks"]]
    for title, rows in zip(titles, tables, strict=True):
        shown[0] += [f"{title}: error", f"Σ q of {int(rows[0]['events']):,}"]
    for method in zip(*tables, strict=True):
        numbers = ((interval(row, "error", "low", "high"), f"{float(row['expected_events']):,.0f}") for row in method)
        shown.append([method[0]["recalibration"], *(cell for cells in numbers for cell in cells)])
    return shown


def event_estimates(query: str, rows: list[Row]) -> Shown:
    """Return the model's interval and the estimate from labels for each country."""
    shown = [["country", "truth", "model's 95 % interval", "estimate", "95 % interval"]]
    for row in rows:
        if row["query"] == query:
            low, high = (f"{float(row[key]):.0f}" for key in ("low", "high"))
            model = f"{row['exact_low']} to {row['exact_high']}"
            shown.append([row["country"], row["truth"], model, f"{float(row['estimate']):.0f}", f"{low} to {high}"])
    return shown


def comparisons(rows: list[Row]) -> Shown:
    """Return the worst coverage and the most mistaken findings over numbers of rows, with and without units."""
    shapes = list(dict.fromkeys(row["scores"] for row in rows))
    shown = [
        [
            "second model",
            "rows are",
            *(f"held, {scores}" for scores in shapes),
            "shown better though worse",
            *(f"better one shown, {scores}" for scores in shapes),
        ]
    ]
    for (second, units), group in by(rows, "second", "units"):
        tested = [row for row in group if int(row["samples"])]

        def both(key: str, choose: Callable[[Iterable[float]], float], chosen: Sequence[Row]) -> str:
            if not chosen:
                return "–"
            return " (".join(decimal(choose(float(row[key + of]) for row in chosen), 3) for of in ("", "_t")) + ")"

        of_scores = [[row for row in tested if row["scores"] == scores] for scores in shapes]
        shown.append(
            [
                second,
                "of units of ten" if units == "True" else "independent",
                *(both("held", min, chosen) for chosen in of_scores),
                both("worse_shown_better", max, tested),
                *(both("better_shown", max, [row for row in each if row["rows"] == "1000"]) for each in of_scores),
            ]
        )
    return shown


def leads_summary(rows: list[Row]) -> Shown:
    """Return what a sample by category and a random one find, next to the truth."""
    names = {
        "correct": "leads whose category is right",
        "correct_events": "… of those that report an event",
        "mean_level": "mean level of the events",
    }
    shown = [["", "truth", "by category (95 %)", "random leads (95 %)"]]
    for row in rows:
        if row["measure"] in names:
            digits = 2 if row["measure"] == "mean_level" else 3
            samples = (interval(row, each, f"{each}_low", f"{each}_high", digits) for each in ("stratified", "random"))
            shown.append([names[row["measure"]], decimal(row["truth"], digits), *samples])
    return shown


def synthetic(rows: list[Row]) -> Shown:
    """Return the thesis' score and its expectation as the bin size doubles, for some sizes."""
    sizes = ("2", "64", "1024", "8192", "32768", "65536")
    doubled = [row for row in rows if row["varied"] == "doubled" and row["bin_size"] in sizes]
    shown = [["bin size", *(f"{int(size):,}" for size in sizes)]]
    for (predictor,), group in by(doubled, "predictor"):
        truth = f"(the truth is {'0' if float(group[0]['truth']) == 0 else decimal(group[0]['truth'], 4)})"
        for name, key in ((f"{predictor}: score", "score"), (f"… expected {truth}", "expected")):
            shown.append([name, *(decimal(row[key], 4 if float(row[key]) > 5e-4 else 7) for row in group)])
    return shown


def regimes(rows: list[Row]) -> Shown:
    """Return how often intervals hold over regimes drawn at random, and in those that are worst."""
    shown = [["estimated", "method", "regimes, draws", "mean (± error)", "median", "below .93"]]
    shown[0] += ["worst ten, drawn again: below .93", "worst (± error)", "width / 3.92 · RMSE", "weakest where"]
    for row in rows:
        worst = f"{decimal(row['worst'], 3)} (± {decimal(row['worst_se'], 3)})" if row["worst"] else ""
        part = f"`{row['weakest']}`: {row['part']} ({decimal(row['weakest_mean'], 3)})"
        shown.append(
            [
                row["kind"], row["method"], f"{row['regimes']}, {row['replicates']}",
                f"{decimal(row['mean'], 3)} (± {decimal(row['mean_se'], 3)})", decimal(row["median"], 3),
                f"{float(row['below']) * 100:.0f} %", row["failing"], worst,
                decimal(row["ratio"], 2), part,
            ]
        )  # fmt: skip
    return shown


def intervals(rows: list[Row]) -> Shown:
    """Return coverage, and mean width, of three intervals of the calibration error in regimes with names."""
    shown = [["regime (true error)", "pairs"]]
    shown[0] += [f"{row['interval']} (width)" for row in rows[:3]]
    for (name, pairs), group in by(rows, "regime", "n"):
        cells = [f"{decimal(row['coverage'], 3)} ({decimal(row['width'], 4)})" for row in group]
        shown.append([f"{name} ({decimal(group[0]['truth'], 4)})", f"{int(pairs):,}", *cells])
    return shown


def series_changes(rows: list[Row]) -> Shown:
    """Return what series cover by what changes in the model, over regimes drawn at random."""
    shown = [
        [
            "the model's change",
            "regimes",
            "periods held (± error)",
            "below .9",
            "width / 3.92 · RMSE",
            "each period alone",
        ]
    ]
    first = [row for row in rows if row["again"] == "0"]
    for change in ("none", "step", "ramp", "dip", "offsets"):
        shared, alone = (
            [row for row in first if (row["change"], row["method"]) == (change, method)]
            for method in ("groups", "score, each period")
        )
        coverage = [float(row["coverage"]) for row in shared]
        mean, error = fmean(coverage), stdev(coverage) / len(coverage) ** 0.5
        wider = median(float(a["width"]) / float(b["width"]) for a, b in zip(alone, shared, strict=True))
        ratio = median(float(row["width"]) / (3.92 * float(row["rmse"])) for row in shared)
        shown.append(
            [
                change, str(len(shared)), f"{decimal(mean, 3)} (± {decimal(error, 3)})",
                f"{fmean(value < 0.9 for value in coverage) * 100:.0f} %", decimal(ratio, 2),
                f"{wider:.1f} times as wide",
            ]
        )  # fmt: skip
    return shown


def estimation_labels(rows: list[Row]) -> Shown:
    """Return coverage, bias and width under wrong labels, by who reads the items."""
    procedures = tuple(dict.fromkeys(row["annotators"] for row in rows))
    shown = [["prevalence", "errors", *procedures]]
    for (prevalence, errors, rate), group in by(rows, "prevalence", "errors", "rate"):
        cells = {
            row["annotators"]: f"{decimal(row['coverage'], 3)} ({decimal(row['bias'], 3)}, {decimal(row['width'], 3)})"
            for row in group
        }
        name = "none" if errors == "none" else f"{float(rate) * 100:.0f} %, {errors}"
        shown.append([decimal(prevalence, len(prevalence) - 2), name, *(cells.get(each, "") for each in procedures)])
    return shown


_OF_TASKS = {
    "random": ("total", "random"),
    "planned": ("total", "planned"),
    "PPI++": ("total", "PPI++"),
    "labels alone": ("total", "labels alone"),
    "groups": ("groups", "random"),
    "groups, planned": ("groups", "planned"),
    "calibration error": ("calibration", "random"),
    "judge's corrected rate": ("judge", "random"),
}
_JUDGE_RATES = ("accuracy", "sensitivity", "specificity")


def real_tasks(rows: list[Row]) -> Shown:
    """Return coverage, and width in points, of each interval in each task; then their means over tasks."""
    shown = [["task (items; labels)", "true, summed %", *_OF_TASKS, f"judge's {', '.join(_JUDGE_RATES)}"]]
    coverage: dict[str, list[float]] = {}
    relative: dict[str, list[float]] = {}
    for (task,), group in by(rows, "task"):
        cells = {(row["of"], row["method"]): row for row in group}
        total, alone = cells[_OF_TASKS["random"]], float(cells[_OF_TASKS["labels alone"]]["width"])
        for name, key in _OF_TASKS.items():
            if key in cells and cells[key]["coverage"]:
                coverage.setdefault(name, []).append(float(cells[key]["coverage"]))
            if key[0] == "total":
                relative.setdefault(name, []).append(float(cells[key]["width"]) / alone)
        shown.append(
            [
                f"{task} ({int(total['items']):,}; {total['labels']})",
                f"{_percent(total['truth'])}, {_percent(total['summed'])}",
                *(_held(cells.get(key)) for key in _OF_TASKS.values()),
                ", ".join(decimal(cells[name, "random"]["coverage"], 3) for name in _JUDGE_RATES),
            ]
        )
    means = (decimal(fmean(coverage[name]), 3) for name in _OF_TASKS)
    widths = (decimal(median(relative[name]), 2) if name in relative else "" for name in _OF_TASKS)
    return [*shown, ["mean coverage", "", *means, ""], ["median of width / labels alone", "", *widths, ""]]


def _percent(share: str) -> str:
    return decimal(100 * float(share), 2 if float(share) < 0.01 else 1)


def _held(row: Row | None) -> str:
    """Return coverage and width in points, and in how many draws there is no interval, if in any."""
    if row is None:
        return "–"
    if not row["coverage"]:
        return "none"
    none = 1 - float(row["given"])
    absent = f", none in {100 * none:.0f} %" if none else ""
    return f"{decimal(row['coverage'], 3)} ({100 * float(row['width']):.1f}{absent})"
