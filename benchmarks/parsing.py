"""Words per second and peak memory of the parser by batch size, on plain text.

FILE is CoNLL-U, read as running text without paragraphs, so that texts come in pieces of up to 5,000 characters: the
hardest case. Batches count pieces. MODEL is anything that `load_parser` takes.

    OMP_NUM_THREADS=1 python benchmarks/parsing.py FILE [--model MODEL] [--repeats 5] [--out results.json]
"""

import argparse
import json
import statistics
from pathlib import Path

from side_by_side import interleaved_seconds, peak_memory

from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.parsing import load_parser

BATCHES = (1, 8, 16, 64, 1000)


def main() -> None:
    """Measure, print, and write what was measured as JSON if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    documents = list(read_conllu(options.file))
    texts = [(document.id, document.text) for document in documents]
    words = sum(len(sentence.words) for document in documents for sentence in document.sentences)
    model = load_parser(options.model)

    def parse(size: int) -> None:
        for _ in model.parse_texts(texts, batch_size=size):
            pass

    parse(16)  # what is loaded at the first use counts for nobody
    calls = {str(size): lambda size=size: parse(size) for size in BATCHES}
    seconds = interleaved_seconds(calls, options.repeats)
    results = {"documents": len(documents), "words": words}
    for name, call in calls.items():
        rate, memory = words / statistics.median(seconds[name]), peak_memory(call)
        results[name] = {"words_per_second": rate, "peak_mb": memory}
        print(f"batches of {name:>4}: {rate:,.0f} words/s, {memory:.0f} MB")
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
