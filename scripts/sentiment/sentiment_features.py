"""Find out which words of the training messages are in which message."""

from collections.abc import Mapping

from reproduction.sentiment.features import feature_sets
from reproduction.sentiment.sets import read_set
from reproduction.workflow.script_log import start_log


def main(path_sets: Mapping[str, str], path_features: str) -> None:
    """Write the binary features of every set."""
    sets = {name: read_set(path) for name, path in path_sets.items()}
    features = feature_sets(
        {name: messages.text for name, messages in sets.items()}, {name: messages.y for name, messages in sets.items()}
    )
    features.save(path_features)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_sets={name: snakemake.input[name] for name in ("train", "dev", "test")},
        path_features=snakemake.output[0],
    )
