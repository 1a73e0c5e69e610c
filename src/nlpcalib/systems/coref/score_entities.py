"""`nlpcalib.score_entities`: how good is coreference, against a key?

Files are read as the reference scorer of the CoNLL shared tasks reads them. In a CoNLL file only `#begin document`,
`#end document` and the last column matter: there may be any number of columns, and a mention may go on after a blank
line. CoNLL-U has mentions in `Entity=`, in the fields of GUM or CorefUD; its empty nodes are no words.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from nlpcalib.errors import InputError, counted, located, some
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import json_lines
from nlpcalib.questions.answer import InWords
from nlpcalib.systems.coref.model.mentions import corefer
from nlpcalib.systems.coref.model.posterior import check_conditionals
from nlpcalib.systems.coref.score.links import TEMPERATURES, DocumentLinks, LinkEstimate, LinkScores, link_scores
from nlpcalib.systems.coref.score.scoring import CorefResults, coref_counts, coref_results
from nlpcalib.systems.text.conll import SCORER_ABSENT, parse_mentions, parse_parts
from nlpcalib.systems.text.conllu import parse_conllu
from nlpcalib.systems.text.document import Mention

METRICS = {
    "mentions": "mentions",
    "MUC": "muc",
    "B³": "b_cubed",
    "CEAFm": "ceaf_m",
    "CEAFe": "ceaf_e",
    "pairs": "pairwise",
    "BLANC": "blanc",
    "LEA": "lea",
}
"""What is scored, and its name in `CorefResults`."""


@dataclass(frozen=True, repr=False)
class ScoreReport(InWords):
    """The scores of a response, as the reference scorer of the CoNLL shared tasks computes them."""

    key: Path
    response: Path
    documents: int
    singletons: bool
    results: CorefResults
    links: LinkScores | None
    """How right the response's probabilities are; None if it has none."""

    def record(self) -> dict[str, object]:
        """Return the scores as shares of 1, by metric."""
        found: dict[str, object] = {"documents": self.documents, "singletons": self.singletons}
        found |= {name: asdict(getattr(self.results, name)) for name in METRICS.values()}
        found |= {"conll_f1": self.results.conll_f1}
        return found if self.links is None else {**found, "links": asdict(self.links)}

    def lines(self) -> list[str]:
        """Return a table in words, in percent."""
        return [
            f"{self.response}: {counted(self.documents, 'document')} against {self.key}",
            f"{'':10}" + "".join(f"{part:>11}" for part in ("recall", "precision", "F1")),
            *(
                f"{name:10}" + "".join(f"{100 * share:11.2f}" for share in asdict(getattr(self.results, key)).values())
                for name, key in METRICS.items()
            ),
            f"{'CoNLL F1':10}{100 * self.results.conll_f1:33.2f}  (mean F1 of MUC, B³ and CEAFe)",
            *([] if self.links is None else _link_lines(self.links)),
        ]


def _link_lines(links: LinkScores) -> list[str]:
    """Return how right the probabilities of links are, in words."""
    temperature, (least, *_, most) = links.temperature, TEMPERATURES.tolist()
    end = f", the end of those tried ({least:.2f} to {most:.2f})" * (temperature.value in (least, most))
    if temperature.low is None or temperature.high is None:
        advice = "an interval needs several documents"
    else:
        is_right = temperature.low <= 1 <= temperature.high
        repair = "the best lies outside of what was tried" if end else "recalibrate: nlpcalib coref --temperature"
        advice = "1 is in the interval" if is_right else repair
    return [
        f"probabilities of {counted(links.links, 'link')} (intervals of 95 % by documents):",
        f"  calibration error {_shown(links.error)}, bias-corrected",
        f"  expected {links.expected:.0f}, true {links.true:,}: ratio {_shown(links.ratio)}; the key has "
        f"{links.true_in_key:,}",
        *(f"  p ≥ {each.at_least}: {counted(each.links, 'link')}, wrong {_shown(each.wrong)}" for each in links.sure),
        f"  best temperature {_shown(temperature)}{end}: {advice}",
    ]


def _shown(estimate: LinkEstimate) -> str:
    if estimate.value is None:
        return "unknown"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def score_entities(key: str | Path, response: str | Path, *, singletons: bool = True) -> ScoreReport:
    """Score a system's entities against a key, and its probabilities, document by document; each part is a document.

    Parameters
    ----------
    key, response : path
        CoNLL-2012 or CoNLL-U, of the same documents with the same numbers of words. The response may be the JSON lines
        of `nlpcalib coref` on the key, with all antecedents; then the report has `links`.
    singletons : bool
        Whether entities of one mention count. The shared tasks' keys have none.

    Documents are compared by their names; in their order if one file has no names, or the response is JSON lines with
    other names, and both have as many documents.

    Raises `InputError` for files without documents, unmatched brackets, duplicate documents, and different numbers of
    words. Warns of files without entities and of duplicate mentions in an entity. Documents that the response lacks
    count as empty, and those that the key lacks are left out, both with a warning.
    """
    key, response = Path(key), Path(response)
    gold, system = _read(key), _read(response)
    is_answer = any(each.antecedents is not None for each in system.values())
    is_unnamed = _is_unnamed(gold, key) or _is_unnamed(system, response)
    if len(gold) == len(system) and (is_unnamed or (is_answer and not gold.keys() >= system.keys())):
        system = dict(zip(gold, system.values(), strict=True))
    _warn(f"{response}: found no document", [name for name in gold if name not in system], "counted as empty")
    _warn(f"{key}: found no document", [name for name in system if name not in gold], "left out of the response")
    pairs = [(name, each, system.get(name, _Document(each.words, [], []))) for name, each in gold.items()]
    # A few mentions may all be right.
    several = sum(len(each.mentions) for each in gold.values()) >= 20
    if several and all(sorted(map(sorted, one.entities)) == sorted(map(sorted, two.entities)) for _, one, two in pairs):
        warnings.warn(f"{response}: found the entities of the key, expected those of a system", stacklevel=2)
    counts, links, true = [], [], 0
    for name, expected, found in pairs:
        if found.words != expected.words:
            raise InputError(
                f"{response}: document {name}: found {found.words} words, expected {expected.words} as in {key}: the "
                "scorer compares mentions by the numbers of their words"
            )
        counts.append(coref_counts(expected.entities, found.entities, singletons=singletons))
        if is_answer:
            entities = {span: str(n) for n, each in reversed(list(enumerate(expected.entities))) for span in each}
            true += int(corefer(list(entities.values())).sum())
            if found.antecedents is not None:
                same = corefer([entities.get(span) for span in found.mentions])
                links.append(DocumentLinks.of(found.antecedents, same))
    scores = link_scores(links, true) if links else None
    return ScoreReport(key, response, len(gold), singletons, coref_results(np.sum(counts, axis=0)), scores)


class _Document(NamedTuple):
    """A document: mentions are first word and word after the last, counted in the document."""

    words: int
    mentions: list[tuple[int, int]]
    entities: list[list[tuple[int, int]]]
    antecedents: np.ndarray | None = None
    """A, float64 (mentions, mentions)."""


def _document(sizes: list[int], mentions: Iterable[Mention], antecedents: np.ndarray | None = None) -> _Document:
    """Return a document with as many words in each sentence."""
    starts = list(accumulate(sizes, initial=0))
    spans: list[tuple[int, int]] = []
    entities: dict[str, list[tuple[int, int]]] = {}
    for mention in mentions:
        first = starts[mention.sentence]
        spans.append((first + mention.start, first + mention.end))
        entities.setdefault(mention.entity, []).append(spans[-1])
    return _Document(starts[-1], spans, list(entities.values()), antecedents)


def _read(path: Path) -> dict[str, _Document]:
    """Read the documents of a file, by their ids."""
    check_file(path)
    found: dict[str, _Document] = {}
    with path.open("rb") as lines:
        with located(path):
            read = {"json": _answers, "conll": _conll, "conllu": _conllu}[_form(lines)]
        lines.seek(0)
        for name, document in read(lines, str(path)):
            if name in found:
                raise InputError(f"{path}: found document {name} again, expected it once")
            found[name] = document
    if not found:
        raise InputError(f"{path}: found no documents, expected CoNLL-2012 or CoNLL-U with entities")
    if not any(each.mentions for each in found.values()):
        warnings.warn(f"{path}: found no entity, expected some in its annotation of coreference", stacklevel=3)
    twice = [name for name, each in found.items() if any(len(set(one)) < len(one) for one in each.entities)]
    _warn(f"{path}: found a mention twice in an entity of document", twice, "expected it once")
    return found


def _is_unnamed(documents: dict[str, _Document], path: Path) -> bool:
    """Return whether `parse_conllu` named all documents after their file."""
    return list(documents) == [path.stem, *(f"{path.stem}-{number}" for number in range(2, len(documents) + 1))]


def _warn(found: str, names: list[str], then: str) -> None:
    if names:
        warnings.warn(f"{found} {some(names)}; {then}", stacklevel=3)


def _form(lines: Iterable[bytes]) -> str:
    """Return the format by a line `#begin document`, or else by the first line that is no comment and not blank."""
    for number, line in enumerate(lines, 1):
        if re.match(rb"(\xef\xbb\xbf)?\s*#\s*begin document", line):
            return "conll"
        if line.strip() and not line.startswith(b"#"):
            if line.lstrip().startswith(b"{"):
                return "json"
            columns = len(line.split(b"\t" if b"\t" in line else None))
            if columns != 10:
                expected = "10 of CoNLL-U, or #begin document before those of CoNLL-2012"
                raise InputError(f"line {number}: found {counted(columns, 'column')}, expected {expected}")
            return "conllu"
    return "conllu"


def _conllu(lines: IO[bytes], name: str) -> Iterator[tuple[str, _Document]]:
    for document in parse_conllu(lines, name, share=0.0):
        yield document.id, _document([len(sentence.words) for sentence in document.sentences], document.mentions)


def _conll(lines: IO[bytes], name: str) -> Iterator[tuple[str, _Document]]:
    for part in parse_parts(lines, name, lambda _, line: line.split(), strict=False):
        rows = [row for sentence in part.sentences for row in sentence]  # mentions may cross blank lines
        mentions = parse_mentions(0, rows, name, absent=SCORER_ABSENT, within="document")
        yield f"{part.document}.{int(part.number):03}", _document([len(rows)], mentions)


def _answers(lines: IO[bytes], name: str) -> Iterator[tuple[str, _Document]]:
    """Read the entities and antecedents of each document from the JSON lines of `nlpcalib coref`."""
    for number, record in json_lines(lines, f"{name}, line"):
        with located(f"{name}, line {number}"):
            answer = _answer(record)
        yield answer


def _answer(record: dict[str, Any]) -> tuple[str, _Document]:
    try:
        sizes = [len(sentence["words"]) for sentence in record["sentences"]]
        mentions = [
            Mention(*(each[key] for key in ("sentence", "start", "end", "entity"))) for each in record["mentions"]
        ]
        conditionals = np.zeros((len(mentions),) * 2)
        for number, (mention, each) in enumerate(zip(mentions, record["mentions"], strict=True)):
            if not (mention.sentence >= 0 and 0 <= mention.start < mention.end <= sizes[mention.sentence]):
                place = f"mention {number}: found words {mention.start} to {mention.end}"
                raise InputError(f"{place}, expected some of its sentence")
            if each["other_antecedents"] > 1e-3:  # the digits that the listed ones lack may add up to less
                raise InputError("found antecedents that are not listed, expected all: nlpcalib coref --at-least 0")
            for antecedent, probability in each["antecedents"]:
                conditionals[number, antecedent] = probability
        name, document = str(record["document"]), _document(sizes, mentions, conditionals)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"found other keys or values ({error}), expected the JSON lines of nlpcalib coref") from error
    # Probabilities have six digits, so a row may exceed 1 by as little.
    sums = conditionals.sum(axis=1, keepdims=True)
    conditionals /= np.where(sums <= 1 + 1e-3, np.maximum(sums, 1), 1)
    check_conditionals(conditionals)
    return name, document
