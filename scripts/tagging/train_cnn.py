"""Train spaCy's convolutional tagger, and write its scores of the test set's tokens, as they are and recalibrated."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from nlpcalib.io.files import atomic_open, write_json
from nlpcalib.recalibration.fitting import inverse_temperature
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Sentence
from reproduction.tagging.cnn import accuracy, train_cnn
from reproduction.workflow.run_script import run_script

EPOCHS = 8
"""On the *Wall Street Journal* accuracy on development data no longer rises after seven. All eight take 32 s of CPU."""


def main(
    path_train: str,
    path_dev: str,
    path_test: str,
    path_scores: str,
    path_recalibrated: str,
    path_card: str,
    *,
    sentences: int,
    seed: int,
) -> None:
    """Write scores in JSON lines as `nlpcalib spans` reads them, and the model's card.

    The recalibrated scores are divided by one temperature, that of the highest likelihood of the development set. The
    card has the number of parameters, training sentences, and accuracies; its job's log has the time.
    """
    train, dev, test = (
        [sentence for document in read_conllu(path) for sentence in document.sentences]
        for path in (path_train, path_dev, path_test)
    )
    cnn = train_cnn(train, dev, sentences=sentences, epochs=EPOCHS, seed=seed)
    dev, worded = ([sentence for sentence in part if sentence.words] for part in (dev, test))
    known = [
        (row, tag)
        for sentence, rows in zip(dev, cnn.logits(dev), strict=True)
        for row, tag in zip(rows, sentence.tags, strict=True)
    ]
    slope = inverse_temperature(
        np.array([row for row, tag in known if tag in cnn.tags], dtype=np.float64),
        np.array([cnn.tags.index(tag) for _, tag in known if tag in cnn.tags]),
    )[0]
    logits = [rows.astype(np.float64) for rows in cnn.logits(worded)]
    _write_scores(path_scores, cnn.tags, test, iter(logits))
    _write_scores(path_recalibrated, cnn.tags, test, (slope * rows for rows in logits))
    write_json(
        path_card,
        {
            "model": "spaCy tagger on HashEmbedCNN, without pretrained weights",
            "parameters": cnn.parameters,
            "training_sentences": min(sentences, len(train)),
            "epochs": EPOCHS,
            "dev_accuracies": list(cnn.accuracies),
            "test_accuracy": accuracy(cnn, worded),
            "temperature": 1 / slope,
        },
    )


def _write_scores(
    path: str | Path, tags: Iterable[str], sentences: Iterable[Sentence], logits: Iterator[np.ndarray]
) -> None:
    with atomic_open(path) as file:
        file.write(json.dumps({"labels": list(tags)}) + "\n")
        for sentence in sentences:
            rows = next(logits).round(4).tolist() if sentence.words else []
            file.write(json.dumps({"tokens": list(sentence.words), "logits": rows}) + "\n")


if "snakemake" in globals():
    run_script(main, snakemake)
