"""List the countries with a perpetrator in each message of MUC-4's answer keys."""

from reproduction.corpora.readers.muc4_keys import read_muc4_keys
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import write_reference
from studies.estimation.perpetrators import incident_countries, perpetrators_lexicon


def main(path_answers: str, path_reference: str) -> None:
    """Write a row per message with its `countries`, also for those without an incident."""
    write_reference(path_reference, incident_countries(read_muc4_keys(path_answers), perpetrators_lexicon()))


if "snakemake" in globals():
    run_script(main, snakemake)
