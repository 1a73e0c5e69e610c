"""Simulate a stream of messages for which the probability of being happy is known."""

from reproduction.corpora.messages import write_messages
from reproduction.newsroom.messages import simulate_messages
from reproduction.workflow.run_script import run_script


def main(path_messages: str, number: int, seed: int) -> None:
    """Write the first `number` messages of the stream."""
    write_messages(path_messages, simulate_messages(seed, number))


if "snakemake" in globals():
    run_script(main, snakemake)
