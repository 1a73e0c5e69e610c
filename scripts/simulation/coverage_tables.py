"""Tabulate how estimates, intervals and tests of calibration do where the truth is known."""

from collections.abc import Sequence

from nlpcalib.io.files import read_json
from nlpcalib.io.html_table import write_table
from reproduction.workflow.script_log import start_log


def main(paths_coverage: Sequence[str], path_coverage: str, path_tests: str) -> None:
    """Write the rows of all `paths_coverage` as two tables, given by their paths."""
    found = [read_json(path) for path in paths_coverage]
    for path, name, title in (
        (path_coverage, "coverage", "Estimates and intervals of calibration error where the truth is known"),
        (path_tests, "tests", "How often tests of perfect calibration reject"),
    ):
        write_table(path, title, [row for part in found for row in part[name]])


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_coverage=snakemake.input.coverage,
        path_coverage=snakemake.output.coverage,
        path_tests=snakemake.output.tests,
    )
