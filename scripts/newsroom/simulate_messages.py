"""Simulate a stream of messages for which the probability of being happy is known."""

from newsroom.messages import simulate_messages
from reproduction.corpora.messages import Message, write_messages
from reproduction.workflow.run_script import run_script


def main(path_messages: str, number: int, seed: int) -> None:
    """Write the first `number` messages of the stream."""
    messages = simulate_messages(seed, number)
    write_messages(path_messages, (Message(each.id, each.time, each.text, None, each.posterior) for each in messages))


if "snakemake" in globals():
    run_script(main, snakemake)
