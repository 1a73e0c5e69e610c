"""Write how often the countries of the simulated world attack."""

from newsroom.reports import Newsroom
from nlpcalib.io.files import write_csv
from reproduction.workflow.run_script import run_script


def main(path_rates: str, seed: int) -> None:
    """Write, by country and quarter, the probability of a document to report an attack by the country."""
    world = Newsroom(seed=seed).world
    rows = [
        {"country": country.code, "quarter": quarter, "attack_rate": rate}
        for country, rates in zip(world.countries, world.attack_rates.tolist(), strict=True)
        for quarter, rate in zip(world.quarters, rates, strict=True)
    ]
    write_csv(path_rates, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
