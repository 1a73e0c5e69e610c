"""The sentiment chapter at the paper's size: 3 × 10⁵ simulated messages tokenized, trained on and calibrated.

Each stage is run for its time in this process, one after the other, on one thread, and for its peak memory in a forked
process of its own: the growth of the maximum resident set over that stage, its inputs not included.

    python benchmarks/sentiment_scale.py [--messages 100000] [--out results.json]
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
from side_by_side import peak_memory, versions

from newsroom.messages import simulate_messages
from nlpcalib.calibration.summary import measure_calibration
from reproduction.corpora.messages import read_messages, write_messages
from reproduction.sentiment.classifier import f1_score
from reproduction.sentiment.features import feature_sets
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import balanced_sets, label_messages
from reproduction.sentiment.training import fit_logistic_regression, fit_naive_bayes, select_classifier

PSEUDOCOUNTS = (30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
C = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def main(number: int, out: Path | None, seed: int) -> None:
    """Run every stage, print a table and write it as JSON; `number` messages are in each of the three sets."""
    stages = {}

    def stage(name, call):
        memory = peak_memory(call)
        start = time.process_time()
        result = call()
        stages[name] = {"seconds": time.process_time() - start, "peak_memory_mb": memory}
        print(f"{name:24}{stages[name]['seconds']:9.1f} s{memory:9.0f} MB", flush=True)
        return result

    sizes = dict.fromkeys(("train", "dev", "test"), number)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "messages.parquet"
        stage("simulate and write", lambda: write_messages(path, simulate_messages(seed, 5 * number)))
        messages = stage("read", lambda: read_messages(path))
    labelled, steps = stage("label, drop copies", lambda messages=messages: label_messages(messages))
    sets = stage("balanced sets", lambda labelled=labelled: balanced_sets(labelled, sizes, seed=seed))
    y = {name: members.y for name, members in sets.items()}
    features = stage(
        "tokens and features", lambda: feature_sets({name: members.text for name, members in sets.items()}, y)
    )
    train = features.features["train"], y["train"], features.vocabulary
    dev = features.features["dev"], y["dev"]
    models = {}
    for model, fit, values in (
        ("naive_bayes", fit_naive_bayes, PSEUDOCOUNTS),
        ("logistic_regression", fit_logistic_regression, C),
    ):
        chosen, *_ = stage(
            f"train {len(values)} × {model.replace('_', ' ')}"[:24],
            lambda fit=fit, values=values: select_classifier(((value, fit(*train, value)) for value in values), *dev),
        )
        q = stage("posteriors", lambda chosen=chosen: chosen.posterior(features.features["test"]))
        pairs = happy_pairs(q, y["test"], sets["test"].id)
        calibration = stage(
            "calibrate",
            lambda pairs=pairs: measure_calibration(pairs, bin_size=number // 20, samples=10_000, seed=seed),
        )
        estimate = calibration.summary["estimates"][0]
        models[model] = {
            "hyperparameter": chosen.hyperparameter,
            "f1": f1_score(q, y["test"]),
            **{key: estimate[key] for key in ("value", "low", "high")},
        }
        print(f"{model}: {models[model]}")
    tokens = int(np.diff(features.features["train"].indptr).sum())
    print(f"{steps}; {len(features.vocabulary)} words, {tokens / number:.1f} of them in a training message")
    if out:
        result = {
            "messages_per_set": number,
            "seed": seed,
            "steps": steps,
            "vocabulary": len(features.vocabulary),
            "stages": stages,
            "models": models,
            "versions": versions(("numpy", "scipy", "scikit-learn", "pyarrow")),
            "machine": platform.machine(),
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=2015)
    arguments = parser.parse_args()
    main(arguments.messages, arguments.out, arguments.seed)
