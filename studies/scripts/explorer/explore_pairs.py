"""Write a page to explore a table of prediction-label pairs in."""

from nlpcalib.figures.explorer import pairs_rows, write_explorer
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.questions.calibrate import measure_pairs
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, path_page: str, *, title: str, seed: int) -> None:
    """Write the page, with the answer of `nlpcalib calibrate` above its charts."""
    pairs = read_written_pairs(path_pairs)
    write_explorer(path_page, title, pairs_rows(pairs), notes=measure_pairs(pairs).lines()[:3], seed=seed)


if "snakemake" in globals():
    run_script(main, snakemake)
