"""Label messages by the emoticon, draw balanced sets that follow each other in time, and find the words in each."""

from collections.abc import Mapping, Sequence

from nlpcalib.io.files import write_csv
from reproduction.corpora.messages import parse_time, read_messages
from reproduction.sentiment.features import feature_sets
from reproduction.sentiment.sets import balanced_sets, label_messages, show_time, write_set
from reproduction.workflow.run_script import run_script


def main(
    path_messages: str,
    path_train: str,
    path_dev: str,
    path_test: str,
    path_counts: str,
    path_features: str,
    sizes: Mapping[str, int],
    cuts: Sequence[str] | None,
    seed: int,
) -> None:
    """Write the sets `train`, `dev` and `test`, how many messages each step and set has, and all binary features."""
    labelled, steps = label_messages(read_messages(path_messages))
    sets = balanced_sets(labelled, sizes, cuts=None if cuts is None else [parse_time(cut) for cut in cuts], seed=seed)
    for name, path in (("train", path_train), ("dev", path_dev), ("test", path_test)):
        write_set(path, sets[name])
    rows = [{"step": step, "messages": number, "first": None, "last": None} for step, number in steps.items()]
    for name, messages in sets.items():
        first, last = map(show_time, messages.time[[0, -1]])
        rows.append({"step": name, "messages": len(messages), "first": first, "last": last})
    write_csv(path_counts, rows)
    features = feature_sets(
        {name: each.text for name, each in sets.items()}, {name: each.y for name, each in sets.items()}
    )
    features.save(path_features)


if "snakemake" in globals():
    run_script(main, snakemake)
