"""Each verdict names where it comes from: the files that were read and the function that judged."""

from contextlib import suppress
from datetime import date
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import get_args

import numpy as np
import pytest
import yaml
from scripts.check.check_claims import main

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.predictions.pair_files import write_pairs
from reproduction.claims.chapters import CHAPTERS, read_judged_table
from reproduction.claims.simulation import SCORE_COLUMNS
from reproduction.claims.verdicts import Results, read_claims
from reproduction.simulation.known_truth import statement_table
from reproduction.simulation.synthetic import DOUBLED, GROWING, STEPPED
from reproduction.tagging.variants import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
FACTS = {
    "same_corpus": True, "frequent": 2, "two_sides": True, "nested": [BASIC_ADAGRAD, ADVANCED_ADAGRAD],
}  # fmt: skip
TAGGERS = [{"model": model, "target": "tags", "direction_scores": "9 -9 0"} for model in ("hmm", "crf")]
PERIODS = [
    {"country": country, "period": "1999Q2", "map_count": count, "exact_low": 1, "exact_high": 9, "low": 1, "high": 9}
    for country, count in (("YUG", 4), ("NATO", 6))
]
ROWS = {
    "sentiment": {"sentiment": [{"model": model} for model in ("naive_bayes", "logistic_regression")]},
    "tagging": {
        "taggers": TAGGERS,
        "comparison": [
            {"target": "bigrams", "scope": "frequent", "hmm_error": 0.4, "crf_error": 0.2}
        ],
        "comparison_tags": [{"label": "NN"}],
        "comparison_bigrams": [{"label": "DT NN"}, {"label": "NN IN"}],
        "recalibration": [{"model": "crf", "recalibration": "none"}, {"model": "crf", "recalibration": "tied"}],
        "figure_1": [{"panel": panel} for panel in "abcd"],
        "tag_counts": [{"posterior": "trained"}, {"posterior": "shared effect"}],
    },
    "thesis": {
        "ablation": [
            {"model": model, "target": "one_tag"} for model in (HMM_ML, HMM_MAP, BASIC_ADAGRAD, ADVANCED_ADAGRAD)
        ],
        "ablation_comparisons": [
            {"first": HMM_ML, "second": BASIC_ADAGRAD}, {"first": BASIC_ADAGRAD, "second": ADVANCED_ADAGRAD},
        ],
    },
    "coref": {
        "coref_models": [{"model": "cross_validation", "direction_scores": "9 -9 0"}],
        "taggers": TAGGERS,
    },
    "events": {
        "series": [*PERIODS, {**PERIODS[1], "period": "1999Q3", "map_count": 2}],
        "comparison": [{"first": "YUG", "second": "NATO", "period": "1999Q2", "method": "documents"}],
        "checks": [{"check": "10 samples"}, {"check": "entities"}],
        "coverage": [{"interval": name, "kind_of_cell": "uncertain"} for name in ("published", "exact")],
        "found": [{"document": "a"}, {"document": "b", "named": False}],
    },
    "extraction_eval": {
        "leads_frequencies": [{"leads": leads, "sampled": 100} for leads in (5, 500)],
        "leads_naive": [{}],
        "saving": [
            {"measure": measure, "design": design, "leads": leads, "population": 9999, "rmse": 1 / leads}
            for measure in ("answer_given_truth", "both")
            for design in ("per category", "random")
            for leads in (20, 31)
        ],
    },
    "synthetic": {
        name: [
            {"varied": varied, "predictor": predictor, "pairs": size, "score": 1 / size, "expected": 2 / size}
            | {"redrawn": f"{1 / size} {1.1 / size}"}
            for varied in (DOUBLED, STEPPED, GROWING)
            for predictor in ("calibrated", "distorted")
            for size in (10, 20, 30)
        ]
        for name in ("beta_1_1", "beta_2_2")
    },
}  # fmt: skip
"""Tables by chapter, with the values by which judges find rows. Other columns get any value of their type."""
ROWS["tweets"] = ROWS["thesis"]
ANY = {int: 7, float: 0.5, str: "clear", bool: True, date: date(1999, 5, 17), NoneType: ""}


def filled(columns, row):
    """Return a row in which each column has a value of its type."""
    kinds = {name: get_args(kind)[0] if isinstance(kind, UnionType) else kind for name, kind in columns.items()}
    return {**{name: ANY[kind] for name, kind in kinds.items()}, **row}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """Return the rows of both tables of verdicts, each with the paths of all tables of its chapter."""
    folder = tmp_path_factory.mktemp("results")
    judged = []
    known_truth = {
        "statements": [dict(row) for row in statement_table(seed=1)[0][1]],
        "sampling_time": [{"part": "all"}, {"part": "choice"}],
    }
    for chapter, tables in (ROWS | {"known_truth": known_truth}).items():
        paths = {name: f"{folder}/{chapter}/{name}.csv" for name in tables}
        for name, rows in tables.items():
            columns = CHAPTERS[chapter].TABLES.get(name, SCORE_COLUMNS)
            (folder / chapter).mkdir(exist_ok=True)
            write_csv(folder / chapter / f"{name}.csv", [filled(columns, row) for row in rows])
        if chapter == "events":
            paths["pairs"] = f"{folder}/pairs.parquet"
            write_pairs(paths["pairs"], Pairs(np.array([0.1, 0.5, 0.6, 0.9]), np.array([False, False, True, True])))
        judged.append((chapter, chapter, paths, FACTS))
    tables = [f"{folder}/{name}.csv" for name in ("check", "own_claims")]
    read_from = [path for _, _, paths, _ in judged for path in paths.values()]
    main(read_from, f"{ROOT}/workflow/draws.csv", *tables, judged=judged, simulated=(), configuration=CONFIG)
    paths = {chapter: tables for chapter, _, tables, _ in judged}
    return [(row, paths[row["dataset"]]) for table in tables for row in read_csv(table)]


def test_every_claim_has_a_row_and_each_row_its_sources(verdicts):
    assert len(verdicts) == len(read_claims())
    assert all(row["table"] and row["judge"] for row, _ in verdicts)


def test_the_judge_of_a_row_finds_the_same_in_its_tables_alone_and_not_without_one_of_them(verdicts):
    for row, paths in verdicts:
        module, _, function = row["judge"].partition(":")
        judge, types = getattr(import_module(module), function), import_module(module).TABLES
        tables = {
            name: read_judged_table(path, types.get(name))
            for name, path in paths.items()
            if path in row["table"].split(", ")
        }
        assert len(tables) == len(row["table"].split(", "))
        assert judge(Results(tables, FACTS)).measured == row["measured"]
        for name in tables:
            others = {key: rows for key, rows in tables.items() if key != name}
            with suppress(IndexError, StopIteration):
                assert judge(Results(others, FACTS)).measured != row["measured"], (row["judge"], name)


def test_a_judge_is_one_function_that_is_found_by_its_name(verdicts):
    for row, _ in verdicts:
        module, _, function = row["judge"].partition(":")
        judge = getattr(import_module(module), function)
        assert (judge.__module__, judge.__name__) == (module, function)
