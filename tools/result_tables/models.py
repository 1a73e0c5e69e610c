"""Tables of models as the results pages show them, from the rows of a run's files: taggers, sentiment, coreference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from spacy.pipeline import TrainablePipe
from tools.result_tables.cells import TITLES, Row, Shown, by, decimal, interval

from nlpcalib.calibration.summary import measure_calibration, summary_errors
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.systems.text.parsing.model import load_pipeline

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
KINDS = ("you ~ you", "he, she ~ he, she", "they ~ they", "name ~ name")
"""Kinds of pairs that the guide of coreference shows."""
PHRASE_TAGGERS = {"hmm": "HMM", "crf": "CRF"}
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
    for (model,), group in by(rows, "model"):
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
    for (model, counted), group in by(rows, "model", column):
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


def figure_3(rows: list[Row]) -> Shown:
    """Return both errors over all tags that Figure 3 shows, of the HMM and the CRF."""
    models = [row for row in rows if row["target"] == "tags"]
    errors = {"published error (Algorithms 1 and 2)": "published_error", "bias-corrected error": "error"}
    names = {"published_error": ("published_low", "published_high"), "error": ("error_low", "error_high")}
    shown = [["", *(MODELS[row["model"]] for row in models)]]
    return shown + [[title, *(interval(row, key, *names[key]) for row in models)] for title, key in errors.items()]


def frequent_tags(hmm: list[Row], crf: list[Row]) -> Shown:
    """Return the bias-corrected errors of the three most frequent tags."""
    shown = [["tag", "HMM, bias-corrected error", "CRF"]]
    for pair in list(zip(hmm, crf, strict=True))[:3]:
        errors = (interval(row, "error", "error_low", "error_high") for row in pair)
        shown.append([pair[0]["predicted"], *errors])
    return shown


def coref_kinds(rows: list[Row]) -> Shown:
    """Return the packaged model's errors by kind of pair, next to those of a perfect model."""
    shown = [["kind of pair", "true", "expected", "error, β = 200", "of a perfect model"]]
    chosen = {row["pair"]: row for row in rows if row["model"] == "packaged"}
    for kind in KINDS:
        row = chosen[kind]
        numbers = (f"{float(row[key]):,.0f}" for key in ("coreferent_pairs", "expected_pairs"))
        errors = (decimal(row[key], 3) for key in ("calibration_error", "perfect_mean"))
        shown.append([f"*{kind}*", *numbers, *errors])
    return shown


def phrases(datasets: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return the errors of noun phrases of one, two and more tokens after one temperature, by what their score is."""
    shown = [["", "all, exact", "best path, exact", "product", "minimum", "mean"]]
    scores = (("listed", "exact"), *(("best path", name) for name in ("exact", *shown[0][3:])))
    for dataset, rows in zip(datasets, tables, strict=True):
        after = [row for row in rows if (row["recalibration"], row["phrase"]) == ("temperature", "NP")]
        for (model,), group in by(after, "model"):
            cells = [[row for row in group if (row["query"], row["score"]) == each] for each in scores]
            errors = (", ".join(decimal(row["error"], 3) for row in cell) for cell in cells)
            shown.append([f"{TITLES[dataset]}, {PHRASE_TAGGERS.get(model, 'all templates')}", *errors])
    return shown


def phrase_counts(datasets: tuple[str, ...], *tables: list[Row]) -> Shown:
    """Return by how much phrases are too many after one temperature, and how intervals of their number hold."""
    shown = [["", "expected NP", "held", "expected ADJP", "held"]]
    for dataset, rows in zip(datasets, tables, strict=True):
        for (model,), group in by(rows, "model"):
            cells = [f"{TITLES[dataset]}, {PHRASE_TAGGERS.get(model, 'all templates')}"]
            for phrase in ("NP", "ADJP"):
                _, recalibrated, shared = (row for row in group if row["phrase"] == phrase)
                excess = decimal(float(recalibrated["bias"]) / float(recalibrated["mean"]) * 100, 1)
                sign = "" if excess.startswith("−") or excess == ".0" else "+"
                held = (decimal(row["held"], 3) for row in (recalibrated, shared))
                cells += [f"{sign}{excess} %", " → ".join(held)]
            shown.append(cells)
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
    for row in sorted(rows, key=lambda row: (row["dataset"], row["genre"])):
        if row["genre"] in (("seen", "unseen") if row["dataset"] in divided else ("all",)):
            given = row["reading"] == "given"
            cells = ["" if given and key in scores[:2] else decimal(float(row[key]) * 100, 1) for key in scores]
            title = f"{TITLES[row['dataset']]}, {row['reading']}{names[row['genre']]}"
            shown.append([title, f"{int(row['n_words']):,}" if given else "", *cells])
    return shown


def parameters(path: Path) -> int:
    """Return how many weights a parser has, in a `.zip`, or a model of coreference."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            return int(file["weights"].size)
    pipes = [pipe for _, pipe in load_pipeline(path).pipeline if isinstance(pipe, TrainablePipe)]
    nodes = {node.id: node for pipe in pipes for node in pipe.model.walk()}
    return sum(node.get_param(name).size for node in nodes.values() for name in node.param_names)


def trained(*files: list[Row]) -> Shown:
    """Return the size of a run's parser and coreference model, and the time by their jobs' logs; then the packaged."""
    *own, parser_log, coref_log, parser, coref = (rows[0] for rows in files)
    seconds = [f"{float(log['cpu_seconds']):.0f}" for log in (parser_log, coref_log)] + ["not recorded"] * 2
    places = [
        f"{kind} {where}" for where in ("of the default run", "in the package") for kind in ("parser", "coreference")
    ]
    sizes = [f"{int(row['parameters']):,}" for row in (*own, parser, coref)]
    return [["", "parameters", "CPU seconds of training"], *map(list, zip(places, sizes, seconds, strict=True))]


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
            f1, error = decimal(float(row["f1"]) * 100, 1), decimal(row["published_error"], 3)
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
                    interval(row, "published_error", "published_low", "published_high"),
                    f"{decimal(row['perfect_mean'], 4)} ± {decimal(row['perfect_sd'], 4)}",
                    decimal(row["p_value"], 3),
                    interval(row, "error", "error_low", "error_high"),
                ]
            )
    return shown


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
            cells += [decimal(row["published_error"], 4), decimal(row["refinement"], 4)]
        shown.append(cells)
    return shown


README_TEXT = TITLES["wsj_sample_fixed"]
"""The text of the README's Figure 3."""


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
        (
            "calibration error, all tags",
            [interval(row, "published_error", "published_low", "published_high") for row in models],
        ),
        ("… bias-corrected", [interval(row, "error", "error_low", "error_high") for row in models]),
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


FOUR_TAGGERS = {"hmm": "HMM", "crf": "CRF", "CNN": "CNN", "CNN_recalibrated": "CNN, recalibrated"}
"""Models of the pictures of EWT, with their titles."""


def over_all_tags(path: Path) -> Row:
    """Return how often the likeliest tag is right, its mean probability, and the bias-corrected error over all tags.

    A run's pairs have all words for one tag after the other.
    """
    pairs = read_written_pairs(path)
    tags = len(pairs.predicted.names) if pairs.predicted else 1
    q, y = (each.reshape(tags, -1) for each in (pairs.q, pairs.y))
    likeliest = q.argmax(axis=0), np.arange(q.shape[1])
    measured = measure_calibration(pairs, bin_size=5000, samples=100, seed=0, by_class=[])
    errors = summary_errors(measured.summary)
    return {
        "right": f"{100 * y[likeliest].mean():.1f} %",
        "probability": f"{100 * q[likeliest].mean():.1f} %",
        **{name: str(errors[name]) for name in ("error", "error_low", "error_high")},
    }


def neural_tagger(figure_4: list[Row], *models: list[Row]) -> Shown:
    """Return the taggers of EWT by all tags, and by Figure 4's five as published and bias-corrected."""
    fifth = {(row["panel"], row["model"]): row["error"] for row in figure_4 if row["label"] == "mean of 5"}
    shown = [["EWT", "top tag right", "sure of it", "Figure 3", "Figure 4, mean of five tags", "bias-corrected"]]
    for (model, title), [row] in zip(FOUR_TAGGERS.items(), models, strict=True):
        errors = interval(row, "error", "error_low", "error_high")
        of_tags = (decimal(fifth[panel, model], 4) for panel in "ac")
        shown.append([title, row["right"], row["probability"], errors, *of_tags])
    return shown
