"""Keep this tier's verdicts, and write those of all tiers that were run side by side."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.io.html_table import write_table
from reproduction.claims.verdicts import side_by_side
from reproduction.workflow.script_log import start_log


def main(path_check: str, path_kept: str, paths_others: Mapping[str, str], path_stem: Path, tier: str) -> None:
    """Copy `path_check` to `path_kept`, and write the table of this tier and others as `path_stem`.csv and .html."""
    claims = read_csv(path_check)
    write_csv(Path(path_kept), claims)
    tiers = {tier: claims} | {name: read_csv(path) for name, path in paths_others.items()}
    order: list[str] = [name for name in ("embedded", "open", "licensed") if name in tiers]
    order += sorted(tiers.keys() - set(order))
    write_table(path_stem, "Claims and verdicts by tier", side_by_side({name: tiers[name] for name in order}))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_check=snakemake.input.check,
        path_kept=snakemake.output.kept,
        paths_others={Path(path).stem: path for path in snakemake.input.others},
        path_stem=Path(snakemake.output.csv).with_suffix(""),
        tier=snakemake.params.tier,
    )
