"""The methods paragraph of counted events, for a paper or an appendix, and its references."""

from __future__ import annotations

from typing import Any

from nlpcalib.errors import counted
from nlpcalib.estimation.changes import change_sentences
from nlpcalib.questions.methods import METHODS_FOLDER
from nlpcalib.systems.events.count.trend import TREND_LEVEL
from nlpcalib.version import __version__


def event_methods(report: Any) -> tuple[str, str]:
    """Return what an `EventReport` did, in Markdown with citations, and the references in BibTeX."""
    query, model, whole = report.query, report.model, report.totals[0]
    if model is None:
        read = (
            f"{report.selected:,} of {counted(report.documents, 'document')} have a form of "
            f"{' or '.join(f'*{verb}*' for verb in query.verbs)}. Their sentences were parsed and their entities "
            f"resolved; {counted(report.samples, 'sample')} of trees and entities of each document "
            f"decide how probable an event of a country is, as {' or '.join(query.roles)}, in any sense, also denied "
            "[@nguyen2015]"
        )
        joint = "A document with events of several countries counts once, by the same samples"
        assumed = "They hold if extraction is right given trees and entities, and do not cover what it misses"
    else:
        items = model.card.get("items", 0)
        taught = f"labels of {counted(items, 'text')}"
        number = counted(report.documents, "document")
        each = f"each of {number}" if model.of_texts else f"each country that one of {number} names"
        read = f"A model of *{model.name}*, taught by {taught}, gave {each} the probability of an event"
        joint = (
            "A document counts once, however many events it reports"
            if model.of_texts
            else "A document with events of several countries counts once, and these are taken for independent given "
            "the model"
        )
        levels = "levels" if "levels" in model.card else "a level"
        assumed = (
            f"They include the sampling error of {levels} that the labels of "
            f"{counted(model.card.get('events', 0), 'event')} set, and hold for documents like the labelled ones"
        )
    of_name = "" if query.name == "events" else f" of {query.name}"
    sentences = [
        f"We counted documents with an event{of_name} by {report.period}.",
        f"{read}.",
        *["Only acts count, not mentions."] * bool(query.only),
        f"{joint}.",
        f"Counts are Poisson-binomial, given these probabilities, and intervals are their central 95 %. {assumed}.",
        f"In all, {whole['mean']:.0f} documents are expected (95 % interval {whole['low']:,} to {whole['high']:,}).",
        *([] if report.trend is None else change_sentences([report.trend], TREND_LEVEL)),
        f"Computed with nlpcalib {__version__} (seed {report.seed}) [@nlpcalib].",
    ]
    text = " ".join(sentences) + "\n"
    entries = (METHODS_FOLDER / "references.bib").read_text("utf-8").replace("VERSION", __version__).splitlines()
    cited = [entry for entry in entries if f"@{entry.partition('{')[2].partition(',')[0]}" in text]
    return text, "\n\n".join(cited) + "\n"
