"""Simulate a stream of messages for which the probability of being happy is known."""

from reproduction.corpora.messages import write_messages
from reproduction.newsroom.messages import simulate_messages
from reproduction.workflow.script_log import start_log


def main(path_messages: str, number: int, seed: int) -> None:
    """Write the first `number` messages of the stream."""
    write_messages(path_messages, simulate_messages(seed, number))


if "snakemake" in globals():
    start_log(snakemake)
    main(path_messages=snakemake.output[0], number=snakemake.params.number, seed=snakemake.params.seed)
