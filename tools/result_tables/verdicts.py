"""Tables of verdicts, from the claims that runs of the open and the default tier judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tools.result_tables.cells import TITLES, Row, Shown
from tools.result_tables.models import README_TEXT

from reproduction.claims.verdicts import AS_IN_THE_PAPER, DIFFERS, NOT_APPLICABLE, REPRODUCED, UNDECIDED

_VERDICTS = (REPRODUCED, DIFFERS, UNDECIDED, NOT_APPLICABLE)
_DECIDED = (REPRODUCED, DIFFERS)
_JUDGED = (*_DECIDED, UNDECIDED)
_DRAWS = re.compile(r"holds in (\d+) of \d+ draws, does not in (\d+)")
_MORE_TEXT = re.compile(r"decides: (\S+) times the text")
_QUARTERS = " in the upper three quarters of [0, 1]"
"""Said once, above the tables."""
_SHORT = {AS_IN_THE_PAPER: "as in the paper"}
"""Verdicts by a shorter name, which the page explains."""


def tally(rows: Sequence[Row]) -> Shown:
    """Return how often each verdict was found with each corpus, and on all of them, each counted once."""
    others = dict.fromkeys(row["verdict"] for row in rows if row["verdict"] not in _VERDICTS)
    verdicts = [*_VERDICTS, *others]
    counts = Counter((row["dataset"], row["verdict"]) for row in rows)
    corpora = dict.fromkeys(row["dataset"] for row in rows)
    lines = [[_title(corpus), *(str(counts[corpus, each] or "") for each in verdicts)] for corpus in corpora]
    total = Counter(row["verdict"] for row in _once(rows))
    return [["corpus", *verdicts], *lines, ["all, each once", *(str(total[each] or "") for each in verdicts)]]


def of_claims(opened: Sequence[Row], default: Sequence[Row]) -> Shown:
    """Return a line for each claim: its verdicts in both tiers, and what was measured where it differs."""
    by_claim = [_by_claim(rows) for rows in (opened, default)]
    lines = []
    for place, words in dict.fromkeys(key for each in by_claim for key in each):
        both = [each.get((place, words), []) for each in by_claim]
        found = [f"{_dataset(row)}: {_measured(row)}" for rows in both for row in rows if row["verdict"] == DIFFERS]
        lines.append([f"{words} ({place})", *map(_verdicts, both), "; ".join(found)])
    return [["claim", "open corpora", "default run", "measured, if it differs"], *lines]


_CHAPTERS = {"tweets": "thesis"}
"""Chapters of claims that are one for a reader."""


def telling(rows: Sequence[Row]) -> Shown:
    """Return of each chapter the claim that is decided on most corpora; of equally many, one that differs on more.

    Of claims that are still equal the first in the texts is taken; a chapter without a decided claim has its first.
    Numbers are those of the last corpus with its rarer verdict. What a claim is judged by here, in brackets, is on the
    page of all verdicts.
    """
    lines = []
    chapters = [_CHAPTERS.get(row["chapter"], row["chapter"]) for row in rows]
    for chapter in dict.fromkeys(chapters):
        own = [row for row, each in zip(rows, chapters, strict=True) if each == chapter and row["verdict"] in _JUDGED]
        by_claim = _by_claim(own)
        corpora = {
            key: [len({_corpus(row) for row in of if row["verdict"] in kinds}) for kinds in (_DECIDED, (DIFFERS,))]
            for key, of in by_claim.items()
        }
        if not corpora:
            continue
        key = max(corpora, key=lambda each: corpora[each])
        kinds = _DECIDED if corpora[key][0] else (UNDECIDED,)
        of = {each: [row for row in by_claim[key] if row["verdict"] == each] for each in kinds}
        shown = min(filter(None, of.values()), key=lambda each: (len(each), each[-1]["verdict"] != DIFFERS))[-1]
        verdicts = [f"{each} on {', '.join(_title(row['dataset']) for row in own)}" for each, own in of.items() if own]
        claim = re.sub(r" \(here: .*\)$", "", key[1])
        lines.append([f"{claim} ({key[0]})", f"{_title(shown['dataset'])}: {_measured(shown)}", "; ".join(verdicts)])
    return [["the texts", "here", "verdict"], *lines]


def of_figure_3(rows: Sequence[Row], taggers: Shown) -> str:
    """Return the README's sentences on its Figure 3: the taggers, and the verdicts on claims as published."""
    header, *lines = taggers
    hmm, crf = ({line[0]: line[header.index(f"{README_TEXT}: {name}")] for line in lines} for name in ("HMM", "CRF"))
    own = [row for row in rows if _title(row["dataset"]) == README_TEXT and row["place"].startswith("4.2.2, Figure 3")]
    high, low, lower = (row for row in own if "bias-corrected" not in row["claim"])
    return (
        f"The HMM has {hmm['training sentences']} sentences and {hmm['accuracy']} accuracy, the CRF "
        f"{crf['training sentences']} and {crf['accuracy']} (c2 = {crf['pseudocount, c2']}).\n"
        f"The HMM's direction is {high['verdict']}, the CRF's {low['verdict']}; the CRF's lower error is "
        f"{lower['verdict']}:\n{lower['measured']}.\n"
    )


def of_neural_tagger(table: Shown) -> str:
    """Return the README's sentence on the neural tagger's accuracy and confidence."""
    [row] = [dict(zip(table[0], line, strict=True)) for line in table if line[0] == "CNN"]
    return (
        f"A neural tagger on EWT is right on {row['top tag right']} of words, with a mean confidence of "
        f"{row['sure of it']};\n[one temperature](docs/results/findings.md#a-neural-tagger) mends it.\n"
    )


def tallied(rows: Sequence[Row]) -> str:
    """Return how many verdicts there are of each kind that decides or may, and on how many corpora, in words."""
    counts = Counter(row["verdict"] for row in _once(rows))
    corpora = {_corpus(row) for row in rows}
    return (
        f"Of {sum(counts[each] for each in _JUDGED)} [verdicts](docs/results/verdicts.md) on {len(corpora)} corpora of "
        f"real text {counts[REPRODUCED]} are *reproduced*, {counts[DIFFERS]} *differ* and {counts[UNDECIDED]} are "
        "*undecided*."
    )


def _dataset(row: Row) -> str:
    """Return a dataset without the query of its events."""
    return _title(row["dataset"].partition("/")[0])


def _corpus(row: Row) -> str:
    """Return the corpus of a dataset: one whose taggers are trained in two ways counts once."""
    return _dataset(row).partition(" (")[0]


def _once(rows: Sequence[Row]) -> Iterable[Row]:
    """Return the last verdict on each claim and corpus: that with the paper's pseudocount, where there are two HMMs."""
    return {(_title(row["dataset"]).partition(" (")[0], row["place"], row["claim"]): row for row in rows}.values()


def _by_claim(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the rows of each claim, by its place and its words."""
    by_claim: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_claim.setdefault((row["place"], row["claim"]), []).append(row)
    return by_claim


def _measured(row: Row) -> str:
    return row["measured"].replace(_QUARTERS, "")


def _verdicts(rows: Sequence[Row]) -> str:
    """Return each verdict that applies, with its datasets; why a claim is undecided: its draws, or too little text."""
    named: dict[str, list[str]] = {}
    for row in rows:
        why = ""
        if row["verdict"] == UNDECIDED and (draws := _DRAWS.search(row["evidence"])):
            why = f" ({draws[1]} : {draws[2]})"
        elif row["verdict"] == UNDECIDED and (more := _MORE_TEXT.search(row["evidence"])):
            why = f" ({more[1]} ×)"
        named.setdefault(row["verdict"], []).append(_dataset(row) + why)
    if set(named) == {NOT_APPLICABLE}:
        return NOT_APPLICABLE
    applies = ((verdict, names) for verdict, names in named.items() if verdict != NOT_APPLICABLE)
    return "; ".join(f"{_SHORT.get(verdict, verdict)}: {', '.join(names)}" for verdict, names in applies)


def _title(dataset: str) -> str:
    name, _, query = dataset.partition("/")
    return f"{TITLES.get(name, name)}, {query}" if query else TITLES.get(name, name)
