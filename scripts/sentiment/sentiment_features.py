"""Find out which words of the training messages are in which message."""

from reproduction.sentiment.features import feature_sets
from reproduction.sentiment.sets import read_set
from reproduction.workflow.run_script import run_script


def main(path_train: str, path_dev: str, path_test: str, path_features: str) -> None:
    """Write the binary features of every set."""
    paths = {"train": path_train, "dev": path_dev, "test": path_test}
    sets = {name: read_set(path) for name, path in paths.items()}
    features = feature_sets(
        {name: messages.text for name, messages in sets.items()}, {name: messages.y for name, messages in sets.items()}
    )
    features.save(path_features)


if "snakemake" in globals():
    run_script(main, snakemake)
