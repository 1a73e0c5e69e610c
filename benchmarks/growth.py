"""How processor time, memory and files of the licensed tier's stages grow, and what that makes at the paper's size.

Every stage is a script of the workflow, run at five sizes on simulated text in the licensed corpora's own formats:
files without words beside trees, and archives of articles. A stage runs in a process forked for it; peak memory is that
process's whole, the interpreter with its modules included, and written are the bytes of its outputs. Each is fitted by
a power of the size and by a line, and by the nearer of the two extended to the paper's size, with a 95 % prediction
interval of least squares, which do not include how real text differs from simulated text.

    python benchmarks/growth.py [--stage NAME …] [--out results.json]
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import io
import json
import multiprocessing
import resource
import runpy
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from side_by_side import versions

from newsroom.reports import Newsroom
from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Mention
from reproduction.corpora.formats import FORMATS
from reproduction.corpora.ontonotes import iter_split
from reproduction.tagging.ablation import AblationSettings
from reproduction.tagging.variants import Variant

SCRIPTS = Path(__file__).parents[1] / "scripts"
SIZES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
REPORTS = 2
"""Reports in a document: it then has 130 mentions and 8,500 pairs; the paper's documents have 10,600 on average."""


@dataclass(frozen=True)
class Stage:
    """A stage and how large it is."""

    largest: int
    """Size of the largest input that is measured."""
    paper: int
    """Size in the paper."""
    unit: str
    prepare: Callable[[Path, int], dict[str, Any]]
    """Writes an input of a size and returns the arguments of the script's `main`, outputs among them."""
    script: str
    size: Callable[[Path], int] | None = None
    """The size of an input in the stage's unit, where it is not the number that `prepare` was asked for."""


def main_of(script: str) -> Callable[..., None]:
    """Return the `main` of a script of the workflow."""
    return runpy.run_path(str(next(SCRIPTS.glob(f"*/{script}"))))["main"]


def documents(first: int, number: int, reports: int = REPORTS) -> Iterator[Document]:
    """Yield documents, each of several simulated reports, their entities apart."""
    newsroom = Newsroom(seed=2015)
    for place in range(number):
        sentences, mentions = [], []
        for report in newsroom.reports(first + place * reports, first + (place + 1) * reports):
            one = report.document
            mentions += [
                Mention(mention.sentence + len(sentences), mention.start, mention.end, f"{one.id}.{mention.entity}")
                for mention in one.mentions
            ]
            sentences += one.sentences
        yield Document(f"joined-{first + place}", tuple(sentences), tuple(mentions))


def first_sentences(path: Path, number: int, first: int) -> Path:
    """Write reports until there are so many sentences."""

    def some() -> Iterator[Document]:
        left = number
        for document in documents(first, number, 1):
            yield Document(document.id, document.sentences[:left])
            left -= len(document.sentences)
            if left <= 0:
                return

    write_conllu(path, some())
    return path


def skeletons(folder: Path, number: int) -> dict[str, Any]:
    """Write documents as the shared tasks distribute them, the last two as development and test set."""
    for place, document in enumerate(documents(0, number)):
        split = {number - 2: "dev", number - 1: "test"}.get(place, "train")
        name = f"nw/wsj/{place // 100:02}/wsj_{place:05}"
        rows, trees = [f"#begin document ({name}); part 000"], []
        for sentence in document.sentences:
            words = (word.replace("(", "-LRB-").replace(")", "-RRB-") for word in sentence.words)
            leaves = " ".join(f"({tag} {word})" for tag, word in zip(sentence.tags, words, strict=True))
            trees.append(f"(TOP (S {leaves}))\n")
            bits = ["(TOP(S*", *["*"] * (len(sentence.words) - 2), "*))"] if len(sentence.words) > 1 else ["(TOP(S*))"]
            for index, (tag, bit) in enumerate(zip(sentence.tags, bits, strict=True)):
                rows.append(f"{name} 0 {index} [WORD] {tag} {bit} - - - - * * * -")
            rows.append("")
        for path, lines in (
            (folder / f"conll/{split}/{name}.v2_gold_skel", [*rows, "#end document", ""]),
            (folder / f"release/{name}.parse", trees),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), encoding="utf-8")
    outputs = {f"path_{split}": str(folder / f"out/{split}.conllu") for split in ("train", "dev", "test")}
    return {
        "source": str(folder / "conll"),
        **outputs,
        "reader": FORMATS["ontonotes"].reader,
        "options": {"words": str(folder / "release")},
        "coref": False,
        "tagged": True,
    }


def skeleton_words(folder: Path) -> int:
    """Return the words of a folder of skeletons."""
    found = (iter_split(folder / "conll", split, words=folder / "release") for split in ("train", "dev", "test"))
    return sum(len(sentence.words) for split in found for document in split for sentence in document.sentences)


def hmm(folder: Path, number: int) -> dict[str, Any]:
    """Write sentences to train an HMM on, with nine pseudocounts."""
    pseudocounts = (0.00001, 0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    return {
        "path_train": first_sentences(folder / "train.conllu", number, 0),
        "pseudocounts": pseudocounts,
        "paths_candidates": [folder / f"out/{pseudocount}.npz" for pseudocount in pseudocounts],
    }


def crf(folder: Path, number: int) -> dict[str, Any]:
    """Write sentences to train a CRF on."""
    path = first_sentences(folder / "train.conllu", number, 0)
    matched = {"path_dev": None, "path_hmm": None}  # an HMM to be as accurate as, where sentences are not given
    settings = {"c2": 0.1, "sentences": number, "seed": 2015}
    return {"path_train": path, **matched, "path_model": folder / "out/model.npz", **settings}


def ablation(folder: Path, number: int) -> dict[str, Any]:
    """Write sentences for the thesis' CRF with all templates, and a seventh of them to choose its regulariser."""
    templates = ("word", "context", "shape", "length", "prefixes", "suffixes")
    return {
        "path_train": first_sentences(folder / "train.conllu", number, 0),
        "path_dev": first_sentences(folder / "dev.conllu", number // 7, 50_000),
        "paths_models": [folder / "out/model.npz"],
        "paths_selections": [folder / "out/selection.csv"],
        "variants": [asdict(Variant("CRF-Advanced", "lbfgs", templates))],
        "settings": asdict(AblationSettings((1.0,), (0.01, 0.03, 0.1, 0.3), epochs=20, step=1.0, seed=2015)),
        "sentences": number,
    }


def pairs(folder: Path, number: int) -> dict[str, Any]:
    """Write as many prediction-label pairs, skewed as those of mention pairs are."""
    rng = np.random.default_rng(2015)
    q = rng.beta(0.05, 1.0, number).round(3)
    units = np.arange(number) * 404 // number
    write_pairs(
        folder / "pairs.parquet",
        Pairs(
            q,
            rng.random(number) < q,
            Categories(np.zeros(number, dtype=np.int32), ("coreferent",)),
            Categories(units.astype(np.int32), tuple(f"{unit:03}" for unit in range(404))),
        ),
    )
    return {
        "path_pairs": folder / "pairs.parquet",
        "folder": folder / "out",
        "bin_size": 5_000,
        "samples": 10_000,
        "seed": 2015,
        "pdf": False,
    }


def coref_training(folder: Path, number: int) -> dict[str, Any]:
    """Write documents to train the antecedent model on, and a seventh of them to choose its threshold."""
    write_conllu(folder / "train.conllu", documents(0, number))
    write_conllu(folder / "dev.conllu", documents(100_000, max(1, number // 7)))
    return {
        "paths_documents": [folder / "train.conllu"],
        "path_tuning": folder / "dev.conllu",
        "path_snippets": None,
        "path_model": folder / "out/model.npz",
        "path_checkpoint": folder / "out/checkpoint.npz",
        "dataset": "growth",
        "settings": {},
        "l2": 8.0,
        "iterations": 150,
        "folds": 0,
    }


def coref_application(folder: Path, number: int) -> dict[str, Any]:
    """Write documents for the package's model."""
    write_conllu(folder / "dev.conllu", documents(0, number))
    outputs = {"path_posteriors": "posteriors.npz", "path_pairs": "pairs.parquet", "path_scores": "scores.csv"}
    return {
        "paths_models": [Path(__file__).parents[1] / "src/nlpcalib/systems/coref/model/model.npz"],
        "paths_documents": [folder / "dev.conllu"],
        **{name: folder / "out" / file for name, file in outputs.items()},
        "mentions": "predicted",
    }


def mention_pairs(folder: Path) -> int:
    """Return the pairs of mentions of the documents to train on or, failing these, to evaluate on."""
    path = folder / "train.conllu"
    counts = [len(candidate_mentions(one)) for one in read_conllu(path if path.exists() else folder / "dev.conllu")]
    return sum(count * (count - 1) // 2 for count in counts)


def articles(folder: Path, number: int) -> dict[str, Any]:
    """Write articles of some 650 words in archives of 500; one in nine, as in the New York Times, is world news."""
    folder.joinpath("nyt").mkdir()
    texts = [document.text for document in documents(0, 90, 3)]
    for start in range(0, number, 500):
        with tarfile.open(folder / f"nyt/{start:06}.tgz", "w:gz") as archive:
            for place in range(start, min(start + 500, number)):
                paragraphs = "".join(f"<p>{escape(line)}</p>" for line in texts[place % len(texts)].split(". "))
                category = "Top/News/World/Europe" if place % 9 == 0 else "Top/News/Business"
                data = (
                    f'<?xml version="1.0"?><nitf><head><docdata><doc-id id-string="{place}"/><identified-content>'
                    f'<classifier type="taxonomic_classifier">{category}</classifier></identified-content></docdata>'
                    '<pubdata date.publication="19990517T000000"/></head><body><body.content><block class="full_text">'
                    f"{paragraphs}</block></body.content></body></nitf>"
                ).encode()
                member = tarfile.TarInfo(f"{place}.xml")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    shards = range(1, 17)
    return {
        "source": str(folder / "nyt"),
        "paths_documents": [folder / f"out/{shard}.csv" for shard in shards],
        "paths_texts": [folder / f"out/{shard}.jsonl" for shard in shards],
        "reader": FORMATS["nitf"].reader,
        "options": {},
        "broken": 0.01,
        "words": 5_000,
        "queries": [{"name": "attack", "verbs": ["attack"]}],
        "mixed_case": [],
        "paths_mixed_case": [],
        "lexicon": ["newsroom"],
        "path_lexicon": None,
    }


STAGES = {
    "prepare": Stage(640, 1_300_000, "words", skeletons, "prepare_corpus.py", skeleton_words),
    "train_hmm": Stage(6_000, 11_772, "sentences", hmm, "train_hmm.py"),
    "train_crf": Stage(3_000, 3_000, "sentences", crf, "train_crf.py"),
    "train_ablation_lbfgs": Stage(1_600, 11_772, "sentences", ablation, "train_ablation.py"),
    "calibrate_predictions": Stage(2_150_000, 4_300_000, "pairs", pairs, "calibrate.py"),
    "train_coref": Stage(480, 25_000_000, "pairs of mentions", coref_training, "train_coref.py", mention_pairs),
    "apply_coref": Stage(240, 4_300_000, "pairs of mentions", coref_application, "apply_coref.py", mention_pairs),
    "read_news": Stage(8_000, 1_855_000, "articles", articles, "read_news.py"),
}
"""The paper gives 11,772 and 3,000 sentences, 404 documents and 4.3 million pairs. Assumed are 1.3 million words of
CoNLL-2011 in all, as many pairs in each of about 2,370 parts of documents to train on as in the 404, and, of the
archives, 1.855 million articles, of which 193,403 are read as world news."""


def in_process(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return the result, the processor seconds and the peak megabytes of a process forked for a call."""

    def run(connection) -> None:
        result = call()
        used = resource.getrusage(resource.RUSAGE_SELF)
        connection.send((result, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run, args=(sender,))
    process.start()
    sender.close()  # so that a failed call ends the wait below
    received = receiver.recv()
    process.join()
    return received


def fitted(sizes: np.ndarray, values: np.ndarray, size: float, *, power: bool) -> dict[str, Any]:
    """Fit a power or a line; return its slope, its errors, and its value at a size with a 95 % prediction interval."""
    x, y, at = (np.log(sizes), np.log(values), np.log(size)) if power else (sizes, values, size)
    line = stats.linregress(x, y)
    residual = y - line.intercept - line.slope * x
    freedom = len(x) - 2
    leverage = 1 + 1 / len(x) + (at - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
    width = stats.t.ppf(0.975, freedom) * np.sqrt((residual**2).sum() / freedom * leverage)
    value = line.intercept + line.slope * at
    ends = np.array([value, value - width, value + width])
    value, low, high = np.exp(ends) if power else ends
    return {
        "fit": "power" if power else "line",
        "slope": float(line.slope),
        "slope_error": float(stats.t.ppf(0.975, freedom) * line.stderr),
        "relative_error": float(np.sqrt(np.mean((residual if power else residual / values) ** 2))),
        "value": float(value),
        "low": float(low),
        "high": float(high),
    }


def extended(rows: list[dict[str, float]], column: str, size: float) -> dict[str, Any]:
    """Extend a measured column to a size by a power or by a line, whichever is nearer to what was measured."""
    sizes, values = (np.array([row[name] for row in rows], dtype=float) for name in ("size", column))
    return min(
        (fitted(sizes, values, size, power=power) for power in (True, False)), key=lambda fit: fit["relative_error"]
    )


def grow(name: str) -> dict[str, Any]:
    """Measure a stage at all sizes, print what was measured and return it with what it makes at the paper's size."""
    stage, rows = STAGES[name], []
    main = main_of(stage.script)
    for share in SIZES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            folder.joinpath("out").mkdir()
            number = int(stage.largest * share)
            # In processes of their own, so that what they need is not in the memory of the stage.
            arguments, *_ = in_process(lambda folder=folder, number=number: stage.prepare(folder, number))
            size = in_process(lambda folder=folder: stage.size(folder))[0] if stage.size else number
            _, seconds, megabytes = in_process(lambda arguments=arguments: main(**arguments))
            written = [path.stat().st_size for path in folder.joinpath("out").rglob("*") if path.is_file()]
        rows.append({"size": size, "seconds": seconds, "megabytes": megabytes, "bytes": sum(written)})
        print(
            f"{name:18}{size:12,} {stage.unit:20}{seconds:9.2f} s{megabytes:9.0f} MB{sum(written):14,} bytes",
            flush=True,
        )
    result: dict[str, Any] = {"unit": stage.unit, "paper": stage.paper, "measured": rows}
    for column in ("seconds", "megabytes", "bytes"):
        result[column] = extended(rows, column, stage.paper)
        text = "{value:16,.0f} ({low:,.0f} to {high:,.0f}) {column}, {fit} {slope:.3g} ± {slope_error:.2g}"
        print(f"{stage.paper:30,} {stage.unit:20}{text.format(**result[column], column=column)}")
    print(flush=True)
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stage", nargs="*", choices=STAGES, default=list(STAGES), metavar="NAME")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    results = {name: grow(name) for name in options.stage}
    if options.out:
        results["versions"] = versions(("numpy", "scipy"))
        options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
