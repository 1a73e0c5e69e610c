"""Tables of verdicts on real text, from the claims that a run of the open tier judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tools.result_tables.cells import TITLES, Row, Shown, decimal

from reproduction.claims.verdicts import DIFFERS, NOT_APPLICABLE, REPRODUCED, UNDECIDED

_VERDICTS = (REPRODUCED, DIFFERS, UNDECIDED, NOT_APPLICABLE)
_DECIDED = (REPRODUCED, DIFFERS)
_TELLING_CLAIMS = 6
_MAX_TELLING_OF_A_SECTION = 2


def tally(rows: Sequence[Row]) -> Shown:
    """Return how often each verdict was found on each corpus, and on all."""
    others = dict.fromkeys(row["verdict"] for row in rows if row["verdict"] not in _VERDICTS)
    verdicts = [*_VERDICTS, *others]
    counts = Counter((row["dataset"], row["verdict"]) for row in rows)
    corpora = dict.fromkeys(row["dataset"] for row in rows)
    lines = [[_title(corpus), *(str(counts[corpus, each] or "") for each in verdicts)] for corpus in corpora]
    total = Counter(row["verdict"] for row in rows)
    return [["corpus", *verdicts], *lines, ["all", *(str(total[each] or "") for each in verdicts)]]


def applicable(rows: Sequence[Row]) -> Shown:
    """Return every claim that applies to a corpus, in the order of the texts, with what was measured on each."""
    lines = []
    for (place, claim), own in _by_claim(row for row in rows if row["verdict"] != NOT_APPLICABLE).items():
        names = [f"{claim} ({place})", *[""] * (len(own) - 1)]
        lines += [
            [name, _title(row["dataset"]), row["measured"], _interval(row), row["evidence"], row["verdict"]]
            for name, row in zip(names, own, strict=True)
        ]
    return [["claim", "corpus", "measured", "interval", "rests on", "verdict"], *lines]


def telling(rows: Sequence[Row]) -> Shown:
    """Return the claims that are decided on most corpora, at most two of a section of a text.

    Claims decided on equally many are in the order of the texts.
    """
    by_claim = _by_claim(rows)
    decided = {key: [row for row in own if row["verdict"] in _DECIDED] for key, own in by_claim.items()}
    chosen: list[tuple[str, str]] = []
    for key in sorted(filter(decided.get, decided), key=lambda each: -len(decided[each])):
        sections = Counter(place.partition(",")[0] for place, _ in chosen)
        if len(chosen) < _TELLING_CLAIMS and sections[key[0].partition(",")[0]] < _MAX_TELLING_OF_A_SECTION:
            chosen.append(key)
    lines = []
    for key in filter(chosen.count, by_claim):
        measured = ". ".join(f"{_title(row['dataset'])}: {row['measured']}" for row in decided[key])
        verdicts = [
            f"{verdict} on {', '.join(own)}"
            for verdict in _DECIDED
            if (own := [_title(row["dataset"]) for row in decided[key] if row["verdict"] == verdict])
        ]
        lines.append([f"{key[1]} ({key[0]})", measured, "; ".join(verdicts)])
    return [["the texts", "here", "verdict"], *lines]


def _by_claim(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the rows of each claim, by its place and its words."""
    by_claim: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_claim.setdefault((row["place"], row["claim"]), []).append(row)
    return by_claim


def _interval(row: Row) -> str:
    """Return the interval of the number that decides, where the run has it."""
    if not (row.get("low") and row.get("high")):
        return ""
    low, high = (
        f"{float(row[end]):.0f}".replace("-", "−") if float(row[end]).is_integer() else decimal(row[end], 4)
        for end in ("low", "high")
    )
    return f"{low} to {high}"


def _title(dataset: str) -> str:
    name, _, query = dataset.partition("/")
    return f"{TITLES.get(name, name)}, {query}" if query else TITLES.get(name, name)
