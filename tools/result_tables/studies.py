"""Tables of studies as the results pages show them, from the rows of a run's files: events, estimates, simulation."""

from __future__ import annotations

from collections.abc import Sequence

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
        if row["method"] != "changing rates":
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


def event_parsers(rows: list[Row]) -> Shown:
    """Return how often intervals of counts hold the truth, by the number of parsers."""
    never, held = f"never seen, of {int(rows[0]['true_events']):,} true events", "held (expected)"
    shown = [
        ["parsers", never, "uncertain cells", f"published: {held}", f"exact: {held}", "width of the exact interval"]
    ]
    for row in rows:
        intervals = (
            f"{decimal(row[kind], 3)} ({decimal(row[f'{kind}_expected'], 3)})" for kind in ("published", "exact")
        )
        shown.append([row["parsers"], row["never_seen"], row["cells"], *intervals, decimal(row["width"], 2)])
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


REGIMES = [
    (curve, density, dependence, "10000")
    for dependence in ("independent", "sentences", "documents")
    for density in ("uniform", "skewed")
    for curve in ("calibrated", "mild", "strong")
]
HARD_REGIMES = [
    ("calibrated", "rare", "independent", "10000"),
    ("doubled", "rare", "independent", "10000"),
    ("halved", "rare", "independent", "10000"),
    ("calibrated", "scarce", "independent", "10000"),
    ("calibrated", "verbalised", "independent", "500"),
    ("calibrated", "verbalised", "independent", "10000"),
    ("mild", "verbalised", "independent", "10000"),
    ("shifted", "uniform", "independent", "500"),
    ("band", "uniform", "independent", "10000"),
    ("wave", "uniform", "independent", "10000"),
    ("calibrated", "uniform", "unequal", "500"),
    ("strong", "uniform", "unequal", "500"),
    ("calibrated", "uniform", "giant", "500"),
    ("strong", "uniform", "giant", "500"),
    ("calibrated", "classes", "items", "10000"),
    ("mild", "classes", "items", "10000"),
    ("calibrated", "classes", "rows", "10000"),
]


OTHERS = (("ten_bins_rms", "score"), ("cox_rms", ""), ("equal_width_rms", ""))
"""Estimators that the default is compared with, and their intervals."""


def simulated_coverage(regimes: Sequence[tuple[str, ...]], errors: bool, rows: list[Row], tests: list[Row]) -> Shown:
    """Return coverage and width of the default interval, and how often tests reject, in each regime.

    With `errors`, root mean squared errors of four estimators follow; without, the coverage of Algorithm 2 comes first.
    """
    keys = ("curve", "density", "dependence", "n")
    estimates = {(*(row[key] for key in keys), row["estimator"], row["interval"]): row for row in rows}
    rejected = {(*(row[key] for key in keys), row["test"]): row["rejected"] for row in tests}
    shown = [["curve", "predictions", "pairs", "n", "" if errors else "Algorithm 2", "default: coverage, width"]]
    shown[0] += ["`binned`", "`cox`", "`spiegelhalter`"]
    shown[0] += ["RMSE: default", "10 bins", "line", "equal width"] if errors else []
    for regime in regimes:
        plain = estimates[*regime, "debiased_rms", "score"]
        default = estimates.get((*regime, "debiased_rms", "cluster_score"), plain)
        cells = [*regime, decimal(estimates[*regime, "adaptive_rms", "algorithm2"]["coverage"], 3)]
        cells.append(f"{decimal(default['coverage'], 3)}, {decimal(default['width'], 4)}")
        for test in ("binned", "cox", "spiegelhalter"):
            cells.append(decimal(rejected.get((*regime, f"cluster_{test}"), rejected.get((*regime, test), "")), 2))
        if errors:
            others = ((*regime, name, kind) for name, kind in OTHERS)
            cells += [decimal(estimates[key]["rmse"], 4) for key in ((*regime, "debiased_rms", "score"), *others)]
        shown.append(cells)
    return [[*line[:4], *line[5:]] if errors else line for line in shown]


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


def estimation_coverage(rows: list[Row]) -> Shown:
    """Return each method's coverage by unit and prevalence: the mean over regimes, and the worst."""
    methods = ("score", "ppi++", "active", "classical")
    shown = [["read", "prevalence", "score", "PPI++", "active inference", "classical"]]
    for unit in ("item", "document"):
        for prevalence in dict.fromkeys(row["prevalence"] for row in rows):
            cells = [f"{unit}s", decimal(prevalence, len(prevalence) - 2)]
            for method in methods:
                same = {"unit": unit, "prevalence": prevalence, "method": method}
                found = [float(row["coverage"]) for row in rows if same.items() <= row.items()]
                cells.append(f"{decimal(sum(found) / len(found), 3)} ({decimal(min(found), 3)})")
            shown.append(cells)
    return shown


def estimation_width(rows: list[Row]) -> Shown:
    """Return the mean width of the score interval by prevalence and design, with the most labels of items."""
    designs = tuple(dict.fromkeys(row["design"] for row in rows))
    most = max((row["labels"] for row in rows), key=int)
    shown = [["prevalence", *designs]]
    for prevalence in dict.fromkeys(row["prevalence"] for row in rows):
        same = {"prevalence": prevalence, "labels": most, "unit": "item", "method": "score"}
        widths = [
            [float(row["width"]) for row in rows if (same | {"design": design}).items() <= row.items()]
            for design in designs
        ]
        means = (decimal(sum(each) / len(each), 4) for each in widths)
        shown.append([decimal(prevalence, len(prevalence) - 2), *means])
    return shown


def estimation_series(rows: list[Row]) -> Shown:
    """Return coverage and width of series before and after the model loses positive items."""
    shown = [["prevalence", "lost", "method", "before", "after", "worst period", "width before", "after"]]
    for row in rows:
        coverage = (decimal(row[f"coverage_{part}"], 3) for part in ("before", "after", "worst"))
        widths = (f"{float(row[f'width_{part}']):.0f}" for part in ("before", "after"))
        lost = f"{float(row['blind']) * 100:.0f}%"
        shown.append([decimal(row["prevalence"], len(row["prevalence"]) - 2), lost, row["method"], *coverage, *widths])
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
