"""Recalibrate event probabilities by the truth about other documents, and measure the result."""

import logging

from nlpcalib.api.calibrate import measure_predictions
from nlpcalib.api.recalibrate import recalibrate_predictions
from nlpcalib.errors import InputError
from nlpcalib.predictions.tables import read_pairs
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table

METHODS = ("temperature", "logistic", "isotonic")


def main(path_pairs: str, path_csv: str, folds: int, seed: int) -> None:
    """Write error, Brier score and expected total, without recalibration and by those METHODS that labels support."""
    pairs = read_pairs(path_pairs)
    stages = [("none", pairs.q, measure_predictions(pairs, seed=seed))]
    for method in METHODS:
        try:
            found = recalibrate_predictions(pairs, method=method, folds=folds, seed=seed)
        except InputError as error:
            logging.info("left out: %s", error)
        else:
            stages.append((method, found.q, found.after))
    rows = []
    for name, q, report in stages:
        low, high = report.interval or (None, None)
        rows.append(
            {
                "recalibration": name,
                "n": report.n,
                "error": report.error,
                "low": low,
                "high": high,
                "brier": report.brier,
                "events": int(pairs.y.sum()),
                "expected_events": float(q.sum()),
            }
        )
    write_table(path_csv, "Event probabilities before and after recalibration", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
