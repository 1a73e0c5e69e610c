"""Score the thesis' synthetic pairs of each distribution against bin size and sample size."""

from collections.abc import Mapping, Sequence

from nlpcalib.io.files import write_csv
from reproduction.simulation.synthetic import study
from reproduction.workflow.run_script import run_script


def main(
    paths_scores: Sequence[str],
    betas: Sequence[Sequence[float]],
    shift: float,
    pairs: int,
    bin_sizes: Mapping[str, int],
    sample_sizes: Mapping[str, int],
    replicates: int,
    seed: int,
) -> None:
    """Write a row for each predictor, sample size and bin size, a table for each Beta distribution."""
    for beta, path_scores in zip(betas, paths_scores, strict=True):
        rows = study(
            *beta,
            shift=shift,
            pairs=pairs,
            steps=_grid(**bin_sizes),
            sizes=_grid(**sample_sizes),
            replicates=replicates,
            seed=seed,
        )
        write_csv(path_scores, list(rows))


def _grid(first: int, last: int, step: int) -> range:
    return range(first, last + 1, step)


if "snakemake" in globals():
    run_script(main, snakemake)
