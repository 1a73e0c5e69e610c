"""`nlpcalib events`: find events in dated documents, and count them with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from nlpcalib.cli.output import print_answer, where
from nlpcalib.cli.parameters import (
    ColumnNames,
    Dates,
    Encoder,
    File,
    Json,
    LexiconTables,
    NameList,
    Out,
    Quiet,
    Seed,
    Vectors,
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
    columns: ColumnNames = None,
    dates: Dates = None,
    model: Annotated[str | None, _QUERY] = None,
    category: Annotated[NameList, _QUERY] = (),
    verbs: Annotated[NameList, _QUERY] = (),
    roles: Annotated[NameList, _QUERY] = (),
    countries: Annotated[NameList, _QUERY] = (),
    count: Annotated[Literal["documents", "days"], _QUERY] = "documents",
    only: Annotated[Literal["acts"] | None, _QUERY] = None,
    period: Literal["month", "quarter", "year", "decade"] = "month",
    vectors: Vectors = None,
    encoder: Encoder = "",
    scores: Path | None = None,
    lexicon: LexiconTables = ("packaged",),
    seed: Seed = 0,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
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
    model
        A model that `nlpcalib learn` wrote, or a built-in category.
    category
        A built-in category: protest, assault or sanction.
    verbs
        Lemmas of verbs, counted as in the paper: attack,bomb.
    roles
        Roles of countries: agent (default), patient.
    countries
        Codes of the countries to report: USA,GBR (default: all).
    count
        documents: documents with an event, as in the paper (default); days: one event a day for each country, as in
        event data.
    only
        acts: leave out events that are only mentioned; for assault, protest, sanction, or a model that started from
        one.
    period
        Period of the series (default: month).
    scores
        With --verbs, antecedent scores of another coreference model: JSON lines as of `nlpcalib coref --scores`, in the
        order of the documents.
    seed
        Seed of the samples (default 0).
    """
    inputs = [file, *(Path(each) for each in (model, vectors, scores) if each)]
    check_paths([], inputs, out=out, writes=EVENT_FILES)
    named = {"category": category, "verbs": verbs, "roles": roles, "countries": countries}
    query: dict[str, object] = {key: list(names) for key, names in named.items() if names}
    given = (("only", only), ("count", count if count != "documents" else None))
    query |= {key: value for key, value in given if value}
    if not model and not query.keys() & {"category", "verbs"}:
        raise InputError("events: found no query, expected --category, --verbs or --model")
    from nlpcalib.systems.events.find_events import find_events

    report = find_events(
        file,
        query,
        columns=columns,
        dates=dates,
        period=period,
        lexicon=lexicon,
        model=model,
        vectors=vectors,
        encoder=encoder,
        scores=scores,
        seed=seed,
    )
    if out is not None:
        report.save(out)
    first, *rest = report.lines()
    content = {"totals": report.totals, "countries": report.countries} if as_json else None
    print_answer(events, [f"{file}: {first}", *rest, *where(out)], [], quiet=quiet, content=content)
