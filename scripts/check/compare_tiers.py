"""Keep this tier's verdicts, and write those of all tiers that were run side by side."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.io.files import read_csv, write_csv
from reproduction.claims.verdicts import side_by_side
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(path_check: str, paths_others: Sequence[str], path_kept: str, path_csv: str, tier: str) -> None:
    """Copy `path_check` to `path_kept`, and write the table of this tier and others."""
    claims = read_csv(path_check)
    write_csv(Path(path_kept), claims)
    tiers = {tier: claims} | {Path(path).stem: read_csv(path) for path in paths_others}
    order: list[str] = [name for name in ("embedded", "open", "licensed") if name in tiers]
    order += sorted(tiers.keys() - set(order))
    write_table(path_csv, "Claims and verdicts by tier", side_by_side({name: tiers[name] for name in order}))


if "snakemake" in globals():
    run_script(main, snakemake)
