"""A page to look at: the least certain events of verbs, with the links that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from nlpcalib.io.files import atomic_open
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import Query

MAX_EVENTS_SHOWN = 100
"""Events on a page: more than one reads."""
_PREPOSITIONS = {"agent": "by", "patient": "on"}
_MAX_WORDS_QUOTED = 8


def write_audit(path: str | Path, records: Callable[[], Iterable[Mapping]], query: Query, title: str) -> None:
    """Write the least certain events of a query as one HTML page, each with its document and its link.

    Each call of `records` returns the records of `audit_record`, of which a document has several if its trees differ.
    The order of records does not matter.
    """
    q = {
        (record["document"], event["country"]): event["probability"]
        for record in records()
        for event in record["events"]
        if event["probability"] > 0
    }
    places = {key: place for place, key in enumerate(sorted(q, key=lambda key: (-q[key] * (1 - q[key]), key)))}
    shown = {key: place for key, place in places.items() if place < MAX_EVENTS_SHOWN}
    articles = {
        place: _article(record, event)
        for record in records()
        for event in record["events"]
        if (place := shown.get((record["document"], event["country"]))) is not None
    }
    description = f"Countries that are the {' or '.join(query.roles)} of: {', '.join(query.words)}"
    page = Path(__file__).with_suffix("") / "page.html"
    head = Template(page.read_text("utf-8")).substitute(
        title=escape(title), description=escape(description), number=len(shown)
    )
    with atomic_open(path) as stream:
        stream.write(head)
        stream.writelines(articles[place] for place in sorted(articles))
        if not articles:
            stream.write("<p>No events</p>\n")


def _article(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return an event, what it depends on, and its document."""
    roles = " or ".join(_PREPOSITIONS[role] for role in record["roles"])
    country = country_names().get(event["country"], event["country"])
    best = "the" if event["map_event"] else "no such"
    trees = event.get("parsers", ())
    sampled = f" By each sampled tree: {', '.join(map(_percent, trees))}." if len(trees) > 1 else ""
    dated = f"{record['document']}, {record['date']}" if record["date"] else record["document"]
    return (
        f"<article>\n<h2>P({escape(record['query'])} {roles} {escape(country)}) = {_percent(event['probability'])}"
        f'</h2>\n<p class="hint">{escape(dated)}. The best clustering has {best} event.{sampled}</p>\n'
        f'<p class="hinge">{_hinge(record, event)}</p>\n'
        f"{''.join(_options(record, event))}{_document(record, event)}</article>\n"
    )


def _hinge(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return the sentence that names what an event depends on."""
    if not event["choices"]:
        certain = event["probability"] in (0, 1)
        return "All samples agree." if certain else "It depends on no single uncertain link."
    choice = event["choices"][0]
    link = choice["link"]
    most = "" if choice["share"] >= 0.5 else "more than one link, most of all on "
    other = " or another like it" if link["others"] and link["antecedent"] != "others" else ""
    return (
        f"The event depends on {most}{_quoted(record, choice['mention'])} → "
        f"{_quoted(record, link['antecedent'])}{other}, which is "
        f"{_percent(link['probability'])} probable: if so {_percent(link['if_so'])}, if not "
        f"{_percent(link['if_not'])}."
    )


def _options(record: Mapping[str, Any], event: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table of the antecedents of each choice, with the probability of the event given each."""
    for choice in event["choices"]:
        yield f"<table>\n<tr><th>{_quoted(record, choice['mention'])} →</th>"
        yield "<th>probability</th><th>event then</th></tr>\n"
        for option in choice["options"]:
            cells = (_quoted(record, option["antecedent"]), _percent(option["probability"]), _percent(option["event"]))
            yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
        yield "</table>\n"


def _quoted(record: Mapping[str, Any], place: int | str) -> str:
    """Return a mention with the number of its sentence, or what stands for a new entity and for other antecedents."""
    if isinstance(place, str):
        return "a new entity" if place == "new" else "one of several others"
    mention = record["mentions"][place]
    sentence, end = record["sentences"][mention["sentence"]], mention["start"] + _MAX_WORDS_QUOTED
    words = "".join(_spaced(sentence)[mention["start"] : min(mention["end"], end)]).strip()
    return f"<i>{escape(words)}{' …' if mention['end'] > end else ''}</i> (sentence {mention['sentence'] + 1})"


def _document(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return the sentences of a document, with the verbs and the link of an event."""
    verbs = {(each["sentence"], each["verb"]) for each in record["candidates"]}
    ends = [(each["mention"], each["link"]["antecedent"]) for each in event["choices"][:1]]
    hinges = [record["mentions"][place] for pair in ends for place in pair if isinstance(place, int)]
    marked = {(each["sentence"], word) for each in hinges for word in range(each["start"], each["end"])}
    lines = []
    for number, sentence in enumerate(record["sentences"]):
        words = [escape(word) for word in _spaced(sentence)]
        words = [f"<b>{word}</b>" if (number, place) in verbs else word for place, word in enumerate(words)]
        words = [f"<mark>{word}</mark>" if (number, place) in marked else word for place, word in enumerate(words)]
        speaker = f"<b>{escape(sentence['speaker'])}:</b> " if sentence["speaker"] is not None else ""
        lines.append(f"<li>{speaker}{''.join(words)}</li>\n")
    return f"<ol>\n{''.join(lines)}</ol>\n"


def _spaced(sentence: Mapping[str, Any]) -> list[str]:
    """Return the words of a sentence, each with the space after it."""
    pairs = zip(sentence["words"], sentence["space_after"] or [True] * len(sentence["words"]), strict=True)
    return [word + " " * bool(space) for word, space in pairs]


def _percent(value: float) -> str:
    return f"{value:.0%}".replace("%", " %")
