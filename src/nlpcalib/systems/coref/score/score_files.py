"""Scores of a response file against a key file, as the reference scorer of the CoNLL shared tasks reads them.

In a CoNLL file only `#begin document`, `#end document` and the last column matter: there may be any number of columns,
and a mention may go on after a blank line.

CoNLL-U has mentions in `Entity=`, in the fields of GUM or CorefUD; empty nodes count as words, unless only the key has
some: then its mentions there are left out, with a warning. A response may also be the JSON lines of `nlpcalib coref`
with all antecedents (`--at-least 0`): then its probabilities are scored, too.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, located, some
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import json_object
from nlpcalib.io.lines import numbered_lines
from nlpcalib.systems.coref.model.mentions import corefer
from nlpcalib.systems.coref.model.posterior import check_conditionals
from nlpcalib.systems.coref.score.links import DocumentLinks, LinkScores, link_scores
from nlpcalib.systems.coref.score.scoring import CorefResults, coref_counts, coref_results
from nlpcalib.systems.text.conll import SCORER_ABSENT, parse_mentions, parse_parts
from nlpcalib.systems.text.conllu import parse_conllu
from nlpcalib.systems.text.document import Mention
from nlpcalib.tables.conllu_columns import CONLLU_COLUMNS

SpanClusters = list[list[tuple[int, int]]]
"""The mentions of each entity, as first word and word after the last, counted in the document."""
_Documents = dict[str, tuple[int, SpanClusters]]
"""The number of words and the entities of each document, by its id."""
_Antecedents = tuple[list[tuple[int, int]], np.ndarray]
"""The mentions of a document, as in `SpanClusters`, and A, float64 (N, N)."""
_Answers = dict[str, tuple[tuple[int, SpanClusters], _Antecedents]]


@dataclass(frozen=True, slots=True)
class FileScores:
    """The scores of a response file."""

    documents: int
    results: CorefResults
    links: LinkScores | None = None
    """How right the response's probabilities are; None if it has none."""


def score_files(key: Path, response: Path, *, singletons: bool = True) -> FileScores:
    """Score a response against a key, document by document; each part is a document.

    Parameters
    ----------
    key, response : Path
        CoNLL-2012 or CoNLL-U, with the same documents and the same numbers of words. The response may be JSON lines of
        `nlpcalib coref` on the key, with all antecedents.
    singletons : bool
        Whether entities of one mention count. The shared tasks' keys have none.

    CoNLL-U without `# newdoc id` is compared in the order of its documents, if both files have the same number, and so
    is JSON.

    Raises `InputError` for files without documents, unmatched brackets, duplicate documents, and different numbers of
    words. Warns of files without entities and of duplicate mentions in an entity. Documents that the response lacks
    count as empty, and those that the key lacks are left out, both with a warning.
    """
    answers = _answers(response) if _is_json(response) else None
    # Neither the parser nor nlpcalib coref has the empty nodes of CoNLL-U, in whichever format it answers.
    lacking = _has_empty_nodes(key) and not _has_empty_nodes(response) and (answers is not None or _is_conllu(response))
    if lacking:
        warnings.warn(f"{response}: found no empty nodes; mentions at those of {key} are left out", stacklevel=2)
    gold = dict(_documents(key, empty_nodes=not lacking))
    system = dict(_documents(response)) if answers is None else {name: found for name, (found, _) in answers.items()}
    for path, found in ((key, gold), (response, system)):
        if not found:
            raise InputError(f"{path}: found no documents, expected CoNLL-2012 or CoNLL-U with entities")
        if not any(clusters for _, clusters in found.values()):
            warnings.warn(f"{path}: found no entity, expected some in its annotation of coreference", stacklevel=2)
        twice = [name for name, (_, each) in found.items() if any(len(set(cluster)) < len(cluster) for cluster in each)]
        _warn(f"{path}: found a mention twice in an entity of document", twice, "expected it once")
    if len(gold) == len(system) and (answers or _is_unnamed(gold, key) or _is_unnamed(system, response)):
        named = dict(zip(system, gold, strict=True))
        if not answers or not gold.keys() >= answers.keys():
            system = {named[name]: found for name, found in system.items()}
            answers = answers and {named[name]: found for name, found in answers.items()}
    _warn(f"{response}: found no document", [name for name in gold if name not in system], "counted as empty")
    _warn(f"{key}: found no document", [name for name in system if name not in gold], "left out of the response")
    # A few mentions may all be right.
    several = sum(len(cluster) for _, clusters in gold.values() for cluster in clusters) >= 20
    if several and all(_sorted(each) == _sorted(system.get(name, (0, []))[1]) for name, (_, each) in gold.items()):
        warnings.warn(f"{response}: found the entities of the key, expected those of a system", stacklevel=2)
    counts = []
    for name, (words, clusters) in gold.items():
        words_found, entities = system.get(name, (words, []))
        if words_found != words:
            raise InputError(
                f"{response}: document {name}: found {words_found} words, expected {words} as in {key}: the scorer "
                "compares mentions by the numbers of their words"
            )
        counts.append(coref_counts(clusters, entities, singletons=singletons))
    return FileScores(
        len(gold), coref_results(np.sum(counts, axis=0)), None if answers is None else _links(gold, answers)
    )


def _links(gold: _Documents, answers: _Answers) -> LinkScores:
    """Score the probabilities of links of the documents that the key has."""
    found, true = [], 0
    for name, (_, clusters) in gold.items():
        entities = {span: str(number) for number, cluster in reversed(list(enumerate(clusters))) for span in cluster}
        true += int(corefer(list(entities.values())).sum())
        if name in answers:
            spans, conditionals = answers[name][1]
            found.append(DocumentLinks.of(conditionals, corefer([entities.get(span) for span in spans])))
    return link_scores(found, true)


def _is_json(path: Path) -> bool:
    check_file(path)
    with path.open("rb") as lines:
        return next((line.strip() for line in lines if line.strip()), b"").startswith(b"{")


def _answers(path: Path) -> _Answers:
    """Read the entities and antecedents of each document from the JSON lines of `nlpcalib coref`."""
    found: _Answers = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                with located(f"{path}, line {number}"):
                    name, document, antecedents = _answer(json_object(line))
                    if name in found:
                        raise InputError(f"found document {name} again, expected it once")
                found[name] = document, antecedents
    return found


def _answer(record: dict[str, Any]) -> tuple[str, tuple[int, SpanClusters], _Antecedents]:
    try:
        sizes = [len(sentence["words"]) for sentence in record["sentences"]]
        starts = list(accumulate(sizes, initial=0))
        spans: list[tuple[int, int]] = []
        entities: dict[str, list[tuple[int, int]]] = {}
        conditionals = np.zeros((len(record["mentions"]),) * 2)
        for number, mention in enumerate(record["mentions"]):
            sentence, start, end = (mention[key] for key in ("sentence", "start", "end"))
            if not (sentence >= 0 and 0 <= start < end <= sizes[sentence]):
                raise InputError(f"mention {number}: found words {start} to {end}, expected some of its sentence")
            spans.append((starts[sentence] + start, starts[sentence] + end))
            entities.setdefault(mention["entity"], []).append(spans[-1])
            if mention["other_antecedents"] > 1e-3:  # the digits that the listed ones lack may add up to less
                raise InputError("found antecedents that are not listed, expected all: nlpcalib coref --at-least 0")
            for antecedent, probability in mention["antecedents"]:
                conditionals[number, antecedent] = probability
        name = str(record["document"])
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"found other keys or values ({error}), expected the JSON lines of nlpcalib coref") from error
    # Probabilities have six digits, so a row may exceed 1 by as little.
    sums = conditionals.sum(axis=1, keepdims=True)
    conditionals /= np.where(sums <= 1 + 1e-3, np.maximum(sums, 1), 1)
    check_conditionals(conditionals)
    return name, (sum(sizes), list(entities.values())), (spans, conditionals)


def _sorted(entities: SpanClusters) -> SpanClusters:
    return sorted(map(sorted, entities))


def _is_unnamed(documents: Collection[str], path: Path) -> bool:
    """Return whether `parse_conllu` named all documents after their file."""
    return list(documents) == [path.stem, *(f"{path.stem}-{number}" for number in range(2, len(documents) + 1))]


def _warn(found: str, names: list[str], then: str) -> None:
    if names:
        warnings.warn(f"{found} {some(names)}; {then}", stacklevel=3)


def _documents(path: Path, *, empty_nodes: bool = True) -> Iterator[tuple[str, tuple[int, SpanClusters]]]:
    """Yield the id of each document with its number of words and its entities."""
    is_conllu = _is_conllu(path)
    with path.open("rb") as lines:
        seen: set[str] = set()
        for name, sizes, mentions in _conllu(lines, str(path), empty_nodes) if is_conllu else _conll(lines, str(path)):
            if name in seen:
                raise InputError(f"{path}: found document {name} again, expected it once")
            seen.add(name)
            starts = list(accumulate(sizes, initial=0))
            entities: dict[str, list[tuple[int, int]]] = {}
            for mention in mentions:
                first = starts[mention.sentence]
                entities.setdefault(mention.entity, []).append((first + mention.start, first + mention.end))
            yield name, (sum(sizes), list(entities.values()))


def _is_conllu(path: Path) -> bool:
    """Return whether no `#begin document` is among the blank lines and comments that a file begins with.

    Raises `InputError` for words without it that are not CoNLL-U.
    """
    check_file(path)
    with path.open("rb") as lines:
        for number, line in numbered_lines(lines, str(path)):
            if re.match(r"\s*#\s*begin document", line):
                return False
            if line.strip() and not line.startswith("#"):
                columns = len(line.split("\t" if "\t" in line else None))
                if columns != len(CONLLU_COLUMNS):
                    raise InputError(
                        f"{path}, line {number}: found {columns} columns before any #begin document, expected "
                        "CoNLL-2012, which begins with #begin document (id); part 000, or the "
                        f"{len(CONLLU_COLUMNS)} of CoNLL-U"
                    )
                return True
    return True


def _has_empty_nodes(path: Path) -> bool:
    check_file(path)
    with path.open("rb") as lines:
        return any(re.match(rb"\d+\.\d+\t", line) for line in lines)


def _conllu(lines: Iterable[bytes], name: str, empty_nodes: bool) -> Iterator[tuple[str, list[int], Iterable[Mention]]]:
    for document in parse_conllu(lines, name, empty_nodes=empty_nodes, share=0.0):
        yield document.id, [len(sentence.words) for sentence in document.sentences], document.mentions


def _conll(lines: Iterable[bytes], name: str) -> Iterator[tuple[str, list[int], Iterable[Mention]]]:
    for part in parse_parts(lines, name, lambda _, line: line.split(), strict=False):
        rows = [row for sentence in part.sentences for row in sentence]  # mentions may cross blank lines
        mentions = parse_mentions(0, rows, name, absent=SCORER_ABSENT, within="document")
        yield f"{part.document}.{int(part.number):03}", [len(rows)], mentions
