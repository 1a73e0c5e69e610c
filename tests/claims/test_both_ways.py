"""Each judge can say *reproduced* and *differs*, and leave a claim undecided.

Every judge has two tables of its own, of the size of the text and of values that a run may have. A judge that says the
same of both judges nothing. Where an estimate decides, a third table leaves the claim open.
"""

import numpy as np
import pytest

from reproduction.claims.chapters import CHAPTERS
from reproduction.claims.verdicts import Results, judge_all, read_claims
from reproduction.simulation.synthetic import DOUBLED, GROWING, STEPPED
from reproduction.tagging.variants import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

REGIONS = ("0_0.25", "0.25_0.5", "0.5_0.75", "0.75_1")
NESTED = ["crf_word", "crf_context", "crf_suffixes"]
UNDER, OVER, UNCLEAR = "underconfident", "overconfident", "unclear"


def ends(name, value, margin, start=None):
    """Return a number with the ends of its interval, in columns `name`, `start_low` and `start_high`."""
    start = name if start is None else start
    return {name: value, f"{start}_low": max(value - margin, 0.0), f"{start}_high": value + margin}


def sentiment(*, f1=(0.009, 0.004), errors=(0.105, 0.041), nb=(UNDER, OVER), lr=(UNDER, OVER), gaps=(-0.1, 0.1)):
    """Return 100,000 tweets in bins of 5,000; `f1` and `gaps` are of logistic regression less Naive Bayes."""
    rows = []
    for model, error, (low, high) in zip(("naive_bayes", "logistic_regression"), errors, (nb, lr), strict=True):
        row = {"model": model, "f1": 0.73, "bin_size": 5000, **ends("published_error", error, 0.003, "published")}
        for region, direction, gap in zip(REGIONS, (low, UNCLEAR, UNCLEAR, high), (0.1, 0.1, -0.1, -0.1), strict=True):
            row |= {f"n_{region}": 25_000, f"gap_{region}": gap, f"direction_{region}": direction}
        rows.append(row)
    apart = {"f1": (-f1[0], f1[1]), "gap_0_0.5": (gaps[0], 0.02), "gap_0.5_1": (gaps[1], 0.02)}
    for name, (value, margin) in apart.items():
        by = {"": 0.0, "_low": -margin, "_high": margin}
        rows[1] |= {f"{name}_difference{end}": value + each for end, each in by.items()}
    return {"sentiment": rows}


def taggers(*, accuracy=(0.887, 0.887), errors=(0.014, 0.011), hmm="9 9 9", crf="-9 -9 -9"):
    """Return 33,306 tokens in bins of 5,000."""
    rows = [
        {"model": model, "target": "tags", "direction_scores": f"9 {scores}", "bin_size": 5000}
        | {"training_sentences": 3000, "test_tokens": 33_306, "accuracy": right}
        | ends("published_error", error, 0.0008, "published")
        | ends("error", error, 0.001)
        for model, right, error, scores in zip(("hmm", "crf"), accuracy, errors, (hmm, crf), strict=True)
    ]
    return {"taggers": rows}


def tags_won(crf, hmm):
    """Return 45 tested tags of 47: on so many the CRF or the HMM is surely better, on others the HMM perhaps."""
    p_values = [0.0001] * (crf + hmm) + [0.2] * (45 - crf - hmm) + [None] * 2
    squared = [{"squared_crf": 1.0, "squared_hmm": 2.0 * (number < crf)} for number in range(47)]
    columns = ("p_value", "p_fdr", "p_holm")
    return {"comparison_tags": [row | dict.fromkeys(columns, p) for row, p in zip(squared, p_values, strict=True)]}


def panels(fifty, ten, adaptive):
    """Return the intervals of Figure 1's 50, 10 and 33 bins."""
    widths = {"b": [fifty] * 50, "c": [ten] * 10, "d": [adaptive] * 33}
    bins = [{"panel": panel, "low": 0.5, "high": 0.5 + each} for panel, own in widths.items() for each in own]
    return {"figure_1": [{"panel": "a", "low": None, "high": None}, *bins]}


def nouns(crf):
    """Return errors on NN, of which the HMM's is .013."""
    sides = {f"{name}_hmm": 0.013 + by for name, by in (("error", 0), ("low", -0.001), ("high", 0.001))}
    sides |= {f"{name}_crf": crf + by for name, by in (("error", 0), ("low", -0.001), ("high", 0.001))}
    return {"comparison_tags": [{"label": "NN", "p_value": 0.2, **sides}], **taggers()}


def bigrams(won):
    """Return 100 pairs of tags, on `won` of which the HMM's error is lower by .0005, on others higher."""
    rows = [{"error_hmm": 0.0015, "error_crf": 0.002 if number < won else 0.001} for number in range(100)]
    counts = {"labels": 100, "hmm_error": 0.0, "crf_error": 0.0, "hmm_better_fdr": 0, "crf_better_fdr": 5}
    return {"comparison_bigrams": rows, "comparison": [{"target": "bigrams", "scope": "frequent", **counts}]}


def recalibrated(error):
    rows = [
        {"model": model, "recalibration": name, "chosen": name != "none", **ends("error", each, 0.001, "")}
        for model in ("hmm", "crf")
        for name, each in (("none", 0.01), ("temperature", error))
    ]
    return {"recalibration": [row | {"low": row["_low"], "high": row["_high"]} for row in rows]}


def tag_counts(held):
    rows = [
        {"posterior": name, "held": share, "documents": 400}
        for name, share in (("trained", 0.7), ("shared effect", held))
    ]
    return {"tag_counts": rows}


def ablation(*, roots=(0.035, 0.019, 0.008), spread=0.1, p=0.001, refinement=-0.003, accuracy=0.96, tokens=33_306):
    """Return the thesis' models: roots of mean squares of the HMM, CRF-Basic and CRF-Advanced."""
    hmm, basic, advanced = roots
    errors = {HMM_ML: hmm, HMM_MAP: hmm, BASIC_ADAGRAD: basic, ADVANCED_ADAGRAD: advanced}
    errors |= dict(zip(NESTED, (basic, (basic + advanced) / 2, advanced), strict=True))
    models = []
    for model, root in errors.items():
        row = {"model": model, "target": "one_tag", "bin_size": 1000, "test_tokens": tokens, "accuracy": accuracy}
        row |= {"mse": root**2, "mse_low": (root * (1 - spread)) ** 2, "mse_high": (root * (1 + spread)) ** 2}
        models.append(row | {"published_error": root, "refinement": 0.03, **ends("error", root, spread * root)})
    compared = [
        {"first": first, "second": second, "p_value": p}
        | {"squared_first": errors[first] ** 2, "squared_second": errors[second] ** 2}
        | {f"refinement_{end}": refinement + by for end, by in (("difference", 0), ("low", -0.001), ("high", 0.001))}
        for first, second in ((HMM_ML, BASIC_ADAGRAD), (BASIC_ADAGRAD, ADVANCED_ADAGRAD), (NESTED[0], NESTED[-1]))
    ]
    return {"ablation": models, "ablation_comparisons": compared}


def tweets(root):
    """Return 500 tweets: errors of CRF-Basic and CRF-Advanced, each `root` times the one before."""
    return ablation(roots=(0.063, root * 0.063, root**2 * 0.063), spread=0.2, tokens=7124)


def coref(error, score=-9, tagged=(0.014, 0.011)):
    row = {"model": "likelihood", "direction_scores": f"9 {score} {score} {score}", "bin_size": 500}
    row |= {
        "paper_bin_size": 5000,
        "perfect_mean": 0.004,
        "p_value": 0.01,
        **ends("paper_error", error, 0.0008, "paper"),
    }
    return {"coref_models": [row], **taggers(errors=tagged)}


def steps(overlapping):
    """Return 240 steps of 1-best counts, of which so many have intervals that overlap."""
    rows = []
    for number in range(240):
        apart = 1 if number < overlapping else 3
        counts = {"mean": 5.0, "exact_low": 1, "exact_high": 9}
        for end, low in (("a", 4), ("b", 4 + apart)):
            named = {"country": f"{number}", "period": end, "map_count": low}
            rows.append({**named, **counts, "low": low, "high": low + 2})
    return {"series": rows}


def peak(greater, overlap=True):
    """Return the two sides at their peak, 1-best 10 and 8."""
    rows = [
        {"country": country, "period": "1999Q2", "mean": mean, "map_count": mean, "low": mean - by, "high": mean + by}
        | {"exact_low": mean - by, "exact_high": mean + by}
        for by in (3 if overlap else 0.5,)
        for country, mean in (("YUG", 10), ("NATO", 8))
    ]
    answer = {"first": "YUG", "second": "NATO", "period": "1999Q2", "method": "documents"}
    return {"series": rows, "comparison": [{**answer, "greater": greater, "equal": 0.1}]}


def checks(correlation, ratio=1.0):
    row = {"cells": 900, "correlation": correlation}
    row |= {
        f"{name}_ratio{end}": ratio + by
        for name in ("mean", "sd")
        for end, by in (("", 0), ("_low", -0.02), ("_high", 0.02))
    }
    return {"checks": [{"check": name, **row} for name in ("10 samples", "entities")]}


def found(by_name, by_chain):
    """Return 400 true events in documents of their own, found by name or by the chains of coreference."""
    rows = [
        {"document": f"{number}", "true": True, "named": number < by_name, "found": number < by_chain}
        for number in range(400)
    ]
    return {"found": rows}


def uncertain(wrong):
    """Return 200 events at one half, of which so many are predicted wrongly, and 2,000 at .02, of which 40 happen."""
    middle = [{"q": 0.45, "y": number < wrong} for number in range(200)]
    return {"pairs": middle + [{"q": 0.02, "y": number < 40} for number in range(2000)]}


def coverage(share, happened=90):
    rows = [
        {
            "kind_of_cell": "uncertain",
            "interval": name,
            "coverage": share,
            "error": 0.005,
            "expected": 0.95,
            "cells": 900,
        }
        for name in ("published", "exact")
    ]
    return {"coverage": rows, **uncertain(happened)}


def leads(rarer):
    """Return 45,000 leads, 23 categories with `rarer` leads in each of the 11 rarest, and those without."""
    sizes = [45_000 - 12 * 1000 - 11 * rarer, *[1000] * 12, *[rarer] * 11]
    rows = [{"category": f"{n}", "level": float(n) if n else None, "leads": size} for n, size in enumerate(sizes)]
    return {"leads_frequencies": [row | {"share": row["leads"] / 45_000} for row in rows]}


def readings(bias, error=0.004):
    row = {
        f"{name}_{column}": value for name in ("naive", "bayes") for column, value in (("bias", bias), ("se", error))
    }
    return {"leads_naive": [row] * 23}


def saved(random_error, spread=0.1):
    """Return the error of 135 leads by category, and that of random ones, which falls with the root of their number."""
    errors = {("per category", 135): 0.1} | {
        ("random", n): random_error * (135 / n) ** 0.5 for n in (135, 270, 540, 1080, 2160, 4320, 8640)
    }
    rows = [
        {"measure": measure, "category": "war", "design": design, "leads": n, "population": 45_000, "rmse": rmse}
        | {"rmse_low": (1 - spread) * rmse, "rmse_high": (1 + spread) * rmse}
        for measure in ("answer_given_truth", "both")
        for (design, n), rmse in errors.items()
    ]
    return {"saving": rows, **leads(30)}


def synthetic(scores, *, distorted=None, expected=None, redrawn=None):
    """Return one study of 10,000 pairs and more; `redrawn` are scores of further labels, calibrated and distorted."""
    series = {"calibrated": scores, "distorted": distorted or scores}
    rows = [
        {"varied": varied, "predictor": predictor, "pairs": 10_000 * (number + 1), "bin_size": 100, "score": score}
        | {"expected": (expected or series)[predictor][number], "truth": 0.001, "bin_error": 0.0}
        | {"redrawn": " ".join(str(each[predictor][number]) for each in redrawn or [series] * 3)}
        for varied in (DOUBLED, STEPPED, GROWING)
        for predictor, values in series.items()
        for number, score in enumerate(values)
    ]
    return {"beta_1_1": rows}


def statements(share, ratio=0.1):
    """Return 200 tables, or bins, of which intervals of this share hold the truth."""
    names = [
        f"{setting} pairs and bins: intervals of Algorithm 2 that hold the error, {models}"
        for setting in ("the paper's", "the smallest")
        for models in ("miscalibrated", "calibrated")
    ]
    names.append("the paper's pairs and bins: intervals p̂ ± 1.96 standard errors that hold a bin's")
    rows = [{"quantity": name, "value": share, "part": round(200 * share), "whole": 200} for name in names]
    error = {"quantity": "standard error of a mean", "value": ratio, "low": ratio - 0.003, "high": ratio + 0.003}
    return {"statements": [*rows, error]}


def times(ratio):
    return {
        "sampling_time": [
            {"part": part, "ratio": ratio, "low": ratio - 0.05, "high": ratio + 0.05} for part in ("all", "choice")
        ]
    }


FALLING = [0.01 / (number + 1) ** 0.5 for number in range(30)]
ZIGZAG = [each * (1.3 if number % 2 else 1.0) for number, each in enumerate(FALLING)]
FLAT = [0.01 + 0.0001 * (number % 2) for number in range(30)]
SLOWLY = [0.01 - 0.00003 * number for number in range(30)]


def drawn(calibrated, distorted, noise=(0.01, 0.01), sets=6):
    """Return a study of two falling curves, and further sets of labels, with noise of this share of the score."""
    rng = np.random.default_rng(3)
    curves = {"calibrated": calibrated, "distorted": distorted}
    redrawn = [
        {
            name: list(np.array(curve) * (1 + by * rng.normal(size=30)))
            for (name, curve), by in zip(curves.items(), noise, strict=True)
        }
        for _ in range(sets)
    ]
    return synthetic(redrawn[0]["calibrated"], distorted=redrawn[0]["distorted"], expected=curves, redrawn=redrawn)


CASES = {
    "sentiment.higher_f1": (sentiment(), sentiment(f1=(-0.01, 0.004)), sentiment(f1=(0.003, 0.004))),
    "sentiment.less_than_half": (sentiment(), sentiment(errors=(0.105, 0.08)), sentiment(errors=(0.105, 0.052))),
    "sentiment.naive_bayes_direction": (sentiment(), sentiment(nb=(OVER, UNDER)), sentiment(nb=(UNCLEAR, UNCLEAR))),
    "sentiment.logistic_regression_direction": (
        sentiment(), sentiment(lr=(OVER, UNDER)), sentiment(lr=(UNCLEAR, OVER)),
    ),
    "sentiment.more_pronounced": (sentiment(), sentiment(gaps=(0.1, -0.1)), sentiment(gaps=(-0.01, 0.01))),
    "tagging.adaptive_is_narrow": (panels(0.135, 0.057, 0.015), panels(0.135, 0.057, 0.1)),
    "tagging.same_accuracy": (taggers(), taggers(accuracy=(0.887, 0.93)), taggers(accuracy=(0.887, 0.906))),
    "tagging.accuracy": (taggers(), taggers(accuracy=(0.82, 0.9)), taggers(accuracy=(0.887, 0.896))),
    "tagging.hmm_underconfident": (taggers(), taggers(hmm="-9 -9 -9"), taggers(hmm="9 .5 -.5")),
    "tagging.crf_overconfident": (taggers(), taggers(crf="9 9 9"), taggers(crf="-.5 -.5 -.5")),
    "tagging.lower_error_published": (taggers(), taggers(errors=(0.011, 0.014)), taggers(errors=(0.012, 0.0115))),
    "tagging.lower_error_bias_corrected": (taggers(), taggers(errors=(0.011, 0.014)), taggers(errors=(0.012, 0.0115))),
    "tagging.most_tags": (tags_won(39, 1), tags_won(5, 30), tags_won(13, 0)),
    "tagging.nouns_equal": (nouns(0.0135), nouns(0.004), nouns(0.0095)),
    "tagging.bigrams_lower": (bigrams(29), bigrams(71), bigrams(48)),
    "tagging.falls": (recalibrated(0.004), recalibrated(0.015), recalibrated(0.0095)),
    "tagging.counts_held": (tag_counts(0.95), tag_counts(0.8), tag_counts(0.92)),
    "thesis.lower_score": (ablation(), ablation(roots=(0.019, 0.035, 0.008)), ablation(p=0.2)),
    "thesis.scores": (ablation(), ablation(roots=(0.08, 0.04, 0.01)), ablation(spread=0.3)),
    "thesis.more_refined": (ablation(), ablation(refinement=0.003), ablation(refinement=-0.0005)),
    "thesis.templates_refine": (ablation(), ablation(refinement=0.003), ablation(refinement=-0.0005)),
    "thesis.templates_calibrate": (ablation(), ablation(roots=(0.035, 0.008, 0.019)), ablation(p=0.2)),
    "thesis.accuracy_96": (ablation(), ablation(accuracy=0.92), ablation(accuracy=0.969)),
    "thesis.near_diagonal": (ablation(), ablation(roots=(0.06, 0.05, 0.04)), ablation(roots=(0.06, 0.05, 0.0195))),
    "tweets.basic_halves_hmm": (tweets(0.45), tweets(1.3), tweets(0.6)),
    "tweets.advanced_halves_basic": (tweets(0.45), tweets(1.3), tweets(0.6)),
    "tweets.more_refined": (ablation(), ablation(refinement=0.003), ablation(refinement=-0.0005)),
    "tweets.templates_refine": (ablation(), ablation(refinement=0.003), ablation(refinement=-0.0005)),
    "tweets.templates_calibrate": (ablation(), ablation(roots=(0.063, 0.02, 0.04)), ablation(p=0.2)),
    "tweets.accuracy_87": tuple(ablation(accuracy=right, tokens=7124) for right in (0.87, 0.82, 0.857)),
    "tweets.near_diagonal": (tweets(0.4), tweets(0.8), tweets(0.55)),
    "coref.below_one_percent": (coref(0.006), coref(0.0137), coref(0.0095)),
    "coref.overconfident": (coref(0.006), coref(0.006, 9), coref(0.006, 0.5)),
    "coref.best_calibrated": (coref(0.006), coref(0.0137), coref(0.0105)),
    "events.coreference_finds_more": (found(300, 340), found(340, 300), found(300, 301)),
    "events.differences_are_noise": (steps(120), steps(20), steps(60)),
    "events.one_best_decides": (peak(0.7), peak(1.0, overlap=False)),
    "events.ten_samples_similar": (checks(0.99), checks(0.8), checks(0.99, 1.095)),
    "events.entities_similar": (checks(0.999), checks(0.999, 1.4), checks(0.999, 1.095)),
    "events.uncertain_is_wrong": (uncertain(90), uncertain(0), uncertain(6)),
    "events.intervals_are_useful": (coverage(0.95), coverage(0.88), coverage(0.935)),
    "extraction_eval.random_samples_miss": (leads(30), leads(400)),
    "extraction_eval.naive_is_biased": (readings(0.1), readings(0.002), readings(0.02)),
    "extraction_eval.bayes_is_unbiased": (readings(0.002), readings(0.1), readings(0.02)),
    "extraction_eval.leads_are_saved": (saved(0.5), saved(0.15), saved(0.35)),
    "synthetic.doubling": (synthetic(FALLING), synthetic(ZIGZAG)),
    "synthetic.trend": (
        drawn(FALLING, FALLING, (0.02, 0.02)),
        drawn(FALLING[::-1], FALLING),
        drawn(SLOWLY, FALLING, (0.05, 0.01), sets=3),
    ),
    "synthetic.unpredictable": (
        drawn(FALLING, FALLING, (0.01, 0.1)),
        drawn(FALLING, FALLING, (0.1, 0.01)),
        drawn(FALLING, FALLING, (0.04, 0.08), sets=2),
    ),
    "synthetic.weakly": (drawn(FALLING, SLOWLY), drawn(SLOWLY, FALLING), drawn(FALLING, FALLING)),
    "synthetic.to_zero": (synthetic(FALLING), synthetic(FLAT), synthetic([0.01, 0.008, 0.003, 0.009])),
    "known_truth.published_interval_covers": (statements(0.99), statements(0.7), statements(0.94)),
    "known_truth.bin_intervals_work": (statements(0.99), statements(0.6), statements(0.94)),
    "known_truth.sampling_is_slightly_slower": (times(1.1), times(7.2), times(1.48)),
    "known_truth.mean_error_is_a_tenth": (statements(0.9), statements(0.9, 0.07), statements(0.9, 0.094)),
}  # fmt: skip
"""Tables by judge: the claim is reproduced, differs, and is undecided; what is computed exactly has no third."""
FACTS = {"same_corpus": True, "frequent": 100, "two_sides": True, "nested": NESTED}


@pytest.mark.parametrize("name", [f"{claim.chapter}.{claim.judge}" for claim in read_claims()])
def test_a_judge_says_reproduced_differs_and_undecided(name):
    chapter, judge = name.split(".")
    [claim] = [each for each in read_claims() if (each.chapter, each.judge) == (chapter, judge)]
    judges = {judge: vars(CHAPTERS[chapter])[judge]}
    said = []
    for tables in CASES[name]:
        [row] = judge_all(
            [claim], judges, Results(tables, FACTS), "", paths=dict.fromkeys(tables, ""), simulated=False, draws=None
        )
        said.append(row["verdict"])
    assert said == ["reproduced", "differs", "undecided"][: len(said)]
