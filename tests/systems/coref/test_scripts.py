"""The scripts of the chapter: what they do beside calling the library."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from newsroom.reports import Newsroom
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.io.files import read_csv, write_csv, write_json
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.weights import Weights, size_of
from nlpcalib.systems.text.conllu import write_conllu
from reproduction.figures.panels import panel_letters

SCRIPTS = Path(__file__).parents[3] / "scripts"
REPORTS = [report.document for report in Newsroom(seed=3).reports(0, 6)]


def main(script):
    return runpy.run_path(str(SCRIPTS / script))["main"]


@pytest.fixture
def model(tmp_path):
    noise = np.random.default_rng(0).normal(size=size_of(0, 0)) / 2
    AntecedentModel({}, {}, Weights.of(noise, 0, 0), {"threshold": 0.3}).save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def test_a_genre_without_pairs_of_mentions_is_left_out(tmp_path, model):
    genres = ("news", "news", "weather", "news", "court", "court")
    documents = [replace(one, metadata={"genre": genre}) for one, genre in zip(REPORTS, genres, strict=True)]
    documents[2] = replace(documents[2], mentions=documents[2].mentions[:1])
    write_conllu(tmp_path / "test.conllu", documents)
    names = ("posteriors.npz", "pairs.parquet", "scores.csv")
    applied = [tmp_path / name for name in names]
    main("coref/apply_coref.py")([model], [tmp_path / "test.conllu"], *applied, mentions="gold")
    paths = [tmp_path / name for name in ("genres.csv", "perfect.csv", "kinds.csv")]
    main("coref/measure_perfect_coref.py")(applied[0], *paths, bin_size=50, replicates=3, seed=1)
    rows = read_csv(paths[0])
    assert [(row["genre"], row["documents"]) for row in rows] == [("all", "6"), ("court", "2"), ("news", "3")]
    assert {row["genre"] for row in read_csv(paths[1])} == {"all", "court", "news"}
    assert not read_csv(paths[2])  # too few pairs of any kind


@pytest.mark.parametrize(
    ("samples", "sizes"),
    [
        (5, [5]),
        pytest.param(50, [10, 50], marks=pytest.mark.slow),
        pytest.param(100, [10, 100], marks=pytest.mark.slow),
        (200, [10, 100, 200]),
    ],
)
def test_the_figure_of_samples_is_about_as_many_as_are_asked_for(tmp_path, model, samples, sizes):
    write_conllu(tmp_path / "test.conllu", REPORTS)
    settings = {"mentions": "gold", "samples": samples, "seed": 1}
    inputs = {"model": model, "documents": [tmp_path / "test.conllu"]}
    outputs = {"figure_sampling": tmp_path / "figure.png"}
    main("figures/figure.py")(
        {"figure_sampling": "reproduction.figures.coref:figure_sampling"}, inputs, outputs, settings
    )
    assert [int(row["samples"]) for row in read_csv(tmp_path / "figure.csv")] == sizes


@pytest.mark.parametrize("count", [1, 2, pytest.param(9, marks=pytest.mark.slow)])
def test_figure_5_has_a_panel_for_any_number_of_models(tmp_path, count):
    rng = np.random.default_rng(1)
    q = rng.random(200)
    write_pairs(tmp_path / "pairs.parquet", Pairs(q, rng.random(200) < q))
    write_csv(tmp_path / "perfect.csv", [{"genre": "all", "replicate": i, "error": 0.01 * i} for i in range(3)])
    table = read_written_pairs(tmp_path / "pairs.parquet")
    write_json(tmp_path / "calibration.json", measure_calibration(table, bin_size=10, samples=20, seed=1).summary)
    files = {"pairs": "pairs.parquet", "calibrations": "calibration.json", "perfect": "perfect.csv"}
    inputs = {name: [tmp_path / file] * count for name, file in files.items()}
    settings = {"models": [f"model_{i}" for i in range(count)]}
    outputs = {"figure_5": tmp_path / "figure.png"}
    main("figures/figure.py")({"figure_5": "reproduction.figures.coref:figure_5"}, inputs, outputs, settings)
    assert len({row["model"] for row in read_csv(tmp_path / "figure.csv")}) == count


def test_panels_after_the_26th_have_two_letters():
    assert [panel_letters(number) for number in (0, 8, 25, 26, 27, 52)] == ["a", "i", "z", "aa", "ab", "ba"]
