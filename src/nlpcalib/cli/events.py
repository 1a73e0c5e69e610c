"""`nlpcalib events`: find events in dated documents, and count them with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from nlpcalib.cli.output import print_answer, where
from nlpcalib.cli.parameters import (
    Dates,
    File,
    Json,
    LexiconTables,
    NameList,
    Out,
    Seed,
)
from nlpcalib.cli.paths import check_paths
from nlpcalib.errors import InputError

EVENT_FILES = (
    "events.csv", "document_events.csv", "dyads.csv", "totals.csv", "countries.csv", "series.csv", "counts.png",
    "counts.pdf", "counts.csv", "methods.md", "references.bib", "query.json", "audit.html",
)  # fmt: skip
_QUERY = Parameter(
    group=Group("Query", help="Give --category, --verbs or --model; separate names by commas.", sort_key=0)
)


def events(
    file: File,
    /,
    *,
    id: str | None = None,
    date: str | None = None,
    text: str | None = None,
    dates: Dates = None,
    model: Annotated[str | None, _QUERY] = None,
    category: Annotated[NameList, _QUERY] = (),
    verbs: Annotated[NameList, _QUERY] = (),
    period: Literal["month", "quarter", "year", "decade"] = "month",
    scores: Path | None = None,
    lexicon: LexiconTables = ("packaged",),
    seed: Seed = 0,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Find events in dated documents, and count them with intervals.

    Prints how many documents report an event, in all, by period and by country, with intervals. A category is read by a
    model of words, which does not recognise plans, prohibitions, denials and figures of speech. Verbs are found by
    parsing and coreference, in any sense and also if denied. A document with events of several countries counts once in
    the totals. With --out, writes totals.csv, countries.csv, series.csv, events.csv, document_events.csv, dyads.csv,
    audit.html, counts.png, counts.pdf, counts.csv, methods.md, references.bib and query.json.

    Example: nlpcalib events news.csv --category protest --period year --out protests, or nlpcalib events --example

    Parameters
    ----------
    file
        Documents with id, date and text: CSV, TSV or JSON lines; also as .gz.
    id
        Column that names a document (default: id).
    date
        Column of dates (default: date).
    text
        Column of texts (default: text).
    model
        A model that `nlpcalib learn` wrote, or a built-in category.
    category
        A built-in category: protest, assault or sanction.
    verbs
        Lemmas of verbs, counted as in the paper: attack,bomb.
    period
        Period of the series (default: month).
    scores
        With --verbs, antecedent scores of another coreference model: JSON lines as of `nlpcalib coref --scores`, in the
        order of the documents.
    seed
        Seed of the samples (default 0).
    """
    inputs = [file, *(Path(each) for each in (model, scores) if each)]
    check_paths([], inputs, out=out, writes=EVENT_FILES)
    query: dict[str, Any] = {key: list(names) for key, names in (("category", category), ("verbs", verbs)) if names}
    query |= {"model": model} if model else {}
    if not query:
        raise InputError("events: found no query, expected --category, --verbs or --model")
    from nlpcalib.systems.events.find_events import find_events

    report = find_events(
        file,
        query,
        id=id,
        date=date,
        text=text,
        dates=dates,
        period=period,
        lexicon=lexicon,
        scores=scores,
        seed=seed,
    )
    if out is not None:
        report.save(out)
    first, *rest = report.lines()
    content = {"totals": report.totals, "countries": report.countries} if as_json else None
    print_answer([f"{file}: {first}", *rest, *where(out)], [], content=content)
