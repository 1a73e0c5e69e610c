"""Coreference: exact pair marginals beside 1,000 entity samples and counting, sampling, scoring and a training pass.

Documents are simulated: reports of the newsroom after one another, cut after as many mentions as wanted; antecedent
probabilities A are those of a model trained on other reports, ten of them to a document. A call for marginals starts
from A and ends with the probabilities of all pairs, by this library's recursion or, as the paper did (section 5.2),
from 1,000 samples of whole clusterings. All run on one thread.

Repeats are interleaved, and the smallest times make rates and exponents. Peak memory is the growth of the maximum
resident set over one call, in a forked process of its own.

    python benchmarks/coref_posteriors.py [--repeats 7] [--out results.json]
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from side_by_side import interleaved_seconds, peak_memory, print_table, ratio, versions

from newsroom.reports import Newsroom
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.mentions import candidate_mentions, entities_of
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from nlpcalib.systems.text.document import Document, Mention
from reproduction.coref.sampling import sampled_marginals
from reproduction.coref.training import Costs, TrainingPairs, fit

MENTIONS = (300, 1_000, 5_000)
COUNTED_UP_TO = 1_000
"""Mentions up to which samples are counted: the marginals of 5,000 from samples take seven seconds a turn."""
SAMPLES = 1_000
REPORTS, TRAINING_DOCUMENTS, ITERATIONS = 10, 6, 30


def joined(seed: int, first: int, reports: int) -> Document:
    """Return reports as one document, their entities apart."""
    sentences, mentions = [], []
    for report in Newsroom(seed=seed).reports(first, first + reports):
        one = report.document
        mentions += [
            Mention(mention.sentence + len(sentences), mention.start, mention.end, f"{one.id} {mention.entity}")
            for mention in one.mentions
        ]
        sentences += one.sentences
    return Document(f"joined-{first}", tuple(sentences), tuple(mentions))


def trained(seed: int) -> tuple[AntecedentModel, TrainingPairs]:
    """Return a model and what it was trained on."""
    documents = [joined(seed, number * REPORTS, REPORTS) for number in range(TRAINING_DOCUMENTS)]
    spans = [candidate_mentions(one) for one in documents]
    pairs = TrainingPairs(
        [mention_table(*both) for both in zip(documents, spans, strict=True)],
        [entities_of(*both) for both in zip(spans, documents, strict=True)],
    )
    with tempfile.TemporaryDirectory() as folder:
        weights = fit(pairs, l2=1.0, iterations=ITERATIONS, costs=Costs(), checkpoint=Path(folder, "checkpoint"))
    return AntecedentModel(pairs.current_vocabulary, pairs.antecedent_vocabulary, weights, {}), pairs


def sample(conditionals: np.ndarray) -> np.ndarray:
    """Return the entity samples of one document."""
    return sample_entities(conditionals, SAMPLES, generator(0, "benchmark"))


def main(repeats: int, out: Path | None, seed: int) -> None:
    """Measure, print the table and write it as JSON."""
    model, pairs = trained(seed)
    held_out = joined(seed, TRAINING_DOCUMENTS * REPORTS, MENTIONS[-1] // 50)
    spans = candidate_mentions(held_out)
    calls = {f"training pass, {pairs.gold.size:,} pairs": partial(pairs.objective, model.weights.vector, 1.0, Costs())}
    errors = {}
    for mentions in MENTIONS:
        table = mention_table(held_out, spans[:mentions])
        if len(table) < mentions:
            raise SystemExit(f"found {len(table)} mentions, expected {mentions}")
        conditionals = model.conditionals(table)
        calls |= {
            f"{mentions} conditionals": partial(model.conditionals, table),
            f"{mentions} exact marginals": partial(pair_marginals, conditionals),
            f"{mentions} samples": partial(sample, conditionals),
        }
        if mentions <= COUNTED_UP_TO:
            calls[f"{mentions} samples and counting"] = lambda rows=conditionals: sampled_marginals(sample(rows))
            difference = sampled_marginals(sample(conditionals)) - pair_marginals(conditionals)
            errors[mentions] = {
                "rmse": float(np.sqrt((difference**2).mean())),
                "largest": float(np.abs(difference).max()),
            }
    memory = {name: peak_memory(call) for name, call in calls.items()}
    seconds = interleaved_seconds(calls, repeats)
    print(f"{SAMPLES} samples, {repeats} interleaved repeats, one thread")
    print_table(seconds, memory)

    least = {name: min(times) for name, times in seconds.items()}
    million_pairs = pairs.gold.size / 1e6 / least[next(iter(calls))]
    print(f"training: {million_pairs:.1f} million pairs per second and pass")
    ratios, rates = {}, {}
    for mentions in MENTIONS:
        rates[mentions] = mentions * SAMPLES / 1e6 / least[f"{mentions} samples"]
        print(f"{mentions} mentions: {rates[mentions]:.1f} million mention-samples per second")
        if mentions in errors:
            exact, counted = seconds[f"{mentions} exact marginals"], seconds[f"{mentions} samples and counting"]
            ratios[mentions] = ratio(counted, exact)
            print(
                "  samples and counting take {median:.1f} times ({min:.1f} to {max:.1f}) as long".format(
                    **ratios[mentions]
                )
                + " as exact marginals, with an RMSE of {rmse:.5f}, at most {largest:.3f}".format(**errors[mentions])
            )
    exponents = {}
    for part in ("conditionals", "exact marginals", "samples"):
        times = [least[f"{mentions} {part}"] for mentions in MENTIONS]
        exponents[part] = float(np.polyfit(np.log(MENTIONS), np.log(times), 1)[0])
        print(f"{part}: time grows as mentions to the power of {exponents[part]:.2f}")
    if out:
        result = {
            "samples": SAMPLES,
            "repeats": repeats,
            "seed": seed,
            "threads": 1,
            "training_pairs": pairs.gold.size,
            "million_pairs_per_second": million_pairs,
            "million_mention_samples_per_second": rates,
            "ratios": ratios,
            "errors": errors,
            "exponents": exponents,
            "seconds": seconds,
            "peak_memory_mb": memory,
            "peak_memory_method": "growth of ru_maxrss over one call in a forked process, after malloc_trim",
            "versions": versions(("numpy", "scipy")),
            "machine": platform.machine(),
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.repeats, arguments.out, arguments.seed)
