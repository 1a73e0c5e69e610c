"""The events chapter at the paper's size: 193,403 articles and 100 samples of each, extrapolated from measured growth.

Processor time on one thread of (1) every stage on open news, FORMAT=FILE as `reproduction.corpora.formats` has it,
or on State of the Union messages if none is named; upper-case news (muc3) is truecased by the others, as a part of
parsing; (2) what scripts/events/extract_events.py does after parsing, on articles of simulated reports one after
another, cut at so many words: each has a verb of the query, and many countries; (3) what
scripts/events/event_series.py does, on simulated rows.

    python benchmarks/events_scale.py [--news muc3=muc3.zip current_events=events.zip] [--out results.json]
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import datetime
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import stats
from side_by_side import peak_memory, versions

from newsroom.reports import Newsroom
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.events.count import counts, mixture
from nlpcalib.systems.events.learn import audit
from nlpcalib.systems.events.read import extraction, lexicon, probability, selection
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing import load_parser
from reproduction.corpora.formats import FORMATS, load_reader
from reproduction.corpora.readers.sotu import find_sotu
from reproduction.events import comparison, series, storage
from reproduction.events.truecase import Truecaser

ARTICLES, FIRST, DAYS = 193_403, datetime.date(1987, 1, 1), 7_474  # the paper's articles, first day and days
WORDS = 650  # of an article, an assumption: the paper does not say how long the New York Times' are
NUMBERS, LENGTHS, OF_A_LENGTH = (100, 200, 400, 800, 1_600), (200, 400, 800, 1_600), 50
MEASURED = (50, 100, 400)  # numbers of articles for which memory is measured too
COUNTED = ((25_000, 8), (100_000, 1), (100_000, 8), (100_000, 64), (ARTICLES, 8), (1_000_000, 8))  # documents, shards
SAMPLES, COUNTRIES = 100, 190
HOUR = 2 * 3_600  # processor seconds of two cores
QUERY = Query.from_mapping({"name": "attack", "verbs": ["attack"]})
PATTERN = selection.verb_pattern([QUERY])
STAGES = ("select", "parse", "read", "resolve", "extract", "candidates", "audit", "write")
COUNTING = ("write", "read", "count", "series", "compare")


class Clock(Counter):
    """Processor seconds by stage."""

    def __init__(self) -> None:
        self._start = time.process_time()

    def stop(self, stage: str) -> None:
        """Add the time since the last stop to a stage."""
        self[stage] += (now := time.process_time()) - self._start
        self._start = now


def print_row(title: str, *cells: object) -> None:
    """Print a row of a table."""
    texts = (f"{cell:,.2f}" if isinstance(cell, float) else str(cell) for cell in cells)
    print(f"{title:18}" + "".join(f"{text:>11}" for text in texts), flush=True)


def print_stages(title: str, seconds: Counter, sizes: Counter, megabytes: float) -> None:
    """Print sizes and milliseconds by document, the sum of those after parsing, and peak memory."""
    number = sizes["documents"]
    ms = [1e3 * seconds[stage] / number for stage in STAGES]
    of_each = [sizes[name] / number for name in ("words", "mentions", "rows")]
    print_row(title, number, *of_each, *ms, sum(ms[2:]), float(megabytes))


def after_parsing(path: Path, source: str) -> tuple[Clock, Counter]:
    """Find the events in a file of parsed documents and write them; return seconds by stage, and sizes."""
    countries = lexicon.load_lexicon([source])
    next(resolve(read_conllu(path)))  # what is loaded at the first use counts for no document
    storage.write_events(path.with_suffix(".parquet"), ())
    sizes, clock = Counter(), Clock()

    def documents() -> Iterator[Document]:
        for document in read_conllu(path):
            clock.stop("read")
            yield document

    def found() -> Iterator[tuple[str, probability.EventProbability]]:
        for resolution in resolve(documents()):
            clock.stop("resolve")
            words = sum(len(sentence.words) for sentence in resolution.document.sentences)
            evidence = extraction.find_evidence(resolution.document, [QUERY], countries, resolution.mentions)
            events = probability.document_events(resolution, QUERY, evidence, samples=SAMPLES)
            probabilities = list(events.probabilities) if events else []
            clock.stop("extract")
            if events:
                stream.writelines(json.dumps(row, default=str) for _, row in mixture.candidate_rows(events))
                clock.stop("candidates")
                stream.write(json.dumps(audit.audit_record(events, QUERY)))
                clock.stop("audit")
            sizes.update(documents=1, words=words, mentions=len(resolution.mentions), rows=len(probabilities))
            yield from ((QUERY.name, event) for event in probabilities)
            clock.stop("write")

    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as stream:
        storage.write_events(path.with_suffix(".parquet"), found())
    clock.stop("write")
    return clock, sizes


def reader(form: str) -> Callable[..., Iterator[DatedText]]:
    """Return the reader of a format."""
    return load_reader(FORMATS[form].reader)


def open_news(news: dict[str, str], folder: Path, limit: int) -> dict[str, tuple[float, float]]:
    """Measure all stages on `limit` or fewer of each source's documents that have a verb of the query.

    Returns the share of such documents and the coefficient of variation of their lengths.
    """
    parser, restore, results = load_parser(None), str, {}
    list(parser.parse_texts([("first", "The troops attacked.")]))
    mixed = [item for item in news.items() if item[0] != "muc3"]
    if 0 < len(mixed) < len(news):
        restore = Truecaser().fit(text.text for form, source in mixed for text in reader(form)(source, 0.01)).apply
    for form, source in news.items():
        clock = Clock()
        read = [part for text in reader(form)(source, 0.01) for part in selection.passages(text, 5_000)]
        selected = [text for text in read if PATTERN.search(text.text)]
        clock.stop("select")
        chosen, path = selected[:: -(-len(selected) // limit)], folder / f"{form}.conllu"
        clock["select"] *= len(chosen) / len(read)
        texts = ((text.id, restore(text.text) if form == "muc3" else text.text) for text in chosen)
        write_conllu(path, parser.parse_texts(texts))
        clock.stop("parse")
        seconds, sizes = after_parsing(path, "packaged")
        print_stages(form, clock + seconds, sizes, peak_memory(lambda path=path: after_parsing(path, "packaged")))
        lengths = np.array([len(text.text.split()) for text in selected])
        results[form] = len(selected) / len(read), float(lengths.std() / lengths.mean())
    return results


def articles(reports: Sequence[Document], number: int, words: int, seed: int) -> Iterator[Document]:
    """Yield articles, each of a report with a verb of the query and further ones, cut at a sentence's end."""
    rng = np.random.default_rng((seed, words))
    with_verb = [report for report in reports if PATTERN.search(report.text)]
    for place in range(number):
        chosen = [
            with_verb[rng.integers(len(with_verb))],
            *(reports[n] for n in rng.integers(len(reports), size=words // 50)),
        ]
        sentences = [sentence for report in chosen for sentence in report.sentences]
        last = np.searchsorted(np.cumsum([len(sentence.words) for sentence in sentences]), words)
        date = FIRST + datetime.timedelta(int(rng.integers(DAYS)))
        yield Document(f"article-{place}", tuple(sentences[: last + 1]), date=date)


def simulated_news(news: dict[str, tuple[float, float]], folder: Path, seed: int) -> dict[str, object]:
    """Measure what comes after parsing, and extrapolate it to all articles and to the shares and lengths of `news`."""
    reports = [report.document for report in Newsroom(seed=seed).reports(1_000_000, 1_000_400)]
    path, times = folder / "articles.conllu", []
    for number, words in (*((number, WORDS) for number in NUMBERS), *((OF_A_LENGTH, words) for words in LENGTHS)):
        write_conllu(path, articles(reports, number, words, seed))
        seconds, sizes = after_parsing(path, "newsroom")
        memory = peak_memory(lambda: after_parsing(path, "newsroom")) if number in MEASURED else np.nan
        print_stages(f"articles of {words}", seconds, sizes, memory)
        times.append(seconds.total())
    lines, results = {}, {"seconds": times}
    for name, sizes, column in ("number", NUMBERS, times[: len(NUMBERS)]), ("length", LENGTHS, times[len(NUMBERS) :]):
        lines[name] = stats.linregress(np.log(sizes), np.log(column))
        width = stats.t.ppf(0.975, len(sizes) - 2) * lines[name].stderr
        print(f"time grows as {name} to the power of {lines[name].slope:.3f} ± {width:.3f}")
    each = np.log(times[: len(NUMBERS)]) - np.log(NUMBERS)
    width = stats.t.ppf(0.975, each.size - 1) * each.std(ddof=1) * (1 + 1 / each.size) ** 0.5
    for name, (share, variation) in {"all": (1.0, 0.0), **news}.items():
        # The mean of a power of log-normal lengths over the power of their mean.
        uneven = (1 + variation**2) ** (lines["length"].slope * (lines["length"].slope - 1) / 2)
        seconds = np.exp(each.mean() + np.array([0, -width, width])) * ARTICLES * share * uneven
        results[name] = (seconds / HOUR).tolist()
        text = "{:.2f} hours on two cores ({:.2f} to {:.2f})".format(*results[name])
        print(f"{ARTICLES:,} articles, {share:.1%} with the verb ({name}), lengths varying by {variation:.0%}: {text}")
    return results


def simulated_events(number: int, seed: int) -> Iterator[probability.EventProbability]:
    """Yield the rows of documents with two countries each, or one if chance takes the same twice."""
    rng, weights = np.random.default_rng(seed), 1 / np.arange(1, COUNTRIES + 1)
    for document in range(number):
        date = FIRST + datetime.timedelta(int(rng.integers(DAYS)))
        for country in set(rng.choice(COUNTRIES, 2, p=weights / weights.sum()).tolist()):
            samples = (rng.random(SAMPLES) < rng.beta(0.3, 0.3)).astype(np.int16)
            yield probability.EventProbability(f"{seed}-{document}", date, f"C{country:03}", int(samples[0]), samples)


def counting(number: int, shards: int, folder: Path) -> Clock:
    """Measure how rows of so many documents are written and counted by months, as the script does and by shard."""
    paths, dates = [folder / f"{shard}.parquet" for shard in range(shards)], []
    storage.write_events(
        paths[0], ((QUERY.name, event) for event in simulated_events(10, 0))
    )  # the first counts for none
    clock = Clock()
    for shard, path in enumerate(paths):
        events = list(simulated_events(number // shards, shard))
        dates.append(np.array(list({event.document: event.date for event in events}.values()), dtype="datetime64[D]"))
        clock.stop("simulate")
        storage.write_events(path, ((QUERY.name, event) for event in events))
        clock.stop("write")
    del events

    def one_by_one() -> counts.EventCounts:
        tables = (storage.read_events(path, QUERY.name).of_documents for path in paths)
        return counts.count_events(zip(dates, tables, strict=True), "month")

    def at_once() -> None:
        clock.stop("simulate")
        tables = [storage.read_events(path, QUERY.name) for path in paths]
        clock.stop("read")
        counted = counts.count_events(zip(dates, [table.of_documents for table in tables], strict=True), "month")
        clock.stop("count")
        series.count_series(counted)
        clock.stop("series")
        whole, pair = counts.EventTable.joined(tables).of_documents, counted.countries[:2]
        for period in counted.documents:
            comparison.compare_countries(comparison.of_period(whole, period, "month"), *pair)
        clock.stop("compare")

    memory = peak_memory(one_by_one), peak_memory(at_once)
    at_once()
    print_row(f"{number:,}", shards, *(clock[stage] for stage in COUNTING), *memory)
    return clock


def main(news: dict[str, str], limit: int, out: Path | None, seed: int) -> None:
    """Measure, print, and write what was measured as JSON if asked to."""
    with tempfile.TemporaryDirectory() as folder:
        print_row("ms a document", "documents", "words", "mentions", "rows", *STAGES, "after", "peak MB")
        shares = open_news(news, Path(folder), limit)
        results = {"news": shares, "after parsing": simulated_news(shares, Path(folder), seed)}
        print_row("\nseconds, documents", "shards", *COUNTING, "MB by one", "MB at once")
        results["counting"] = {f"{one} in {shards}": counting(one, shards, Path(folder)) for one, shards in COUNTED}
    if out:
        results["versions"] = versions(("numpy", "scipy", "spacy", "pyarrow"))
        out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--news", nargs="*", metavar="FORMAT=FILE", default=[])
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=2015)
    options = parser.parse_args()
    sources = dict(item.split("=", 1) for item in options.news) or {"sotu": str(find_sotu())}
    main(sources, options.documents, options.out, options.seed)
