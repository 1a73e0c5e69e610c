"""Train spaCy's convolutional tagger, and write its scores of the test set's tokens."""

import json

from nlpcalib.io.files import atomic_open, write_json
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.cnn import accuracy, train_cnn
from reproduction.workflow.run_script import run_script

EPOCHS = 8
"""On the *Wall Street Journal* accuracy on development data no longer rises after seven. All eight take 32 s of CPU."""


def main(
    path_train: str, path_dev: str, path_test: str, path_scores: str, path_card: str, sentences: int, seed: int
) -> None:
    """Write scores in JSON lines as `nlpcalib spans` reads them, and the model's card.

    The card has the number of parameters, training sentences, and accuracies; its job's log has the time.
    """
    train, dev, test = (
        [sentence for document in read_conllu(path) for sentence in document.sentences]
        for path in (path_train, path_dev, path_test)
    )
    cnn = train_cnn(train, dev, sentences=sentences, epochs=EPOCHS, seed=seed)
    worded = [sentence for sentence in test if sentence.words]
    logits = cnn.logits(worded)
    with atomic_open(path_scores) as file:
        file.write(json.dumps({"labels": list(cnn.tags)}) + "\n")
        for sentence in test:
            rows = next(logits) if sentence.words else ()
            scores = [[round(float(each), 4) for each in row] for row in rows]
            file.write(json.dumps({"tokens": list(sentence.words), "logits": scores}) + "\n")
    write_json(
        path_card,
        {
            "model": "spaCy tagger on HashEmbedCNN, without pretrained weights",
            "parameters": cnn.parameters,
            "training_sentences": min(sentences, len(train)),
            "epochs": EPOCHS,
            "dev_accuracies": list(cnn.accuracies),
            "test_accuracy": accuracy(cnn, worded),
        },
    )


if "snakemake" in globals():
    run_script(main, snakemake)
