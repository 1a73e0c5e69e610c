"""Training of a tagger and a parser that share their word vectors; lemmas are looked up."""

from __future__ import annotations

import logging
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, load_config
from spacy.vocab import Vocab
from thinc.api import Adam, use_ops
from threadpoolctl import threadpool_limits

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open, scratch_folder
from nlpcalib.seeding import generator
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.parsing.lemmas import EXCEPTIONS, KNOWN, key_of, lemma_by_rule
from nlpcalib.systems.text.parsing.trees import SPACY_ROOT, plain_doc
from reproduction.parsing.tokenizer import adapt_tokenizer
from reproduction.parsing.treebanks import with_current_relations


@dataclass(frozen=True)
class ParserSettings:
    """What the size of a model and the time of its training follow from."""

    epochs: int
    sizes: Mapping[str, Any] = field(default_factory=dict)
    """Other sizes of the model than those of `training.cfg`."""
    dropout: float = 0.15
    words: int = 60
    """Most words of a training example, unless one sentence has more."""
    batch: int = 1000
    """Words of a batch."""
    learning_rate: float = 0.002
    seed: int = 0


def parts(sentences: Iterable[Sentence], words: int) -> Iterator[list[Sentence]]:
    """Yield runs of consecutive sentences that together have at most this many words, or a single longer sentence."""
    part: list[Sentence] = []
    size = 0
    for sentence in sentences:
        if part and size + len(sentence.words) > words:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.words)
    if part:
        yield part


def train(documents: Sequence[Document], settings: ParserSettings) -> Language:
    """Return a pipeline trained on documents with tags, lemmas and trees.

    The same documents in the same order with the same settings give the same weights to the bit on the same machine;
    another processor may round otherwise.

    Raises `InputError`, naming the sentence, where tags, lemmas or trees are missing.
    """
    fix_random_seed(settings.seed)
    # Matrix products through NumPy are twice as fast as spaCy's default.
    # With several threads they split sums, and the last bits depend on how many there are.
    with threadpool_limits(1), use_ops("numpy", use_blis=False):
        nlp = _pipeline(settings)
        examples = [
            Example(plain_doc(nlp.vocab, part), gold_doc(nlp.vocab, part))
            for document in documents
            for part in parts(_annotated(document), settings.words)
        ]
        optimizer = nlp.initialize(
            lambda: examples, sgd=Adam(settings.learning_rate, L2=0.01, grad_clip=1.0, use_averages=True)
        )
        words = sum(len(example.reference) for example in examples)
        seen = 0
        for epoch in range(settings.epochs):
            order = generator(settings.seed, "train_parser", epoch).permutation(len(examples))
            losses: dict[str, float] = {}
            for batch in _batches([examples[index] for index in order], settings.batch):
                optimizer.learn_rate = settings.learning_rate * _schedule(seen / (words * settings.epochs))
                nlp.update(batch, sgd=optimizer, drop=settings.dropout, losses=losses)
                seen += sum(len(example.reference) for example in batch)
            told = ", ".join(f"{name} {losses[name] / words:.3f}" for name in losses if name != "tok2vec")
            logging.info("epoch %d of %d: losses per word: %s", epoch + 1, settings.epochs, told)
        with nlp.use_params(optimizer.averages):
            trained = nlp.to_bytes(exclude=["vocab"])
        finished = _pipeline(settings)
        # The words of the corpus stay behind with the old vocabulary; of its strings, the models need the labels.
        for label in sorted({*nlp.pipe_labels["tagger"], *nlp.pipe_labels["parser"]}):
            finished.vocab.strings.add(label)
        finished.from_bytes(trained, exclude=["vocab"])
        add_lemmas(finished.vocab.lookups, documents)
        _round_weights(finished)
        # spaCy would ask for at least the version that trained the model, though any 3.8 reads it.
        finished.meta["spacy_version"] = ">=3.8.0,<3.9.0"
    return finished


def add_lemmas(lookups: Lookups, documents: Iterable[Document]) -> None:
    """Learn from tagged and lemmatised documents: which lemmas there are, and which forms the rules get wrong.

    The most frequent lemma counts where a form has several with one tag; the first where these are as frequent.
    """
    lemmas: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document in documents:
        for sentence in document.sentences:
            for word, tag, lemma in zip(sentence.words, sentence.tags, sentence.lemmas, strict=True):
                lemmas[word if tag == "NNP" else word.lower(), tag][lemma] += 1
    usual = {form: counter.most_common(1)[0][0] for form, counter in lemmas.items()}
    classes: dict[str, str] = {}
    for (_, tag), lemma in usual.items():
        if tag[:2] in ("VB", "NN", "JJ", "RB") and tag[0] not in classes.get(lemma, ""):
            classes[lemma] = classes.get(lemma, "") + tag[0]
    known = lookups.add_table(KNOWN, classes)
    exceptions = {key_of(*form): lemma for form, lemma in usual.items() if lemma_by_rule(*form, known) != lemma}
    lookups.add_table(EXCEPTIONS, exceptions)


def save_model(path: str | Path, nlp: Language) -> None:
    """Write a pipeline as a zip archive, all or nothing; equal pipelines give equal bytes."""
    with scratch_folder() as folder, atomic_open(path, "wb") as file:
        nlp.to_disk(folder)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for each in sorted(Path(folder).rglob("*")):
                if each.is_file():
                    # Without a ZipInfo of its own, the entry would carry the time of writing.
                    info = zipfile.ZipInfo(each.relative_to(folder).as_posix())
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, each.read_bytes(), zipfile.ZIP_DEFLATED)


def _annotated(document: Document) -> tuple[Sentence, ...]:
    for sentence in document.sentences:
        if not (sentence.tags and sentence.lemmas and sentence.heads and sentence.relations):
            raise InputError(f"document {document.id!r}, sentence {sentence.id!r}: expected tags, lemmas and a tree")
    return with_current_relations(document).sentences


def _schedule(progress: float) -> float:
    """Warm up over the first 2 % of training, then fall linearly."""
    return min(progress / 0.02 + 0.02, (1 - progress) / 0.98)


def _pipeline(settings: ParserSettings) -> Language:
    """Return the components of `training.cfg`, untrained and in its order."""
    nlp = spacy.blank("en")
    adapt_tokenizer(nlp)
    sizes = {f"sizes.{name}": size for name, size in settings.sizes.items()}
    config = load_config(Path(__file__).with_suffix(".cfg"), overrides=sizes, interpolate=True)
    for name, options in config["components"].items():
        nlp.add_pipe(name, config=options)
    return nlp


def _batches(examples: Iterable[Example], words: int) -> Iterator[list[Example]]:
    batch: list[Example] = []
    size = 0
    for example in examples:
        batch.append(example)
        size += len(example.reference)
        if size >= words:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _round_weights(nlp: Language) -> None:
    """Round weights to half precision, so that files compress to half; scores are those of the rounded weights."""
    for name in ("tok2vec", "tagger", "parser"):
        trained: Any = nlp.get_pipe(name)  # to spaCy's annotations it is anything that changes a document
        for node in trained.model.walk():
            for key in node.param_names:
                if node.has_param(key):
                    node.set_param(key, node.get_param(key).astype(np.float16).astype(np.float32))


def gold_doc(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """Return tagged, lemmatised and parsed sentences as one document."""
    plain = plain_doc(vocab, sentences)
    heads: list[int] = []
    for sentence in sentences:
        first = len(heads)
        heads += [first + (head - 1 if head else word) for word, head in enumerate(sentence.heads)]
    return Doc(
        vocab,
        words=[token.text for token in plain],
        spaces=[bool(token.whitespace_) for token in plain],
        tags=[tag for sentence in sentences for tag in sentence.tags],
        lemmas=[lemma for sentence in sentences for lemma in sentence.lemmas],
        heads=heads,
        deps=[SPACY_ROOT if name == "root" else name for sentence in sentences for name in sentence.relations],
    )
