"""A map that held-out labels do not show to be better is not handed out without saying so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.cli.app import main

SENTENCE = ": not shown to be better (no difference between before and after is shown), keep q or label more"


def drawn(sharpness: float, rows: int, seed: int = 58) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng([seed, rows])
    q = random.beta(2, 3, rows)
    return q, (random.random(rows) < expit(sharpness * logit(q))).astype(int)


def recalibrated(sharpness: float, rows: int) -> nc.RecalibrationReport:
    return nc.recalibrate(*drawn(sharpness, rows), method="logistic")


def test_a_map_of_calibrated_predictions_is_called_not_shown_to_be_better() -> None:
    report = recalibrated(1.0, 300)
    assert not report.shown_better
    assert not report.record()["shown_better"]
    assert report.lines()[0].endswith(SENTENCE)


def test_a_shrunk_map_that_is_not_shown_to_be_better_says_so_first_and_nothing_of_it_where_it_changes_nothing() -> None:
    changed = [
        report
        for seed in range(20)
        if not (report := nc.recalibrate(*drawn(0.8, 300, seed))).shown_better and report.shrinkage.weights["raw"] < 1
    ]
    assert len(changed) > 5
    assert all(": not shown to be better (" in report.lines()[0] for report in changed)
    assert "left as it is" in nc.recalibrate(*drawn(1.0, 300)).lines()[0]


def test_a_map_that_repairs_an_error_is_handed_out_as_better() -> None:
    report = recalibrated(0.3, 2000)
    assert report.shown_better
    assert report.record()["shown_better"]
    assert "not shown" not in str(report)


def test_groups_are_told_that_they_share_a_map_which_it_made_worse_and_how_each_gets_its_own(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (q, y), (other, of_other) = drawn(1.0, 900), drawn(0.4, 900, 59)
    rows = [f"{p},{label},{name}" for name, *both in (("DE", q, y), ("JP", other, of_other))
            for p, label in zip(*both, strict=True)]  # fmt: skip
    Path("markets.csv").write_text("\n".join(["q,y,market", *rows]))
    words = ["recalibrate", "markets.csv", "--by", "market"]
    assert main(words) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second == "one map for all groups of market: worse after in DE; --predicted market fits one for each"
    assert main([*words, "--predicted", "market"]) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second == "a map for each market: no group is shown to be worse after"
    of_arrays = nc.recalibrate([*q, *other], [*y, *of_other], by=["DE"] * len(q) + ["JP"] * len(other))
    assert of_arrays.lines()[1].endswith("; predicted= of read with the values of by fits one for each")
    classes = [f"{p},{1 - float(p)},{'ab'[label == '0']},{name}" for p, label, name in (row.split(",") for row in rows)]
    Path("classes.csv").write_text("\n".join(["a,b,gold,market", *classes]))
    assert main(["recalibrate", "classes.csv", "--q", "a,b", "--y", "gold", "--by", "market"]) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second.endswith("; to fit one for each, recalibrate the rows of each group in a table of their own")
