"""`nlpcalib learn`: a model of events, learnt from labels."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import (
    AllFiles,
    Dates,
    File,
    Json,
    LexiconTables,
    NameList,
)
from nlpcalib.cli.paths import check_paths


def learn(
    file: File,
    labels: AllFiles,
    /,
    *,
    out: Path,
    id: str | None = None,
    date: str | None = None,
    text: str | None = None,
    dates: Dates = None,
    category: str = "",
    words: NameList = (),
    lexicon: LexiconTables = ("packaged",),
    as_json: Json = False,
) -> None:
    """Learn from labels which events dated documents report.

    Writes a model for `nlpcalib events --model`, and prints how good its probabilities are on held-out labels. Use it
    for countries and dates that labels cannot cover. For a total use `nlpcalib plan items` and `estimate`, whose
    interval is as narrow without a model.

    Example: nlpcalib learn news.csv labels.csv --words strike,walkout --out strikes.json

    Parameters
    ----------
    file
        Documents with id, date and text: CSV, TSV or JSON lines, also as .gz; labelled ones are among them.
    labels
        Sheets with item and label: codes of countries with an event (ISR USA), pairs (ISR>PSE), ~ before what is only
        mentioned, none, cannot tell, or yes for an event in a text that names no country. If all labels are yes or no,
        the model reads whole texts, and no countries.
    id
        Column of FILE that names a document (default: id).
    date
        Column of dates (default: date).
    text
        Column of texts (default: text).
    out
        File for the model: JSON, or .json.gz.
    category
        A built-in category, to start from its words and definition, or a name of your own.
    words
        Lemmas of verbs and nouns that often report such an event.
    """
    check_paths([], [file, *labels], outputs=[out])
    from nlpcalib.systems.events.learn_events import learn_events

    report = learn_events(
        file,
        labels,
        id=id,
        date=date,
        text=text,
        dates=dates,
        category=category,
        words=words,
        lexicon=lexicon,
    )
    report.save(out)
    content = report.record() if as_json else None
    print_answer([*str(report).splitlines(), f"file: {out}"], [], content=content)
