"""Recalibrate event probabilities by the truth about other documents, and measure the result."""

from pathlib import Path

from nlpcalib.front_door.recalibrated import recalibrate_predictions
from nlpcalib.io.html_table import write_table
from nlpcalib.predictions.tables import read_pairs
from nlpcalib.workflow.script_log import start_log

METHODS = ("temperature", "logistic", "isotonic")


def main(path_pairs: str, path_stem: Path, folds: int, seed: int) -> None:
    """Write error, Brier score and expected total without recalibration and with each of METHODS."""
    pairs = read_pairs(path_pairs)
    rows: list[dict] = []
    for method in METHODS:
        found = recalibrate_predictions(pairs, method=method, folds=folds, seed=seed)
        stages = [("none", pairs.q, found.before)] * (not rows) + [(method, found.q, found.after)]
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
    write_table(path_stem, "Event probabilities before and after recalibration", rows)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_pairs=snakemake.input.pairs,
        path_stem=Path(snakemake.output.csv).with_suffix(""),
        folds=snakemake.params.folds,
        seed=snakemake.params.seed,
    )
