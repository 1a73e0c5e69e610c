"""Tables of the results pages: which files of a run hold their numbers, and how these are shown.

`TABLES` has an entry for each table that a run can write. Its function takes the rows of each file. It returns the rows
of the table as they are shown, the header first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

Row = dict[str, str]
Shown = list[list[str]]

TITLES = {
    "newsroom": "newsroom",
    "ewt": "EWT",
    "ontogum": "OntoGUM",
    "timeline": "simulated",
    "ubuntu": "#ubuntu",
    "oct27": "Oct27",
    "daily547": "Daily547",
}
MODELS = {
    "hmm": "HMM",
    "crf": "CRF",
    "naive_bayes": "Naive Bayes",
    "logistic_regression": "logistic regression",
    "likelihood": "likelihood",
    "softmax_margin": "softmax-margin",
    "gold_mentions": "gold mentions",
    "cross_validation": "likelihood",
}
VARIANTS = {
    "hmm_ml": "HMM, ML",
    "hmm_map": "HMM, MAP",
    "crf_word": "CRF-Basic",
    "crf_context": "+ context",
    "crf_shape": "+ shape",
    "crf_length": "+ length",
    "crf_prefixes": "+ prefixes",
    "crf_suffixes": "+ suffixes",
    "crf_basic_adagrad": "CRF-Basic, AdaGrad",
    "crf_advanced_adagrad": "CRF-Advanced, AdaGrad",
}


@dataclass(frozen=True)
class Table:
    """A table of a page."""

    files: tuple[str, ...]
    """Files of a run, below its folder; a run that lacks one of them leaves the table as it is."""
    rows: Callable[..., Shown]
    replicates: int = 0
    """A run with fewer replicates leaves the table as it is too."""

    def read(self, results: Path) -> Shown | None:
        """Return the rows that the files of a run give, or None if the run lacks one of them."""
        paths = [results / name for name in self.files]
        if not all(path.is_file() for path in paths):
            return None
        tables = [_read(path) for path in paths]
        replicates = (int(row["replicates"]) for rows in tables for row in rows if "replicates" in row)
        return self.rows(*tables) if min(replicates, default=0) >= self.replicates else None


def _read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def decimal(number: str | float, digits: int) -> str:
    """Return a number without the zero before its point; `inf` in words, nothing for a missing one."""
    if number == "":
        return "–"
    text = f"{float(number):.{digits}f}".replace("-", "−")
    return "infinite" if text == "inf" else re.sub(r"^(−?)0\.", r"\1.", text)


def interval(row: Row, value: str, low: str, high: str, digits: int = 4) -> str:
    """Return a number and its interval in brackets."""
    return f"{decimal(row[value], digits)} ({decimal(row[low], digits)}–{decimal(row[high], digits)})"


def _by(rows: Sequence[Row], *keys: str) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    for key, group in groupby(rows, key=lambda row: tuple(row[name] for name in keys)):
        yield key, list(group)


def tagger_recalibration(dataset: str, rows: list[Row]) -> Shown:
    """Return a row for each model and method."""
    shown = [[TITLES[dataset], "log loss", "accuracy", "error, all tags", "pairs × 10⁴", "rows"]]
    for row in rows:
        name = row["recalibration"].replace("_", " ")
        name = f"**{name}** (chosen)" if row["chosen"] == "True" else name
        low, high = decimal(row["row_low"], 2), decimal(row["row_high"], 2)
        shown.append(
            [
                MODELS[row["model"]] if name == "none" else f"… {name}",
                decimal(row["log_loss"] or "inf", 3),
                decimal(row["accuracy"], 4),
                interval(row, "error", "low", "high"),
                decimal(float(row["pair_error"]) * 1e4, 2) if row["pair_error"] else "–",
                "1" if low == high == "1.00" else f"{low}–{high}",
            ]
        )
    return shown


def variant_recalibration(title: str, rows: list[Row]) -> Shown:
    """Return a row for each of the thesis' taggers: the trained model, then the recalibrated one."""
    shown = [[title, "chosen", "error, all tags", "pairs × 10⁴", "accuracy", "scikit-learn: temperature", "isotonic"]]
    for (model,), group in _by(rows, "model"):
        methods = {row["recalibration"]: row for row in group}
        trained, chosen = methods["none"], next(row for row in group if row["chosen"] == "True")
        shown.append(
            [
                VARIANTS[model],
                chosen["recalibration"].replace("_", " "),
                f"{decimal(trained['error'], 4)} → {interval(chosen, 'error', 'low', 'high')}",
                " → ".join(decimal(float(row["pair_error"]) * 1e4, 2) for row in (trained, chosen)),
                " → ".join(decimal(row["accuracy"], 4) for row in (trained, chosen)),
                *(decimal(methods[f"{name}, scikit-learn"]["error"], 4) for name in ("temperature", "isotonic")),
            ]
        )
    return shown


def counts(name: str, column: str, models: tuple[str, ...], title: str, rows: list[Row]) -> Shown:
    """Return how often intervals of counts hold: as trained, recalibrated, and with what documents share."""
    shown = [[title, name, "mean", "as trained", "recalibrated", "shared effect", "width", "λ"]]
    for (model, counted), group in _by(rows, "model", column):
        if model in models:
            trained, recalibrated, shared = group
            shown.append(
                [
                    MODELS[model],
                    counted,
                    decimal(trained["mean"], 1),
                    *(decimal(row["held"], 3) for row in (trained, recalibrated, shared)),
                    f"{decimal(trained['width'], 1)} → {decimal(shared['width'], 1)}",
                    decimal(shared["loading"], 2),
                ]
            )
    return shown


def coref_recalibration(title: str, rows: list[Row]) -> Shown:
    """Return a row for each coreference model and method."""
    pairs = sorted({int(float(row["coreferent_pairs"])) for row in rows})
    expected = f"pairs expected, of {', '.join(f'{number:,}' for number in pairs)}"
    shown = [[title, "T", "W", "log loss per mention", "error, pairs", expected, "CoNLL F1, clustered"]]
    for row in rows:
        method = row["recalibration"]
        shown.append(
            [
                MODELS[row.get("model", "likelihood")] if method == "none" else f"… {method}",
                *("1" if float(row[key]) == 1 else decimal(row[key], 2) for key in ("temperature", "new_weight")),
                decimal(row["log_loss"], 4),
                interval(row, "error", "low", "high"),
                f"{float(row['expected_pairs']):,.0f}",
                decimal(float(row["conll_f1_clustered"]) * 100, 1),
            ]
        )
    return shown


def coref_genres(rows: list[Row], novels: list[Row]) -> Shown:
    """Return expected and true coreferent pairs of the cross-validated model by genre, and of novels."""
    shown = [["", "pairs expected", "pairs there are"]]
    chosen = [row for row in rows if row["model"] == "cross_validation" and row["genre"] != "all"]
    chosen += [{**row, "genre": "novels of LitBank"} for row in novels if row["genre"] == "all"]
    for row in sorted(chosen, key=lambda row: -float(row["expected_pairs"]) / float(row["coreferent_pairs"])):
        numbers = (f"{round(float(row[key]), -2):,.0f}" for key in ("expected_pairs", "coreferent_pairs"))
        shown.append([row["genre"], *numbers])
    return shown


def parser_accuracy(rows: list[Row]) -> Shown:
    """Return F1 in percent on each test set, given words or plain text, and on genres that were trained on or not."""
    scores = ("words", "sentences", "tags", "lemmas", "uas", "las", "agents")
    shown = [["", "words", "words found", "sentences", "tags", "lemmas", "heads", "with relations", "agents"]]
    divided = {row["dataset"] for row in rows if row["genre"] == "unseen"}
    names = {"seen": ", genres trained on", "unseen": ", other genres", "all": ""}
    for row in rows:
        if row["genre"] in (("seen", "unseen") if row["dataset"] in divided else ("all",)):
            given = row["reading"] == "given"
            cells = ["" if given and key in scores[:2] else decimal(float(row[key]) * 100, 1) for key in scores]
            title = f"{TITLES[row['dataset']]}, {row['reading']}{names[row['genre']]}"
            shown.append([title, f"{int(row['n_words']):,}" if given else "", *cells])
    return shown


def event_coverage(rows: list[Row]) -> Shown:
    """Return how often intervals of uncertain counts hold the truth, for each kind of trees."""
    shown = [["trees", "uncertain cells", "published: held (expected)", "exact: held (expected)", "1-best count right"]]
    for (dataset,), group in _by([row for row in rows if row["kind_of_cell"] == "uncertain"], "dataset"):
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
        if row["method"] != "one change at most":
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
    for rows in zip(*tables, strict=True):
        numbers = ((interval(row, "error", "low", "high"), f"{float(row['expected_events']):,.0f}") for row in rows)
        shown.append([rows[0]["recalibration"], *(cell for cells in numbers for cell in cells)])
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


def sentiment(title: str, rows: list[Row]) -> Shown:
    """Return both classifiers of the paper and of a dataset; the gap is frequency less prediction."""
    shown = [["", "F1", "calibration error", "below ½", "above ½"]]
    for model, f1, error in (("Naive Bayes", "73.8", ".105"), ("logistic regression", "72.9", ".041")):
        shown.append([f"paper: {model}", f1, error, "under", "over"])
    for row in rows:
        if row["model"] in MODELS:
            halves = []
            for half in (("0_0.25", "0.25_0.5"), ("0.5_0.75", "0.75_1")):
                sizes = [float(row[f"n_{region}"]) for region in half]
                gaps = [float(row[f"gap_{region}"]) for region in half]
                gap = sum(size * each for size, each in zip(sizes, gaps, strict=True)) / sum(sizes)
                halves.append(f"{'−' if gap < 0 else '+'}{decimal(abs(gap), 3)}")
            f1, error = decimal(float(row["f1"]) * 100, 1), decimal(row["calibration_error"], 3)
            shown.append([f"{title}: {MODELS[row['model']]}", f1, error, *halves])
    return shown


def coref(titles: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return a row for each coreference model of each dataset; a perfect model has the error in `perfect`."""
    header = "documents, pairs; CoNLL F1: best antecedents; clustered marginals; error; perfect; p; bias-corrected"
    shown = [["", *header.split("; ")]]
    for title, rows in zip(titles, tables, strict=True):
        for row in rows:
            shown.append(
                [
                    f"{title}: {row['model'].replace('_', ' ')}",
                    f"{row['documents']}, {float(row['pairs']) / 1e6:.2f}M",
                    *(decimal(float(row[f"conll_f1_{kind}"]) * 100, 1) for kind in ("best", "clustered")),
                    interval(row, "calibration_error", "low", "high"),
                    f"{decimal(row['perfect_mean'], 4)} ± {decimal(row['perfect_sd'], 4)}",
                    decimal(row["p_value"], 3),
                    interval(row, "debiased_error", "debiased_low", "debiased_high"),
                ]
            )
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


def simulated_coverage(regimes: list[tuple[str, ...]], errors: bool, rows: list[Row], tests: list[Row]) -> Shown:
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


OTHERS = (("ten_bins_rms", "score"), ("cox_rms", ""), ("equal_width_rms", ""))
"""Estimators that the default is compared with, and their intervals."""


def ablation(datasets: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return accuracy, error and refinement of the one-tag query for each variant."""
    titles = [f"{TITLES[dataset]} acc." for dataset in datasets]
    shown = [["", *(cell for title in titles for cell in (title, "error", "refin."))]]
    by_dataset = [{row["model"]: row for row in rows if row["target"] == "one_tag"} for rows in tables]
    for model, title in VARIANTS.items():
        cells = [title]
        for rows in by_dataset:
            row = rows[model]
            cells.append(decimal(float(row["accuracy"]) * 100, 1))
            cells += [decimal(row["calibration_error"], 4), decimal(row["refinement"], 4)]
        shown.append(cells)
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


def taggers(datasets: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return the HMM and the CRF of each dataset, from its tables of taggers and of their comparison."""
    shown = [["", *(f"{TITLES[dataset]}: {model}" for dataset in datasets for model in ("HMM", "CRF"))]]
    models, compared = [], []
    for own, comparison in zip(tables[::2], tables[1::2], strict=True):
        models += [row for row in own if row["target"] == "tags"]
        scopes = {(row["target"], row["scope"]): row for row in comparison}
        compared += [("hmm", scopes["tags", "all"]), ("crf", scopes["tags", "all"])]
    pairs = [
        (model, row)
        for comparison in tables[1::2]
        for row in comparison
        if (row["target"], row["scope"]) == ("bigrams", "frequent")
        for model in ("hmm", "crf")
    ]
    for title, cells in (
        ("training sentences", [f"{int(row['training_sentences']):,}" for row in models]),
        ("pseudocount, c2", [row["hyperparameter"] for row in models]),
        ("accuracy", [f"{float(row['accuracy']) * 100:.1f} %" for row in models]),
        ("calibration error, all tags", [interval(row, "calibration_error", "low", "high") for row in models]),
        ("… bias-corrected", [interval(row, "debiased_error", "debiased_low", "debiased_high") for row in models]),
        ("noise floor", [decimal(row["noise_floor"], 4) for row in models]),
        ("share above the diagonal", [f"{float(row['underconfident_share']) * 100:.0f} %" for row in models]),
        ("mean error of single tags", [decimal(row[f"{model}_error"], 4) for model, row in compared]),
        (
            "significantly better tags, p < .05",
            [f"{row[f'{model}_better']} of {row['tested']}" for model, row in compared],
        ),
        ("… at a false discovery rate of .05", [row[f"{model}_better_fdr"] for model, row in compared]),
        ("… after Holm's adjustment", [row[f"{model}_better_holm"] for model, row in compared]),
        ("mean error of 100 tag pairs", [decimal(row[f"{model}_error"], 4) for model, row in pairs]),
    ):
        shown.append([title, *cells])
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
    for (prevalence, errors, rate), group in _by(rows, "prevalence", "errors", "rate"):
        cells = {
            row["annotators"]: f"{decimal(row['coverage'], 3)} ({decimal(row['bias'], 3)}, {decimal(row['width'], 3)})"
            for row in group
        }
        name = "none" if errors == "none" else f"{float(rate) * 100:.0f} %, {errors}"
        shown.append([decimal(prevalence, len(prevalence) - 2), name, *(cells.get(each, "") for each in procedures)])
    return shown


def _tables(dataset: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tables/{dataset}/{name}.csv" for name in names)


_ABLATION = ("ewt", "oct27", "daily547")
_COREF = ("ontogum", "ontogum_parsed", "litbank")
_COVERAGE = _tables("simulation", "coverage", "tests")
TABLES = {
    **{
        f"recalibration_{name}": Table(_tables(name, "recalibration"), partial(tagger_recalibration, name))
        for name in ("newsroom", "ewt", "ontogum")
    },
    **{
        f"variants_{name}": Table(_tables(name, "recalibration_ablation"), partial(variant_recalibration, TITLES[name]))
        for name in ("newsroom", "ewt", "ontogum")
    },
    **{
        f"tag_counts_{name}": Table(
            _tables(name, "tag_counts"), partial(counts, "tag", "tag", ("hmm", "crf"), TITLES[name])
        )
        for name in ("newsroom", "ewt")
    },
    "entities_newsroom": Table(
        _tables("newsroom", "entity_counts"), partial(counts, "counted", "counted", ("likelihood",), "newsroom")
    ),
    "entities_ontogum": Table(
        _tables("ontogum", "entity_counts"), partial(counts, "counted", "counted", ("cross_validation",), "OntoGUM")
    ),
    "coref_recalibration_newsroom": Table(
        _tables("newsroom", "coref_recalibration"), partial(coref_recalibration, "newsroom")
    ),
    "coref_recalibration_folds": Table(
        ("coref/ontogum/cross_validation/recalibrated/errors.csv",), partial(coref_recalibration, "OntoGUM, four folds")
    ),
    "coref_genres": Table((*_tables("ontogum", "coref_genres"), *_tables("litbank", "coref_genres")), coref_genres),
    "parser_accuracy": Table(_tables("parsing", "accuracy_universal"), parser_accuracy),
    "event_coverage": Table(_tables("events", "coverage"), event_coverage),
    "event_recalibration": Table(
        tuple(f"events/{name}/attack/recalibration.csv" for name in ("newswire", "newswire_parsed")),
        partial(event_recalibration, ("newswire", "newswire, parsed")),
    ),
    "event_parsers": Table(_tables("newswire_parsed", "event_parsers_attack"), event_parsers),
    "estimates_muc3_draw": Table(_tables("muc3", "event_estimates"), partial(event_estimates, "incident")),
    "estimates_newswire": Table(_tables("newswire_parsed", "event_estimates_coverage"), estimates_coverage, 500),
    "estimates_muc3": Table(_tables("muc3", "event_estimates_coverage"), estimates_coverage, 500),
    **{
        f"sentiment_{name}": Table(_tables(name, "sentiment"), partial(sentiment, TITLES[name]))
        for name in ("timeline", "ubuntu")
    },
    "ablation_newsroom": Table(_tables("newsroom", "ablation"), partial(ablation, ("newsroom",))),
    "ablation_open": Table(
        tuple(path for name in _ABLATION for path in _tables(name, "ablation")), partial(ablation, _ABLATION)
    ),
    "coref_open": Table(
        tuple(path for name in _COREF for path in _tables(name, "coref_models")),
        partial(coref, ("OntoGUM", "OntoGUM, trees by the parser", "LitBank, trees by the parser")),
    ),
    "estimation_coverage": Table(_tables("simulation", "estimation_coverage"), estimation_coverage, 400),
    "estimation_width": Table(_tables("simulation", "estimation_coverage"), estimation_width, 400),
    "estimation_series": Table(_tables("simulation", "estimation_series"), estimation_series, 250),
    "estimation_labels": Table(_tables("simulation", "estimation_labels"), estimation_labels, 400),
    "coverage": Table(_COVERAGE, partial(simulated_coverage, REGIMES, False), 100),
    "coverage_hard": Table(_COVERAGE, partial(simulated_coverage, HARD_REGIMES, True), 100),
    "leads": Table(_tables("newswire_leads", "leads_summary"), leads_summary),
    "taggers_open": Table(
        (*_tables("ewt", "taggers", "comparison"), *_tables("ontogum", "taggers", "comparison")),
        partial(taggers, ("ewt", "ontogum")),
    ),
}
