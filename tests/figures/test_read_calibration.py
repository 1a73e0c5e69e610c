"""Figures of models that were measured before draw what was measured."""

from dataclasses import asdict

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.figures.models import name_of, read_calibration


def test_what_is_read_is_what_was_measured(tmp_path):
    random = np.random.default_rng(1)
    q = random.random(3000)
    unit = Categories.of(np.arange(3000) // 7, [f"d{number}" for number in range(429)])
    path, written = tmp_path / "pairs.parquet", tmp_path / "calibration.json"
    write_pairs(path, Pairs(q, random.random(3000) < q, unit=unit))
    measured = measure_calibration(read_written_pairs(path), bin_size=100, samples=20, seed=1)
    write_json(written, measured.summary)
    read = read_calibration(path, written)
    assert read.summary == measured.summary
    for name, values in asdict(measured.bins).items():
        np.testing.assert_array_equal(getattr(read.bins, name), values)
    for name in ("band", "distribution", "stretched"):
        np.testing.assert_array_equal(getattr(read, name), getattr(measured, name))


def test_models_of_the_workflow_have_names_and_the_users_keep_theirs():
    given = ["hmm", "crf_recalibrated", "cross_validation", "BERT_base", "CNN_recalibrated", "my_recalibrated_v2"]
    shown = ["HMM", "CRF, recalibrated", "cross validation", "BERT_base", "CNN, recalibrated", "my_recalibrated_v2"]
    assert list(map(name_of, given)) == shown
